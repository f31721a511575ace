import { addKobo, type Kobo, largerKobo, subtractDownToZero, ZERO_KOBO } from '#shared/platform/kernel/money.ts';
import { parseFeeIfValid, parseNaira } from '#shared/providers/common/money.ts';
import type { Charge } from './charge.ts';

/** Parses a naira amount into kobo; undefined if it is missing or empty. @throws OutcomeUnknown for an invalid amount. */
const parseOptionalKobo = (naira: number | string | null | undefined): Kobo | undefined =>
  naira === null || naira === undefined || naira === '' ? undefined : parseNaira(naira);

/** Parses a fee and rounds it to kobo: 7.5 % of ₦25 has thousandths of a naira. @throws OutcomeUnknown for an invalid fee. */
const parseRoundedKobo = (naira: unknown): Kobo => parseNaira(Number(String(naira)).toFixed(2));

/** Adds Korapay's fee and the tax on it, in kobo. Korapay reports them separately (providers.md section 3.3). */
export const computeFee = ({ fee, vat }: Charge): Kobo =>
  addKobo(parseFeeIfValid(parseRoundedKobo, fee), parseFeeIfValid(parseRoundedKobo, vat));

/** Whether a charge received money, in any currency: it succeeded, or an amount in it is not zero. An amount that is no number counts as money. */
export const hasMoney = ({ status, amount_paid, amount_accepted }: Charge): boolean =>
  status === 'success' || [amount_paid, amount_accepted].some((amount) => Number(amount ?? 0) !== 0);

/** Reads the kobo that Korapay has returned: the amount of `reversal` if it succeeded, else zero. @throws OutcomeUnknown for an invalid amount. */
export const readReturned = ({ bank_transfer }: Charge): Kobo => {
  const reversal = bank_transfer?.reversal;
  return /^(success|successful|completed)$/.test(reversal?.status ?? '')
    ? (parseOptionalKobo(reversal?.amount) ?? ZERO_KOBO)
    : ZERO_KOBO;
};

/**
 * Computes all kobo that Korapay has returned of a payment. `keptAmount` is the amount that Korapay keeps. The field `reversal` may concern the
 * last transfer only, and it is not documented whether `amount_paid` is the sum of all transfers. So the result is the larger of two amounts:
 * `reversal`, and `amount_paid` minus `keptAmount`. Zero if no reversal has succeeded.
 * @throws OutcomeUnknown for an invalid amount.
 */
export const computeReturned = (charge: Charge, keptAmount: Kobo): Kobo => {
  const returned = readReturned(charge);
  if (returned === 0) return ZERO_KOBO;
  return largerKobo(returned, subtractDownToZero(parseOptionalKobo(charge.amount_paid) ?? ZERO_KOBO, keptAmount));
};

/** Reads the kobo that Korapay has returned or will return: the amount of `reversal`, unless it failed or was cancelled. */
const readReturnedOrPending = ({ bank_transfer }: Charge): Kobo => {
  const reversal = bank_transfer?.reversal;
  return reversal && !/^(failed|cancelled)$/.test(reversal.status ?? '')
    ? (parseOptionalKobo(reversal.amount) ?? ZERO_KOBO)
    : ZERO_KOBO;
};

/**
 * Computes the kobo that Korapay keeps of a payment: `amount_accepted` (providers.md section 3.4), with two exceptions. The result may not show that
 * all money was returned: `isFullyReturned` tells that.
 * - `amount_accepted` is missing: the result is zero, unless the charge succeeded with the right amount. Then it is `amount_paid`, minus the returned
 *   amount if that is smaller.
 * - `amount_accepted` is above the requested amount, and a part of the paid amount is returned. In Korapay's own example the accepted amount still
 *   includes a returned excess. So the returned amount is subtracted, but never more than the excess, because `reversal` may include earlier
 *   transfers that were returned at once.
 * @throws OutcomeUnknown for an invalid amount.
 */
export const computeKept = (charge: Charge): Kobo => {
  // Pending returns are subtracted, too, because a merchant may spend money that counts. If the return fails, the money counts again.
  const returnedOrPending = readReturnedOrPending(charge);
  const [accepted, paid, requested] = [
    parseOptionalKobo(charge.amount_accepted),
    parseOptionalKobo(charge.amount_paid),
    parseOptionalKobo(charge.amount),
  ];
  if (accepted === undefined) {
    const isExact = charge.status === 'success' && !charge.bank_transfer?.payment_event;
    const keptAmount = (isExact ? paid : undefined) ?? ZERO_KOBO;
    return returnedOrPending < keptAmount ? subtractDownToZero(keptAmount, returnedOrPending) : keptAmount;
  }
  const includesReturnedExcess =
    requested !== undefined &&
    accepted > requested &&
    returnedOrPending > 0 &&
    returnedOrPending !== (paid ?? accepted);
  return includesReturnedExcess ? largerKobo(requested, subtractDownToZero(accepted, returnedOrPending)) : accepted;
};

/**
 * Computes the kobo that Korapay accepted before any refund.
 * - The paid amount is less than the requested one: the paid amount.
 * - Otherwise, if `payment_event` is `underpayment`: Korapay accepted a short amount, and the paid amount includes other transfers, which it
 *   returned. The result is `keptAmount` plus the returned amount.
 * - In any other case: the requested amount; undefined if the answer lacks it.
 * @throws OutcomeUnknown for an invalid amount.
 */
export const computeReceived = (charge: Charge, keptAmount: Kobo): Kobo | undefined => {
  const [requested, paid] = [parseOptionalKobo(charge.amount), parseOptionalKobo(charge.amount_paid)];
  if (requested !== undefined && paid !== undefined && paid < requested) return paid;
  return charge.bank_transfer?.payment_event === 'underpayment' ? addKobo(keptAmount, readReturned(charge)) : requested;
};

/**
 * Whether Korapay has returned all money under a payment's reference. If `computeKept` still finds kept money, the returned amount must equal the
 * paid amount, if the answer has that: the return of a surplus transfer does not reverse the payment that counted.
 * @throws OutcomeUnknown for an invalid amount.
 */
export const isFullyReturned = (charge: Charge): boolean => {
  const [keptAmount, returned, paid] = [
    computeKept(charge),
    readReturned(charge),
    parseOptionalKobo(charge.amount_paid),
  ];
  if (returned === 0) return false;
  if (keptAmount === 0) {
    // A success without `amount_accepted` may have kept some money: then only the paid amount shows that all of it was returned.
    const keepsNothing = parseOptionalKobo(charge.amount_accepted) === ZERO_KOBO || charge.status !== 'success';
    return keepsNothing || (paid !== undefined && returned >= paid);
  }
  // `payment_event` reports a transfer of a wrong amount. The return of that transfer concerns the kept money only if more than the requested amount
  // is kept: then the kept money came by that transfer.
  const concernsKept =
    !charge.bank_transfer?.payment_event || keptAmount > (parseOptionalKobo(charge.amount) ?? keptAmount);
  return concernsKept && returned >= keptAmount && returned === (paid ?? returned);
};

/**
 * Computes the kobo that were paid into a virtual account. No amount was requested there, so that `amount` is also the paid amount. A later
 * refund of a part is not subtracted, because it is recorded by itself.
 * @throws OutcomeUnknown for an invalid amount.
 */
export const computePaidIntoAccount = (charge: Charge): Kobo => {
  const [accepted, paid, requested] = [charge.amount_accepted, charge.amount_paid, charge.amount].map(
    parseOptionalKobo,
  );
  const returned = readReturned(charge);
  if (accepted !== undefined && (accepted > 0 || returned === 0))
    return returned > 0 && paid === addKobo(accepted, returned) ? paid : accepted;
  return [paid, requested].find((credited) => credited) ?? ZERO_KOBO;
};
