import { addKobo, type Kobo, largerKobo, subtractDownToZero, ZERO_KOBO } from '#shared/platform/kernel/money.ts';
import { feeIfValid, parseNaira } from '#shared/providers/common/money.ts';
import type { Charge } from './charge.ts';

/** The kobo of a naira amount; undefined when it is missing or empty. @throws OutcomeUnknown for an invalid amount. */
const optionalKobo = (naira: number | string | null | undefined): Kobo | undefined =>
  naira === null || naira === undefined || naira === '' ? undefined : parseNaira(naira);

/** The kobo of a fee, rounded: 7.5 % of ₦25 has thousandths of a naira. @throws OutcomeUnknown for an invalid fee. */
const roundedKobo = (naira: unknown): Kobo => parseNaira(Number(String(naira)).toFixed(2));

/** Korapay's fee with the tax on it, in kobo. Korapay reports the two separately (providers.md section 3.3). */
export const computeFee = ({ fee, vat }: Charge): Kobo =>
  addKobo(feeIfValid(roundedKobo, fee), feeIfValid(roundedKobo, vat));

/** Whether any money came under a charge, in whatever currency, as far as its answer can be read. */
export const hasMoney = ({ status, amount_paid, amount_accepted }: Charge): boolean =>
  status === 'success' || [amount_paid, amount_accepted].some((amount) => Number(amount ?? 0) !== 0);

/** What Korapay has returned, in kobo: the amount of its `reversal`, or zero until that has succeeded. @throws OutcomeUnknown for an invalid amount. */
export const readReturned = ({ bank_transfer }: Charge): Kobo => {
  const reversal = bank_transfer?.reversal;
  return /^(success|successful|completed)$/.test(reversal?.status ?? '')
    ? (optionalKobo(reversal?.amount) ?? ZERO_KOBO)
    : ZERO_KOBO;
};

/**
 * All that Korapay has returned of a payment of which it keeps `kept`, in kobo. Its `reversal` may be that of the last transfer only, and
 * whether `amount_paid` is the sum of all transfers is not documented. So this is the larger of the two figures that they give.
 * @throws OutcomeUnknown for an invalid amount.
 */
export const computeReturned = (charge: Charge, keptAmount: Kobo): Kobo => {
  const returned = readReturned(charge);
  if (returned === 0) return ZERO_KOBO;
  return largerKobo(returned, subtractDownToZero(optionalKobo(charge.amount_paid) ?? ZERO_KOBO, keptAmount));
};

/** What Korapay has returned or is about to return, in kobo: the amount of its `reversal`, unless that failed or was cancelled. */
const returnedOrPending = ({ bank_transfer }: Charge): Kobo => {
  const reversal = bank_transfer?.reversal;
  return reversal && !/^(failed|cancelled)$/.test(reversal.status ?? '')
    ? (optionalKobo(reversal.amount) ?? ZERO_KOBO)
    : ZERO_KOBO;
};

/**
 * What Korapay keeps of a payment, in kobo: `amount_accepted` (providers.md section 3.4).
 * - If a success lacks that field and the amount was right, it is `amount_paid` less what is returned.
 * - Korapay's own example counts excess that was returned as accepted. Then the excess is subtracted, but never more than the excess, since
 *   `reversal` may include earlier transfers that were returned at once.
 * @throws OutcomeUnknown for an invalid amount.
 */
export const computeKept = (charge: Charge): Kobo => {
  // Pending returns are subtracted too, since a merchant may spend what counts. The money counts again if the return fails.
  const leaving = returnedOrPending(charge);
  const [accepted, paid, requested] = [
    optionalKobo(charge.amount_accepted),
    optionalKobo(charge.amount_paid),
    optionalKobo(charge.amount),
  ];
  if (accepted === undefined) {
    const isExact = charge.status === 'success' && !charge.bank_transfer?.payment_event;
    const keptAmount = (isExact ? paid : undefined) ?? ZERO_KOBO;
    return leaving < keptAmount ? subtractDownToZero(keptAmount, leaving) : keptAmount;
  }
  const includesReturnedExcess =
    requested !== undefined && accepted > requested && leaving > 0 && leaving !== (paid ?? accepted);
  return includesReturnedExcess ? largerKobo(requested, subtractDownToZero(accepted, leaving)) : accepted;
};

/**
 * Kobo that Korapay accepted before any refund, where it keeps `kept`: what was asked for, or what was paid where that is less. Of a short
 * amount that it accepted beside others which it sent back, only what it returned is known. @throws OutcomeUnknown for an invalid amount.
 */
export const computeReceived = (charge: Charge, keptAmount: Kobo): Kobo | undefined => {
  const [requested, paid] = [optionalKobo(charge.amount), optionalKobo(charge.amount_paid)];
  if (requested !== undefined && paid !== undefined && paid < requested) return paid;
  return charge.bank_transfer?.payment_event === 'underpayment' ? addKobo(keptAmount, readReturned(charge)) : requested;
};

/**
 * Whether Korapay has returned all money that came under a payment's reference. If it reports what was paid in all, the returned amount
 * must equal that: a surplus transfer that was returned alone does not undo the payment that counted.
 * @throws OutcomeUnknown for an invalid amount.
 */
export const isFullyReturned = (charge: Charge): boolean => {
  const [keptAmount, returned, paid] = [computeKept(charge), readReturned(charge), optionalKobo(charge.amount_paid)];
  if (returned === 0) return false;
  if (keptAmount === 0) {
    // A success without `amount_accepted` may have kept some: then only the amount that was paid shows that all was returned.
    const keepsNothing = optionalKobo(charge.amount_accepted) === ZERO_KOBO || charge.status !== 'success';
    return keepsNothing || (paid !== undefined && returned >= paid);
  }
  // `payment_event` reports a wrong amount. Its return does not touch a right amount that is kept, only a wrong one that was accepted.
  const concernsKept = !charge.bank_transfer?.payment_event || keptAmount > (optionalKobo(charge.amount) ?? keptAmount);
  return concernsKept && returned >= keptAmount && returned === (paid ?? returned);
};

/**
 * What was paid into a virtual account, in kobo. No amount was asked for there, so `amount` is what was paid too. Nothing is accepted of
 * what was returned. A part that was returned since is not subtracted: its refund is a fact of its own. @throws OutcomeUnknown for an
 * invalid amount.
 */
export const paidIntoAccount = (charge: Charge): Kobo => {
  const [accepted, paid, requested] = [charge.amount_accepted, charge.amount_paid, charge.amount].map(optionalKobo);
  const returned = readReturned(charge);
  if (accepted !== undefined && (accepted > 0 || returned === 0))
    return returned > 0 && paid === addKobo(accepted, returned) ? paid : accepted;
  return [paid, requested].find((credited) => credited) ?? ZERO_KOBO;
};
