/** The promised requests per second, on every stage and on the local stack. */
export const DEFAULT_RATE_LIMITS = { live: 100, test: 25, publicAddress: 10 };

/**
 * The accounts that one business may open, and close, at one provider: about one per second by its servers, and about as many by all browsers
 * with its public key. The lowest limit that a provider publishes is 600 calls per minute (providers.md section 1.1).
 * With this quota one business causes at most 276 writing requests per minute (scaling.md).
 */
export const DEFAULT_PROVIDER_QUOTA = { creations: 10, publicCreations: 8, addressCreations: 2, seconds: 10 };
