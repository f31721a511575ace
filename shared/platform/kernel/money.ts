import * as z from 'zod/mini';

/** The largest amount: 15 digits, so that its naira value as a JSON number is exact (IEEE 754 guarantees 15). */
export const MAX_KOBO = 999_999_999_999_999;

/** An integer number of kobo (1 naira = 100 kobo), as stored and computed with. */
export const kobo = z.int().check(z.gte(0), z.lte(MAX_KOBO)).brand<'Kobo'>();
export type Kobo = z.infer<typeof kobo>;

export const ZERO_KOBO = kobo.parse(0);

/**
 * Converts a naira number to kobo; undefined if it has more than two decimals, or is out of range. The conversion is exact: `k / 100` is the
 * double nearest to k kobo, so any other number is refused.
 */
export const koboFromNaira = (naira: number): Kobo | undefined => {
  const candidate = Math.round(naira * 100);
  const parsed = kobo.safeParse(candidate);
  return parsed.success && candidate / 100 === naira ? parsed.data : undefined;
};

/** Converts kobo to a naira number for JSON: at most two decimals, exact for every amount up to `MAX_KOBO`. */
export const nairaFromKobo = (amount: Kobo): number => amount / 100;

/** Computes `a - b` in naira for JSON; negative if b is larger. It is exact, because it subtracts kobo. */
export const nairaDifference = (a: Kobo, b: Kobo): number => (a - b) / 100;

/** Adds two amounts. @throws ZodError beyond `MAX_KOBO`. */
export const addKobo = (a: Kobo, b: Kobo): Kobo => kobo.parse(a + b);

/** Computes `a - b`. @throws ZodError if b is larger. */
export const subtractKobo = (a: Kobo, b: Kobo): Kobo => kobo.parse(a - b);

/** Returns the larger of two amounts. */
export const largerKobo = (a: Kobo, b: Kobo): Kobo => (a < b ? b : a);

/** Computes `a - b`, or zero if b is larger. */
export const subtractDownToZero = (a: Kobo, b: Kobo): Kobo => kobo.parse(Math.max(0, a - b));
