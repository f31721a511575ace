import * as z from 'zod/mini';
import { koboFromNaira } from '#shared/domain/kernel/money.ts';

/** A naira number with at most two decimals, between the two bounds; parsed to kobo. */
export const naira = (min: number, max: number) =>
  z.pipe(
    z
      .number('must be a number in naira.')
      .check(z.gte(min, `must be at least ${min}.`), z.lte(max, `must be at most ${max}.`)),
    z.transform((value, context) => {
      const amount = koboFromNaira(value);
      if (amount !== undefined) return amount;
      context.issues.push({ code: 'custom', input: value, message: 'must have at most two decimals.' });
      return z.NEVER;
    }),
  );

export const MAX_NAIRA = 100_000_000;
export const SMALLEST_NAIRA = 0.01;

/** A name or reference: not blank, bounded, no control characters and no lone surrogates. */
export const text = (max: number) =>
  z.string('must be a string.').check(
    z.maxLength(max, { error: `must be at most ${max} characters.`, abort: true }),
    z.refine(
      (value) => value.trim() !== '' && !/[\p{Cc}\p{Cs}]/u.test(value),
      'must not be blank and must not hold control characters.',
    ),
  );

/** A field that may be absent or null. */
export const optional = <S extends z.ZodMiniType>(schema: S) =>
  z.pipe(
    z.nullish(schema),
    z.transform((value) => value ?? null),
  );
