/* Converts amounts, which the API gives in naira. */

const NAIRA = new Intl.NumberFormat('en-NG', { style: 'currency', currency: 'NGN', minimumFractionDigits: 2 });

/** Writes an amount, such as `₦8,500.75`. */
export const naira = (amount: number): string => NAIRA.format(amount);

/** Converts naira to whole kobo, for sums. */
export const kobo = (amount: number): number => Math.round(amount * 100);

const TYPED = /^(?:₦|NGN)?\s*(\d{1,9}|\d{1,3}(?:,\d{3})+)(\.\d{1,2})?$/i;

/** Converts a typed amount, such as `₦8,500.75`, to the API's form `8500.75`; undefined for any other text. */
export const parseAmount = (text: string): string | undefined => {
  const [, naira, kobo = ''] = TYPED.exec(text.trim()) ?? [];
  return naira === undefined ? undefined : naira.replaceAll(',', '') + kobo;
};
