import { type Kobo, kobo, subtractDownToZero, ZERO_KOBO } from '#shared/platform/kernel/money.ts';
import { OutcomeUnknown } from '#shared/providers/domain/errors.ts';

const DECIMAL = /^(\d{1,13})(?:\.(\d{1,}))?$/;

/**
 * Parses a naira amount as providers write it, a number or a decimal string ("5000.00"), into kobo. It converts digits and avoids float
 * arithmetic.
 * @throws OutcomeUnknown for anything else, also for a negative amount or more than two decimals (trailing zeros do not count).
 */
export const parseNaira = (naira: unknown): Kobo => {
  const [, whole, decimals = ''] = DECIMAL.exec(String(naira).trim()) ?? [];
  const cents = decimals.replace(/0+$/, '');
  const parsed =
    whole === undefined || cents.length > 2 ? undefined : kobo.safeParse(Number(`${whole}${cents.padEnd(2, '0')}`));
  if (!parsed?.success) throw new OutcomeUnknown('The provider sent an invalid amount.');
  return parsed.data;
};

/** Parses an amount; undefined if it is missing or invalid. For details that must never keep money from being recorded. */
export const parseKoboIfValid = (parse: (amount: unknown) => Kobo, amount: unknown): Kobo | undefined => {
  try {
    return parse(amount);
  } catch {
    return undefined;
  }
};

/**
 * Parses an amount that is already in kobo: an integer, or a string of digits, possibly with zeros after a point ("50000.00").
 * @throws OutcomeUnknown for anything else.
 */
export const parseKobo = (amount: unknown): Kobo => {
  const [, whole] = /^(\d{1,15})(?:\.0+)?$/.exec(String(amount).trim()) ?? [];
  const parsed = kobo.safeParse(Number(whole ?? Number.NaN));
  if (!parsed.success) throw new OutcomeUnknown('The provider sent an invalid amount.');
  return parsed.data;
};

/**
 * Computes the kobo that the provider had refunded when it answered: `received`, the amount that once came, minus `keptAmount`, the amount that it
 * keeps. Undefined if nothing was refunded, or if the received amount is not known.
 */
export const computeRefundedBefore = (keptAmount: Kobo, received: Kobo | undefined): Kobo | undefined =>
  received !== undefined && received > keptAmount ? subtractDownToZero(received, keptAmount) : undefined;

/** Parses a fee, or the tax on it, in kobo; zero if it is missing or invalid. A bad fee must never keep a payment from being recorded. */
export const parseFeeIfValid = (parse: (amount: unknown) => Kobo, fee: unknown): Kobo =>
  parseKoboIfValid(parse, fee ?? 0) ?? ZERO_KOBO;

/** Whether an answer's currency is the naira, in any letter case. An absent currency counts as naira. */
export const isNaira = (currency: unknown): boolean =>
  currency === null || currency === undefined || currency === '' || String(currency).trim().toUpperCase() === 'NGN';
