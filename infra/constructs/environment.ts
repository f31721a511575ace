import { Token } from 'aws-cdk-lib';
import * as z from 'zod/mini';
import type { FunctionSpec } from '#infra/function-spec.ts';
import { MONEY_PREFIX } from '#infra/lanes.ts';
import type * as api from '#shared/api/env.ts';
import type * as published from '#shared/api/env-published.ts';
import type * as checkouts from '#shared/checkouts/env.ts';
import type * as pageLinks from '#shared/checkouts/env-page-links.ts';
import type * as members from '#shared/members/env.ts';
import type * as money from '#shared/payments/env.ts';
import type * as sweep from '#shared/payments/env-sweep.ts';
import type * as kernel from '#shared/platform/env.ts';
import { PROVIDERS } from '#shared/providers/domain/names.ts';
import type * as virtualAccounts from '#shared/virtual-accounts/env.ts';
import type { Lane } from '#shared/webhooks/domain/delivery.ts';
import type * as webhooks from '#shared/webhooks/env.ts';
import { keysName, providerSecretName } from './names.ts';
import type { StageSettings } from './stage-settings.ts';

type Environments = typeof api &
  typeof checkouts &
  typeof kernel &
  typeof members &
  typeof money &
  typeof pageLinks &
  typeof published &
  typeof sweep &
  typeof virtualAccounts &
  typeof webhooks;

/** The name of a provider in environment variables. */
export type ProviderName = z.infer<Environments['initializeCheckoutEnv']>['DEFAULT_PROVIDER'];

/** The names in a schema. A schema without variables has the key type `string`, which counts as no name. */
type NamesIn<Schema extends z.ZodMiniObject> = string extends keyof z.input<Schema> ? never : keyof z.input<Schema>;

/** Every variable in the schemas of the env.ts files below shared/. The type check fails if stageVariables has one too many or too few. */
type Variable = {
  [Name in keyof Environments]: Environments[Name] extends z.ZodMiniObject
    ? Extract<NamesIn<Environments[Name]>, string>
    : never;
}[keyof Environments];

/** The environment variables of all functions of a stage. A value that is only known during the deployment is a CDK token. */
export type StageVariables = Readonly<Record<Variable, string>>;

/** Values of resources that `stageVariables` needs. */
export interface Resources {
  readonly tableName: string;
  readonly hashKey: string;
  readonly queueUrls: Readonly<Record<Lane, string>>;
  /** The common beginning of the URLs of the money queues. */
  readonly moneyQueuesUrl: string;
  /** The API's public address, without a slash at the end. */
  readonly baseUrl: string;
}

/** Lists the live providers that a stage has enabled. */
export const enabledProviders = ({ providers }: StageSettings): readonly ProviderName[] =>
  (Object.keys(providers) as ProviderName[]).filter((name) => providers[name] !== undefined);

/** Maps each enabled provider to the name of the secret with its credentials. */
export const providerSecrets = (settings: StageSettings): Readonly<Record<string, string>> =>
  Object.fromEntries(enabledProviders(settings).map((name) => [name, providerSecretName(settings.stage, name)]));

/** Makes the providers' settings for the functions, each with the name of the secret with its credentials. */
const makeProviderSettings = (settings: StageSettings) =>
  Object.fromEntries(
    enabledProviders(settings).map((name) => [
      name,
      { ...settings.providers[name], secretId: providerSecretName(settings.stage, name) },
    ]),
  );

/**
 * Computes, for each provider, the milliseconds from one call to the next in one execution of the provider's money work. With this gap all
 * its executions together keep to `lookUpsPerSecond`. Has no value for a provider without this setting.
 */
const computePaces = ({ concurrency: { lookUpsPerSecond, lanes } }: StageSettings) =>
  Object.fromEntries(
    PROVIDERS.flatMap((name) => {
      const rate = lookUpsPerSecond[name];
      return rate === undefined ? [] : [[name, (1_000 * lanes[`${MONEY_PREFIX}-${name}`]) / rate]];
    }),
  );

/** Makes every environment variable of a stage. */
export const stageVariables = (settings: StageSettings, resources: Resources): StageVariables => ({
  STAGE: settings.stage,
  TABLE_NAME: resources.tableName,
  DUE_SHARDS: String(settings.dueShards),
  HASH_KEY: resources.hashKey,
  SIGN_IN_KEYS: keysName(settings.stage, 'SIGN_IN_KEYS'),
  PAGE_LINK_KEYS: keysName(settings.stage, 'PAGE_LINK_KEYS'),
  WEBHOOK_KEYS: keysName(settings.stage, 'WEBHOOK_KEYS'),
  RATE_LIMITS: JSON.stringify(settings.requestsPerSecond),
  PROVIDER_QUOTA: JSON.stringify(settings.providerQuota),
  FIRST_QUEUE_URL: resources.queueUrls.first,
  RETRY_QUEUE_URL: resources.queueUrls.retry,
  SLOW_QUEUE_URL: resources.queueUrls.slow,
  TEST_QUEUE_URL: resources.queueUrls.test,
  MONEY_QUEUES_URL: resources.moneyQueuesUrl,
  WEBHOOK_TARGETS: settings.webhookTargets,
  RETRY_SCHEDULE: JSON.stringify(settings.retrySchedule),
  // The dashboard's CDK stack sets these for its functions.
  CODE_QUEUE_URL: '',
  SIGN_IN_URL: '',
  MAIL_FROM: '',
  MAIL_CONFIGURATION_SET: '',
  DEFAULT_PROVIDER: settings.defaultProvider,
  ROUTING_ORDER: JSON.stringify(settings.routing.order),
  SANDBOX: JSON.stringify(settings.sandbox ?? {}),
  PROVIDERS: JSON.stringify(makeProviderSettings(settings)),
  ENABLED_PROVIDERS: JSON.stringify(enabledProviders(settings)),
  STAGE_URL: resources.baseUrl,
  LISTS_AT_ONCE: JSON.stringify(settings.concurrency.listsAtOnce),
  PROVIDER_PACES: JSON.stringify(computePaces(settings)),
  CONTACT: JSON.stringify(settings.contact ?? null),
});

/** Stands, in the check below, for a value that CDK knows only during the deployment. The schema of each variable with such a value accepts it. */
const PLACEHOLDER = 'https://known.at.deployment/0123456789abcdef';

/** Lists the variables in a function's schema. */
export const variableNames = ({ env }: Pick<FunctionSpec, 'env'>): readonly string[] =>
  env instanceof z.ZodMiniObject ? Object.keys(env.shape) : [];

/** Whether a function calls live providers or is called by them. */
export const knowsProviders = (spec: Pick<FunctionSpec, 'env'>): boolean => variableNames(spec).includes('PROVIDERS');

/**
 * Makes the environment variables of one function: those in its schema, checked against it.
 * @throws Error at synth, if the schema would reject a variable at the function's cold start.
 */
export const makeEnvironment = (spec: FunctionSpec, all: StageVariables): Record<string, string> => {
  const variables = Object.entries(all).filter(([name]) => variableNames(spec).includes(name));
  const knownValues = variables.map(([name, value]) => [name, Token.isUnresolved(value) ? PLACEHOLDER : value]);
  const parsed = spec.env.safeParse(Object.fromEntries(knownValues));
  if (parsed.success) return Object.fromEntries(variables);
  const names = [...new Set(parsed.error.issues.map(({ path }) => path.join('.')))].join(', ');
  throw new Error(`The function ${spec.name} would not start: correct ${names} in infra/constructs/environment.ts.`);
};
