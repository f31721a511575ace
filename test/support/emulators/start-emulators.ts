import { newAccessKeyId } from '#infra/local/emulators/admission.ts';
import { startDynamoDb } from '#infra/local/emulators/dynamodb-emulator.ts';
import type { Emulator } from '#infra/local/emulators/emulator.ts';
import { startSqs } from '#infra/local/emulators/queue-emulator.ts';
import { DEFAULT_SCHEDULE } from '#shared/webhooks/domain/retry-schedule.ts';
import { findQuietPort } from '#test/support/emulators/quiet-port.ts';
import { PAGE_LINK_KEY, SIGN_IN_KEY, WEBHOOK_KEY } from '#test/support/worlds/keys.ts';

/** The emulators that stopEmulators stops. */
const emulators: Emulator[] = [];

/** The access key id of this run. Processes that the run starts inherit this id, and the run's SQS emulator answers no other id. */
const accessKeyId = newAccessKeyId();

/** Starts one more DynamoDB emulator. */
export const startTableEmulator = async (): Promise<Emulator> => {
  // Tests use ordinary ports: no web page searches for them. The few ports that browsers block are left to the local stacks of tests.
  const dynamoDb = await startDynamoDb({ ports: [await findQuietPort(), await findQuietPort()] });
  emulators.push(dynamoDb);
  return dynamoDb;
};

/** Starts an SQS emulator, and sets the environment of functions except the DynamoDB emulator's address. */
export const startQueueEmulator = async (): Promise<void> => {
  const sqs = await startSqs(accessKeyId);
  emulators.push(sqs);
  Object.assign(process.env, {
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_ENDPOINT_URL_SQS: sqs.endpoint,
    // Handlers compose themselves when they are imported. Tests compose them again with their own dependencies.
    STAGE: 'test',
    TABLE_NAME: 'composed-at-import',
    DUE_SHARDS: '2',
    HASH_KEY: 'a-hash-key-for-tests-of-enough-length',
    SIGN_IN_KEYS: JSON.stringify({ key: SIGN_IN_KEY }),
    PAGE_LINK_KEYS: JSON.stringify({ key: PAGE_LINK_KEY }),
    WEBHOOK_KEYS: JSON.stringify({ key: WEBHOOK_KEY }),
    FIRST_QUEUE_URL: `${sqs.endpoint}/000000000000/composed-at-import`,
    RETRY_QUEUE_URL: `${sqs.endpoint}/000000000000/composed-at-import`,
    SLOW_QUEUE_URL: `${sqs.endpoint}/000000000000/composed-at-import-slow`,
    TEST_QUEUE_URL: `${sqs.endpoint}/000000000000/composed-at-import-test`,
    MONEY_QUEUES_URL: `${sqs.endpoint}/000000000000/composed-at-import-money`,
    CODE_QUEUE_URL: `${sqs.endpoint}/000000000000/composed-at-import-codes`,
    MAIL_FROM: 'payments@example.com',
    MAIL_CONFIGURATION_SET: 'payments-mail',
    WEBHOOK_TARGETS: 'any',
    RETRY_SCHEDULE: JSON.stringify(DEFAULT_SCHEDULE),
    DEFAULT_PROVIDER: 'paystack',
    ROUTING_ORDER: '[]',
    SANDBOX: '{}',
    ENABLED_PROVIDERS: '[]',
    STAGE_URL: 'https://payments.example.com',
    SIGN_IN_URL: 'https://payments.example.com/dashboard',
    CONTACT: 'null',
    PROVIDERS: '{}',
    PROVIDER_QUOTA: '{"creations": 0, "publicCreations": 0, "addressCreations": 0, "seconds": 10}',
    RATE_LIMITS: '{"live": 0, "test": 0, "publicAddress": 0}',
  });
};

/** Starts both emulators for work in this process. */
export const startEmulators = async (): Promise<void> => {
  process.env.AWS_ENDPOINT_URL_DYNAMODB = (await startTableEmulator()).endpoint;
  await startQueueEmulator();
};

/** Stops all emulators. */
export const stopEmulators = async (): Promise<void> => {
  await Promise.all(emulators.splice(0).map((emulator) => emulator.stop()));
};
