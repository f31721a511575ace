import * as z from 'zod/mini';
import { MAX_METADATA_BYTES } from '#shared/platform/kernel/metadata.ts';
import { isPlainObject } from './answer-fields.ts';

/**
 * Checks whether a value has so few members and levels that its JSON may fit. It is cheaper than writing the JSON, which takes long with many
 * levels.
 */
const mayFit = (value: unknown): boolean => {
  let bytesLeft = MAX_METADATA_BYTES;
  const visit = (node: unknown): boolean => {
    const isNested = typeof node === 'object' && node !== null;
    bytesLeft -= isNested ? 2 : 1;
    return bytesLeft >= 0 && (!isNested || Object.values(node).every(visit));
  };
  return visit(value);
};

/** Any JSON object of at most 2 KiB, parsed to its text. */
export const metadata = z.pipe(
  z.custom<Record<string, unknown>>(isPlainObject, 'must be a JSON object.'),
  z.transform((value, context) => {
    const text = mayFit(value) ? JSON.stringify(value) : undefined;
    if (text !== undefined && Buffer.byteLength(text) <= MAX_METADATA_BYTES) return text;
    context.issues.push({ code: 'custom', input: value, message: 'must not exceed 2 KiB as JSON.' });
    return z.NEVER;
  }),
);
