import { SendMessageBatchCommand, type SQSClient } from '@aws-sdk/client-sqs';
import { inBatches } from '#shared/platform/kernel/batches.ts';
import { messageBody } from './message-body.ts';

/** The most messages that SQS takes in one call. */
const BATCH = 10;

/** A message for a queue. Messages with one `group` share a place in a fair queue, so that a busy group delays no other. */
export interface QueuedMessage {
  readonly body: unknown;
  readonly group?: string;
}

/** Sends messages to a queue, ten in a call, all calls at once. @throws if SQS rejects one or does not answer; others may have been sent. */
export const sendMessages = async (
  client: SQSClient,
  queueUrl: string,
  messages: readonly QueuedMessage[],
  delaySeconds = 0,
): Promise<void> => {
  await Promise.all(
    inBatches(messages, BATCH).map(async (batch) => {
      const { Failed = [] } = await client.send(
        new SendMessageBatchCommand({
          QueueUrl: queueUrl,
          Entries: batch.map(({ body, group }, i) => ({
            Id: String(i),
            MessageBody: messageBody(body),
            ...(group !== undefined && { MessageGroupId: group }),
            DelaySeconds: delaySeconds,
          })),
        }),
      );
      if (Failed.length > 0) throw new Error(`SQS rejected ${Failed.length} of ${batch.length} messages.`);
    }),
  );
};
