import { createHmac } from 'node:crypto';
import type { Breaker } from '#shared/domain/breaker.ts';
import { type Checkout, expiryDue } from '#shared/domain/checkout.ts';
import type { Attempt, Delivery } from '#shared/domain/delivery.ts';
import { EVENT_RETENTION, type Event } from '#shared/domain/event.ts';
import {
  AnsweredBefore,
  answerExpiresAt,
  IDEMPOTENCY_RETENTION,
  type SealedAnswer,
  sealedAnswer,
} from '#shared/domain/idempotency.ts';
import type { Payment } from '#shared/domain/payment.ts';
import { unixSeconds } from '#shared/domain/time.ts';
import type { VirtualAccount } from '#shared/domain/virtual-account.ts';
import type { DeliveryAt } from '#shared/ports.ts';
import {
  answerKey,
  attemptKey,
  breakerKey,
  checkoutKey,
  deliveryKey,
  eventKey,
  inCheckouts,
  inDueWork,
  inEvents,
  inPayments,
  inVirtualAccounts,
  paymentKey,
  virtualAccountKey,
} from './keys.ts';
import type { Item, Table } from './table.ts';
import type { Write } from './transact.ts';

/* Entities as items: the entity's own fields, its keys, its places in the indexes and its time to live. */

export const checkoutItem = (table: Table, checkout: Checkout) => {
  const key = checkoutKey(checkout.reference);
  return {
    ...checkout,
    ...key,
    ...inCheckouts(checkout, checkout.createdAt, checkout.reference),
    ...inDueWork(key, expiryDue(checkout), table.dueShards),
  };
};

export const virtualAccountItem = (table: Table, account: VirtualAccount) => {
  const key = virtualAccountKey(account.id);
  return {
    ...account,
    ...key,
    ...inVirtualAccounts(account, account.createdAt, account.id),
    ...inDueWork(key, account.status === 'pending' ? account.settleAt : null, table.dueShards),
  };
};

export const paymentItem = (payment: Payment) => ({
  ...payment,
  ...paymentKey(payment.mode, payment.provider, payment.transferId),
  ...inPayments(payment.owner, payment.recordedAt, payment.id),
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

/** Keeps an answer unless one that still counts is there; then the whole transaction fails with AnsweredBefore. */
export const answerWrite = (answer: SealedAnswer): Write<never> => ({
  put: { ...answer, ...answerKey(answer.scope), ttl: unixSeconds(answerExpiresAt(answer)) },
  when: {
    expression: 'attribute_not_exists(pk) OR createdAt <= :outdated',
    values: { ':outdated': answer.createdAt - IDEMPOTENCY_RETENTION },
  },
  otherwise: (existing: Item | undefined) => {
    throw new AnsweredBefore(sealedAnswer.parse(existing));
  },
});

/** A keyed hash, so that the table does not tell whose accounts these are to one who guesses addresses. */
export const emailHash = (secret: string, email: string): string =>
  createHmac('sha256', secret).update(`email\n${email.toLowerCase()}`).digest('hex');
