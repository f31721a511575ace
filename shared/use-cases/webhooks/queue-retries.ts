import { SECOND } from '#shared/domain/kernel/time.ts';
import { type Delivery, jobOf, LONGEST_QUEUE_DELAY } from '#shared/domain/webhooks/delivery.ts';
import type { Log } from '#shared/observability/log.ts';
import type { Runtime } from '#shared/ports/kernel.ts';
import type { DeliveryQueue } from '#shared/ports/webhooks.ts';

export interface QueueRetriesDeps extends Pick<Runtime, 'now'> {
  readonly queue: DeliveryQueue<'retry'>;
  readonly log: Log;
}

/** Sends retries to the queue, which holds them for so many seconds. Those that it does not take are due in some minutes all the same. */
export const queueRetries = async (
  { queue, log }: QueueRetriesDeps,
  deliveries: readonly Delivery[],
  delaySeconds: number,
): Promise<void> => {
  try {
    await queue.send('retry', deliveries.map(jobOf), delaySeconds);
  } catch (error) {
    log('deliveries_not_queued', { count: deliveries.length }, error);
  }
};

/** Sends a retry to the queue where the queue can hold it until its time; what waits longer waits in the due-work index. */
export const queueRetry = async (deps: QueueRetriesDeps, retry: Delivery): Promise<void> => {
  const wait = (retry.nextAttemptAt ?? Number.POSITIVE_INFINITY) - deps.now();
  if (wait <= LONGEST_QUEUE_DELAY) await queueRetries(deps, [retry], Math.max(0, Math.ceil(wait / SECOND)));
};
