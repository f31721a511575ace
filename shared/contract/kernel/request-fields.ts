import * as z from 'zod/mini';
import { koboFromNaira } from '#shared/domain/kernel/money.ts';

/** Line and paragraph separators, and the overrides, embeddings and isolates of Unicode's bidirectional algorithm (UAX 9 section 2). */
const MISLEADING = /[\u2028-\u202e\u2066-\u2069]/;

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

/** A text of another's making, such as the name of whoever sent money: not blank, bounded, no control characters and no lone surrogates. */
export const text = (max: number) =>
  z.string('must be a string.').check(
    z.maxLength(max, { error: `must be at most ${max} characters.`, abort: true }),
    z.refine(
      (value) => value.trim() !== '' && !/[\p{Cc}\p{Cs}]/u.test(value),
      'must not be blank and must not hold control characters.',
    ),
  );

/** A text that people read and the merchant writes: a name, a description, a reference. Nothing in it reorders or hides what is beside it. */
export const readableText = (max: number) =>
  text(max).check(
    z.refine(
      (value) => !MISLEADING.test(value),
      'must not hold line separators or characters that change the direction of text.',
    ),
  );

/** A text that people see: readable, with at least one character that is visible. */
export const visibleText = (max: number) =>
  readableText(max).check(
    z.refine((value) => /[\p{L}\p{N}\p{P}\p{S}]/u.test(value), 'must hold at least one visible character.'),
  );

/** A field that may be absent or null. */
export const optional = <S extends z.ZodMiniType>(schema: S) =>
  z.pipe(
    z.nullish(schema),
    z.transform((value) => value ?? null),
  );
