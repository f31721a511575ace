import { paidCheckout, removeLinks } from '#infra/openapi/examples/objects.ts';
import { DependencyUnavailable } from '#shared/platform/kernel/errors.ts';
import { type Delivery, toDeliveryJob } from '#shared/webhooks/domain/delivery.ts';
import { park } from '#shared/webhooks/domain/delivery-transitions.ts';
import type { CheckoutEventType, Event } from '#shared/webhooks/domain/event.ts';
import { deliveryItem, eventItem } from '#shared/webhooks/store/items.ts';
import { inUndelivered } from '#shared/webhooks/store/keys.ts';
import { announcement, sendNow } from '#shared/webhooks/use-cases/announce.ts';
import { putAll } from '#test/support/worlds/table.ts';
import type { World } from '#test/support/worlds/world.ts';
import { forEachConcurrently } from './simulated-time.ts';

export interface LandedEvent {
  readonly event: Event;
  readonly deliveries: readonly Delivery[];
}

const MAX_CONCURRENT = 20;
/** The number of failures after which the table is taken for missing. */
const MAX_TRIES = 10;

const announce = async (
  deps: World['deps'],
  businessId: string,
  count: number,
  type: CheckoutEventType = 'checkout.paid',
): Promise<LandedEvent[]> => {
  const owner = await deps.businesses.find(businessId);
  if (!owner) throw new Error('There is no such business.');
  return Array.from({ length: count }, (_, i) =>
    announcement(deps, owner, owner.endpoints[0]?.mode ?? 'test', type, {
      ...removeLinks(paidCheckout),
      metadata: { number: i, note: 'Ọjà ₦' },
    }),
  );
};

/**
 * Records an event as the functions that land money do. After DependencyUnavailable it tries again, and first checks whether the event was
 * written although the answer was lost.
 */
const recordEvent = async ({ ledger, events }: World['deps'], entry: LandedEvent): Promise<void> => {
  for (let tries = 1; ; tries += 1) {
    try {
      if (tries === 1 || !(await events.findForEndpoints(entry.event, entry.event.id, [])))
        await ledger.record({ announced: [entry] });
      return;
    } catch (error) {
      if (!(error instanceof DependencyUnavailable) || tries === MAX_TRIES) throw error;
    }
  }
};

/** Records events of a business as landing money does: one transaction each, then the message to the queue. */
export const landEvents = async (
  deps: World['deps'],
  businessId: string,
  count: number,
  type?: CheckoutEventType,
): Promise<LandedEvent[]> => {
  const landed = await announce(deps, businessId, count, type);
  await forEachConcurrently(landed, MAX_CONCURRENT, async (entry) => {
    await recordEvent(deps, entry);
    await sendNow(deps, entry.deliveries);
  });
  return landed;
};

/**
 * Records events quickly, many items at a time, as set-up for tests of later steps. Sends the same messages as `landEvents`. If
 * `parked`, it sends none, and stores the deliveries as a consumer leaves them behind an open breaker.
 */
export const landMany = async (
  world: World,
  deps: World['deps'],
  businessId: string,
  count: number,
  { parked = false } = {},
) => {
  const landed = await announce(deps, businessId, count);
  const makeItem = (delivery: Delivery) => {
    if (!parked) return deliveryItem(world.table, delivery);
    const after: Delivery = { ...delivery, ...park(toDeliveryJob(delivery), deps.now()).set };
    return { ...deliveryItem(world.table, after), ...inUndelivered(after.eventId, after.endpointId, after.state) };
  };
  const items = landed.flatMap(({ event, deliveries }) => [eventItem(event, deliveries), ...deliveries.map(makeItem)]);
  await putAll(world.table, items);
  if (!parked) {
    await sendNow(
      deps,
      landed.flatMap(({ deliveries }) => deliveries),
    );
  }
  return landed;
};
