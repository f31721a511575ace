import type { Kobo } from '#shared/platform/kernel/money.ts';
import { HOUR, MINUTE, type Millis } from '#shared/platform/kernel/time.ts';
import type { ListedPayment } from '#shared/providers/domain/report.ts';
import type { LandedPayment } from './landed-times.ts';
import type { Notification } from './notification.ts';
import type { Payment } from './payment.ts';
import type { ReconciliationPass } from './reconciliation.ts';

/**
 * The outcome of a payment in our books. `partly_reversed`: its provider kept a part. `unmatched`: the money has no owner yet. `unreadable`: a
 * newer release recorded it.
 */
export type BookedOutcome = Payment['outcome'] | 'partly_reversed' | 'unmatched' | 'unreadable';

/** Our records of a listed payment. A field is undefined if our books lack it. */
export interface Booked {
  readonly outcome: BookedOutcome | undefined;
  /** The payment, if it counts. */
  readonly landed?: LandedPayment | undefined;
  /** The cumulative report of the payment's reference. */
  readonly total: { readonly kept: Kobo; readonly returned: Kobo; readonly falls: number } | undefined;
}

/**
 * The result of a comparison.
 * - `agrees`: no look-up is needed.
 * - `differs`: our books lack the payment or show another outcome, or only a look-up can tell whether they do. The payment is looked up soon.
 * - `unclear`: the list does not show which payment of ours it is, or an earlier look-up has shown all that can be known. It is looked up rarely.
 */
export type Comparison = 'agrees' | 'differs' | 'unclear';

/**
 * Whether our books have all money of a reference, and it cannot change without a new row in the list. Money of a wrong amount can change without a
 * row: its provider may return it, and that return may fail. So the kept amount must be the expected one or zero, and must never have fallen.
 */
const isSettled = (
  { asked: expected, paid }: NonNullable<ListedPayment['total']>,
  { kept, returned, falls }: NonNullable<Booked['total']>,
): boolean => falls === 0 && kept + returned === paid && (kept === expected || kept === 0);

/** Compares a listed payment with our books. Unmatched money is looked up again, because its owner may be known now. */
export const compareListed = (
  pass: ReconciliationPass,
  { origin, isReturned, total }: ListedPayment,
  booked: Booked,
): Comparison => {
  const { outcome } = booked;
  // A newer release recorded the payment, and this one cannot read it. A release that can read it compares it in a later `week` pass.
  if (outcome === 'unreadable') return 'agrees';
  // A list does not show how much the provider keeps, and the remainder may have been returned since.
  if (outcome === 'partly_reversed') return 'unclear';
  if (outcome === undefined || outcome === 'unmatched') {
    if (total && booked.total && isSettled(total, booked.total)) return 'agrees';
    if (isReturned) return origin === null || outcome === 'unmatched' ? 'differs' : 'unclear';
    if (pass === 'week') return 'agrees';
    return origin === null || outcome === 'unmatched' ? 'unclear' : 'differs';
  }
  return (outcome === 'accepted') === isReturned ? 'differs' : 'agrees';
};

/** Whether our books lack money that the provider keeps, so that its notification may be lost. */
export const isNotificationMissing = (
  pass: ReconciliationPass,
  { isReturned }: ListedPayment,
  { outcome }: Booked,
): boolean => pass !== 'week' && outcome === undefined && !isReturned;

/**
 * Minimum milliseconds between look-ups of an unclear payment. The frequent passes together make one look-up. Each daily `week` pass makes one of its
 * own.
 */
const UNCLEAR_GAP = 12 * HOUR;
/**
 * Minimum milliseconds between look-ups of a payment that differs; shorter than the interval of a pass. List pages overlap, so a pass may compare a
 * payment twice. Without this gap it could also look it up twice.
 */
const DIFFERS_GAP = 5 * MINUTE;

/** Whether a payment must be looked up, given the entry of its last look-up. False while that look-up is under way. */
export const needsLookUp = (comparison: Comparison, last: Notification | undefined, now: Millis): boolean => {
  if (comparison === 'agrees') return false;
  if (!last) return true;
  return last.dueAt === null && now - last.receivedAt >= (comparison === 'differs' ? DIFFERS_GAP : UNCLEAR_GAP);
};
