import { unixSeconds } from '#shared/platform/kernel/time.ts';
import { dueFamily, inDueWork } from '#shared/platform/table/due-keys.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { type Breaker, breakerDueAt } from '#shared/webhooks/domain/breaker.ts';
import type { Attempt, Delivery } from '#shared/webhooks/domain/delivery.ts';
import { EVENT_RETENTION, type Event } from '#shared/webhooks/domain/event.ts';
import type { DeliveryKey } from '#shared/webhooks/ports.ts';
import { attemptKey, breakerKey, deliveryKey, eventKey, inEvents } from '#shared/webhooks/store/keys.ts';

/* Converts entities to items: the fields of the entity, its keys, its index keys and its time to live. */

/** Converts an event to an item. It contains the endpoints of its deliveries, so that a list reads the deliveries by their keys. */
export const eventItem = (event: Event, deliveries: readonly Delivery[]) => ({
  ...event,
  endpointIds: deliveries.map(({ endpointId }) => endpointId),
  ...eventKey(event.id),
  ...inEvents(event, event.createdAt, event.id),
  ttl: unixSeconds(event.createdAt + EVENT_RETENTION),
});

/** Converts a delivery to an item, due at its `dueAt`. */
export const deliveryItem = (table: Table, delivery: Delivery) => {
  const key = deliveryKey(delivery.eventId, delivery.endpointId);
  return {
    ...delivery,
    ...key,
    ...inDueWork(key, dueFamily('deliveries', delivery.mode), delivery.dueAt, table.dueShards),
    ttl: unixSeconds(delivery.expiresAt),
  };
};

/** Converts an attempt to an item. It expires no earlier than its event, because its time to live starts at the attempt. */
export const attemptItem = ({ eventId, endpointId }: DeliveryKey, attempt: Attempt) => ({
  ...attempt,
  ...attemptKey(eventId, endpointId, attempt.number),
  ttl: unixSeconds(attempt.at + EVENT_RETENTION),
});

/** Converts an endpoint's breaker to an item, due when the sweeper works on the breaker next. */
export const breakerItem = (table: Table, breaker: Breaker) => {
  const key = breakerKey(breaker.endpointId);
  const family = dueFamily('deliveries', breaker.mode);
  return { ...breaker, ...key, ...inDueWork(key, family, breakerDueAt(breaker), table.dueShards) };
};
