import { type Business, subscribers } from '#shared/domain/business.ts';
import { type Delivery, jobOf, newDelivery } from '#shared/domain/delivery.ts';
import { type Event, type EventType, newEvent } from '#shared/domain/event.ts';
import type { Mode } from '#shared/domain/mode.ts';
import type { DeliveryQueue, Log, Nature } from '#shared/ports.ts';

/** An event and a delivery for each endpoint that hears of it: what a transaction records beside the change itself. */
export const announcement = (
  nature: Pick<Nature, 'now' | 'newId'>,
  business: Business,
  mode: Mode,
  type: EventType,
  data: unknown,
): { event: Event; deliveries: Delivery[] } => {
  const event = newEvent(
    { id: nature.newId('evt'), type, businessId: business.id, mode, createdAt: nature.now() },
    data,
  );
  const deliveries = subscribers(business, type, mode).map((head) => newDelivery(nature.newId('dlv'), head.id, event));
  return { event, deliveries };
};

/**
 * The fast path: recorded deliveries go to the queue at once. It may fail; then the sweeper finds them. What is sent `byHand`
 * is not held back because its endpoint is failing.
 */
export const sendNow = async (
  deps: { queue: DeliveryQueue<'first'>; log: Log },
  deliveries: readonly Delivery[],
  { byHand = false } = {},
): Promise<void> => {
  if (deliveries.length === 0) return;
  const jobs = deliveries.map(jobOf);
  try {
    await deps.queue.send('first', byHand ? jobs.map((job) => ({ ...job, byHand })) : jobs);
  } catch (error) {
    deps.log('deliveries_not_queued', { count: deliveries.length }, error);
  }
};
