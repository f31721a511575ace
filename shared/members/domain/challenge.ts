import * as z from 'zod/mini';
import { userId } from '#shared/businesses/domain/member.ts';
import { millis, text } from '#shared/platform/kernel/schemas.ts';
import { HOUR, MINUTE, type Millis } from '#shared/platform/kernel/time.ts';

/** The lifetime of a challenge: the time that a person has to sign it. Milliseconds. */
export const CHALLENGE_LIFETIME: Millis = 5 * MINUTE;
/** The most challenges for using a passkey, within a window in milliseconds: for all strangers of one network together, or for one signed-in user. */
export const CHALLENGE_LIMIT = { window: 15 * MINUTE, most: 60 } as const;

/**
 * The most passkeys that a user may begin to add, within a window in milliseconds. Owners get a mail about each passkey that is added or
 * removed, so this limits their mails.
 */
export const ADD_LIMIT = { window: HOUR, most: 20 } as const;

/** A text that an authenticator signs once. It is stored by its hash. */
export const challenge = z.object({
  hash: text,
  /** The user who adds a passkey with this challenge; null if a passkey is to be used, because the passkey then names its user. */
  userId: z.nullable(userId),
  expiresAt: millis,
});
export type Challenge = z.infer<typeof challenge>;
