import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import { lean } from '#shared/adapters/lean-client.ts';
import { inBatches } from '#shared/domain/kernel/batches.ts';
import type { Lane } from '#shared/domain/webhooks/delivery.ts';
import type { DeliveryQueue } from '#shared/ports/webhooks.ts';

const CONNECT_MS = 1_000;
const ANSWER_MS = 3_000;
const TRIES = 2;
/** SQS takes at most this many messages in one call. */
const BATCH = 10;

/** An SQS client that gives up in seconds: the due-work index remembers what it could not send. */
export const connectQueue = (): SQSClient =>
  lean(
    new SQSClient({
      maxAttempts: TRIES,
      requestHandler: { connectionTimeout: CONNECT_MS, requestTimeout: ANSWER_MS },
    }),
  );

/** The delivery queues of the given lanes. Messages of one endpoint share a group, so that fair queues keep a slow merchant from delaying others. */
export const deliveryQueue = <L extends Lane>(client: SQSClient, urls: Record<L, string>): DeliveryQueue<L> => ({
  send: async (lane, jobs, delaySeconds = 0) => {
    await Promise.all(
      inBatches(jobs, BATCH).map(async (batch) => {
        const { Failed = [] } = await client.send(
          new SendMessageBatchCommand({
            QueueUrl: urls[lane],
            Entries: batch.map((job, i) => ({
              Id: String(i),
              MessageBody: JSON.stringify(job),
              MessageGroupId: job.endpointId,
              DelaySeconds: delaySeconds,
            })),
          }),
        );
        if (Failed.length > 0) throw new Error(`SQS refused ${Failed.length} of ${batch.length} messages.`);
      }),
    );
  },
});
