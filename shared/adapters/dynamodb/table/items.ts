import { wentBack } from '#shared/domain/checkouts/landing.ts';
import { unixSeconds } from '#shared/domain/kernel/time.ts';
import { NOTIFICATION_RETENTION, type Notification } from '#shared/domain/money/notification.ts';
import type { Payment } from '#shared/domain/money/payment.ts';
import type { Reconciliation } from '#shared/domain/money/reconciliation.ts';
import { matchDue, type UnmatchedPayment } from '#shared/domain/money/unmatched-payment.ts';
import type { Breaker } from '#shared/domain/webhooks/breaker.ts';
import type { Attempt, Delivery } from '#shared/domain/webhooks/delivery.ts';
import { EVENT_RETENTION, type Event } from '#shared/domain/webhooks/event.ts';
import type { DeliveryAt } from '#shared/ports/webhooks.ts';
import {
  attemptKey,
  breakerKey,
  deliveryKey,
  eventKey,
  inDueWork,
  inEvents,
  inPayments,
  inUnmatched,
  notificationKey,
  paymentKey,
  reconciliationKey,
} from './keys.ts';
import type { Table } from './table.ts';

/* Entities as items: the entity's own fields, its keys, its places in the indexes and its time to live. */

export const paymentItem = (payment: Payment) => ({
  ...payment,
  ...paymentKey(payment.mode, payment.provider, payment.transferId),
  ...inPayments(payment.owner, payment.recordedAt, payment.id),
});

/**
 * Under the key of the payment that it will be; the attribute tells the two apart. What went back is on the list while it is
 * matched again, and kept as long as older news of it may come.
 */
export const unmatchedItem = (table: Table, unmatched: UnmatchedPayment) => {
  const { mode, provider, transferId, recordedAt, id, money } = unmatched;
  const key = paymentKey(mode, provider, transferId);
  const dueAt = matchDue(unmatched);
  const isGone = wentBack(money);
  return {
    ...unmatched,
    ...key,
    unmatched: true,
    ...(isGone && dueAt === null ? {} : inUnmatched(recordedAt, id)),
    ...inDueWork(key, dueAt, table.dueShards),
    ...(isGone && { ttl: unixSeconds(recordedAt + NOTIFICATION_RETENTION) }),
  };
};

export const notificationItem = (table: Table, received: Notification) => {
  const key = notificationKey(received);
  return {
    ...received,
    ...key,
    ...inDueWork(key, received.dueAt, table.dueShards),
    ttl: unixSeconds(received.receivedAt + NOTIFICATION_RETENTION),
  };
};

export const reconciliationItem = (state: Reconciliation) => ({
  ...state,
  ...reconciliationKey(state.provider, state.pass),
});

export const eventItem = (event: Event) => ({
  ...event,
  ...eventKey(event.id),
  ...inEvents(event, event.createdAt, event.id),
  ttl: unixSeconds(event.createdAt + EVENT_RETENTION),
});

export const deliveryItem = (table: Table, delivery: Delivery) => {
  const key = deliveryKey(delivery.eventId, delivery.endpointId);
  return {
    ...delivery,
    ...key,
    ...inDueWork(key, delivery.dueAt, table.dueShards),
    ttl: unixSeconds(delivery.expiresAt),
  };
};

/** An attempt lives as long as its event; `at` starts the time to live, which is near enough. */
export const attemptItem = ({ eventId, endpointId }: DeliveryAt, made: Attempt) => ({
  ...made,
  ...attemptKey(eventId, endpointId, made.number),
  ttl: unixSeconds(made.at + EVENT_RETENTION),
});

export const breakerItem = (table: Table, breaker: Breaker) => {
  const key = breakerKey(breaker.endpointId);
  return { ...breaker, ...key, ...inDueWork(key, breaker.dueAt, table.dueShards) };
};
