/* The keys of a world, each for one purpose. test/support/emulators/start-emulators.ts uses them, too. */

/** The key that makes the links of payment pages. */
export const PAGE_LINK_KEY = 'a-key-of-links-for-tests-of-enough-length';
/** The key that makes sign-in codes. */
export const SIGN_IN_KEY = 'a-key-of-codes-for-tests-of-enough-length';
/** The key that seals webhook secrets. */
export const WEBHOOK_KEY = 'a-key-of-webhooks-for-tests-of-enough-length';
