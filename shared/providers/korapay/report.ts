import { largerKobo, ZERO_KOBO } from '#shared/platform/kernel/money.ts';
import type { Millis } from '#shared/platform/kernel/time.ts';
import { computeLeftOut, isNaira, koboIfValid, parseNaira } from '#shared/providers/common/money.ts';
import { parseAnswer } from '#shared/providers/common/parse-answer.ts';
import type { FoundPayment } from '#shared/providers/common/spelling.ts';
import { accountNumber, identifier, ourReference } from '#shared/providers/common/texts.ts';
import { OutcomeUnknown } from '#shared/providers/domain/errors.ts';
import type { Payee, PaymentQuery, PaymentReport } from '#shared/providers/domain/report.ts';
import {
  computeFee,
  computeKept,
  computeReceived,
  computeReturned,
  hasMoney,
  isFullyReturned,
  paidIntoAccount,
  readReturned,
} from './amounts.ts';
import type { Charge } from './charge.ts';
import { parsePaidAt, type ZonelessDates } from './dates.ts';
import { classifyReferences } from './fields.ts';

/** No money for us; the payment may still come. */
const NOTHING: PaymentReport = { money: [], state: 'open' };

/**
 * The payee of a charge that credited a virtual account; undefined for the charge of a payment account. The account's number decides where
 * its reference is missing or cannot be read. @throws OutcomeUnknown when neither can be read.
 */
const readPayee = (charge: Charge): Payee | undefined => {
  const account = charge.virtual_bank_account ?? charge.virtual_bank_account_details?.virtual_bank_account;
  const written = account?.account_reference || undefined;
  const reference = written && (ourReference(written) ?? identifier.safeParse(written).data);
  if (reference) return { by: 'our_reference', reference };
  // A charge with `bank_transfer` belongs to a payment account, whose number is recycled and so identifies nobody.
  if (account?.account_number && !charge.bank_transfer)
    return { by: 'account_number', accountNumber: parseAnswer(accountNumber, account.account_number.trim()) };
  if (written !== undefined) throw new OutcomeUnknown('Korapay does not say whose account it is.');
  return undefined;
};

/** What is needed to interpret Korapay's dates (dates.ts). */
interface DateContext {
  readonly now: Millis;
  readonly zonelessDates: ZonelessDates;
}

/** The fields that every kind of reported money has. */
const readParticulars = (charge: Charge, reference: string, { now, zonelessDates }: DateContext) => {
  const payer =
    charge.bank_transfer?.payer_bank_account ??
    charge.virtual_bank_account_details?.payer_bank_account ??
    charge.virtual_bank_account?.payer_bank_account ??
    charge.payer_bank_account;
  return {
    providerReference: classifyReferences(charge).korapays ?? (charge.payment_reference || reference),
    fee: computeFee(charge),
    paidAt: parsePaidAt(charge.transaction_date, zonelessDates, now),
    senderName: payer?.account_name ?? null,
    senderBank: payer?.bank_name ?? null,
  };
};

/** The report of a transfer into a virtual account. */
const toTransferReport = (charge: Charge, payee: Payee, reference: string, dates: DateContext): PaymentReport => {
  const amount = paidIntoAccount(charge);
  const reversed = isReversed(charge) || (amount > 0 && readReturned(charge) >= amount);
  if (charge.status !== 'success' && !reversed) return NOTHING;
  if (amount === 0) throw new OutcomeUnknown('Korapay does not say what came in.');
  const outcome = reversed ? 'reversed' : 'accepted';
  const particulars = readParticulars(charge, reference, dates);
  return {
    money: [{ ...particulars, kind: 'transfer', transferId: reference, payee, amount, outcome }],
    state: 'open',
  };
};

/** Statuses of a charge of which nothing is kept any more. Which one follows a refund is not documented (providers.md section 3.6). */
const isReversed = ({ status }: Charge): boolean => status === 'reversed' || status === 'refunded';

const STATES: Readonly<Record<string, PaymentReport['state']>> = { success: 'complete', failed: 'failed' };

/** The report of a payment account: the cumulative report of all money under the checkout's reference. */
const toPaymentReport = (charge: Charge, reference: string, dates: DateContext): PaymentReport => {
  const payee = { by: 'our_reference', reference } as const;
  const particulars = readParticulars(charge, reference, dates);
  const keptAmount = computeKept(charge);
  const requested = koboIfValid(parseNaira, charge.amount);
  const total = { ...particulars, kind: 'cumulative_report', payee, asked: requested } as const;
  // Korapay does not report whether any of it had counted before; our books know that.
  if (isReversed(charge) || isFullyReturned(charge)) {
    const returned = largerKobo(keptAmount, computeReturned(charge, ZERO_KOBO));
    const fee = keptAmount === 0 ? ZERO_KOBO : total.fee;
    return {
      money: [{ ...total, kept: ZERO_KOBO, returned, fee }],
      state: charge.status === 'failed' ? 'failed' : 'open',
    };
  }
  // Reporting no money would let the checkout expire although Korapay has the payer's money.
  if (charge.status === 'success' && keptAmount === 0)
    throw new OutcomeUnknown('Korapay does not say what it accepted.');
  const returned = computeReturned(charge, keptAmount);
  const money =
    keptAmount > 0
      ? [
          {
            ...total,
            kept: keptAmount,
            returned,
            leftOut: computeLeftOut(keptAmount, computeReceived(charge, keptAmount)),
          },
        ]
      : [];
  // Whether Korapay uses the status `expired` for transfers is not confirmed (providers.md section 3.4), so our own expiry decides.
  return { money, state: STATES[charge.status ?? ''] ?? 'open' };
};

/** The reference of a payment: what we asked by is certainly ours. @throws OutcomeUnknown when the answer is about another payment of ours. */
const findPaymentReference = ({ payment, reference }: FoundPayment<Charge>, { by, value }: PaymentQuery): string => {
  if (by === 'transaction') return reference ?? classifyReferences(payment).merchants ?? value;
  const [answered, expected] = [reference ?? value, value].map((written) => ourReference(written) ?? written);
  if (answered !== expected) throw new OutcomeUnknown('The answer is about another payment.');
  return reference ?? value;
};

/** Korapay's own reference of a transfer into a virtual account. */
const findTransferId = (charge: Charge, { value }: PaymentQuery): string =>
  classifyReferences(charge).korapays ?? (charge.reference || value);

/**
 * What the answer about a charge reports (providers.md sections 3.4 and 3.6): a transfer into a virtual account, under Korapay's reference, or a payment
 * account's cumulative report, under ours. Throws OutcomeUnknown for an invalid amount, for a success without one, for money in another
 * currency, and for an answer about another payment.
 */
export const toReport = (
  foundPayment: FoundPayment<Charge>,
  query: PaymentQuery,
  dates: DateContext,
): PaymentReport => {
  const charge = foundPayment.payment;
  if (!isNaira(charge.currency)) {
    // Our books are in naira: such money stays due until a person has seen it.
    if (hasMoney(charge)) throw new OutcomeUnknown('The money is not in naira.');
    return NOTHING;
  }
  const payee = readPayee(charge);
  if (payee) return toTransferReport(charge, payee, findTransferId(charge, query), dates);
  return toPaymentReport(charge, findPaymentReference(foundPayment, query), dates);
};
