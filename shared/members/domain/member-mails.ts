import { HOUR } from '#shared/platform/kernel/time.ts';

/**
 * The most mails to one person that all members of a business together may cause within an hour. An invitation, a change of the role, and a
 * reset of the passkeys count. Removing a member also causes a mail, but has no limit: before another removal the person must be invited again.
 */
export const PERSON_LIMIT = { window: HOUR, most: 6 } as const;

/** The most such mails within an hour to all persons together. Without this limit a business could mail any number of persons. */
export const BUSINESS_LIMIT = { window: HOUR, most: 60 } as const;
