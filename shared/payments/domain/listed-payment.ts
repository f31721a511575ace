import type { Kobo } from '#shared/platform/kernel/money.ts';
import { HOUR, MINUTE, type Millis } from '#shared/platform/kernel/time.ts';
import type { ListedPayment } from '#shared/providers/domain/report.ts';
import type { LandedPayment } from './landed-times.ts';
import type { Notification } from './notification.ts';
import type { Payment } from './payment.ts';
import type { ReconciliationPass } from './reconciliation.ts';

/**
 * The outcome of a payment in our books.
 * - `partly_reversed`: its provider returned it, but kept a part.
 * - `unmatched`: the money has no owner yet.
 * - `unreadable`: a newer release recorded the payment, and this release cannot read it.
 */
export type BookedOutcome = Payment['outcome'] | 'partly_reversed' | 'unmatched' | 'unreadable';

/** Our records of a listed payment. A field is undefined if our books lack it. */
export interface BookedRecords {
  readonly outcome: BookedOutcome | undefined;
  /** The payment, if it is accepted. */
  readonly landed?: LandedPayment | undefined;
  /** The record of the cumulative report under the payment's reference. */
  readonly total: { readonly kept: Kobo; readonly returned: Kobo; readonly falls: number } | undefined;
}

/**
 * The result of comparing a listed payment with our books.
 * - `agrees`: no look-up is needed.
 * - `differs`: our books lack the payment or have another outcome, or only a look-up can tell what the provider returned. The payment is
 *   looked up, and again soon (DIFFERS_GAP) while it differs.
 * - `unclear`: the list does not show what a look-up would find. The payment is looked up, but again only rarely (UNCLEAR_GAP), because
 *   another look-up hardly finds anything new.
 */
export type Comparison = 'agrees' | 'differs' | 'unclear';

/**
 * Whether our books have all money of a reference, and this money cannot change without a new row in the list. A kept amount other than the
 * expected one can change without a new row: the provider may return the money, and the return may fail. So the kept amount must be the
 * expected amount or zero, and it must never have fallen.
 */
const isSettled = (
  { asked: expected, paid }: NonNullable<ListedPayment['total']>,
  { kept, returned, falls }: NonNullable<BookedRecords['total']>,
): boolean => falls === 0 && kept + returned === paid && (kept === expected || kept === 0);

/** Compares a listed payment with our books. Unmatched money is looked up again, because its owner may be known now. */
export const compareListed = (
  pass: ReconciliationPass,
  { origin, isReturned, total }: ListedPayment,
  booked: BookedRecords,
): Comparison => {
  const { outcome } = booked;
  // A release that can read the payment compares it in a later `week` pass.
  if (outcome === 'unreadable') return 'agrees';
  // A list does not show how much the provider keeps, and the remainder may have been returned since.
  if (outcome === 'partly_reversed') return 'unclear';
  if (outcome === undefined || outcome === 'unmatched') {
    if (total && booked.total && isSettled(total, booked.total)) return 'agrees';
    // The provider returned the payment, or may have returned all or a part of it. If the list does not name the payment, or our books have it as
    // unmatched, only a look-up tells how much was returned. Otherwise the list shows no money that is missing, so a rare look-up is enough.
    if (isReturned) return origin === null || outcome === 'unmatched' ? 'differs' : 'unclear';
    // The `week` pass only looks for returns. The other passes find kept money that our books lack.
    if (pass === 'week') return 'agrees';
    // The list does not name the payment, or our books have the money without its owner.
    return origin === null || outcome === 'unmatched' ? 'unclear' : 'differs';
  }
  // An accepted payment differs if it was returned. Any other payment differs if it was not.
  return (outcome === 'accepted') === isReturned ? 'differs' : 'agrees';
};

/** Whether our books lack money that the provider keeps. Then its notification may be lost. */
export const isNotificationMissing = (
  pass: ReconciliationPass,
  { isReturned }: ListedPayment,
  { outcome }: BookedRecords,
): boolean => pass !== 'week' && outcome === undefined && !isReturned;

/**
 * Minimum milliseconds between look-ups of an unclear payment. So the frequent passes, which cover at most nine hours, look it up once.
 * Each daily `week` pass may look it up once more.
 */
const UNCLEAR_GAP = 12 * HOUR;
/**
 * Minimum milliseconds between look-ups of a payment that differs. It is shorter than the interval of each pass, so every round may look the
 * payment up again. But if two list pages contain the payment, and are compared within these minutes, it is looked up only once.
 */
const DIFFERS_GAP = 5 * MINUTE;

/** Whether a payment must be looked up. `lastLookUp`: the entry that stores its last look-up. False while that look-up is still due. */
export const needsLookUp = (comparison: Comparison, lastLookUp: Notification | undefined, now: Millis): boolean => {
  if (comparison === 'agrees') return false;
  if (!lastLookUp) return true;
  return (
    lastLookUp.dueAt === null && now - lastLookUp.receivedAt >= (comparison === 'differs' ? DIFFERS_GAP : UNCLEAR_GAP)
  );
};
