import * as z from 'zod/mini';
import { type Kobo, kobo } from '#shared/platform/kernel/money.ts';
import { personal } from '#shared/platform/kernel/personal.ts';
import { millisOrNull, nonEmptyString, ordinal, text, textOrNull } from '#shared/platform/kernel/schemas.ts';
import type { Millis } from '#shared/platform/kernel/time.ts';
import type { ProviderName } from './provider.ts';
import type { Refund } from './refund.ts';
import type { PaymentOrigin, SingleSource, SourceId } from './source.ts';

/** What to ask a provider about: a reference that we chose (or derived from one), or its own id of a transaction. */
export const paymentQuery = z.object({
  by: z.enum(['our_reference', 'transaction']),
  value: nonEmptyString,
});
export type PaymentQuery = z.infer<typeof paymentQuery>;

/** Whom money is for, as its provider reports it. The number is that of a virtual account: those of payment accounts are reused. */
export const payee = z.discriminatedUnion('by', [
  z.object({ by: z.literal('our_reference'), reference: nonEmptyString }),
  z.object({ by: z.literal('account_number'), accountNumber: nonEmptyString }),
]);
export type Payee = z.infer<typeof payee>;

const particulars = z.object({
  /** The provider's own reference of the payment, for comparing books. */
  providerReference: personal('none', text),
  /** Kobo that the charge asked its payer for; absent where nothing was asked for, or the provider does not say. */
  asked: z.optional(kobo),
  /** Kobo that were refunded before and that the amount leaves out already; absent for none, and where the provider does not say it. */
  leftOut: z.optional(kobo),
  fee: kobo,
  /** The provider's time of payment; null where it is not reported. */
  paidAt: millisOrNull,
  senderName: personal('other', textOrNull),
  senderBank: personal('other', textOrNull),
});

/** One transfer, under the provider's own id of it. */
const reportedTransfer = z.extend(particulars, {
  kind: z.literal('transfer'),
  transferId: nonEmptyString,
  /** Set by us (asReinstated), never by a provider: how often the transfer was reinstated. Absent means never. */
  reinstatements: z.optional(ordinal),
  payee,
  amount: kobo,
  /** `accepted`: the provider keeps it. `reversed`: it was returned, whether it was ever reported as accepted or not. */
  outcome: z.enum(['accepted', 'reversed']),
});
export type ReportedTransfer = z.infer<typeof reportedTransfer>;

/** Money that the provider returned on arrival, reported by a notification. Its transaction is `providerReference`. */
const reportedRejection = z.extend(particulars, {
  kind: z.literal('rejection'),
  /** Tells several rejections of one transaction apart. */
  rejectionId: nonEmptyString,
  payee,
  amount: kobo,
});
export type ReportedRejection = z.infer<typeof reportedRejection>;

/** All money under one reference of ours, where the provider reports no single transfers. */
const cumulativeReport = z.extend(particulars, {
  kind: z.literal('cumulative_report'),
  payee: z.object({ by: z.literal('our_reference'), reference: nonEmptyString }),
  /** What the provider keeps now, in kobo. */
  kept: kobo,
  /** What was returned so far, in all, in kobo; zero where the provider does not report it. */
  returned: kobo,
});
export type CumulativeReport = z.infer<typeof cumulativeReport>;

export const reportedMoney = z.discriminatedUnion('kind', [reportedTransfer, reportedRejection, cumulativeReport]);
export type ReportedMoney = z.infer<typeof reportedMoney>;

/** The source of a transfer or a rejection, each of which is one payment. */
export const toSingleSource = (money: ReportedTransfer | ReportedRejection): SingleSource => {
  if (money.kind === 'rejection') {
    return { kind: 'rejection', transaction: money.providerReference, rejectionId: money.rejectionId };
  }
  const { transferId, reinstatements } = money;
  return { kind: 'transfer', transferId, ...(reinstatements !== undefined && { reinstatements }) };
};

/** The source that money is reported under. */
export const toSourceId = (money: ReportedMoney): SourceId =>
  money.kind === 'cumulative_report'
    ? { kind: 'cumulative_report', reference: money.payee.reference }
    : toSingleSource(money);

/** Whether the provider keeps none of the money: it was returned, on arrival or later. */
export const isReturned = (money: ReportedMoney): boolean => {
  if (money.kind === 'cumulative_report') return money.kept === 0;
  return money.kind === 'rejection' || money.outcome === 'reversed';
};

/** Kobo that the provider keeps or, where it keeps nothing, that it returned. */
export const findAmount = (money: ReportedMoney): Kobo => {
  if (money.kind !== 'cumulative_report') return money.amount;
  return money.kept > 0 ? money.kept : money.returned;
};

/**
 * The same transfer after it was returned and then kept after all, as when a refund fails. It becomes another payment, because its
 * owner has been notified that the first one was reversed.
 */
export const reinstateTransfer = ({ leftOut: _, ...money }: ReportedTransfer): ReportedTransfer => ({
  // What was refunded before is noted on the first payment.
  ...money,
  reinstatements: (money.reinstatements ?? 0) + 1,
});

/** Whether this is a reinstated transfer. It counts only when an operator assigns it, as nobody else knows what was agreed since the return. */
export const isReinstated = (money: ReportedMoney): boolean =>
  money.kind === 'transfer' && money.reinstatements !== undefined;

/** What to ask the provider for a new report of money: a cumulative report by our reference, any other money by its transaction. */
export const buildPaymentQuery = (origin: SourceId | PaymentOrigin, providerReference: string): PaymentQuery =>
  'reference' in origin
    ? { by: 'our_reference', value: origin.reference }
    : { by: 'transaction', value: providerReference };

/**
 * How a provider sees a payment as a whole: `complete` when it considers it paid, even below the amount asked for (see isCompletedBy);
 * `failed` when it accepts no money any more; `open` otherwise. A payment to a virtual account is always `open`.
 */
export const reportState = z.enum(['open', 'complete', 'failed']);
export type ReportState = z.infer<typeof reportState>;

/**
 * What a provider answers when it is asked about a payment (architecture.md section 6). Complete without any money: it is none of ours, as a
 * payment by card.
 */
export interface PaymentReport {
  readonly money: readonly ReportedMoney[];
  readonly state: ReportState;
}

/** One source's money in a provider's answer, with what landing it needs of that answer. */
export interface MoneyReport {
  readonly provider: ProviderName;
  readonly money: ReportedMoney;
  readonly state: ReportState;
  /** When we began to ask for the answer; 0 where that is not known. */
  readonly askedAt: Millis;
  /** A refund of this money that the provider reported by itself. */
  readonly refund?: Refund | undefined;
}

/** A payment as a provider's list shows it: whether it says enough to compare it with our books differs from row to row. */
export interface ListedPayment {
  readonly query: PaymentQuery;
  /** The origin that its payment is recorded under; null where the list does not show it. */
  readonly origin: PaymentOrigin | null;
  /** The provider has returned it since; or may have, wholly or in part, where only a look-up shows it. */
  readonly isReturned: boolean;
  /** Kobo that a payment of a reference of ours asked for, and that came in all, returned or not, where that is another amount. */
  readonly total?: { readonly reference: string; readonly asked: Kobo; readonly paid: Kobo };
}
