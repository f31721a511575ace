import * as z from 'zod/mini';
import { type Kobo, kobo } from '#shared/platform/kernel/money.ts';
import { personal } from '#shared/platform/kernel/personal.ts';
import { millisOrNull, nonEmptyString, ordinal, text, textOrNull } from '#shared/platform/kernel/schemas.ts';
import type { Millis } from '#shared/platform/kernel/time.ts';
import type { ProviderName } from './provider.ts';
import type { Refund } from './refund.ts';
import type { PaymentOrigin, SingleSource, SourceId } from './source.ts';

/** A query about a payment: by a reference that we chose or derived, or by the provider's own id of a transaction. */
export const paymentQuery = z.object({
  by: z.enum(['our_reference', 'transaction']),
  value: nonEmptyString,
});
export type PaymentQuery = z.infer<typeof paymentQuery>;

/** The payee of reported money. An account number is always a virtual account's, because numbers of payment accounts are reused. */
export const payee = z.discriminatedUnion('by', [
  z.object({ by: z.literal('our_reference'), reference: nonEmptyString }),
  z.object({ by: z.literal('account_number'), accountNumber: nonEmptyString }),
]);
export type Payee = z.infer<typeof payee>;

const particulars = z.object({
  /** The provider's own reference of the payment, by which people compare books. */
  providerReference: personal('none', text),
  /** Kobo that the charge asked its payer for; absent if it asked for no amount, or the provider does not tell. */
  asked: z.optional(kobo),
  /** Refunded kobo that the amount no longer includes. Absent if nothing was refunded, or if the provider does not tell. */
  leftOut: z.optional(kobo),
  fee: kobo,
  /** The provider's time of payment; null if it is not reported. */
  paidAt: millisOrNull,
  senderName: personal('other', textOrNull),
  senderBank: personal('other', textOrNull),
});

/** One transfer, identified by the provider's own id. */
const reportedTransfer = z.extend(particulars, {
  kind: z.literal('transfer'),
  transferId: nonEmptyString,
  /** Number of times that the transfer was reinstated; absent means never. Set by reinstateTransfer and never by a provider. */
  reinstatements: z.optional(ordinal),
  payee,
  amount: kobo,
  /** `accepted`: the provider keeps the money. `reversed`: the provider returned it, even if it never reported the money as accepted. */
  outcome: z.enum(['accepted', 'reversed']),
});
export type ReportedTransfer = z.infer<typeof reportedTransfer>;

/**
 * Money that the provider returned on arrival, as a notification reports it. `providerReference` is the provider's reference of the transaction to
 * which the money belongs.
 */
const reportedRejection = z.extend(particulars, {
  kind: z.literal('rejection'),
  /** Distinguishes several rejections of one transaction. */
  rejectionId: nonEmptyString,
  payee,
  amount: kobo,
});
export type ReportedRejection = z.infer<typeof reportedRejection>;

/** All money under one of our references, from a provider that reports no single transfers. */
const cumulativeReport = z.extend(particulars, {
  kind: z.literal('cumulative_report'),
  payee: z.object({ by: z.literal('our_reference'), reference: nonEmptyString }),
  /** Kobo that the provider keeps now. */
  kept: kobo,
  /** Kobo that were returned so far, in all; zero if the provider does not report it. */
  returned: kobo,
});
export type CumulativeReport = z.infer<typeof cumulativeReport>;

export const reportedMoney = z.discriminatedUnion('kind', [reportedTransfer, reportedRejection, cumulativeReport]);
export type ReportedMoney = z.infer<typeof reportedMoney>;

/** Builds the source of a transfer or a rejection. Each is a single payment. */
export const toSingleSource = (money: ReportedTransfer | ReportedRejection): SingleSource => {
  if (money.kind === 'rejection') {
    return { kind: 'rejection', transaction: money.providerReference, rejectionId: money.rejectionId };
  }
  const { transferId, reinstatements } = money;
  return { kind: 'transfer', transferId, ...(reinstatements !== undefined && { reinstatements }) };
};

/** Builds the source of reported money. */
export const toSourceId = (money: ReportedMoney): SourceId =>
  money.kind === 'cumulative_report'
    ? { kind: 'cumulative_report', reference: money.payee.reference }
    : toSingleSource(money);

/** Whether the provider keeps none of the money, because it returned it on arrival or later. */
export const isReturned = (money: ReportedMoney): boolean => {
  if (money.kind === 'cumulative_report') return money.kept === 0;
  return money.kind === 'rejection' || money.outcome === 'reversed';
};

/** Finds the kobo that the provider keeps or, if it keeps nothing, has returned. */
export const findAmount = (money: ReportedMoney): Kobo => {
  if (money.kind !== 'cumulative_report') return money.amount;
  return money.kept > 0 ? money.kept : money.returned;
};

/**
 * Marks a transfer as kept again after its return, for example because a refund failed. The transfer becomes a second payment, because its owner
 * has been notified that the first payment was reversed. `leftOut` stays on the first payment.
 */
export const reinstateTransfer = ({ leftOut: _, ...money }: ReportedTransfer): ReportedTransfer => ({
  ...money,
  reinstatements: (money.reinstatements ?? 0) + 1,
});

/**
 * Whether the money is a reinstated transfer. Such a transfer counts only if an operator assigns it: since the return, the business and the payer may
 * have settled the matter in another way.
 */
export const isReinstated = (money: ReportedMoney): boolean =>
  money.kind === 'transfer' && money.reinstatements !== undefined;

/** Builds the query for a new report of money: by our reference for a cumulative report, by the transaction for any other money. */
export const buildPaymentQuery = (origin: SourceId | PaymentOrigin, providerReference: string): PaymentQuery =>
  'reference' in origin
    ? { by: 'our_reference', value: origin.reference }
    : { by: 'transaction', value: providerReference };

/**
 * The provider's state of a payment as a whole. `complete`: the provider considers the payment paid, even below the requested amount (see
 * isCompletedBy). `failed`: the provider accepts no more money. `open`: any other state, and always for a payment to a virtual account.
 */
export const reportState = z.enum(['open', 'complete', 'failed']);
export type ReportState = z.infer<typeof reportState>;

/** A provider's answer about a payment. If `state` is `complete` without any money, the payment is none of ours, for example a payment by card. */
export interface PaymentReport {
  readonly money: readonly ReportedMoney[];
  readonly state: ReportState;
}

/** The money of one source in a provider's answer, with the parts of that answer that landing needs. */
export interface MoneyReport {
  readonly provider: ProviderName;
  readonly money: ReportedMoney;
  readonly state: ReportState;
  /** Time when the request for the answer was sent; 0 if it is not known. */
  readonly askedAt: Millis;
  /** A refund of this money that the provider reported in a notification. */
  readonly refund?: Refund | undefined;
}

/** A payment in a provider's list. Not every row has enough data to compare it with our books. */
export interface ListedPayment {
  readonly query: PaymentQuery;
  /** The origin under which we record the payment; null if the list does not show it. */
  readonly origin: PaymentOrigin | null;
  /** Whether the provider has returned the payment, or may have returned all or a part of it. In the second case only a look-up can tell. */
  readonly isReturned: boolean;
  /** Requested and received kobo of a payment under our reference, if they differ. `paid` includes returned money. */
  readonly total?: { readonly reference: string; readonly asked: Kobo; readonly paid: Kobo };
}
