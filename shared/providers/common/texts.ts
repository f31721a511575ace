import * as z from 'zod/mini';
import { checkoutReference, idSchema } from '#shared/platform/kernel/ids.ts';
import { hasVisible } from '#shared/platform/kernel/readable-text.ts';
import { text } from '#shared/platform/kernel/schemas.ts';
import { toCheckoutReference } from '#shared/providers/domain/attempt-reference.ts';

/* Makes the texts of a provider fit before anything else sees them: names are mended, identifiers are read in their known forms or refused. */

/** Characters of a name that are shown at most (api-decisions.md section 1). */
const LONGEST_NAME = 100;

/** Controls, lone surrogates, noncharacters, line separators, and the marks that change the direction of text. */
const UNFIT = /[\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}\p{Zl}\p{Zp}\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069]+/gu;

/** Makes a stranger's text well formed: without controls, overrides and halves of characters, at most 100 characters; null if nothing visible is left. */
export const mendName = (name: string): string | null => {
  const mended = Array.from(name.replace(UNFIT, ' ').replace(/\s+/gu, ' ').trim())
    .slice(0, LONGEST_NAME)
    .join('')
    .trim();
  return hasVisible(mended) ? mended : null;
};

/** The name of a person, bank or account in a provider's answer, mended; null where it is absent, no text, or nothing visible. */
export const name = z.pipe(
  z.optional(z.unknown()),
  z.transform((value) => (typeof value === 'string' ? mendName(value) : null)),
);

/** A provider's own reference or id: 1 to 200 visible ASCII characters. Any other text is refused, never mended. */
export const identifier = text.check(z.regex(/^[!-~]{1,200}$/));

/** A Nigerian account number (NUBAN): ten digits. */
export const accountNumber = text.check(z.regex(/^\d{10}$/));

/** A bank's code in a provider's answer: 3 to 9 letters, digits or hyphens. A number is read as text; null for anything else. */
export const bankCode = z.pipe(
  z.optional(z.unknown()),
  z.transform((code) => (/^[0-9A-Za-z-]{3,9}$/.test(String(code ?? '').trim()) ? String(code).trim() : null)),
);

/**
 * Our reference in whatever letter case and spaces a provider writes it, in the one spelling that we gave it: a checkout's `PAY-…`, also
 * with the suffix of an attempt, or a virtual account's `va_…`. Undefined for any other text.
 */
export const ourReference = (spelling: string): string | undefined => {
  const upper = spelling.trim().toUpperCase();
  if (checkoutReference.safeParse(toCheckoutReference(upper)).success) return upper;
  const account = upper.replace(/^VA_/, 'va_');
  return idSchema('va').safeParse(account).success ? account : undefined;
};

/** Whether a reference is one of ours in another spelling than we gave it: where a provider tells spellings apart, it may be a stranger's. */
export const isMisspelled = (written: string): boolean => {
  const ours = ourReference(written);
  return ours !== undefined && ours !== written;
};

/** A reference as it is written, without the spaces around one of ours. A text that is no identifier is refused. */
export const writtenReference = z.pipe(
  z.pipe(
    text,
    z.transform((written) => (ourReference(written) === undefined ? written : written.trim())),
  ),
  identifier,
);
