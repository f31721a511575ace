/** Requests a second that api-decisions.md section 1 promises, on every stage and on a laptop. */
export const DEFAULT_RATE_LIMITS = { live: 100, test: 25, publicAddress: 10 };

/**
 * What one business may open at one provider, and close there: about one account a second for its servers, and as much for all browsers
 * with its public key. The lowest limit that a provider publishes is 600 calls a minute (providers.md section 1.1).
 * All that one business may do writes 276 times a minute at most (scaling.md).
 */
export const DEFAULT_PROVIDER_QUOTA = { creations: 10, publicCreations: 8, addressCreations: 2, seconds: 10 };
