import * as z from 'zod/mini';
import { checkoutReference, idSchema } from '#shared/platform/kernel/ids.ts';
import { mode } from '#shared/platform/kernel/mode.ts';
import { kobo } from '#shared/platform/kernel/money.ts';
import { personal } from '#shared/platform/kernel/personal.ts';
import { boolean, millis, text, textOrNull } from '#shared/platform/kernel/schemas.ts';
import type { Millis } from '#shared/platform/kernel/time.ts';
import { providerName } from '#shared/providers/domain/provider.ts';
import { refunds } from '#shared/providers/domain/refund.ts';
import type { ReportedMoney } from '#shared/providers/domain/report.ts';
import { paymentOrigin } from '#shared/providers/domain/source.ts';
import { firstReview, review } from './review.ts';

/** `rejected`: the provider returned the money before it counted. `reversed`: the money counted first and was returned later. */
export const paymentOutcome = z.enum(['accepted', 'rejected', 'reversed']);

/** The checkout or virtual account that a payment was paid into. */
const paymentOwner = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('checkout'), reference: checkoutReference }),
  z.object({ kind: z.literal('virtual_account'), id: idSchema('va') }),
]);
export type PaymentOwner = z.infer<typeof paymentOwner>;

/** Returns the owner's id: a checkout's reference or a virtual account's id. It is unique among all owners. */
export const getOwnerId = (owner: PaymentOwner): string => (owner.kind === 'checkout' ? owner.reference : owner.id);

/** Recorded money of one owner. Its outcome changes at most once, from accepted to reversed. */
export const payment = z.object({
  id: idSchema('pay'),
  mode,
  businessId: idSchema('biz'),
  provider: providerName,
  owner: paymentOwner,
  /** The merchant reference of its checkout. Absent if there is none. */
  merchantReference: personal('none', z.optional(text)),
  /** Unique within a mode and a provider. */
  origin: paymentOrigin,
  providerReference: personal('none', text),
  amount: kobo,
  fee: kobo,
  paidAt: millis,
  senderName: personal('other', textOrNull),
  senderBank: personal('other', textOrNull),
  outcome: paymentOutcome,
  /** Whether the provider's time of payment is after the account's expiry. The time of the report does not matter. */
  late: boolean,
  recordedAt: millis,
  /** Only on a reversed payment: kobo that its provider kept. This remainder is another payment. Absent if nothing was kept. */
  kept: z.optional(kobo),
  /** Only on a remainder: `recordedAt` of the original payment. The remainder takes the place of that payment in lists and in the total of its day. */
  restFrom: z.optional(millis),
  /** Only on a transfer: kobo refunded before its first look-up, so that `amount` does not include them. Absent if zero. */
  leftOut: z.optional(kobo),
  /** Only on the first payment of a transfer: the refunds that its provider reported, each once. Absent if there is none. */
  refunds: z.optional(refunds),
  /** Only on a payment with `refunds`: true if a look-up also showed that its provider returned the whole payment. */
  isReturnShown: z.optional(z.literal(true)),
  /**
   * Only on a payment whose refunds left a remainder: how many kobo of `amount` were refunded when the newest remainder was recorded. It is
   * not the amount of the remainder. The remainder's origin has the same number as `refunded`, so the remainder is found by it.
   */
  rest: z.optional(kobo),
  /** Absent if no review is planned: it was done or given up, the money does not count, or the provider reports returns itself. */
  review: z.optional(review),
});
export type Payment = z.infer<typeof payment>;

/** A payment as merchants see it on a checkout or account. It is only shown: no decision depends on it. */
export const paymentSummary = z.omit(payment, {
  mode: true,
  businessId: true,
  owner: true,
  merchantReference: true,
  origin: true,
  recordedAt: true,
  kept: true,
  restFrom: true,
  leftOut: true,
  refunds: true,
  isReturnShown: true,
  rest: true,
  review: true,
});
export type PaymentSummary = z.infer<typeof paymentSummary>;

/** Selects the fields of a payment that merchants see. */
export const summarizePayment = (recorded: Payment): PaymentSummary => {
  const { id, provider, providerReference, amount, fee, paidAt, senderName, senderBank, outcome, late } = recorded;
  return { id, provider, providerReference, amount, fee, paidAt, senderName, senderBank, outcome, late };
};

/** Marks a payment that counted as reversed. Its review is not due any more. */
export const asReversed = ({ review: _, ...before }: Payment): Payment => ({ ...before, outcome: 'reversed' });

/**
 * Returns the booking time: lists sort the payment by it, and it decides in which day's total the payment counts. A remainder has the time of its
 * original payment.
 */
export const getBookedAt = ({ recordedAt, restFrom }: Pick<Payment, 'recordedAt' | 'restFrom'>): Millis =>
  restFrom ?? recordedAt;

/** Adds the first review to a payment if it counts and its provider may return it without a report. */
export const withReview = (payment: Payment, { isReviewed }: Pick<NewPaymentContext, 'isReviewed'>): Payment =>
  isReviewed && payment.outcome === 'accepted' ? { ...payment, review: firstReview(payment) } : payment;

/** The id and time of a payment that is about to be recorded. */
export interface NewPaymentContext {
  readonly id: string;
  readonly recordedAt: Millis;
  /** Whether its provider may return money without a report (LiveProvider.returnsSilently). Absent means no. */
  readonly isReviewed?: boolean | undefined;
}

type PaidMoney = Pick<ReportedMoney, 'leftOut' | 'providerReference' | 'fee' | 'paidAt' | 'senderName' | 'senderBank'>;

/** Builds a payment from its provider's report. If the report has no time of payment, `paidAt` is the time of recording. */
export const paymentFrom = (
  { id, recordedAt, isReviewed }: NewPaymentContext,
  destination: Pick<Payment, 'mode' | 'businessId' | 'provider' | 'owner' | 'merchantReference'>,
  { leftOut, providerReference, fee, paidAt, senderName, senderBank }: PaidMoney,
  recorded: Pick<Payment, 'origin' | 'amount' | 'outcome' | 'late'>,
): Payment =>
  withReview(
    {
      ...destination,
      id,
      recordedAt,
      providerReference,
      fee,
      senderName,
      senderBank,
      ...recorded,
      paidAt: paidAt ?? recordedAt,
      ...(leftOut !== undefined && recorded.origin.kind === 'transfer' && { leftOut }),
    },
    { isReviewed },
  );
