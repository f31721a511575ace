import { asReversed, effectiveAt, type NewPayment, type Payment, withReview } from '#shared/payments/domain/payment.ts';
import type { PaymentEntries } from '#shared/payments/domain/payment-entries.ts';
import { copyIdTime } from '#shared/platform/kernel/ids.ts';
import { type Kobo, subtractDownToZero, ZERO_KOBO } from '#shared/platform/kernel/money.ts';
import { addRefund, type Refund, unseenRefunds } from '#shared/providers/domain/refund.ts';
import type { PaymentOrigin } from '#shared/providers/domain/source.ts';

/* A transfer that was refunded in part is reversed, and what is left of it is a payment of its own: its rest. */

/** A recorded transfer: its first payment, and the one that counts or counted last. */
export interface RecordedTransfer {
  readonly first: Payment;
  readonly latest: Payment;
}

/** What a report takes out of money that counted. */
export interface WithdrawnMoney {
  /** Kobo that count no longer; zero where only a refund is noted. */
  readonly amount: Kobo;
  readonly reversed: readonly Payment[];
  /** What is left, as a payment of its own. */
  readonly rest: Payment | undefined;
  /** The first payment with the new refund, where it is not among the reversed ones. */
  readonly noted: PaymentEntries['noted'];
  /** The provider keeps some of the money. */
  readonly isSomeKept: boolean;
}

/** The origin of the payment that has what refunds left of a transfer; undefined while its first payment is the latest. */
export const originOfRest = ({ origin, rest }: Payment): PaymentOrigin | undefined => {
  if (origin.kind !== 'transfer' || rest === undefined) return undefined;
  return { ...origin, kind: 'rest', refunded: rest };
};

const withoutRefunds = ({ refunds, rest, kept, isReturnShown, leftOut, ...payment }: Payment): Payment => payment;

const newRestPayment = (
  context: NewPayment,
  latest: Payment,
  first: Payment,
  amount: Kobo,
  refunded: Kobo,
): Payment => {
  const origin = originOfRest({ ...first, rest: refunded }) ?? latest.origin;
  const id = copyIdTime(latest.id, context.id);
  const counted = { recordedAt: context.recordedAt, restFrom: effectiveAt(latest) };
  return withReview({ ...withoutRefunds(latest), ...counted, id, origin, amount, outcome: 'accepted' }, context);
};

/** Whether a look-up showed the return of a transfer that was refunded, now or before its first refund was reported. */
const isShown = ({ outcome, refunds, isReturnShown }: Payment, isReturned: boolean): boolean =>
  isReturnShown === true || isReturned || (refunds === undefined && outcome !== 'accepted');

/**
 * Whether a transfer that does not count is kept after all if a look-up shows it as kept. Where only refunds were reported, the look-up does
 * not show them.
 */
export const isReturnContradictable = ({ outcome, refunds, isReturnShown }: Payment): boolean =>
  outcome !== 'accepted' && (refunds === undefined || isReturnShown === true);

/**
 * Takes out of a transfer what its provider returned: all of it where a look-up says so (`isReturned`), else what refunds say. Each refund
 * counts once, and never beside a return that a look-up shows. Undefined when nothing changes.
 */
export const withdrawFrom = (
  context: NewPayment & { readonly refund?: Refund | undefined },
  { first, latest }: RecordedTransfer,
  { isReturned }: { readonly isReturned: boolean },
): WithdrawnMoney | undefined => {
  const before = first.refunds ?? [];
  const refunds = addRefund(before, context.refund);
  const refunded = unseenRefunds(refunds, first.leftOut);
  const counted = latest.outcome === 'accepted' ? latest.amount : ZERO_KOBO;
  const left = isReturned ? ZERO_KOBO : subtractDownToZero(first.amount, refunded);
  const amount = subtractDownToZero(counted, left);
  const isReturnShown = refunds.length > 0 && isShown(first, isReturned);
  const isNew = refunds.length > before.length || isReturnShown !== (first.isReturnShown === true);
  if (amount === 0 && !isNew) return undefined;
  const rest = amount > 0 && left > 0 ? newRestPayment(context, latest, first, left, refunded) : undefined;
  const known = {
    ...(refunds.length > 0 && { refunds: [...refunds] }),
    ...(isReturnShown && { isReturnShown }),
    ...(rest && { rest: refunded }),
  };
  const reversed = amount > 0 ? [{ ...asReversed(latest), ...(rest && { kept: left }) }] : [];
  const taken = { amount, rest, isSomeKept: rest !== undefined };
  if (amount > 0 && latest.id === first.id) {
    return { ...taken, reversed: reversed.map((payment) => ({ ...payment, ...known })), noted: undefined };
  }
  const isNoted = rest !== undefined || isNew;
  return { ...taken, reversed, noted: isNoted ? { before: first, after: { ...first, ...known } } : undefined };
};
