/** An integer number of kobo. The twin counts in nothing else; naira appear only in what Monnify and Korapay say. */
export type Kobo = number;

/** Naira as a JSON number: 850075 kobo are 8500.75. */
export const nairaNumber = (kobo: Kobo): number => kobo / 100;

/** Naira as a decimal text: 850000 kobo are "8500.00". */
export const nairaText = (kobo: Kobo): string => `${Math.floor(kobo / 100)}.${String(kobo % 100).padStart(2, '0')}`;

/** The kobo of naira as they stand in a request, or undefined for what is no amount of whole kobo. */
export const koboOfNaira = (naira: number | string): Kobo | undefined => {
  const [, whole, decimals = ''] = /^(\d{1,12})(?:\.(\d{1,2}))?$/.exec(String(naira).trim()) ?? [];
  return whole === undefined ? undefined : Number(whole) * 100 + Number(decimals.padEnd(2, '0'));
};

/** A share in hundredths of a percent, rounded to whole kobo, and at most `cap`. */
export const feeOf = (kobo: Kobo, hundredthsOfPercent: number, cap = Number.MAX_SAFE_INTEGER): Kobo =>
  Math.min(cap, Math.floor((kobo * hundredthsOfPercent + 5_000) / 10_000));
