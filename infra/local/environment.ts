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

/** The values for the environment variables of the local stack. */
interface StageEnvironment {
  readonly dynamodbEndpoint: string;
  readonly sqsEndpoint: string;
  readonly accessKeyId: string;
  readonly queueUrls: QueueUrls;
  /** The address of the local replacement for SES. */
  readonly sesEndpoint: string;
  readonly tableName: string;
  readonly dueShards: number;
  readonly hashKey: string;
  readonly providers: LocalProviders;
  readonly rateLimits: RateLimits;
  /** The address at which providers reach the stack. */
  readonly stageUrl: string;
  /** The contact in the documents at /docs; null for none. */
  readonly contact: Contact | null;
}

/** Returns the address of the dashboard. It uses `localhost`, because cookies and passkeys need a name. */
export const dashboardUrl = (baseUrl: string): string => `${baseUrl.replace('//127.0.0.1:', '//localhost:')}/dashboard`;

/** Variables that the SDK would prefer to the variables that we set. */
const OVERRIDES = ['AWS_PROFILE', 'AWS_SESSION_TOKEN', 'AWS_ENDPOINT_URL', 'AWS_IGNORE_CONFIGURED_ENDPOINT_URLS'];

/** The values that AWS clients need. */
type Aws = Pick<StageEnvironment, 'dynamodbEndpoint' | 'sqsEndpoint' | 'accessKeyId'>;

/** Points every AWS client of this process at the local emulators, so that none can reach AWS. */
export const useLocalAws = (aws: Aws): void => {
  for (const name of OVERRIDES) delete process.env[name];
  Object.assign(process.env, {
    AWS_REGION: REGION,
    AWS_ACCESS_KEY_ID: aws.accessKeyId,
    // Any value works, because the emulators check no signatures.
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_ENDPOINT_URL_DYNAMODB: aws.dynamodbEndpoint,
    AWS_ENDPOINT_URL_SQS: aws.sqsEndpoint,
  });
};

/** Sets the variables with the credentials of the provider simulator. Credentials of real providers are in the environment already. */
export const useCredentials = ({ credentials }: Pick<LocalProviders, 'credentials'>): void => {
  for (const name of providerName.options) {
    const value = credentials[name];
    if (value !== undefined) process.env[credentialsVariable(name)] = value;
  }
};

/** Derives a key of the local stack from its hash key. It is the same at every start. */
export const localKey = (hashKey: string, purpose: 'sign-in' | 'page-links' | 'webhooks'): string =>
  createHmac('sha256', hashKey).update(`${purpose} key`).digest('base64url');

/** Sets the environment variables that the functions read when they are imported. The file env.ts of each capability declares them. */
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
