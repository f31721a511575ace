import { HOUR } from '#shared/platform/kernel/time.ts';

/**
 * How often the members of a business may, in an hour, cause a mail to one person: invite, change the role, reset the passkeys.
 * Removing a member is never refused, but can only follow one of these.
 */
export const PERSON_LIMIT = { window: HOUR, most: 6 } as const;

/** How often they may cause mails to all persons together, because a business may choose any persons. */
export const BUSINESS_LIMIT = { window: HOUR, most: 60 } as const;
