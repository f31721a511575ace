/** How many references a payment account is requested under at most. */
const MAX_ATTEMPTS = 3;

/**
 * The references of a checkout at its provider: ours, and ours with a suffix where a provider refuses to use one reference twice.
 * Money under any of them belongs to the checkout.
 */
export const attemptReferences = (reference: string): readonly string[] =>
  Array.from({ length: MAX_ATTEMPTS }, (_, i) => (i === 0 ? reference : `${reference}-${i + 1}`));

/** The checkout's reference for one of its attempt references; any other text is returned unchanged. */
export const referenceOfAttempt = (attempted: string): string =>
  /^(PAY-[0-9A-Z]{20})-\d$/.exec(attempted)?.[1] ?? attempted;
