import type { SQSClient } from '@aws-sdk/client-sqs';
import { sendMessages } from '#shared/platform/queues/send-messages.ts';
import { chooseLane, type DeliveryJob, type LiveLane } from '#shared/webhooks/domain/delivery.ts';
import type { DeliveryQueue } from '#shared/webhooks/ports.ts';

/** The queues' URLs by lane: the live lanes that a function sends to, and test mode's. */
export type LaneUrls<L extends LiveLane> = Readonly<Record<L | 'test', string>>;

const chooseQueueUrl = <L extends LiveLane>(urls: LaneUrls<L>, lane: L, job: DeliveryJob): string =>
  chooseLane(job, lane) === 'test' ? urls.test : urls[lane];

/** The delivery queues. An endpoint's messages share a group: in a fair queue a slow merchant delays no other. */
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
