import { createHmac } from 'node:crypto';
import { type Checkout, expiryDue } from '#shared/domain/checkouts/checkout.ts';
import { wentBack } from '#shared/domain/checkouts/landing.ts';
import { Refusal } from '#shared/domain/kernel/errors.ts';
import { DAY, type Millis, SECOND, unixSeconds } from '#shared/domain/kernel/time.ts';
import { NOTIFICATION_RETENTION, type Notification } from '#shared/domain/money/notification.ts';
import type { Payment } from '#shared/domain/money/payment.ts';
import type { Reconciliation } from '#shared/domain/money/reconciliation.ts';
import { matchDue, type UnmatchedPayment } from '#shared/domain/money/unmatched-payment.ts';
import {
  AnsweredBefore,
  answerExpiresAt,
  type Claim,
  claim,
  IDEMPOTENCY_RETENTION,
  type SealedAnswer,
  sealedAnswer,
} from '#shared/domain/requests/idempotency.ts';
import type { VirtualAccount } from '#shared/domain/virtual-accounts/virtual-account.ts';
import type { Breaker } from '#shared/domain/webhooks/breaker.ts';
import type { Attempt, Delivery } from '#shared/domain/webhooks/delivery.ts';
import { EVENT_RETENTION, type Event } from '#shared/domain/webhooks/event.ts';
import type { Intent } from '#shared/ports/requests.ts';
import type { DeliveryAt } from '#shared/ports/webhooks.ts';
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
  inUnmatched,
  inVirtualAccounts,
  notificationKey,
  paymentAccountKey,
  paymentKey,
  reconciliationKey,
  virtualAccountKey,
} from './keys.ts';
import type { Item, Table } from './table.ts';
import type { Write } from './transact.ts';

/* Entities as items: the entity's own fields, its keys, its places in the indexes and its time to live. */

/**
 * How often a checkout's running totals fell, and something was told a second time: what its writes are conditional on beside its
 * version, as neither need change that.
 */
export const fallsOf = ({ totals, payments }: Checkout): number =>
  Object.values(totals).reduce((falls, { reversals }) => falls + reversals, 0) +
  payments.filter(({ toldAgainAs }) => toldAgainAs !== undefined).length;

export const checkoutItem = (table: Table, checkout: Checkout) => {
  const key = checkoutKey(checkout.reference);
  return {
    ...checkout,
    ...key,
    falls: fallsOf(checkout),
    ...inCheckouts(checkout, checkout.createdAt, checkout.reference),
    ...inDueWork(key, expiryDue(checkout), table.dueShards),
  };
};

/** As long as a business can be asked about it: events are kept so long too. */
const PAYMENT_ACCOUNT_RETENTION = 90 * DAY;

/** What finds a live checkout by the number of its account. */
export const paymentAccountItem = ({ provider, account, createdAt, reference }: Checkout) => ({
  ...paymentAccountKey(provider, account.accountNumber, createdAt, reference),
  reference,
  ttl: unixSeconds(createdAt + PAYMENT_ACCOUNT_RETENTION),
});

/** A checkout or account that is being opened: due, and on no list. */
export const intentItem = (table: Table, intent: Intent) => {
  const key = 'id' in intent ? virtualAccountKey(intent.id) : checkoutKey(intent.reference);
  return { ...intent, ...key, ...inDueWork(key, intent.settleAt, table.dueShards) };
};

export const virtualAccountItem = (table: Table, account: VirtualAccount) => {
  const key = virtualAccountKey(account.id);
  return {
    ...account,
    ...key,
    ...inVirtualAccounts(account, account.createdAt, account.id),
    ...inDueWork(key, 'settleAt' in account ? (account.settleAt ?? null) : null, table.dueShards),
  };
};

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

export const claimItem = (claimed: Claim) => ({
  ...claimed,
  ...answerKey(claimed.scope),
  ttl: unixSeconds(answerExpiresAt(claimed)),
});

/** What stands under an Idempotency-Key, as the reason why another request cannot go on: its answer, or that it is at work. */
export const usedBefore = (existing: Item | undefined, now: Millis): never => {
  const { success, data } = claim.safeParse(existing);
  if (!success) throw new AnsweredBefore(sealedAnswer.parse(existing));
  const retryAfterSeconds = Math.max(1, Math.ceil((data.leaseUntil - now) / SECOND));
  throw new Refusal('idempotency_in_progress', { retryAfterSeconds });
};

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

/**
 * Keeps an answer, in the place of its own request's claim where there is one. When another answer that still counts is
 * there the whole transaction fails with AnsweredBefore; when another request is at work, with idempotency_in_progress.
 */
export const answerWrite = (answer: SealedAnswer): Write<never> => ({
  put: { ...answer, ...answerKey(answer.scope), ttl: unixSeconds(answerExpiresAt(answer)) },
  when: {
    expression:
      'attribute_not_exists(pk) OR createdAt <= :outdated OR (attribute_exists(leaseUntil) AND requestId = :request)',
    values: { ':outdated': answer.createdAt - IDEMPOTENCY_RETENTION, ':request': answer.requestId },
  },
  otherwise: (existing: Item | undefined) => usedBefore(existing, answer.createdAt),
});

/** A keyed hash, so that the table does not tell whose accounts these are to one who guesses addresses. */
export const emailHash = (secret: string, email: string): string =>
  createHmac('sha256', secret).update(`email\n${email.toLowerCase()}`).digest('hex');
