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

/** `rejected`: the provider returned it before it counted. `reversed`: it counted first and was returned later (api-decisions.md section 4). */
export const paymentOutcome = z.enum(['accepted', 'rejected', 'reversed']);

/** Whose account a payment came into. */
const paymentOwner = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('checkout'), reference: checkoutReference }),
  z.object({ kind: z.literal('virtual_account'), id: idSchema('va') }),
]);
export type PaymentOwner = z.infer<typeof paymentOwner>;

/** The owner's id: a checkout's reference or a virtual account's id. No two are alike. */
export const nameOfOwner = (owner: PaymentOwner): string => (owner.kind === 'checkout' ? owner.reference : owner.id);

/** Money of one owner that was recorded. Its outcome changes at most once, from accepted to reversed. */
export const payment = z.object({
  id: idSchema('pay'),
  mode,
  businessId: idSchema('biz'),
  provider: providerName,
  owner: paymentOwner,
  /** The merchant's own reference of the checkout that it is on. Absent where there is none. */
  merchantReference: personal('none', z.optional(text)),
  /** With mode and provider, what makes it unique. */
  origin: paymentOrigin,
  providerReference: personal('none', text),
  amount: kobo,
  fee: kobo,
  paidAt: millis,
  senderName: personal('other', textOrNull),
  senderBank: personal('other', textOrNull),
  outcome: paymentOutcome,
  /** The provider's time of payment is after the checkout's expiry, however early or late it was reported. */
  late: boolean,
  recordedAt: millis,
  /** Of a reversed payment: the part that its provider kept, which is a payment of its own. Absent: nothing. */
  kept: z.optional(kobo),
  /** Of such a part: when the payment was recorded that it is the rest of, since it counts from then. */
  restFrom: z.optional(millis),
  /** Of a transfer: kobo that were refunded before its first look-up, which left them out of the amount. Absent: none. */
  leftOut: z.optional(kobo),
  /** Refunds of a transfer that its provider reported, each once; on its first payment. Absent: none. */
  refunds: z.optional(refunds),
  /** Of such a payment: a look-up showed as well that its provider returned all of it. Absent: none did. */
  isReturnShown: z.optional(z.literal(true)),
  /** Of such a payment: the sum of the refunds (kobo) in the origin of the payment that has its rest. Absent: there is none. */
  rest: z.optional(kobo),
  /** Absent where no review is due: it was done, the money does not count, or its provider reports what it returns. */
  review: z.optional(review),
});
export type Payment = z.infer<typeof payment>;

/** A payment as merchants see it on a checkout or account: a view of what is recorded, from which nothing is decided. */
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

/** What merchants see of a payment. */
export const summarizePayment = (recorded: Payment): PaymentSummary => {
  const { id, provider, providerReference, amount, fee, paidAt, senderName, senderBank, outcome, late } = recorded;
  return { id, provider, providerReference, amount, fee, paidAt, senderName, senderBank, outcome, late };
};

/** The payment after the provider returned money that had counted. */
export const asReversed = ({ review: _, ...before }: Payment): Payment => ({ ...before, outcome: 'reversed' });

/** From when a payment counts, which is where lists have it and the day whose totals it is in. */
export const effectiveAt = ({ recordedAt, restFrom }: Pick<Payment, 'recordedAt' | 'restFrom'>): Millis =>
  restFrom ?? recordedAt;

/** The payment, with its first review if it counts and its provider may return it without reporting that. */
export const withReview = (payment: Payment, { isReviewed }: Pick<NewPayment, 'isReviewed'>): Payment =>
  isReviewed && payment.outcome === 'accepted' ? { ...payment, review: firstReview(payment) } : payment;

/** The id of a payment that is about to be recorded, and when that is. */
export interface NewPayment {
  readonly id: string;
  readonly recordedAt: Millis;
  /** Whether its provider may return money without reporting that (LiveProvider.returnsSilently). Absent means no. */
  readonly isReviewed?: boolean | undefined;
}

type PaidMoney = Pick<ReportedMoney, 'leftOut' | 'providerReference' | 'fee' | 'paidAt' | 'senderName' | 'senderBank'>;

/** A payment as its provider reported it. Without a reported time of payment, the time of recording is taken. */
export const paymentFrom = (
  { id, recordedAt, isReviewed }: NewPayment,
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
