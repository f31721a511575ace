import { wentBack } from '#shared/domain/checkouts/landing.ts';
import { unixSeconds } from '#shared/domain/kernel/time.ts';
import { NOTIFICATION_RETENTION, type Notification } from '#shared/domain/money/notification.ts';
import type { Payment } from '#shared/domain/money/payment.ts';
import type { Reconciliation } from '#shared/domain/money/reconciliation.ts';
import { matchDue, type UnmatchedPayment } from '#shared/domain/money/unmatched-payment.ts';
import { inDueWork, inPayments, inUnmatched, notificationKey, paymentKey, reconciliationKey } from './keys.ts';
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
