import { largerKobo, ZERO_KOBO } from '#shared/domain/kernel/money.ts';
import type { Millis } from '#shared/domain/kernel/time.ts';
import type { Payee, PaymentQuery, PaymentReport } from '#shared/domain/money/report.ts';
import { OutcomeUnknown } from '#shared/domain/providers/errors.ts';
import { acceptedOf, creditedOf, feeOf, isAllReturned, returnedBeside, returnedOf } from './amounts.ts';
import type { Charge } from './charge.ts';
import { paidAtOf, type ZonelessDates } from './dates.ts';

/** Neither our money nor a reason to give up. */
const NOTHING: PaymentReport = { money: [], state: 'open' };

/** The virtual account that a charge credited, as whom the money is for; undefined for a charge of one payment. */
const payeeOf = (charge: Charge): Payee | undefined => {
  const account = charge.virtual_bank_account ?? charge.virtual_bank_account_details?.virtual_bank_account;
  if (account?.account_reference) return { by: 'our_reference', reference: account.account_reference };
  // The payment account shows a transfer beside it, and its number is recycled.
  if (!account?.account_number || charge.bank_transfer) return undefined;
  return { by: 'account_number', accountNumber: account.account_number };
};

/** What a date is read by. */
interface Reading {
  readonly now: Millis;
  readonly zonelessDates: ZonelessDates;
}

const particularsOf = (charge: Charge, reference: string, { now, zonelessDates }: Reading) => {
  const payer =
    charge.bank_transfer?.payer_bank_account ??
    charge.virtual_bank_account_details?.payer_bank_account ??
    charge.virtual_bank_account?.payer_bank_account ??
    charge.payer_bank_account;
  return {
    providerReference: charge.payment_reference || reference,
    fee: feeOf(charge),
    paidAt: paidAtOf(charge.transaction_date, zonelessDates, now),
    senderName: payer?.account_name || null,
    senderBank: payer?.bank_name || null,
  };
};

const reportOfTransfer = (charge: Charge, payee: Payee, reference: string, reading: Reading): PaymentReport => {
  const amount = creditedOf(charge);
  const reversed = charge.status === 'reversed' || (amount > 0 && returnedOf(charge) >= amount);
  if (charge.status !== 'success' && !reversed) return NOTHING;
  if (amount === 0) throw new OutcomeUnknown('Korapay does not say what came in.');
  const outcome = reversed ? 'reversed' : 'accepted';
  const particulars = particularsOf(charge, reference, reading);
  return {
    money: [{ ...particulars, kind: 'transfer', transferId: reference, payee, amount, outcome }],
    state: 'open',
  };
};

const STATES: Readonly<Record<string, PaymentReport['state']>> = { success: 'complete', failed: 'failed' };

const reportOfPayment = (charge: Charge, reference: string, reading: Reading): PaymentReport => {
  const payee = { by: 'our_reference', reference } as const;
  const particulars = particularsOf(charge, reference, reading);
  const accepted = acceptedOf(charge);
  const total = { ...particulars, kind: 'running_total', payee } as const;
  // Whether any of it had counted, only our books know.
  if (charge.status === 'reversed' || isAllReturned(charge)) {
    const returned = largerKobo(accepted, returnedBeside(charge, ZERO_KOBO));
    const fee = accepted === 0 ? ZERO_KOBO : total.fee;
    return {
      money: [{ ...total, kept: ZERO_KOBO, returned, fee }],
      state: charge.status === 'failed' ? 'failed' : 'open',
    };
  }
  // To report none would let the checkout expire on money that Korapay has taken.
  if (charge.status === 'success' && accepted === 0) throw new OutcomeUnknown('Korapay does not say what it accepted.');
  const returned = returnedBeside(charge, accepted);
  const money = accepted > 0 ? [{ ...total, kept: accepted, returned }] : [];
  // An expiry of Korapay's is not confirmed for transfers (providers.md section 3.4): ours decides.
  return { money, state: STATES[charge.status ?? ''] ?? 'open' };
};

/**
 * What a charge means (providers.md sections 3.4 and 3.6): a transfer into a virtual account under Korapay's reference, or all that
 * was accepted for a payment under ours. Throws OutcomeUnknown for an amount that is none or is missing from a success.
 */
export const reportOf = (charge: Charge, query: PaymentQuery, reading: Reading): PaymentReport => {
  if (charge.currency && charge.currency !== 'NGN') return NOTHING;
  const told = charge.reference || query.value;
  const payee = payeeOf(charge);
  if (payee) return reportOfTransfer(charge, payee, told, reading);
  // The reference that we asked by is ours for certain; the one in the answer may be Korapay's.
  return reportOfPayment(charge, query.by === 'our_reference' ? query.value : told, reading);
};
