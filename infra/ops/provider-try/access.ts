import * as z from 'zod';
import { readRunningStack } from '#infra/ops/local-stage.ts';
import { OperatorError } from '#infra/ops/operator-error.ts';
import { parseJson } from '#shared/platform/json.ts';
import type { AnySettings } from '#shared/providers/common/description.ts';
import { isLoopback, type ProviderTrial } from '#shared/providers/common/simulator/tried-provider.ts';
import {
  credentialsVariable,
  NoCredentials,
  parseCredentials,
  readCredentials,
} from '#shared/providers/credentials.ts';
import type { Customer, ProviderName } from '#shared/providers/domain/provider.ts';
import { REGISTRY, type RegisteredProvider } from '#shared/providers/registry.ts';
import type { ProviderSettings } from '#shared/providers/settings.ts';

/** The settings of a sandbox, and its credentials. */
export interface SandboxAccess {
  readonly settings: z.infer<AnySettings>;
  readonly credentials: Readonly<Record<string, unknown>>;
}

/** Sources of settings and credentials, besides the environment. */
export interface AccessOptions {
  /** Replaces the base URL of the settings. */
  readonly baseUrl: string | undefined;
  /** Settings of a deployed stage, with the ids of its secrets. Undefined without a stage. */
  readonly stageSettings: ProviderSettings | undefined;
}

const readObject = (variable: string): Readonly<Record<string, unknown>> => {
  const text = process.env[variable]?.trim();
  const parsed = z.record(z.string(), z.unknown()).safeParse(text ? parseJson(text) : {});
  if (!parsed.success) throw new OperatorError(`The variable ${variable} must be a JSON object.`);
  return parsed.data;
};

/**
 * Reads settings and credentials from the environment. If it has no credentials, they come from the running local stack, if that was started
 * with `--live-simulator`.
 */
const readLocalAccess = (name: ProviderName) => {
  const fromEnvironment = process.env[credentialsVariable(name)];
  const live = fromEnvironment?.trim() ? undefined : readRunningStack()?.live;
  return {
    settings: live?.settings[name] ?? readObject('PROVIDERS')[name] ?? {},
    credentials: live?.credentials[name] ?? fromEnvironment,
  };
};

/** Parses the settings of a provider. @throws OperatorError that names the fields that are missing or wrong. */
const parseSettings = (name: ProviderName, raw: object): z.infer<AnySettings> => {
  const registered: RegisteredProvider = REGISTRY[name];
  const parsed = registered.settings.safeParse(raw);
  if (parsed.success) return parsed.data;
  const wrong = [...new Set(parsed.error.issues.map(({ path }) => path.join('.')))].join(' and ');
  throw new OperatorError(
    `In the settings of ${name}, ${wrong} is missing or wrong. Set PROVIDERS='{"${name}": {…}}'. docs/operating/first-deployment.md lists the settings.`,
  );
};

const readAccess = async (
  name: ProviderName,
  { sandboxSettings }: ProviderTrial,
  { baseUrl, stageSettings }: AccessOptions,
): Promise<SandboxAccess> => {
  const schema = REGISTRY[name].credentials;
  const givenBaseUrl = baseUrl === undefined ? {} : { baseUrl };
  if (stageSettings) {
    const settings = stageSettings[name];
    if (!settings)
      throw new OperatorError(
        `The stage has not enabled ${name}. Add it to the stage's providers in infra/config.ts and deploy.`,
      );
    const credentials = await readCredentials({ name, schema, secretId: settings.secretId });
    return { settings: { ...settings, ...givenBaseUrl }, credentials };
  }
  const local = readLocalAccess(name);
  // A given base URL is a provider simulator's. The simulator has the banks of live mode, so it needs no sandbox settings.
  const defaults = baseUrl === undefined ? sandboxSettings : {};
  return {
    settings: parseSettings(name, { ...defaults, ...local.settings, ...givenBaseUrl }),
    credentials: parseCredentials({ name, schema, secretId: undefined }, local.credentials),
  };
};

/**
 * Reads the settings and credentials of a sandbox.
 * @throws OperatorError if something is missing, or if the credentials or the address may move real money.
 */
export const readSandboxAccess = async (
  name: ProviderName,
  tried: ProviderTrial,
  options: AccessOptions,
): Promise<SandboxAccess> => {
  const access = await readAccess(name, tried, options).catch((error: unknown) => {
    throw error instanceof NoCredentials ? new OperatorError(error.message) : error;
  });
  const baseUrl = new URL(access.settings.baseUrl);
  if (baseUrl.protocol !== 'https:' && !isLoopback(baseUrl)) {
    throw new OperatorError('Credentials are sent only over https. Give a base URL that begins with https://.');
  }
  const objection = tried.objection({ baseUrl, credentials: access.credentials });
  if (objection !== undefined) {
    throw new OperatorError(`Only a sandbox can be tried, never live mode. Nothing was sent. ${objection}`);
  }
  return access;
};

/** An invented customer. No real person has these identity numbers. */
const INVENTED_CUSTOMER = {
  name: 'Ifeoluwa Tryson Adebanjo',
  phone: '+2348030000100',
  email: 'ifeoluwa.adebanjo@example.com',
  bvn: '21212121212',
  nin: '12121212121',
};

const customer = z.strictObject({
  name: z.string().min(3).default(INVENTED_CUSTOMER.name),
  phone: z.string().default(INVENTED_CUSTOMER.phone),
  email: z.email().default(INVENTED_CUSTOMER.email),
  bvn: z.string().default(INVENTED_CUSTOMER.bvn),
  nin: z.string().default(INVENTED_CUSTOMER.nin),
});

/**
 * Reads the customer of a try from the variable TRY_CUSTOMER, for a sandbox that needs a customer whom it knows. Default: an invented one.
 * It is a variable because arguments stay in a shell's history. @throws OperatorError that names wrong fields, never their values.
 */
export const readTryCustomer = (): Customer => {
  const parsed = customer.safeParse(readObject('TRY_CUSTOMER'));
  if (parsed.success) return parsed.data;
  const wrong = parsed.error.issues.flatMap((issue) => (issue.code === 'unrecognized_keys' ? issue.keys : issue.path));
  throw new OperatorError(`TRY_CUSTOMER has a field that is wrong or unknown: ${wrong.join(', ')}.`);
};
