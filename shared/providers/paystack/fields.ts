import * as z from 'zod/mini';
import { count, text } from '#shared/platform/kernel/schemas.ts';

/**
 * An id, read as text. Paystack's ids are unsigned 64-bit integers. A string of digits is accepted, and a number if JavaScript has not rounded
 * it (providers.md section 1.1). Leading zeros are refused, because they would be a second spelling of the same id.
 */
export const idText = z.union([text.check(z.regex(/^(0|[1-9]\d{0,19})$/)), z.pipe(count, z.transform(String))]);

/** Reads an ISO 8601 time with a zone as milliseconds since the epoch; null for anything else. */
export const timeOrNull = z.catch(
  z.nullable(
    z.pipe(
      z.iso.datetime({ offset: true }),
      z.transform((time) => Date.parse(time)),
    ),
  ),
  null,
);
