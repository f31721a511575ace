import * as z from 'zod/mini';
import { koboFromNaira } from '#shared/platform/kernel/money.ts';
import { readableTextProblem, textProblem } from '#shared/platform/kernel/readable-text.ts';

/** Makes the schema of a naira number from `min` to `max` with at most two decimals, parsed to kobo. */
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

const unchanged = (text: string): string => text;

/** Makes a schema of a text with a maximum length. `spell` brings the text into its stored spelling before any check. */
const boundedText = (max: number, findProblem: (text: string) => string | undefined, spell: (text: string) => string) =>
  z.string('must be a string.').check(
    z.overwrite(spell),
    z.maxLength(max, { error: `must be at most ${max} characters.`, abort: true }),
    z.check<string>((payload) => {
      const problem = findProblem(payload.value);
      if (problem) payload.issues.push({ code: 'custom', input: payload.value, message: problem });
    }),
  );

/** A text that strangers may have written, such as a sender's name: of limited length, visible, and without characters that cannot be stored. */
export const text = (max: number) => boundedText(max, textProblem, unchanged);

/** A text that the merchant writes and people read: a name, a description, a reference. */
export const readableText = (max: number, spell = unchanged) => boundedText(max, readableTextProblem, spell);

/** A field that may be absent or null. */
export const optional = <S extends z.ZodMiniType>(schema: S) =>
  z.pipe(
    z.nullish(schema),
    z.transform((value) => value ?? null),
  );
