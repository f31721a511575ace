/** How often a payment account is asked for under a reference of its own before we give up. */
const MAX_ATTEMPTS = 3;

/**
 * The reference under which a provider hears of a checkout: ours, and with a suffix where it refuses to hear the same one twice.
 * Money that comes under any of them is the checkout's.
 */
export const attemptReferences = (reference: string): readonly string[] =>
  Array.from({ length: MAX_ATTEMPTS }, (_, i) => (i === 0 ? reference : `${reference}-${i + 1}`));

/** The checkout's reference of what `attemptReferences` made of it; any other text stays as it is. */
export const referenceOfAttempt = (attempted: string): string =>
  /^(PAY-[0-9A-Z]{20})-\d$/.exec(attempted)?.[1] ?? attempted;
