import {
  asReversed,
  getBookedAt,
  type NewPaymentContext,
  type Payment,
  withReview,
} from '#shared/payments/domain/payment.ts';
import type { PaymentEntries } from '#shared/payments/domain/payment-entries.ts';
import { copyIdTime } from '#shared/platform/kernel/ids.ts';
import { type Kobo, subtractDownToZero, ZERO_KOBO } from '#shared/platform/kernel/money.ts';
import { addRefund, type Refund, sumUnseenRefunds } from '#shared/providers/domain/refund.ts';
import type { PaymentOrigin } from '#shared/providers/domain/source.ts';

/*
 * If a provider refunds a part of a transfer, the payment of the transfer is reversed, and the money that is left becomes another payment:
 * the remainder.
 */

/** The payments of a transfer. `first`: the first one. `latest`: the payment that counts now. If none counts, it is the one that counted last. */
export interface RecordedTransfer {
  readonly first: Payment;
  readonly latest: Payment;
}

/** The changes to payments after their provider returned money that counted. */
export interface WithdrawnMoney {
  /** Kobo that no longer count. Zero if only the notes of the first payment change. */
  readonly amount: Kobo;
  readonly reversed: readonly Payment[];
  /** The new payment of the money that is left. */
  readonly remainder: Payment | undefined;
  /**
   * The first payment with its new notes about refunds. Undefined if its notes stay the same. Undefined, too, if the first payment itself is
   * reversed: then it is in `reversed`, with the new notes.
   */
  readonly noteChange: PaymentEntries['noteChange'];
  /** Whether the provider keeps some of the money. */
  readonly isSomeKept: boolean;
}

/** Builds the origin of a transfer's newest remainder from the transfer's first payment; undefined if there is no remainder. */
export const originOfRemainder = ({ origin, rest }: Payment): PaymentOrigin | undefined => {
  if (origin.kind !== 'transfer' || rest === undefined) return undefined;
  return { ...origin, kind: 'rest', refunded: rest };
};

const withoutNotes = ({ refunds, rest, kept, isReturnShown, leftOut, ...payment }: Payment): Payment => payment;

/**
 * Builds the payment of the money that is left (`amount`). It takes the place of the latest payment. `refunded`: how many kobo of the first
 * payment's amount were refunded so far.
 */
const newRemainder = (
  context: NewPaymentContext,
  latest: Payment,
  first: Payment,
  amount: Kobo,
  refunded: Kobo,
): Payment => {
  const origin = originOfRemainder({ ...first, rest: refunded }) ?? latest.origin;
  const id = copyIdTime(latest.id, context.id);
  const bookedAs = { recordedAt: context.recordedAt, restFrom: getBookedAt(latest) };
  return withReview({ ...withoutNotes(latest), ...bookedAs, id, origin, amount, outcome: 'accepted' }, context);
};

/**
 * Whether a look-up has shown that a transfer was returned. There are three signs:
 * - This look-up shows it (`isReturned`).
 * - The first payment has the note `isReturnShown` of an earlier look-up.
 * - The first payment does not count and has no refunds. Then no refund can have reversed it, only a look-up.
 */
const hasLookUpShownReturn = ({ outcome, refunds, isReturnShown }: Payment, isReturned: boolean): boolean =>
  isReturnShown === true || isReturned || (refunds === undefined && outcome !== 'accepted');

/**
 * A transfer was returned, and now a look-up shows it as kept. Tells whether this proves that the return failed. It does if an earlier
 * look-up showed the return. It does not if we know of the return only from refunds, because a look-up may not show refunds.
 */
export const mayLookUpDisproveReturn = ({ outcome, refunds, isReturnShown }: Payment): boolean =>
  outcome !== 'accepted' && (refunds === undefined || isReturnShown === true);

/**
 * Withdraws the money of a transfer that its provider returned. If a look-up shows that the transfer was returned (`isReturned`), all money
 * that still counts is withdrawn. Otherwise only the refunds are withdrawn, each once. Undefined if nothing changes.
 */
export const withdrawFrom = (
  context: NewPaymentContext & { readonly refund?: Refund | undefined },
  { first, latest }: RecordedTransfer,
  { isReturned }: { readonly isReturned: boolean },
): WithdrawnMoney | undefined => {
  const before = first.refunds ?? [];
  const refunds = addRefund(before, context.refund);
  const refunded = sumUnseenRefunds(refunds, first.leftOut);
  const countedAmount = latest.outcome === 'accepted' ? latest.amount : ZERO_KOBO;
  const remainingAmount = isReturned ? ZERO_KOBO : subtractDownToZero(first.amount, refunded);
  const amount = subtractDownToZero(countedAmount, remainingAmount);
  const isReturnShown = refunds.length > 0 && hasLookUpShownReturn(first, isReturned);
  const hasNewNote = refunds.length > before.length || isReturnShown !== (first.isReturnShown === true);
  if (amount === 0 && !hasNewNote) return undefined;
  const remainder =
    amount > 0 && remainingAmount > 0 ? newRemainder(context, latest, first, remainingAmount, refunded) : undefined;
  const notes = {
    ...(refunds.length > 0 && { refunds: [...refunds] }),
    ...(isReturnShown && { isReturnShown }),
    ...(remainder && { rest: refunded }),
  };
  const reversed = amount > 0 ? [{ ...asReversed(latest), ...(remainder && { kept: remainingAmount }) }] : [];
  const withdrawn = { amount, remainder, isSomeKept: remainder !== undefined };
  if (amount > 0 && latest.id === first.id) {
    return { ...withdrawn, reversed: reversed.map((payment) => ({ ...payment, ...notes })), noteChange: undefined };
  }
  const isNoted = remainder !== undefined || hasNewNote;
  return { ...withdrawn, reversed, noteChange: isNoted ? { before: first, after: { ...first, ...notes } } : undefined };
};
