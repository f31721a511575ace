import * as z from 'zod/mini';
import { userId } from '#shared/businesses/domain/member.ts';
import { millis, text } from '#shared/platform/kernel/schemas.ts';
import { HOUR, MINUTE, type Millis } from '#shared/platform/kernel/time.ts';

/** How long an authenticator may take. */
export const CHALLENGE_LIFETIME: Millis = 5 * MINUTE;
/** Challenges that a network's strangers get together, and a user who is signed in alone. */
export const CHALLENGE_LIMIT = { window: 15 * MINUTE, most: 60 } as const;

/** Passkeys that a user begins to add: owners are mailed of each that is added, and again once it is removed. */
export const ADD_LIMIT = { window: HOUR, most: 20 } as const;

/** What an authenticator is to sign, once. Stored by its hash. */
export const challenge = z.object({
  hash: text,
  /** Who adds a passkey with it; null where one is used, which says itself whose it is. */
  userId: z.nullable(userId),
  expiresAt: millis,
});
export type Challenge = z.infer<typeof challenge>;
