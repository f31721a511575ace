import { koboOfNaira } from '#shared/adapters/providers/common/money.ts';
import { addKobo, type Kobo, koboOwed, largerKobo, ZERO_KOBO } from '#shared/domain/kernel/money.ts';
import type { Charge } from './charge.ts';

/** Kobo of an amount that may be missing. Throws OutcomeUnknown for what is none. */
const koboIfAny = (naira: number | string | null | undefined): Kobo | undefined =>
  naira === null || naira === undefined ? undefined : koboOfNaira(naira);

/** Kobo of a fee. Taxes come with thousandths (7.5 % of ₦25); a fee that cannot be read never holds up money. */
const feePart = (naira: number | string | null | undefined): Kobo => {
  const value = Number(naira ?? 0);
  return value >= 0 && value < 1e12 ? koboOfNaira(value.toFixed(2)) : ZERO_KOBO;
};

/** What Korapay kept for itself, in kobo: its fee and the tax on it, which it tells apart (providers.md section 3.3). */
export const feeOf = ({ fee, vat }: Charge): Kobo => addKobo(feePart(fee), feePart(vat));

/** What Korapay has returned, in kobo; zero while that has not been done. */
export const returnedOf = ({ bank_transfer }: Charge): Kobo => {
  const reversal = bank_transfer?.reversal;
  return /^(success|successful|completed)$/i.test(reversal?.status ?? '')
    ? (koboIfAny(reversal?.amount) ?? ZERO_KOBO)
    : ZERO_KOBO;
};

/**
 * What Korapay has returned by now beside what it keeps, in kobo. Its `reversal` may be that of the last transfer alone, and
 * whether `amount_paid` sums the transfers is not documented either: the larger is what can have been returned.
 */
export const returnedBeside = (charge: Charge, kept: Kobo): Kobo => {
  const returned = returnedOf(charge);
  if (returned === 0) return ZERO_KOBO;
  return largerKobo(returned, koboOwed(koboIfAny(charge.amount_paid) ?? ZERO_KOBO, kept));
};

/** What Korapay has returned or is returning, in kobo. */
const leavingOf = ({ bank_transfer }: Charge): Kobo => {
  const reversal = bank_transfer?.reversal;
  return reversal && !/^(failed|cancelled)$/i.test(reversal.status ?? '')
    ? (koboIfAny(reversal.amount) ?? ZERO_KOBO)
    : ZERO_KOBO;
};

/**
 * What Korapay keeps of a payment, in kobo: `amount_accepted` (providers.md section 3.4). Where a success lacks it and nothing was
 * amiss with the amount, what was paid and is not going back. Korapay's own example counts returned excess as accepted: then it is taken
 * off, and no more than that, as `reversal` may sum earlier transfers that went back at once.
 */
export const acceptedOf = (charge: Charge): Kobo => {
  // Also what is on its way back: whatever counts may be spent. It counts again if it does not get there.
  const returned = leavingOf(charge);
  const [accepted, paid, asked] = [
    koboIfAny(charge.amount_accepted),
    koboIfAny(charge.amount_paid),
    koboIfAny(charge.amount),
  ];
  if (accepted === undefined) {
    const isExact = charge.status === 'success' && !charge.bank_transfer?.payment_event;
    const kept = (isExact ? paid : undefined) ?? ZERO_KOBO;
    return returned < kept ? koboOwed(kept, returned) : kept;
  }
  const isExcess = asked !== undefined && accepted > asked && returned > 0 && returned !== (paid ?? accepted);
  return isExcess ? largerKobo(asked, koboOwed(accepted, returned)) : accepted;
};

/**
 * Whether Korapay has sent back all that came under a payment's reference: as much as was paid in all, where it tells that. A
 * transfer too many that went back alone leaves the one that counted. Of a success that lacks what was accepted, only what was
 * paid tells it.
 */
export const isAllReturned = (charge: Charge): boolean => {
  const [accepted, returned, paid] = [acceptedOf(charge), returnedOf(charge), koboIfAny(charge.amount_paid)];
  if (returned === 0) return false;
  if (accepted === 0) {
    const isTold = koboIfAny(charge.amount_accepted) === ZERO_KOBO || charge.status !== 'success';
    return isTold || (paid !== undefined && returned >= paid);
  }
  // What went back for a wrong amount leaves what was right, unless the wrong amount itself had been accepted.
  const isOfAccepted = !charge.bank_transfer?.payment_event || accepted > (koboIfAny(charge.amount) ?? accepted);
  return isOfAccepted && returned >= accepted && returned === (paid ?? returned);
};

/** What came into a virtual account, in kobo. Nothing was asked for there, so `amount` is what came too. */
export const creditedOf = ({ amount_accepted, amount_paid, amount }: Charge): Kobo =>
  koboIfAny(amount_accepted) ?? [koboIfAny(amount_paid), koboIfAny(amount)].find((credited) => credited) ?? ZERO_KOBO;
