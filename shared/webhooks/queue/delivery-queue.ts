import type { SQSClient } from '@aws-sdk/client-sqs';
import { sendMessages } from '#shared/platform/queues/send-messages.ts';
import { chooseLane, type DeliveryJob, type LiveLane } from '#shared/webhooks/domain/delivery.ts';
import type { DeliveryQueue } from '#shared/webhooks/ports.ts';

/** The URLs of the queues that a function sends to: its live lanes and the test lane. */
export type LaneUrls<L extends LiveLane> = Readonly<Record<L | 'test', string>>;

const chooseQueueUrl = <L extends LiveLane>(urls: LaneUrls<L>, lane: L, job: DeliveryJob): string =>
  chooseLane(job, lane) === 'test' ? urls.test : urls[lane];

/**
 * The delivery queues. All messages of an endpoint have the same group. By the groups an SQS fair queue sees that one endpoint is slow, and does
 * not let it delay the others.
 */
export const deliveryQueue = <L extends LiveLane>(client: SQSClient, urls: LaneUrls<L>): DeliveryQueue<L> => ({
  send: async (lane, jobs, delaySeconds) => {
    const byQueue = Map.groupBy(jobs, (job) => chooseQueueUrl(urls, lane, job));
    await Promise.all(
      [...byQueue].map(([url, all]) =>
        sendMessages(
          client,
          url,
          all.map((job) => ({ body: job, group: job.endpointId })),
          delaySeconds,
        ),
      ),
    );
  },
});
