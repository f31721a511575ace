/* The keys of a world, each for one purpose. test/support/emulators/start-emulators.ts uses them, too. */

/** Makes the links of payment pages. */
export const PAGE_LINK_KEY = 'a-key-of-links-for-tests-of-enough-length';
/** Makes codes to sign in with. */
export const SIGN_IN_KEY = 'a-key-of-codes-for-tests-of-enough-length';
/** Seals webhook secrets. */
export const WEBHOOK_KEY = 'a-key-of-webhooks-for-tests-of-enough-length';
