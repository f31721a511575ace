import { asReversed, getBookedAt, type NewPayment, type Payment, withReview } from '#shared/payments/domain/payment.ts';
import type { PaymentEntries } from '#shared/payments/domain/payment-entries.ts';
import { copyIdTime } from '#shared/platform/kernel/ids.ts';
import { type Kobo, subtractDownToZero, ZERO_KOBO } from '#shared/platform/kernel/money.ts';
import { addRefund, type Refund, sumUnseenRefunds } from '#shared/providers/domain/refund.ts';
import type { PaymentOrigin } from '#shared/providers/domain/source.ts';

/* A partial refund reverses the payment of a transfer and records what is left as another payment: the remainder. */

/** The records of a transfer: its first payment, and the payment that counts now or counted last. */
export interface RecordedTransfer {
  readonly first: Payment;
  readonly latest: Payment;
}

/** The changes to payments after their provider returned money that counted. */
export interface WithdrawnMoney {
  /** Kobo that no longer count; zero if only a refund is noted. */
  readonly amount: Kobo;
  readonly reversed: readonly Payment[];
  /** The new payment of the kobo that are left. */
  readonly remainder: Payment | undefined;
  /** The first payment with the new refund, unless it is among the reversed payments. */
  readonly noted: PaymentEntries['noted'];
  /** The provider keeps some of the money. */
  readonly isSomeKept: boolean;
}

/** Finds the origin of the remainder of a refunded transfer; undefined if the first payment has no remainder. */
export const originOfRemainder = ({ origin, rest }: Payment): PaymentOrigin | undefined => {
  if (origin.kind !== 'transfer' || rest === undefined) return undefined;
  return { ...origin, kind: 'rest', refunded: rest };
};

const withoutRefunds = ({ refunds, rest, kept, isReturnShown, leftOut, ...payment }: Payment): Payment => payment;

const newRemainder = (context: NewPayment, latest: Payment, first: Payment, amount: Kobo, refunded: Kobo): Payment => {
  const origin = originOfRemainder({ ...first, rest: refunded }) ?? latest.origin;
  const id = copyIdTime(latest.id, context.id);
  const counted = { recordedAt: context.recordedAt, restFrom: getBookedAt(latest) };
  return withReview({ ...withoutRefunds(latest), ...counted, id, origin, amount, outcome: 'accepted' }, context);
};

/**
 * Whether a look-up shows now (`isReturned`), or showed earlier, that a refunded transfer was returned. An earlier look-up is known from the note
 * `isReturnShown`. If no refund was noted yet, a transfer that was reversed proves it too: without a refund, only a look-up can reverse it.
 */
const isShown = ({ outcome, refunds, isReturnShown }: Payment, isReturned: boolean): boolean =>
  isReturnShown === true || isReturned || (refunds === undefined && outcome !== 'accepted');

/**
 * Whether a look-up can show that the return of a transfer failed, by showing the money as kept. It can if an earlier look-up showed the return. It
 * cannot if we know of the return only from refunds, because a look-up may not show refunds.
 */
export const isReturnContradictable = ({ outcome, refunds, isReturnShown }: Payment): boolean =>
  outcome !== 'accepted' && (refunds === undefined || isReturnShown === true);

/**
 * Takes out of a transfer the money that its provider returned. If a look-up shows that the transfer was returned (`isReturned`), that is all
 * money that still counts. Otherwise it is the refunds, each once. Undefined if nothing changes.
 */
export const withdrawFrom = (
  context: NewPayment & { readonly refund?: Refund | undefined },
  { first, latest }: RecordedTransfer,
  { isReturned }: { readonly isReturned: boolean },
): WithdrawnMoney | undefined => {
  const before = first.refunds ?? [];
  const refunds = addRefund(before, context.refund);
  const refunded = sumUnseenRefunds(refunds, first.leftOut);
  const counted = latest.outcome === 'accepted' ? latest.amount : ZERO_KOBO;
  const left = isReturned ? ZERO_KOBO : subtractDownToZero(first.amount, refunded);
  const amount = subtractDownToZero(counted, left);
  const isReturnShown = refunds.length > 0 && isShown(first, isReturned);
  const hasNewNote = refunds.length > before.length || isReturnShown !== (first.isReturnShown === true);
  if (amount === 0 && !hasNewNote) return undefined;
  const remainder = amount > 0 && left > 0 ? newRemainder(context, latest, first, left, refunded) : undefined;
  const notes = {
    ...(refunds.length > 0 && { refunds: [...refunds] }),
    ...(isReturnShown && { isReturnShown }),
    ...(remainder && { rest: refunded }),
  };
  const reversed = amount > 0 ? [{ ...asReversed(latest), ...(remainder && { kept: left }) }] : [];
  const withdrawn = { amount, remainder, isSomeKept: remainder !== undefined };
  if (amount > 0 && latest.id === first.id) {
    return { ...withdrawn, reversed: reversed.map((payment) => ({ ...payment, ...notes })), noted: undefined };
  }
  const isNoted = remainder !== undefined || hasNewNote;
  return { ...withdrawn, reversed, noted: isNoted ? { before: first, after: { ...first, ...notes } } : undefined };
};
