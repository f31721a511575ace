import { createHmac } from 'node:crypto';
import { DEFAULT_PROVIDER_QUOTA } from '#infra/default-limits.ts';
import { REGION } from '#infra/local/aws-account.ts';
import { moneyQueuesUrl, type QueueUrls } from '#infra/local/emulators/create-queues.ts';
import type { LocalProviders } from '#infra/local/providers/live-simulator.ts';
import type { Contact } from '#shared/platform/kernel/contact.ts';
import type { RateLimits } from '#shared/platform/requests/rate-limit.ts';
import { credentialsVariable } from '#shared/providers/credentials.ts';
import { providerName } from '#shared/providers/domain/provider.ts';
import { DEFAULT_SCHEDULE } from '#shared/webhooks/domain/retry-schedule.ts';

/** What the variables of the stack are made of. */
interface StageEnvironment {
  readonly dynamodbEndpoint: string;
  readonly sqsEndpoint: string;
  readonly accessKeyId: string;
  readonly queueUrls: QueueUrls;
  /** The stand-in for SES. */
  readonly sesEndpoint: string;
  readonly tableName: string;
  readonly dueShards: number;
  readonly hashKey: string;
  readonly providers: LocalProviders;
  readonly rateLimits: RateLimits;
  /** The stack's own address, as providers reach it. */
  readonly stageUrl: string;
  /** Whom the documents name as the contact; null for nobody. */
  readonly contact: Contact | null;
}

/** Where people sign in. Cookies and passkeys work under the name of this machine, where it has one. */
export const dashboardUrl = (baseUrl: string): string => `${baseUrl.replace('//127.0.0.1:', '//localhost:')}/dashboard`;

/** The SDK would prefer these variables to those that we set. */
const OVERRIDES = ['AWS_PROFILE', 'AWS_SESSION_TOKEN', 'AWS_ENDPOINT_URL', 'AWS_IGNORE_CONFIGURED_ENDPOINT_URLS'];

/** What AWS clients need. */
type Aws = Pick<StageEnvironment, 'dynamodbEndpoint' | 'sqsEndpoint' | 'accessKeyId'>;

/** Points every AWS client of this process at the local emulators, with what the SQS emulator asks for. Nothing can reach AWS. */
export const useLocalAws = (aws: Aws): void => {
  for (const name of OVERRIDES) delete process.env[name];
  Object.assign(process.env, {
    AWS_REGION: REGION,
    AWS_ACCESS_KEY_ID: aws.accessKeyId,
    // No emulator checks a signature.
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_ENDPOINT_URL_DYNAMODB: aws.dynamodbEndpoint,
    AWS_ENDPOINT_URL_SQS: aws.sqsEndpoint,
  });
};

/** Sets the credentials variables of the simulator's providers. Real credentials are in the environment already. */
export const useCredentials = ({ credentials }: Pick<LocalProviders, 'credentials'>): void => {
  for (const name of providerName.options) {
    const value = credentials[name];
    if (value !== undefined) process.env[credentialsVariable(name)] = value;
  }
};

/** A key of the local stack, the same at every start: derived from its secret. */
export const localKey = (hashKey: string, purpose: 'sign-in' | 'page-links' | 'webhooks'): string =>
  createHmac('sha256', hashKey).update(`${purpose} key`).digest('base64url');

/** Sets the variables of the functions, as a deployed stage does (env.ts of each capability). They read them when they are imported. */
export const setStageEnvironment = ({
  tableName,
  dueShards,
  hashKey,
  queueUrls,
  sesEndpoint,
  providers,
  rateLimits,
  stageUrl,
  contact,
}: Omit<StageEnvironment, keyof Aws>) => {
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_SESV2: sesEndpoint,
    STAGE: 'local',
    TABLE_NAME: tableName,
    DUE_SHARDS: String(dueShards),
    HASH_KEY: hashKey,
    SIGN_IN_KEYS: JSON.stringify({ key: localKey(hashKey, 'sign-in') }),
    PAGE_LINK_KEYS: JSON.stringify({ key: localKey(hashKey, 'page-links') }),
    WEBHOOK_KEYS: JSON.stringify({ key: localKey(hashKey, 'webhooks') }),
    FIRST_QUEUE_URL: queueUrls.first,
    RETRY_QUEUE_URL: queueUrls.retry,
    SLOW_QUEUE_URL: queueUrls.slow,
    TEST_QUEUE_URL: queueUrls.test,
    MONEY_QUEUES_URL: moneyQueuesUrl(queueUrls),
    CODE_QUEUE_URL: queueUrls.codes,
    MAIL_FROM: 'payments@localhost',
    MAIL_CONFIGURATION_SET: 'local',
    WEBHOOK_TARGETS: 'any',
    RETRY_SCHEDULE: JSON.stringify(DEFAULT_SCHEDULE),
    DEFAULT_PROVIDER: providers.defaultProvider,
    ROUTING_ORDER: process.env.ROUTING_ORDER ?? '[]',
    SANDBOX: process.env.SANDBOX ?? '{}',
    PROVIDERS: providers.settings,
    ENABLED_PROVIDERS: JSON.stringify(Object.keys(JSON.parse(providers.settings))),
    STAGE_URL: stageUrl,
    SIGN_IN_URL: dashboardUrl(stageUrl),
    LISTS_AT_ONCE: '{}',
    PROVIDER_PACES: '{}',
    CONTACT: JSON.stringify(contact),
    RATE_LIMITS: JSON.stringify(rateLimits),
    PROVIDER_QUOTA: process.env.PROVIDER_QUOTA ?? JSON.stringify(DEFAULT_PROVIDER_QUOTA),
  });
  useCredentials(providers);
};
