import { NOTIFICATION_RETENTION, type Notification } from '#shared/payments/domain/notification.ts';
import { getBookedAt, type Payment } from '#shared/payments/domain/payment.ts';
import type { Reconciliation } from '#shared/payments/domain/reconciliation.ts';
import { nextMatchAt, type UnmatchedPayment } from '#shared/payments/domain/unmatched-payment.ts';
import {
  inPayments,
  inPaymentsOfBusiness,
  inStuck,
  inUnmatched,
  notificationKey,
  paymentKey,
  reconciliationKey,
} from '#shared/payments/store/keys.ts';
import { unixSeconds } from '#shared/platform/kernel/time.ts';
import { dueFamily, inDueWork } from '#shared/platform/table/due-keys.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { isReturned } from '#shared/providers/domain/report.ts';

/** Builds the item of a payment. It is on the lists of its owner and its business, and due while a review is planned. */
export const paymentItem = (table: Table, payment: Payment) => {
  const key = paymentKey(payment.mode, payment.provider, payment.origin);
  return {
    ...payment,
    ...key,
    ...inPayments(payment.owner, getBookedAt(payment), payment.id),
    ...inPaymentsOfBusiness(payment),
    ...inDueWork(key, 'reviews', payment.review?.dueAt ?? null, table.dueShards),
  };
};

/**
 * Builds the item of unmatched money, under the key of its later payment. The attribute `unmatched` distinguishes the two. Returned money is listed only
 * while it is still being matched, and is kept as long as older reports of it may arrive.
 */
export const unmatchedItem = (table: Table, unmatched: UnmatchedPayment) => {
  const { mode, provider, source, recordedAt, id, money } = unmatched;
  const key = paymentKey(mode, provider, source);
  const dueAt = nextMatchAt(unmatched);
  const isMoneyReturned = isReturned(money);
  return {
    ...unmatched,
    ...key,
    unmatched: true,
    ...(isMoneyReturned && dueAt === null ? {} : inUnmatched(recordedAt, id)),
    ...inDueWork(key, dueFamily('payments', mode), dueAt, table.dueShards),
    ...(isMoneyReturned && { ttl: unixSeconds(recordedAt + NOTIFICATION_RETENTION) }),
  };
};

/** Builds the item of a raw notification. It is due until it is settled. While it is stuck, it is listed and does not expire. */
export const notificationItem = (table: Table, received: Notification) => {
  const key = notificationKey(received);
  return {
    ...received,
    ...key,
    ...inDueWork(key, 'payments', received.dueAt, table.dueShards),
    ...(received.stuckSince === null
      ? { ttl: unixSeconds(received.receivedAt + NOTIFICATION_RETENTION) }
      : inStuck(received.stuckSince, received)),
  };
};

/** Builds the item of a reconciliation list, due in the index. */
export const reconciliationItem = (table: Table, state: Reconciliation) => {
  const key = reconciliationKey(state);
  return { ...state, ...key, ...inDueWork(key, 'payments', state.dueAt, table.dueShards) };
};
