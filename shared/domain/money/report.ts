import * as z from 'zod/mini';
import { type Kobo, kobo } from '#shared/domain/kernel/money.ts';
import { millisOrNull, nonEmptyString, text, textOrNull } from '#shared/domain/kernel/schemas.ts';

/** What to ask a provider about: a reference that we chose (or derived from one), or its own id of a transaction. */
export const paymentQuery = z.object({
  by: z.enum(['our_reference', 'transaction']),
  value: nonEmptyString,
});
export type PaymentQuery = z.infer<typeof paymentQuery>;

/** Whom money is for, as the provider tells it: a reference that we chose, or the number of a standing account. Never the number of a payment account: providers recycle those. */
export const payee = z.discriminatedUnion('by', [
  z.object({ by: z.literal('our_reference'), reference: nonEmptyString }),
  z.object({ by: z.literal('account_number'), accountNumber: nonEmptyString }),
]);
export type Payee = z.infer<typeof payee>;

const money = z.object({
  /** The provider's own reference of the payment, for people who compare books. */
  providerReference: text,
  amount: kobo,
  fee: kobo,
  /** The provider's time of payment; null where it does not tell it. */
  paidAt: millisOrNull,
  senderName: textOrNull,
  senderBank: textOrNull,
});

/** One transfer, under the provider's own id of it. */
const reportedTransfer = z.extend(money, {
  kind: z.literal('transfer'),
  transferId: nonEmptyString,
  payee,
  /** `accepted`: the provider keeps it. `rejected`: sent back on arrival. `reversed`: kept first, sent back later. */
  outcome: z.enum(['accepted', 'rejected', 'reversed']),
});
export type ReportedTransfer = z.infer<typeof reportedTransfer>;

/** Where a provider tells no single transfers: all that it keeps at the time under one reference of ours. It falls when some goes back. */
const runningTotal = z.extend(money, {
  kind: z.literal('running_total'),
  payee: z.object({ by: z.literal('our_reference'), reference: nonEmptyString }),
  /** `reversed`: all of it was sent back. */
  outcome: z.enum(['accepted', 'reversed']),
});
export type RunningTotal = z.infer<typeof runningTotal>;

/** What a running total is known by: its reference, and the total that was reached (kobo). */
export const totalId = (reference: string, reached: Kobo): string => `${reference}:${reached}`;

/** What went back of a running total's money is known by: its reference, and how much went back by then in all (kobo). */
export const returnId = (reference: string, returned: Kobo): string => `${reference}:reversal:${returned}`;

export const reportedMoney = z.discriminatedUnion('kind', [reportedTransfer, runningTotal]);
export type ReportedMoney = z.infer<typeof reportedMoney>;

/** What to ask its provider in order to hear of reported money again. */
export const queryOfMoney = (of: ReportedMoney): PaymentQuery =>
  of.kind === 'running_total'
    ? { by: 'our_reference', value: of.payee.reference }
    : { by: 'transaction', value: of.providerReference };

/**
 * How a provider sees a payment as a whole: `complete` when it takes it as paid, even below the amount asked for; `failed` when
 * it will take nothing any more; `open` otherwise. A standing account is always `open`.
 */
export const reportState = z.enum(['open', 'complete', 'failed']);
export type ReportState = z.infer<typeof reportState>;

/** What a provider answers when it is asked about a payment (architecture.md section 6). */
export interface PaymentReport {
  readonly money: readonly ReportedMoney[];
  readonly state: ReportState;
}
