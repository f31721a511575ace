import { type Kobo, subtractDownToZero, ZERO_KOBO } from '#shared/platform/kernel/money.ts';
import { computeRefundedBefore, isNaira, parseKoboIfValid, parseNaira } from '#shared/providers/common/money.ts';
import { OutcomeUnknown } from '#shared/providers/domain/errors.ts';
import type { PaymentReport, ReportedMoney } from '#shared/providers/domain/report.ts';
import type { MonnifySettings } from './description.ts';
import { RESERVED_ACCOUNT, toSenderFields } from './fields.ts';
import { parseLagosTime } from './lagos-time.ts';
import { findMeaning, type Meaning, PARTLY_PAID } from './statuses.ts';
import type { Transaction } from './transaction.ts';

/** The stage's setting for wrong amounts (description.ts). */
export type WrongAmountSetting = Pick<MonnifySettings, 'wrongAmountsKeep'>;

/** Computes Monnify's fee in kobo: paid minus settled amount. Zero if the settled amount is missing or invalid. */
const computeFee = (paid: Kobo, { settlementAmount }: Transaction): Kobo =>
  subtractDownToZero(paid, parseKoboIfValid(parseNaira, settlementAmount) ?? paid);

/** Computes the kobo that Monnify keeps or, after a return, has returned. @throws OutcomeUnknown for an invalid amount. */
const computeAmount = (
  { amountPaid, totalPayable }: Transaction,
  { outcome, isWrong }: Meaning,
  keepsOnlyAmount: boolean,
): Kobo => {
  if (outcome === 'accepted') {
    const paid = parseNaira(amountPaid ?? 0);
    if (paid === 0) throw new OutcomeUnknown('Monnify reports a payment of zero as paid.');
    if (!isWrong || !keepsOnlyAmount) return paid;
    const excess = subtractDownToZero(paid, parseNaira(totalPayable));
    return subtractDownToZero(paid, excess);
  }
  // After a return `amountPaid` may be zero (not confirmed).
  const known = [amountPaid, totalPayable].map((amount) => parseKoboIfValid(parseNaira, amount));
  return known.find((amount) => amount !== undefined && amount > 0) ?? ZERO_KOBO;
};

/**
 * Finds the kobo that came at least, before any refund: `totalPayable`, because a refund may lower `amountPaid` alone (not confirmed). Undefined if
 * less than the requested amount came, if all was returned, or if `totalPayable` is missing or invalid.
 */
const computeReceived = ({ totalPayable }: Transaction, meaning: Meaning): Kobo | undefined =>
  meaning.outcome === 'accepted' && meaning !== PARTLY_PAID ? parseKoboIfValid(parseNaira, totalPayable) : undefined;

/** Converts a transaction to money: one transfer for a virtual account, or the cumulative report of a payment account's reference. */
const toReportedMoney = (transaction: Transaction, meaning: Meaning, amount: Kobo): ReportedMoney => {
  const { transactionReference, paymentReference, product, accountDetails, accountPayments, paidOn } = transaction;
  if (!isNaira(transaction.currency)) throw new OutcomeUnknown('Monnify reports another currency than naira.');
  const common = {
    providerReference: transactionReference,
    leftOut: computeRefundedBefore(amount, computeReceived(transaction, meaning)),
    fee: computeFee(amount, transaction),
    // An unreadable date must never keep money out of the books.
    paidAt: parseLagosTime(paidOn ?? '') ?? null,
    ...toSenderFields([...accountDetails, ...accountPayments].find(({ accountName }) => accountName)),
  };
  // A transfer to a virtual account has our reference only in its product; its two other references are Monnify's and equal. If its product is
  // missing, the payee is unknown.
  const isToVirtualAccount = product?.type === RESERVED_ACCOUNT;
  const reference = isToVirtualAccount ? product.reference : paymentReference;
  if (!reference || (!product && paymentReference === transactionReference)) {
    throw new OutcomeUnknown('The answer names no payee of the payment.');
  }
  const payee = { by: 'our_reference', reference } as const;
  const outcome = meaning.outcome === 'accepted' ? 'accepted' : 'reversed';
  if (isToVirtualAccount)
    return { kind: 'transfer', transferId: transactionReference, payee, amount, outcome, ...common };
  const [keptAmount, returned] = outcome === 'accepted' ? [amount, ZERO_KOBO] : [ZERO_KOBO, amount];
  const requested = parseKoboIfValid(parseNaira, transaction.totalPayable);
  return { kind: 'cumulative_report', payee, asked: requested, kept: keptAmount, returned, ...common };
};

/**
 * Converts a transaction to a report (providers.md section 2.4).
 * @throws OutcomeUnknown for an unknown status, an invalid amount, another currency than naira, or money without a payee.
 */
export const toReport = (transaction: Transaction, { wrongAmountsKeep }: WrongAmountSetting): PaymentReport => {
  const meaning = findMeaning(transaction.paymentStatus);
  if (!meaning) throw new OutcomeUnknown('Monnify reports an unknown payment status.');
  const { outcome, state } = meaning;
  const isToVirtualAccount = transaction.product?.type === RESERVED_ACCOUNT;
  const keepsOnlyAmount = wrongAmountsKeep === 'what_was_asked' && !isToVirtualAccount;
  const hasMoney = outcome !== null && !(keepsOnlyAmount && meaning === PARTLY_PAID);
  const money = hasMoney
    ? [toReportedMoney(transaction, meaning, computeAmount(transaction, meaning, keepsOnlyAmount))]
    : [];
  return { money, state: isToVirtualAccount ? 'open' : state };
};
