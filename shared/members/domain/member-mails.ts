import { HOUR } from '#shared/platform/kernel/time.ts';

/**
 * How often in an hour a business's members may do what has a person mailed, each person for themselves: invite, give another role, reset
 * passkeys. Ending a membership is never refused, and follows one of these.
 */
export const PERSON_LIMIT = { window: HOUR, most: 6 } as const;

/** The same for all persons together, whom a business may choose as it likes. */
export const BUSINESS_LIMIT = { window: HOUR, most: 60 } as const;
