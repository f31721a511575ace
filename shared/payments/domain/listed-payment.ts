import type { Kobo } from '#shared/platform/kernel/money.ts';
import { HOUR, MINUTE, type Millis } from '#shared/platform/kernel/time.ts';
import type { ListedPayment } from '#shared/providers/domain/report.ts';
import type { LandedPayment } from './landed-times.ts';
import type { Notification } from './notification.ts';
import type { Payment } from './payment.ts';
import type { ReconciliationPass } from './reconciliation.ts';

/**
 * The outcome of a payment that is recorded on an owner, `partly_reversed` where its provider kept some of it; `unmatched` for money that is
 * recorded on none; `unreadable` for what a newer release recorded.
 */
export type BookedOutcome = Payment['outcome'] | 'partly_reversed' | 'unmatched' | 'unreadable';

/** Our books beside a listed payment: the payment's outcome, and the cumulative report of its reference. Undefined for what they lack. */
export interface Booked {
  readonly outcome: BookedOutcome | undefined;
  /** The payment, where it counts. */
  readonly landed?: LandedPayment | undefined;
  readonly total: { readonly kept: Kobo; readonly returned: Kobo; readonly falls: number } | undefined;
}

/**
 * `agrees`: nothing is to be asked. `differs`: our books lack it or show otherwise, or may, as only a look-up tells. `unclear`: the list names
 * none of our payments, or one that was asked about before, so that a look-up tells nothing new while the list says the same.
 */
export type Comparison = 'agrees' | 'differs' | 'unclear';

/**
 * Whether our books have all that came under a reference, and no wrong amount of it is kept or ever counted: it may be returned without another
 * row, and that return may fail.
 */
const isSettled = (
  { asked: expected, paid }: NonNullable<ListedPayment['total']>,
  { kept, returned, falls }: NonNullable<Booked['total']>,
): boolean => falls === 0 && kept + returned === paid && (kept === expected || kept === 0);

/** Compares a listed payment with our books. Unmatched money is looked up again, as its owner may be known by now. */
export const compareListed = (
  pass: ReconciliationPass,
  { origin, isReturned, total }: ListedPayment,
  booked: Booked,
): Comparison => {
  const { outcome } = booked;
  // It is recorded, by a newer release. The next pass of the week compares it, once it can be read.
  if (outcome === 'unreadable') return 'agrees';
  // A list does not show how much of it is kept, and the rest may have been returned since.
  if (outcome === 'partly_reversed') return 'unclear';
  if (outcome === undefined || outcome === 'unmatched') {
    if (total && booked.total && isSettled(total, booked.total)) return 'agrees';
    if (isReturned) return origin === null || outcome === 'unmatched' ? 'differs' : 'unclear';
    if (pass === 'week') return 'agrees';
    return origin === null || outcome === 'unmatched' ? 'unclear' : 'differs';
  }
  return (outcome === 'accepted') === isReturned ? 'differs' : 'agrees';
};

/** Whether money came in of which we have no record: its notification may be lost. */
export const isUnnoticed = (pass: ReconciliationPass, { isReturned }: ListedPayment, { outcome }: Booked): boolean =>
  pass !== 'week' && outcome === undefined && !isReturned;

/** One look-up of an unclear payment is enough for the passes of the last hours. Those of the week, which come a day apart, make one each. */
const ASKED_FOR = 12 * HOUR;
/** Less than the interval of a pass. Pages overlap, and a look-up may end between two reads of our books: this very comparison asks once. */
const JUST_ASKED = 5 * MINUTE;

/** Whether a payment is to be looked up, beside the entry of its last look-up: not while that one is under way. */
export const needsLookUp = (comparison: Comparison, last: Notification | undefined, now: Millis): boolean => {
  if (comparison === 'agrees') return false;
  if (!last) return true;
  return last.dueAt === null && now - last.receivedAt >= (comparison === 'differs' ? JUST_ASKED : ASKED_FOR);
};
