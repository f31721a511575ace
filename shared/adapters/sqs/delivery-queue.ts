import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import { lean, timeLimits } from '#shared/adapters/lean-client.ts';
import { inBatches } from '#shared/domain/kernel/batches.ts';
import type { Lane } from '#shared/domain/webhooks/delivery.ts';
import type { DeliveryQueue } from '#shared/ports/webhooks.ts';

const ANSWER_MS = 3_000;
const MAX_ATTEMPTS = 2;
/** The most messages that SQS takes in one call. */
const BATCH = 10;

/** An SQS client that gives up within seconds: what it cannot send is still in the due-work index. */
export const connectQueue = (): SQSClient =>
  lean(
    new SQSClient({
      maxAttempts: MAX_ATTEMPTS,
      requestHandler: timeLimits(ANSWER_MS),
    }),
  );

/** The delivery queues of the given lanes. An endpoint's messages share a group: in a fair queue a slow merchant delays no other. */
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
