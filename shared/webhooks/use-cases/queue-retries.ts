import { SECOND } from '#shared/platform/kernel/time.ts';
import type { Log } from '#shared/platform/observability/log.ts';
import type { Runtime } from '#shared/platform/ports.ts';
import { type Delivery, toDeliveryJob } from '#shared/webhooks/domain/delivery.ts';
import { LONGEST_QUEUE_DELAY } from '#shared/webhooks/domain/delivery-transitions.ts';
import type { DeliveryQueue } from '#shared/webhooks/ports.ts';

export interface QueueRetriesDeps extends Pick<Runtime, 'now'> {
  readonly queue: DeliveryQueue<'retry'>;
  readonly log: Log;
}

/** Sends retries to their queue with a delay. If the queue does not accept them, the sweeper sends them later. */
export const queueRetries = async (
  { queue, log }: QueueRetriesDeps,
  deliveries: readonly Delivery[],
  delaySeconds: number,
): Promise<void> => {
  try {
    await queue.send('retry', deliveries.map(toDeliveryJob), delaySeconds);
  } catch (error) {
    log('deliveries_not_queued', { count: deliveries.length }, error);
  }
};

/** Sends a retry to its queue if the queue can delay it until its time. If the wait is longer, the sweeper sends it when it is due. */
export const queueRetry = async (deps: QueueRetriesDeps, retry: Delivery): Promise<void> => {
  const wait = (retry.nextAttemptAt ?? Number.POSITIVE_INFINITY) - deps.now();
  if (wait <= LONGEST_QUEUE_DELAY) await queueRetries(deps, [retry], Math.max(0, Math.ceil(wait / SECOND)));
};
