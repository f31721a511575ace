import { type Business, subscribers } from '#shared/businesses/domain/business.ts';
import type { Mode } from '#shared/platform/kernel/mode.ts';
import type { Log } from '#shared/platform/observability/log.ts';
import type { Runtime } from '#shared/platform/ports.ts';
import { type Delivery, newDelivery, toDeliveryJob } from '#shared/webhooks/domain/delivery.ts';
import { type Event, type EventType, newEvent } from '#shared/webhooks/domain/event.ts';
import type { DeliveryQueue } from '#shared/webhooks/ports.ts';

/** Creates an event and its deliveries to the subscribed endpoints. They are written in the transaction of the change that they announce. */
export const announcement = (
  runtime: Pick<Runtime, 'now' | 'newId'>,
  business: Business,
  mode: Mode,
  type: EventType,
  data: unknown,
): { event: Event; deliveries: Delivery[] } => {
  const event = newEvent(
    { id: runtime.newId('evt'), type, businessId: business.id, mode, createdAt: runtime.now() },
    data,
  );
  const deliveries = subscribers(business, type, mode).map((head) => newDelivery(runtime.newId('dlv'), head.id, event));
  return { event, deliveries };
};

/**
 * Queues deliveries at once. If that fails, the sweeper queues them when they are due. With `byHand` they are attempted even while their endpoint
 * is failing.
 */
export const sendNow = async (
  deps: { queue: DeliveryQueue<'first'>; log: Log },
  deliveries: readonly Delivery[],
  { byHand = false } = {},
): Promise<void> => {
  if (deliveries.length === 0) return;
  const jobs = deliveries.map(toDeliveryJob);
  try {
    await deps.queue.send('first', byHand ? jobs.map((job) => ({ ...job, byHand })) : jobs);
  } catch (error) {
    deps.log('deliveries_not_queued', { count: deliveries.length }, error);
  }
};
