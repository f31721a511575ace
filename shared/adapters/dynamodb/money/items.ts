import {
  dueFamily,
  inDueWork,
  inPayments,
  inUnmatched,
  notificationKey,
  paymentKey,
  reconciliationKey,
} from '#shared/adapters/dynamodb/table/keys.ts';
import type { Table } from '#shared/adapters/dynamodb/table/table.ts';
import { unixSeconds } from '#shared/domain/kernel/time.ts';
import { NOTIFICATION_RETENTION, type Notification } from '#shared/domain/money/notification.ts';
import type { Payment } from '#shared/domain/money/payment.ts';
import type { Reconciliation } from '#shared/domain/money/reconciliation.ts';
import { isReturned } from '#shared/domain/money/report.ts';
import { matchDue, type UnmatchedPayment } from '#shared/domain/money/unmatched-payment.ts';

export const paymentItem = (table: Table, payment: Payment) => {
  const key = paymentKey(payment.mode, payment.provider, payment.origin);
  return {
    ...payment,
    ...key,
    ...inPayments(payment.owner, payment.recordedAt, payment.id),
    ...inDueWork(key, 'reviews', payment.review?.dueAt ?? null, table.dueShards),
  };
};

/**
 * Under the key of the payment that it will be; the attribute tells the two apart. Returned money is on the list while it is
 * matched again, and kept as long as older reports of it may come.
 */
export const unmatchedItem = (table: Table, unmatched: UnmatchedPayment) => {
  const { mode, provider, source, recordedAt, id, money } = unmatched;
  const key = paymentKey(mode, provider, source);
  const dueAt = matchDue(unmatched);
  const returned = isReturned(money);
  return {
    ...unmatched,
    ...key,
    unmatched: true,
    ...(returned && dueAt === null ? {} : inUnmatched(recordedAt, id)),
    ...inDueWork(key, dueFamily('payments', mode), dueAt, table.dueShards),
    ...(returned && { ttl: unixSeconds(recordedAt + NOTIFICATION_RETENTION) }),
  };
};

export const notificationItem = (table: Table, received: Notification) => {
  const key = notificationKey(received);
  return {
    ...received,
    ...key,
    ...inDueWork(key, 'payments', received.dueAt, table.dueShards),
    ttl: unixSeconds(received.receivedAt + NOTIFICATION_RETENTION),
  };
};

export const reconciliationItem = (state: Reconciliation) => ({
  ...state,
  ...reconciliationKey(state.provider, state.pass),
});
