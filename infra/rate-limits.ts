/** Requests a second that api-decisions.md section 1 promises, on every stage and on a laptop. */
export const DEFAULT_RATE_LIMITS = { live: 100, test: 25, publicAddress: 10 };

/**
 * What one business may open at one provider, and close there: one account a second on average. No provider publishes its limits
 * (providers.md section 0); the lowest that was reported is 300 writes a minute, where a virtual account takes two.
 */
export const DEFAULT_CREATION_ALLOWANCE = { creations: 10, seconds: 10 };
