import { largerKobo, ZERO_KOBO } from '#shared/platform/kernel/money.ts';
import type { Millis } from '#shared/platform/kernel/time.ts';
import { computeRefundedBefore, isNaira, parseKoboIfValid, parseNaira } from '#shared/providers/common/money.ts';
import { parseAnswer } from '#shared/providers/common/parse-answer.ts';
import type { FoundPayment } from '#shared/providers/common/spelling.ts';
import { accountNumber, identifier, toOurReference } from '#shared/providers/common/texts.ts';
import { OutcomeUnknown } from '#shared/providers/domain/errors.ts';
import type { Payee, PaymentQuery, PaymentReport } from '#shared/providers/domain/report.ts';
import {
  computeFee,
  computeKept,
  computePaidIntoAccount,
  computeReceived,
  computeReturned,
  hasMoney,
  isFullyReturned,
  readReturned,
} from './amounts.ts';
import type { Charge } from './charge.ts';
import { parsePaidAt, type ZonelessDates } from './dates.ts';
import { classifyReferences } from './fields.ts';

/** The report of a payment that has not been paid yet. */
const NOTHING: PaymentReport = { money: [], state: 'open' };

/**
 * Reads the payee of a charge that credited a virtual account; undefined for the charge of a payment account. If the account's reference is
 * missing or unreadable, its number is used. @throws OutcomeUnknown if neither can be read.
 */
const readPayee = (charge: Charge): Payee | undefined => {
  const account = charge.virtual_bank_account ?? charge.virtual_bank_account_details?.virtual_bank_account;
  const writtenReference = account?.account_reference || undefined;
  const reference =
    writtenReference && (toOurReference(writtenReference) ?? identifier.safeParse(writtenReference).data);
  if (reference) return { by: 'our_reference', reference };
  // A charge with `bank_transfer` belongs to a payment account. The number of a payment account is reused and identifies nobody.
  if (account?.account_number && !charge.bank_transfer)
    return { by: 'account_number', accountNumber: parseAnswer(accountNumber, account.account_number.trim()) };
  if (writtenReference !== undefined) throw new OutcomeUnknown('The answer names no account that can be read.');
  return undefined;
};

/** The context that is needed to parse Korapay's dates (dates.ts). */
interface DateContext {
  readonly now: Millis;
  readonly zonelessDates: ZonelessDates;
}

/** Reads the fields that every kind of reported money has. */
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

/** Converts a transfer into a virtual account to a report. */
const toTransferReport = (charge: Charge, payee: Payee, reference: string, dates: DateContext): PaymentReport => {
  const amount = computePaidIntoAccount(charge);
  const isReturned = isReversed(charge) || (amount > 0 && readReturned(charge) >= amount);
  if (charge.status !== 'success' && !isReturned) return NOTHING;
  if (amount === 0) throw new OutcomeUnknown('The answer has no amount of the received money.');
  const outcome = isReturned ? 'reversed' : 'accepted';
  const particulars = readParticulars(charge, reference, dates);
  return {
    money: [{ ...particulars, kind: 'transfer', transferId: reference, payee, amount, outcome }],
    state: 'open',
  };
};

/** Whether the status shows that all money was returned. The status after a refund is not documented (providers.md section 3.6). */
const isReversed = ({ status }: Charge): boolean => status === 'reversed' || status === 'refunded';

const STATES: Readonly<Record<string, PaymentReport['state']>> = { success: 'complete', failed: 'failed' };

/** Converts the charge of a payment account to the cumulative report of all money under the checkout's reference. */
const toPaymentReport = (charge: Charge, reference: string, dates: DateContext): PaymentReport => {
  const payee = { by: 'our_reference', reference } as const;
  const particulars = readParticulars(charge, reference, dates);
  const keptAmount = computeKept(charge);
  const requested = parseKoboIfValid(parseNaira, charge.amount);
  const total = { ...particulars, kind: 'cumulative_report', payee, asked: requested } as const;
  // Korapay does not tell whether the money counted before it was returned. Our books know that, so the report only has the sums.
  if (isReversed(charge) || isFullyReturned(charge)) {
    const returned = largerKobo(keptAmount, computeReturned(charge, ZERO_KOBO));
    const fee = keptAmount === 0 ? ZERO_KOBO : total.fee;
    return {
      money: [{ ...total, kept: ZERO_KOBO, returned, fee }],
      state: charge.status === 'failed' ? 'failed' : 'open',
    };
  }
  // A report without money would let the checkout expire although Korapay has the payer's money.
  if (charge.status === 'success' && keptAmount === 0) throw new OutcomeUnknown('The answer has no accepted amount.');
  const returned = computeReturned(charge, keptAmount);
  const money =
    keptAmount > 0
      ? [
          {
            ...total,
            kept: keptAmount,
            returned,
            leftOut: computeRefundedBefore(keptAmount, computeReceived(charge, keptAmount)),
          },
        ]
      : [];
  // It is not confirmed that Korapay uses the status `expired` for transfers (providers.md section 3.4), so our own expiry decides.
  return { money, state: STATES[charge.status ?? ''] ?? 'open' };
};

/**
 * Finds the reference that a payment was opened under. If the query has a reference of ours, the answer must be about that reference.
 * @throws OutcomeUnknown if it is about another one.
 */
const findPaymentReference = ({ payment, reference }: FoundPayment<Charge>, { by, value }: PaymentQuery): string => {
  if (by === 'transaction') return reference ?? classifyReferences(payment).merchants ?? value;
  const [answered, expected] = [reference ?? value, value].map((written) => toOurReference(written) ?? written);
  if (answered !== expected) throw new OutcomeUnknown('The answer is about another payment.');
  return reference ?? value;
};

/** Finds Korapay's own reference of a transfer into a virtual account. */
const findTransferId = (charge: Charge, { value }: PaymentQuery): string =>
  classifyReferences(charge).korapays ?? (charge.reference || value);

/**
 * Converts the answer about a charge to a report (providers.md sections 3.4 and 3.6): a transfer into a virtual account, under Korapay's
 * reference, or the cumulative report of a payment account, under ours.
 * @throws OutcomeUnknown for an invalid amount, a success without an amount, money in another currency, or an answer about another payment.
 */
export const toReport = (
  foundPayment: FoundPayment<Charge>,
  query: PaymentQuery,
  dates: DateContext,
): PaymentReport => {
  const charge = foundPayment.payment;
  if (!isNaira(charge.currency)) {
    // Our books are in naira. Money in another currency stays due until a person has seen it.
    if (hasMoney(charge)) throw new OutcomeUnknown('The money is not in naira.');
    return NOTHING;
  }
  const payee = readPayee(charge);
  if (payee) return toTransferReport(charge, payee, findTransferId(charge, query), dates);
  return toPaymentReport(charge, findPaymentReference(foundPayment, query), dates);
};
