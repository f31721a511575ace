import { type Kobo, kobo, subtractDownToZero, ZERO_KOBO } from '#shared/platform/kernel/money.ts';
import { OutcomeUnknown } from '#shared/providers/domain/errors.ts';

const DECIMAL = /^(\d{1,13})(?:\.(\d{1,}))?$/;

/**
 * The kobo of a naira amount as providers write it: a number or a decimal string ("5000.00"). Converted by digits, not by float
 * arithmetic.
 * @throws OutcomeUnknown for anything else, also for a negative amount or more than two decimals (trailing zeros aside).
 */
export const parseNaira = (naira: unknown): Kobo => {
  const [, whole, decimals = ''] = DECIMAL.exec(String(naira).trim()) ?? [];
  const cents = decimals.replace(/0+$/, '');
  const parsed =
    whole === undefined || cents.length > 2 ? undefined : kobo.safeParse(Number(`${whole}${cents.padEnd(2, '0')}`));
  if (!parsed?.success) throw new OutcomeUnknown('The provider sent an invalid amount.');
  return parsed.data;
};

/** What `parse` makes of an amount; undefined where it is missing or invalid. For what must never keep money from being recorded. */
export const koboIfValid = (parse: (amount: unknown) => Kobo, amount: unknown): Kobo | undefined => {
  try {
    return parse(amount);
  } catch {
    return undefined;
  }
};

/**
 * An amount that is in kobo already: an integer, or a string of digits, also with nothing but zeros behind a point ("50000.00").
 * @throws OutcomeUnknown for anything else.
 */
export const parseKobo = (amount: unknown): Kobo => {
  const [, whole] = /^(\d{1,15})(?:\.0+)?$/.exec(String(amount).trim()) ?? [];
  const parsed = kobo.safeParse(Number(whole ?? Number.NaN));
  if (!parsed.success) throw new OutcomeUnknown('The provider sent an invalid amount.');
  return parsed.data;
};

/**
 * Kobo that were refunded before an answer and that its amount, `kept`, leaves out already: what came in less what is kept. Undefined where
 * nothing is left out, or the answer does not say what came in.
 */
export const computeLeftOut = (keptAmount: Kobo, received: Kobo | undefined): Kobo | undefined =>
  received !== undefined && received > keptAmount ? subtractDownToZero(received, keptAmount) : undefined;

/** A fee or the tax on it, in kobo; zero where it is missing or cannot be read: a bad fee never keeps a payment from being recorded. */
export const feeIfValid = (parse: (amount: unknown) => Kobo, fee: unknown): Kobo =>
  koboIfValid(parse, fee ?? 0) ?? ZERO_KOBO;

/** Whether an answer's currency is the naira, in any letter case; an absent one is. */
export const isNaira = (currency: unknown): boolean =>
  currency === null || currency === undefined || currency === '' || String(currency).trim().toUpperCase() === 'NGN';
