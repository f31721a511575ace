import * as z from 'zod';

/**
 * An id as text. Paystack's are unsigned 64 bit: a number that JavaScript has rounded on the way is no id and does not pass,
 * but one that arrives as a string of digits does (providers.md 1.1).
 */
export const idText = z.union([z.string().regex(/^\d{1,20}$/), z.int().nonnegative().transform(String)]);

/** A text that says something, or null for what is absent, empty or no text. */
export const textOrNull = z.string().trim().min(1).nullable().catch(null);

/** A time in milliseconds since the epoch, or null for what is absent or no ISO 8601 with its zone. */
export const timeOrNull = z.iso
  .datetime({ offset: true })
  .transform((text) => Date.parse(text))
  .nullable()
  .catch(null);
