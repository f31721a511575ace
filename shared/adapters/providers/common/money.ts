import { type Kobo, kobo } from '#shared/domain/kernel/money.ts';
import { OutcomeUnknown } from '#shared/domain/providers/errors.ts';

const DECIMAL = /^(\d{1,13})(?:\.(\d{1,}))?$/;

/**
 * The kobo of a naira amount as providers write it: a number or a decimal string ("5000.00"). Digits, not floats, are counted.
 * Throws OutcomeUnknown for anything else, a negative amount and more than two decimals (trailing zeros aside) among it.
 */
export const koboOfNaira = (naira: unknown): Kobo => {
  const [, whole, decimals = ''] = DECIMAL.exec(String(naira).trim()) ?? [];
  const cents = decimals.replace(/0+$/, '');
  const parsed =
    whole === undefined || cents.length > 2 ? undefined : kobo.safeParse(Number(`${whole}${cents.padEnd(2, '0')}`));
  if (!parsed?.success) throw new OutcomeUnknown('The provider gave an amount that is none.');
  return parsed.data;
};

/** The same for an amount that is in kobo already: an integer, or a string of digits. */
export const koboOf = (amount: unknown): Kobo => {
  const text = String(amount).trim();
  const parsed = /^\d{1,15}$/.test(text) ? kobo.safeParse(Number(text)) : undefined;
  if (!parsed?.success) throw new OutcomeUnknown('The provider gave an amount that is none.');
  return parsed.data;
};
