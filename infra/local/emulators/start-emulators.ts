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

/** The running emulators, with the table and the queues in them. */
export interface Emulators {
  readonly dynamodbEndpoint: string;
  readonly sqsEndpoint: string;
  readonly queueUrls: QueueUrls;
  /** The embedded SQS emulator answers only requests with this access key id. */
  readonly accessKeyId: string;
  /** Resolves with a sentence if an embedded emulator ends by itself. */
  readonly died: Promise<string>;
}

/**
 * Settings of the first calls to an emulator: several tries within about two seconds, because the emulator may still be starting. All these
 * calls may be repeated.
 */
const FIRST_CALLS = clientSettings({ answerMs: 5_000, maxAttempts: 5 });

/** Wraps an emulator that the user runs. The local stack does not stop it, and does not notice its end. */
const useExternalEmulator = (endpoint: string): Emulator => ({
  endpoint,
  stop: async () => {},
  died: new Promise(() => {}),
});

/** Returns the answer of an emulator. @throws CannotStart if it does not answer. `setting`: the variable with its address. */
const requireAnswer = async <T>(setting: string, endpoint: string, call: () => Promise<T>): Promise<T> => {
  try {
    return await call();
  } catch (error) {
    const reason = error instanceof Error ? ('code' in error && error.code) || error.name : 'unknown error';
    throw new CannotStart(
      `${setting} does not answer at ${endpoint} (${reason}). Start an emulator there, or leave the setting out to use the embedded emulator.`,
    );
  }
};

/**
 * Starts the embedded emulators, or uses the emulators in the settings, and creates the table and the queues in them.
 * @throws CannotStart if an emulator does not start or does not answer.
 */
export const startEmulators = async (
  settings: Settings,
  { tableName, hashKey }: Identity,
  cleanup: Cleanup,
): Promise<Emulators> => {
  const stopAtCleanup = (emulator: Emulator): Emulator => {
    cleanup.add(() => emulator.stop());
    return emulator;
  };
  const { dynamodbEndpoint, sqsEndpoint, dataDir } = settings;
  // DynamoDB Local separates tables by access key id, so the user's emulator needs the same id at every start.
  const accessKeyId = dynamodbEndpoint ? stableAccessKeyId(hashKey) : newAccessKeyId();
  const dynamoDb = dynamodbEndpoint
    ? useExternalEmulator(dynamodbEndpoint)
    : stopAtCleanup(await startDynamoDb({ dbPath: fileIn(dataDir, 'table') }));
  const sqs = sqsEndpoint ? useExternalEmulator(sqsEndpoint) : stopAtCleanup(await startSqs(accessKeyId));
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
  const died = Promise.race([
    dynamoDb.died.then((reason) => `The DynamoDB emulator ended: ${reason}.`),
    sqs.died.then((reason) => `The SQS emulator ended: ${reason}.`),
  ]);
  return { ...endpoints, queueUrls, accessKeyId, died };
};
