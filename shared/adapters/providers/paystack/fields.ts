import * as z from 'zod/mini';
import { count, text } from '#shared/domain/kernel/schemas.ts';

/**
 * An id as text. Paystack's are unsigned 64 bit: a number that JavaScript has rounded on the way is no id and does not pass,
 * but one that arrives as a string of digits does (providers.md section 1.1).
 */
export const idText = z.union([text.check(z.regex(/^\d{1,20}$/)), z.pipe(count, z.transform(String))]);

/** A text that says something, or null for what is absent, empty or no text. */
export const textOrNull = z.catch(z.nullable(text.check(z.trim(), z.minLength(1))), null);

/** A time in milliseconds since the epoch, or null for what is absent or no ISO 8601 with its zone. */
export const timeOrNull = z.catch(
  z.nullable(
    z.pipe(
      z.iso.datetime({ offset: true }),
      z.transform((time) => Date.parse(time)),
    ),
  ),
  null,
);
