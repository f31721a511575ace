import * as z from 'zod/mini';
import { koboFromNaira } from '#shared/platform/kernel/money.ts';
import { readableTextProblem, textProblem } from '#shared/platform/kernel/readable-text.ts';

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

const asWritten = (text: string): string => text;

/** `spell` brings a text to the one spelling in which it is kept, before anything else looks at it. */
const boundedText = (max: number, problemOf: (text: string) => string | undefined, spell: (text: string) => string) =>
  z.string('must be a string.').check(
    z.overwrite(spell),
    z.maxLength(max, { error: `must be at most ${max} characters.`, abort: true }),
    z.check<string>((payload) => {
      const problem = problemOf(payload.value);
      if (problem) payload.issues.push({ code: 'custom', input: payload.value, message: problem });
    }),
  );

/** A text of another's making, such as the name of whoever sent money: bounded, with something to see, and nothing that cannot be kept. */
export const text = (max: number) => boundedText(max, textProblem, asWritten);

/** A text that people read and the merchant writes: a name, a description, a reference. */
export const readableText = (max: number, spell = asWritten) => boundedText(max, readableTextProblem, spell);

/** A field that may be absent or null. */
export const optional = <S extends z.ZodMiniType>(schema: S) =>
  z.pipe(
    z.nullish(schema),
    z.transform((value) => value ?? null),
  );
