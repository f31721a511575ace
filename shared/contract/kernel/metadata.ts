import * as z from 'zod/mini';
import { MAX_METADATA_BYTES } from '#shared/domain/kernel/metadata.ts';
import { isPlainObject } from './answer-fields.ts';

/** The JSON text of a value; undefined when it is nested too deeply. */
const jsonText = (value: unknown): string | undefined => {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
};

/** A JSON object of at most 2 KiB, whatever it holds. Parsed to its text. */
export const metadata = z.pipe(
  z.custom<Record<string, unknown>>(isPlainObject, 'must be a JSON object.'),
  z.transform((value, context) => {
    const text = jsonText(value);
    if (text !== undefined && Buffer.byteLength(text) <= MAX_METADATA_BYTES) return text;
    context.issues.push({ code: 'custom', input: value, message: 'must not exceed 2 KiB as JSON.' });
    return z.NEVER;
  }),
);
