/** How many references a payment account is requested under at most. */
const MAX_ATTEMPTS = 3;

/** A checkout's references at its provider, in the order of its attempts: ours, then ours with a suffix, because some providers refuse a repeated one. */
export const attemptReferences = (reference: string): readonly string[] =>
  Array.from({ length: MAX_ATTEMPTS }, (_, i) => (i === 0 ? reference : `${reference}-${i + 1}`));

/**
 * Whether a checkout has used a reference at its provider: those of its attempts, up to the one that opened its account. Only money under these
 * is the checkout's. A charge under any other was opened by somebody else, as any browser may with a provider's public key (0024-own-charges.md).
 */
export const hasUsed = (
  { reference, providerReference }: { readonly reference: string; readonly providerReference: string },
  used: string,
): boolean => {
  const attempts = attemptReferences(reference);
  return attempts.slice(0, attempts.indexOf(providerReference) + 1).includes(used);
};

/** The checkout's reference for one of its attempt references, used or not; any other text is returned unchanged. */
export const referenceOfAttempt = (text: string): string => /^(PAY-[0-9A-Z]{20})-\d$/.exec(text)?.[1] ?? text;
