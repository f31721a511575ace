import * as z from 'zod/mini';

/** The largest amount: 15 digits, so that its naira value as a JSON number is exact (IEEE 754 guarantees 15). */
export const MAX_KOBO = 999_999_999_999_999;

/** An integer number of kobo (1 naira = 100 kobo), as stored and computed with. */
export const kobo = z.int().check(z.gte(0), z.lte(MAX_KOBO)).brand<'Kobo'>();
export type Kobo = z.infer<typeof kobo>;

export const ZERO_KOBO = kobo.parse(0);

/**
 * The kobo of a naira number, or undefined when the number has more than two decimals or is out of range.
 * Exact: `k / 100` is correctly rounded, so it equals the parsed number only if that number is the double nearest to k kobo.
 */
export const koboFromNaira = (naira: number): Kobo | undefined => {
  const candidate = Math.round(naira * 100);
  const parsed = kobo.safeParse(candidate);
  return parsed.success && candidate / 100 === naira ? parsed.data : undefined;
};

/** The naira number of a kobo amount, for JSON: at most two decimals, exact for every amount up to `MAX_KOBO`. */
export const nairaFromKobo = (amount: Kobo): number => amount / 100;

/** `a - b` in naira, for JSON: negative where b is larger. Exact, because it is subtracted in kobo. */
export const nairaDifference = (a: Kobo, b: Kobo): number => (a - b) / 100;

/** The sum of two amounts. @throws ZodError beyond `MAX_KOBO`. */
export const addKobo = (a: Kobo, b: Kobo): Kobo => kobo.parse(a + b);

/** `a - b`. @throws ZodError when b is larger. */
export const subtractKobo = (a: Kobo, b: Kobo): Kobo => kobo.parse(a - b);

/** The larger of two amounts. */
export const largerKobo = (a: Kobo, b: Kobo): Kobo => (a < b ? b : a);

/** `a - b`, or zero when b is larger. */
export const subtractDownToZero = (a: Kobo, b: Kobo): Kobo => kobo.parse(Math.max(0, a - b));
