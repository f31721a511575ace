/** Suffixes of a checkout's references at its providers, in the order of its attempts. */
const SUFFIXES = ['', '-B', '-C'];
/** Maximum number of attempts in the whole life of a checkout. */
export const MAX_ATTEMPTS = SUFFIXES.length;
/** Maximum number of references that one attempt uses at its provider. */
const MAX_REFERENCES = 3;

/**
 * Builds the reference of a checkout's next attempt. `before` is the number of its earlier attempts. The first attempt has the checkout's
 * reference, each later attempt has that reference with a letter of its own.
 * @throws Error after the last attempt, because no schema accepts a checkout with more attempts.
 */
export const buildAttemptReference = (reference: string, before: number): string => {
  const suffix = SUFFIXES[before];
  if (suffix === undefined) throw new Error(`A checkout has at most ${MAX_ATTEMPTS} attempts.`);
  return `${reference}${suffix}`;
};

/**
 * Lists the references that an attempt may use at its provider, in order. Later references end in a digit. They are needed because some providers
 * refuse a reference that was used.
 */
export const listAttemptReferences = (attempt: string): readonly string[] =>
  Array.from({ length: MAX_REFERENCES }, (_, i) => (i === 0 ? attempt : `${attempt}-${i + 1}`));

const REFERENCE = /^(PAY-[0-9A-Z]{20})(-[BC])?(-\d)?$/;

/** Reduces a reference to the first reference of its attempt. Any other text is returned unchanged. */
export const toFirstReference = (text: string): string => {
  const [, checkout, attempt = ''] = REFERENCE.exec(text) ?? [];
  return checkout === undefined ? text : `${checkout}${attempt}`;
};

/**
 * Whether an attempt has used a reference at its provider. The attempt tried its references in order. The last one that it tried, `last`, opened its
 * account. Only money under a used reference belongs to the checkout: any browser with the provider's public key may open a charge under an unused
 * one (0024-own-charges.md).
 */
export const hasUsed = (last: string, reference: string): boolean => {
  const references = listAttemptReferences(toFirstReference(last));
  return references.slice(0, references.indexOf(last) + 1).includes(reference);
};

/** Converts a reference at a provider, used or not, to its checkout's reference. Any other text is returned unchanged. */
export const toCheckoutReference = (text: string): string => REFERENCE.exec(text)?.[1] ?? text;
