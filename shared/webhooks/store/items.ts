import { unixSeconds } from '#shared/platform/kernel/time.ts';
import { dueFamily, inDueWork } from '#shared/platform/table/due-keys.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { type Breaker, breakerDueAt } from '#shared/webhooks/domain/breaker.ts';
import type { Attempt, Delivery } from '#shared/webhooks/domain/delivery.ts';
import { EVENT_RETENTION, type Event } from '#shared/webhooks/domain/event.ts';
import type { DeliveryKey } from '#shared/webhooks/ports.ts';
import { attemptKey, breakerKey, deliveryKey, eventKey, inEvents } from '#shared/webhooks/store/keys.ts';

/* Entities as items: an entity's own fields, its keys, its places in the indexes and its time to live. */

/** An event as an item. It names the endpoints that it has deliveries to, so that a list reads these by their keys. */
export const eventItem = (event: Event, deliveries: readonly Delivery[]) => ({
  ...event,
  endpointIds: deliveries.map(({ endpointId }) => endpointId),
  ...eventKey(event.id),
  ...inEvents(event, event.createdAt, event.id),
  ttl: unixSeconds(event.createdAt + EVENT_RETENTION),
});

/** A delivery as an item: due at its next attempt. */
export const deliveryItem = (table: Table, delivery: Delivery) => {
  const key = deliveryKey(delivery.eventId, delivery.endpointId);
  return {
    ...delivery,
    ...key,
    ...inDueWork(key, dueFamily('deliveries', delivery.mode), delivery.dueAt, table.dueShards),
    ttl: unixSeconds(delivery.expiresAt),
  };
};

/** An attempt as an item. It expires no earlier than its event, since its time to live starts at the attempt. */
export const attemptItem = ({ eventId, endpointId }: DeliveryKey, attempt: Attempt) => ({
  ...attempt,
  ...attemptKey(eventId, endpointId, attempt.number),
  ttl: unixSeconds(attempt.at + EVENT_RETENTION),
});

/** An endpoint's breaker as an item: due at its next probe or drain step. */
export const breakerItem = (table: Table, breaker: Breaker) => {
  const key = breakerKey(breaker.endpointId);
  const family = dueFamily('deliveries', breaker.mode);
  return { ...breaker, ...key, ...inDueWork(key, family, breakerDueAt(breaker), table.dueShards) };
};
