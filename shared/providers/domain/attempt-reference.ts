/** The ends of a checkout's references at its providers, in the order of its attempts. */
const ATTEMPTS = ['', '-B', '-C'];
/** How many attempts a checkout has in all its life. */
export const MAX_ATTEMPTS = ATTEMPTS.length;
/** How many references a payment account is requested under at most, at one provider. */
const MAX_TRIES = 3;

/**
 * The reference of a checkout's next attempt after `before` others: ours, then ours with a letter, which no earlier attempt can have used.
 * @throws Error after the last one: a checkout with more could not be read.
 */
export const nextAttemptReference = (reference: string, before: number): string => {
  const end = ATTEMPTS[before];
  if (end === undefined) throw new Error(`A checkout has at most ${MAX_ATTEMPTS} attempts.`);
  return `${reference}${end}`;
};

/** The references that an attempt may use at its provider, in order: its own, then its own with a digit, because some providers refuse a repeated one. */
export const candidateReferences = (attempt: string): readonly string[] =>
  Array.from({ length: MAX_TRIES }, (_, i) => (i === 0 ? attempt : `${attempt}-${i + 1}`));

const REFERENCE = /^(PAY-[0-9A-Z]{20})(-[BC])?(-\d)?$/;

/** The first reference of the attempt that a reference was made for; any other text is returned unchanged. */
export const firstReference = (text: string): string => {
  const [, checkout, attempt = ''] = REFERENCE.exec(text) ?? [];
  return checkout === undefined ? text : `${checkout}${attempt}`;
};

/**
 * Whether an attempt has used a reference at its provider: those of its tries, up to `last`, under which its account was opened. Only money under these
 * is the checkout's. A charge under any other was opened by somebody else, as any browser may with a provider's public key (0024-own-charges.md).
 */
export const hasUsed = (last: string, used: string): boolean => {
  const tried = candidateReferences(firstReference(last));
  return tried.slice(0, tried.indexOf(last) + 1).includes(used);
};

/** The checkout's reference for one of its references at a provider, used or not; any other text is returned unchanged. */
export const toCheckoutReference = (text: string): string => REFERENCE.exec(text)?.[1] ?? text;
