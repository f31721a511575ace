/** The promised requests per second, on every stage and on the local stack. */
export const DEFAULT_RATE_LIMITS = { live: 100, test: 25, publicAddress: 10 };

/**
 * How many accounts one business may open at one provider within ten seconds: 10 by its servers, and 8 by all browsers with its public key,
 * among them 2 by the browsers of one address block. In the same time it may also close 10. The lowest limit that a provider publishes is
 * 600 calls per minute (docs/internals/providers.md, section 1.1). With this quota one business causes at most 276 writing requests per
 * minute (docs/operating/scaling.md).
 */
export const DEFAULT_PROVIDER_QUOTA = { creations: 10, publicCreations: 8, addressCreations: 2, seconds: 10 };
