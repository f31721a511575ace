import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SQSClient } from '@aws-sdk/client-sqs';
import type { Cleanup } from '#infra/local/cleanup.ts';
import { fileIn } from '#infra/local/data/data-dir.ts';
import type { Identity } from '#infra/local/data/identity.ts';
import { useLocalAws } from '#infra/local/environment.ts';
import { CannotStart } from '#infra/local/errors.ts';
import type { Settings } from '#infra/local/settings.ts';
import { clientSettings } from '#shared/platform/aws-client.ts';
import { newAccessKeyId, stableAccessKeyId } from './admission.ts';
import { createQueues, type QueueUrls } from './create-queues.ts';
import { createTable } from './create-table.ts';
import { startDynamoDb } from './dynamodb-emulator.ts';
import type { Emulator } from './emulator.ts';
import { startSqs } from './queue-emulator.ts';

/** The emulators with the table and the queue in them. */
export interface Emulators {
  readonly dynamodbEndpoint: string;
  readonly sqsEndpoint: string;
  readonly queueUrls: QueueUrls;
  /** Without it the embedded SQS emulator answers nobody. */
  readonly accessKeyId: string;
  /** Resolves with the reason when an embedded emulator ends by itself. */
  readonly died: Promise<string>;
}

/**
 * For the first calls to an emulator, which may still be starting: several attempts, within about two seconds. All of these calls may be
 * repeated.
 */
const FIRST_CALLS = clientSettings({ answerMs: 5_000, maxAttempts: 5 });

/** An emulator that the user runs: not ours to stop, and nothing reports its end. */
const externalEmulator = (endpoint: string): Emulator => ({
  endpoint,
  stop: async () => {},
  died: new Promise(() => {}),
});

/** The answer of an emulator. Throws CannotStart with the name of its setting when there is none. */
const requireAnswer = async <T>(setting: string, endpoint: string, call: () => Promise<T>): Promise<T> => {
  try {
    return await call();
  } catch (error) {
    const reason = error instanceof Error ? ('code' in error && error.code) || error.name : 'unknown error';
    throw new CannotStart(
      `${setting} does not answer at ${endpoint} (${reason}). Start it there, or leave the setting out to use the embedded emulator.`,
    );
  }
};

/**
 * Starts the embedded emulators, or uses those that the settings name, and creates the table and the queues in them.
 * @throws CannotStart when one of them cannot be had.
 */
export const startEmulators = async (
  settings: Settings,
  { tableName, hashKey }: Identity,
  cleanup: Cleanup,
): Promise<Emulators> => {
  const stoppedAtCleanup = (emulator: Emulator): Emulator => {
    cleanup.add(() => emulator.stop());
    return emulator;
  };
  const { dynamodbEndpoint, sqsEndpoint, dataDir } = settings;
  // DynamoDB Local keeps the tables of each access key id apart, so the user's gets the same one at every start.
  const accessKeyId = dynamodbEndpoint ? stableAccessKeyId(hashKey) : newAccessKeyId();
  const dynamoDb = dynamodbEndpoint
    ? externalEmulator(dynamodbEndpoint)
    : stoppedAtCleanup(await startDynamoDb({ dbPath: fileIn(dataDir, 'table') }));
  const sqs = sqsEndpoint ? externalEmulator(sqsEndpoint) : stoppedAtCleanup(await startSqs(accessKeyId));
  const endpoints = { dynamodbEndpoint: dynamoDb.endpoint, sqsEndpoint: sqs.endpoint };
  useLocalAws({ ...endpoints, accessKeyId });

  const [, queueUrls] = await Promise.all([
    requireAnswer('DYNAMODB_ENDPOINT', dynamoDb.endpoint, () =>
      createTable(new DynamoDBClient(FIRST_CALLS), tableName),
    ),
    requireAnswer('SQS_ENDPOINT', sqs.endpoint, () =>
      createQueues(new SQSClient(FIRST_CALLS), sqs.endpoint, tableName),
    ),
  ]);
  return { ...endpoints, queueUrls, accessKeyId, died: dynamoDb.died };
};
