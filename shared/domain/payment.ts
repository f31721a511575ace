import * as z from 'zod/mini';
import { checkoutReference, idSchema } from './ids.ts';
import { mode } from './mode.ts';
import { kobo, nairaFromKobo } from './money.ts';
import { providerName } from './provider.ts';
import { reportedMoney, reportState } from './provider-report.ts';
import { isoMicros, MINUTE, type Millis } from './time.ts';

/** `rejected`: the provider sent it back on arrival. `reversed`: accepted first, sent back later (api.md section 4). */
export const paymentOutcome = z.enum(['accepted', 'rejected', 'reversed']);

/** What a payment landed on. */
export const paymentOwner = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('checkout'), reference: checkoutReference }),
  z.object({ kind: z.literal('virtual_account'), id: idSchema('va') }),
]);
export type PaymentOwner = z.infer<typeof paymentOwner>;

/** A transfer as its sender and the provider describe it, before we decide what it means. */
export const landing = z.object({
  /** The provider's own id of the transfer: with mode and provider, what makes a payment unique. */
  transferId: z.string().check(z.minLength(1)),
  providerReference: z.string(),
  amount: kobo,
  fee: kobo,
  paidAt: z.number(),
  senderName: z.nullable(z.string()),
  senderBank: z.nullable(z.string()),
});
export type Landing = z.infer<typeof landing>;

/** A landing that was recorded. */
export const payment = z.extend(landing, {
  id: idSchema('pay'),
  mode,
  businessId: idSchema('biz'),
  provider: providerName,
  owner: paymentOwner,
  outcome: paymentOutcome,
  /** The provider's time of payment is after the checkout's expiry, however early or late the news came. */
  late: z.boolean(),
  recordedAt: z.number(),
});
export type Payment = z.infer<typeof payment>;

/** Money that matches no account and no checkout of ours (yet). A transfer is kept under the key that its payment will have; of a running total there is one entry. */
export const unmatchedPayment = z.object({
  id: idSchema('pay'),
  mode: z.literal('live'),
  provider: providerName,
  transferId: z.string().check(z.minLength(1)),
  money: reportedMoney,
  /** How the provider saw the payment as a whole. */
  state: reportState,
  /** When the answer was asked for that told of it; 0 where nobody asked. The latest answer about a running total stands. */
  askedAt: z.number(),
  recordedAt: z.number(),
  /** How often it was matched again. */
  tries: z.int().check(z.gte(0)),
});
export type UnmatchedPayment = z.infer<typeof unmatchedPayment>;

/** Milliseconds after it was recorded at which unmatched money is matched again (architecture.md section 4). After that people look at it. */
const MATCH_AGAIN = [MINUTE, 5 * MINUTE, 60 * MINUTE] as const;

/** When unmatched money is matched again by itself; null when it waits for people, or for an account that appears. */
export const matchDue = ({ recordedAt, tries }: UnmatchedPayment): Millis | null => {
  const gap = MATCH_AGAIN[tries];
  return gap === undefined ? null : recordedAt + gap;
};

/** A payment as the API shows it. */
export const paymentView = (p: Payment) => ({
  id: p.id,
  amount: nairaFromKobo(p.amount),
  fee: nairaFromKobo(p.fee),
  outcome: p.outcome,
  paid_at: isoMicros(p.paidAt),
  late: p.late,
  sender_name: p.senderName,
  sender_bank: p.senderBank,
  provider: p.provider,
  provider_reference: p.providerReference,
});
