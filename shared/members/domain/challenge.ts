import * as z from 'zod/mini';
import { userId } from '#shared/businesses/domain/member.ts';
import { millis, text } from '#shared/platform/kernel/schemas.ts';
import { HOUR, MINUTE, type Millis } from '#shared/platform/kernel/time.ts';

/** The time that an authenticator may take. */
export const CHALLENGE_LIFETIME: Millis = 5 * MINUTE;
/** The challenges that one network's visitors get together. A signed-in user who adds a passkey has the limit below. */
export const CHALLENGE_LIMIT = { window: 15 * MINUTE, most: 60 } as const;

/** The passkeys that a user may begin to add. Owners are mailed of each that is added, and of each that is removed. */
export const ADD_LIMIT = { window: HOUR, most: 20 } as const;

/** A text that an authenticator signs once. It is stored by its hash. */
export const challenge = z.object({
  hash: text,
  /** The user who adds a passkey with it; null for a challenge to use one, since the passkey then names its user. */
  userId: z.nullable(userId),
  expiresAt: millis,
});
export type Challenge = z.infer<typeof challenge>;
