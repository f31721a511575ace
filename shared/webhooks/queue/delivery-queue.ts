import { SendMessageBatchCommand, type SQSClient } from '@aws-sdk/client-sqs';
import { inBatches } from '#shared/platform/kernel/batches.ts';
import { messageBody } from '#shared/platform/queues/message-body.ts';
import { type DeliveryJob, type LiveLane, laneOf } from '#shared/webhooks/domain/delivery.ts';
import type { DeliveryQueue } from '#shared/webhooks/ports.ts';

/** The most messages that SQS takes in one call. */
const BATCH = 10;

/** The queues' URLs by lane: the live lanes that a function sends to, and test mode's. */
export type LaneUrls<L extends LiveLane> = Readonly<Record<L | 'test', string>>;

const urlOf = <L extends LiveLane>(urls: LaneUrls<L>, lane: L, job: DeliveryJob): string =>
  laneOf(job, lane) === 'test' ? urls.test : urls[lane];

/** The delivery queues. An endpoint's messages share a group: in a fair queue a slow merchant delays no other. */
export const deliveryQueue = <L extends LiveLane>(client: SQSClient, urls: LaneUrls<L>): DeliveryQueue<L> => ({
  send: async (lane, jobs, delaySeconds = 0) => {
    const byQueue = Map.groupBy(jobs, (job) => urlOf(urls, lane, job));
    const batches = [...byQueue].flatMap(([url, all]) => inBatches(all, BATCH).map((batch) => ({ url, batch })));
    await Promise.all(
      batches.map(async ({ url, batch }) => {
        const { Failed = [] } = await client.send(
          new SendMessageBatchCommand({
            QueueUrl: url,
            Entries: batch.map((job, i) => ({
              Id: String(i),
              MessageBody: messageBody(job),
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
