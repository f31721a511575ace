/** Suffixes of a checkout's references at its providers, in the order of its attempts. */
const ATTEMPTS = ['', '-B', '-C'];
/** Maximum number of attempts in the whole life of a checkout. */
export const MAX_ATTEMPTS = ATTEMPTS.length;
/** Maximum number of references that one attempt uses at its provider. */
const MAX_TRIES = 3;

/**
 * Builds the reference of a checkout's next attempt, after `before` earlier ones: ours, then ours with a letter that no earlier attempt used.
 * @throws Error after the last attempt, because no schema accepts a checkout with more.
 */
export const buildAttemptReference = (reference: string, before: number): string => {
  const end = ATTEMPTS[before];
  if (end === undefined) throw new Error(`A checkout has at most ${MAX_ATTEMPTS} attempts.`);
  return `${reference}${end}`;
};

/** Lists the references that an attempt may use at its provider, in order. Later ones have a digit, because some providers refuse a used one. */
export const listAttemptReferences = (attempt: string): readonly string[] =>
  Array.from({ length: MAX_TRIES }, (_, i) => (i === 0 ? attempt : `${attempt}-${i + 1}`));

const REFERENCE = /^(PAY-[0-9A-Z]{20})(-[BC])?(-\d)?$/;

/** Reduces a reference to the first reference of its attempt. Any other text is returned unchanged. */
export const toFirstReference = (text: string): string => {
  const [, checkout, attempt = ''] = REFERENCE.exec(text) ?? [];
  return checkout === undefined ? text : `${checkout}${attempt}`;
};

/**
 * Whether an attempt has used a reference at its provider. It tried its references in order up to `last`, which opened its account. Only
 * money under these belongs to the checkout: any browser may open a charge under another one with the provider's public key
 * (0024-own-charges.md).
 */
export const hasUsed = (last: string, used: string): boolean => {
  const tried = listAttemptReferences(toFirstReference(last));
  return tried.slice(0, tried.indexOf(last) + 1).includes(used);
};

/** Converts a reference at a provider, used or not, to its checkout's reference. Any other text is returned unchanged. */
export const toCheckoutReference = (text: string): string => REFERENCE.exec(text)?.[1] ?? text;
