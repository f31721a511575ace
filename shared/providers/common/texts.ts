import * as z from 'zod/mini';
import { checkoutReference, idSchema } from '#shared/platform/kernel/ids.ts';
import { hasVisible } from '#shared/platform/kernel/readable-text.ts';
import { text } from '#shared/platform/kernel/schemas.ts';
import { toCheckoutReference } from '#shared/providers/domain/attempt-reference.ts';

/* Cleans the texts of a provider before anything else sees them: names are mended, and identifiers must have a known form. */

/** Maximum length of a name that is shown, in characters. */
const LONGEST_NAME = 100;

/** Matches controls, lone surrogates, noncharacters, line separators, and marks that change the direction of text. */
const UNFIT = /[\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}\p{Zl}\p{Zp}\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069]+/gu;

/**
 * Replaces control characters, direction marks and halves of characters by spaces, joins adjacent spaces, and cuts the text after 100 characters.
 * Null if nothing visible is left.
 */
export const mendName = (name: string): string | null => {
  const mended = Array.from(name.replace(UNFIT, ' ').replace(/\s+/gu, ' ').trim())
    .slice(0, LONGEST_NAME)
    .join('')
    .trim();
  return hasVisible(mended) ? mended : null;
};

/** Reads the name of a person, bank or account in a provider's answer, and mends it. Null if it is absent, no text, or has nothing visible. */
export const name = z.pipe(
  z.optional(z.unknown()),
  z.transform((value) => (typeof value === 'string' ? mendName(value) : null)),
);

/** A provider's own reference or id: 1 to 200 visible ASCII characters. Any other text is refused and never mended. */
export const identifier = text.check(z.regex(/^[!-~]{1,200}$/));

/** A Nigerian account number (NUBAN): ten digits. */
export const accountNumber = text.check(z.regex(/^\d{10}$/));

/** Reads a bank's code in a provider's answer: 3 to 9 letters, digits or hyphens, also as a number. Null for anything else. */
export const bankCode = z.pipe(
  z.optional(z.unknown()),
  z.transform((code) => (/^[0-9A-Za-z-]{3,9}$/.test(String(code ?? '').trim()) ? String(code).trim() : null)),
);

/**
 * Restores our spelling of a reference that a provider wrote in another letter case or with spaces around it. Our references are a checkout's
 * `PAY-…`, also with the suffix of an attempt, and a virtual account's `va_…`. Undefined for any other text.
 */
export const toOurReference = (spelling: string): string | undefined => {
  const upper = spelling.trim().toUpperCase();
  if (checkoutReference.safeParse(toCheckoutReference(upper)).success) return upper;
  const account = upper.replace(/^VA_/, 'va_');
  return idSchema('va').safeParse(account).success ? account : undefined;
};

/**
 * Whether a text is one of our references in another spelling. If the provider distinguishes spellings, it may be the reference of a
 * stranger.
 */
export const isMisspelled = (written: string): boolean => {
  const ours = toOurReference(written);
  return ours !== undefined && ours !== written;
};

/**
 * Reads a reference in the provider's spelling. If it is one of our references, spaces around it are removed. Fails for a text that is no
 * `identifier`.
 */
export const writtenReference = z.pipe(
  z.pipe(
    text,
    z.transform((written) => (toOurReference(written) === undefined ? written : written.trim())),
  ),
  identifier,
);
