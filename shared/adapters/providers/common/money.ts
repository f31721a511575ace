import { type Kobo, kobo } from '#shared/domain/kernel/money.ts';
import { OutcomeUnknown } from '#shared/domain/providers/errors.ts';

const DECIMAL = /^(\d{1,13})(?:\.(\d{1,}))?$/;

/**
 * The kobo of a naira amount as providers write it: a number or a decimal string ("5000.00"). Converted by digits, not by float
 * arithmetic.
 * @throws OutcomeUnknown for anything else, also for a negative amount or more than two decimals (trailing zeros aside).
 */
export const koboOfNaira = (naira: unknown): Kobo => {
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

/** An amount that is in kobo already: an integer, or a string of digits. @throws OutcomeUnknown for anything else. */
export const koboOf = (amount: unknown): Kobo => {
  const text = String(amount).trim();
  const parsed = /^\d{1,15}$/.test(text) ? kobo.safeParse(Number(text)) : undefined;
  if (!parsed?.success) throw new OutcomeUnknown('The provider sent an invalid amount.');
  return parsed.data;
};
