import { resolve } from 'node:path';
import { startDynamoDb } from '#infra/local/dynamodb-engine.ts';
import { startSqs } from '#infra/local/queue-engine.ts';
import { DEFAULT_SCHEDULE } from '#shared/domain/retry-schedule.ts';

/** Thrown away with node_modules, whose code fills it. */
const COMPILE_CACHE = resolve('node_modules/.cache/compiled');

/** Jest's global set-up: one DynamoDB and one SQS engine for all test files; each file makes its own table and queue. */
export default async (): Promise<void> => {
  // Every stack and operations command that a test starts reads what Node has compiled before: half the work of its start.
  process.env.NODE_COMPILE_CACHE ??= COMPILE_CACHE;
  // Against a stage that runs already nothing is started, and nobody's AWS settings are replaced.
  if (process.env.E2E_BASE_URL) return;
  const dynamoDb = await startDynamoDb();
  const sqs = await startSqs();
  Object.assign(globalThis, { testEngines: [dynamoDb, sqs] });
  Object.assign(process.env, {
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_ENDPOINT_URL_DYNAMODB: dynamoDb.endpoint,
    AWS_ENDPOINT_URL_SQS: sqs.endpoint,
    // Handlers compose themselves when they are imported; tests then compose them anew with dependencies of their own.
    STAGE: 'test',
    TABLE_NAME: 'composed-at-import',
    DUE_SHARDS: '4',
    HASH_KEY: 'a-hash-key-for-tests-of-enough-length',
    FIRST_QUEUE_URL: `${sqs.endpoint}/000000000000/composed-at-import`,
    RETRY_QUEUE_URL: `${sqs.endpoint}/000000000000/composed-at-import`,
    SLOW_QUEUE_URL: `${sqs.endpoint}/000000000000/composed-at-import-slow`,
    WEBHOOK_TARGETS: 'any',
    RETRY_SCHEDULE: JSON.stringify(DEFAULT_SCHEDULE),
    DEFAULT_PROVIDER: 'paystack',
    PROVIDERS: '{}',
    RATE_LIMITS: '{"live": 0, "test": 0, "publicAddress": 0}',
  });
};
