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
 * `agrees`: no look-up is needed. `differs`: our books lack the payment or show another outcome, or only a look-up can tell. `unclear`: the list
 * names no payment of ours, or one that was looked up before; while the list stays the same, a look-up shows nothing new.
 */
export type Comparison = 'agrees' | 'differs' | 'unclear';

/**
 * Whether our books have all money of a reference, and no wrong amount is kept or ever counted. A wrong amount may be returned without another
 * row in the list, and that return may fail.
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
  // A newer release recorded it. The next `week` pass compares it when it can be read.
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
export const isUnnoticed = (pass: ReconciliationPass, { isReturned }: ListedPayment, { outcome }: Booked): boolean =>
  pass !== 'week' && outcome === undefined && !isReturned;

/** Milliseconds between look-ups of an unclear payment: one look-up serves all passes of these hours, and each daily `week` pass makes its own. */
const UNCLEAR_GAP = 12 * HOUR;
/**
 * Milliseconds between look-ups of a payment that differs. Shorter than the interval of a pass. Pages overlap, and a look-up may end between two
 * reads of our books: without this gap one comparison could ask twice.
 */
const DIFFERS_GAP = 5 * MINUTE;

/** Whether a payment must be looked up, given the entry of its last look-up. False while that look-up is under way. */
export const needsLookUp = (comparison: Comparison, last: Notification | undefined, now: Millis): boolean => {
  if (comparison === 'agrees') return false;
  if (!last) return true;
  return last.dueAt === null && now - last.receivedAt >= (comparison === 'differs' ? DIFFERS_GAP : UNCLEAR_GAP);
};
