/** An integer number of kobo. The simulator counts in kobo. Naira appear only in the messages of providers that use naira. */
export type Kobo = number;

/** Converts kobo to naira as a JSON number: 850075 kobo are 8500.75. */
export const nairaNumber = (kobo: Kobo): number => kobo / 100;

/** Converts kobo to naira as a decimal text: 850000 kobo are "8500.00". */
export const nairaText = (kobo: Kobo): string => `${Math.floor(kobo / 100)}.${String(kobo % 100).padStart(2, '0')}`;

/** Parses an amount in naira into kobo; undefined if it is no amount of whole kobo. */
export const parseNaira = (naira: number | string): Kobo | undefined => {
  const [, whole, decimals = ''] = /^(\d{1,12})(?:\.(\d{1,2}))?$/.exec(String(naira).trim()) ?? [];
  return whole === undefined ? undefined : Number(whole) * 100 + Number(decimals.padEnd(2, '0'));
};

/** Computes a fee in kobo: a share in hundredths of a percent, rounded to whole kobo, at most `cap`. */
export const computeFee = (kobo: Kobo, hundredthsOfPercent: number, cap = Number.MAX_SAFE_INTEGER): Kobo =>
  Math.min(cap, Math.floor((kobo * hundredthsOfPercent + 5_000) / 10_000));

export const sumAmounts = (amounts: readonly Kobo[]): Kobo => amounts.reduce((total, amount) => total + amount, 0);
