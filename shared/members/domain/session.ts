import * as z from 'zod/mini';
import { userId } from '#shared/businesses/domain/member.ts';
import { idSchema } from '#shared/platform/kernel/ids.ts';
import { millis, millisOrNull, text } from '#shared/platform/kernel/schemas.ts';
import { HOUR, MINUTE, type Millis } from '#shared/platform/kernel/time.ts';

export const SESSION_LIFETIME: Millis = 12 * HOUR;
export const IDLE_LIFETIME: Millis = 30 * MINUTE;
/** How old `lastSeenAt` may be before it is written again, which saves a write for most requests. */
export const SEEN_EVERY: Millis = 5 * MINUTE;
/** How long the use of a passkey counts for what needs one. */
export const STEP_UP_LIFETIME: Millis = 10 * MINUTE;

/** A browser in which a user has signed in. */
export const session = z.object({
  id: idSchema('ses'),
  tokenHash: text,
  userId,
  email: text,
  createdAt: millis,
  lastSeenAt: millis,
  expiresAt: millis,
  /** When a passkey was used in it last; null after a code alone. */
  steppedUpAt: millisOrNull,
  /** That passkey; null after a code alone. */
  passkeyId: z.nullable(idSchema('pky')),
  /** From when on that passkey may change live mode; null after a code alone. */
  liveFrom: millisOrNull,
  /** The browser's name (browser-name.ts), and the address that it signed in from, so that its owner recognises it. */
  browser: text,
  address: text,
});
export type Session = z.infer<typeof session>;

/** Whether a session still counts: neither over nor idle for too long. */
export const isSignedIn = ({ expiresAt, lastSeenAt }: Session, now: Millis): boolean =>
  now < expiresAt && now < lastSeenAt + IDLE_LIFETIME;

/** Until when the last use of a passkey counts; null when none does. */
export const steppedUpUntil = ({ steppedUpAt }: Session, now: Millis): Millis | null =>
  steppedUpAt !== null && now < steppedUpAt + STEP_UP_LIFETIME ? steppedUpAt + STEP_UP_LIFETIME : null;

/** Whether a session may change live mode at all: by a passkey that has waited long enough. */
export const mayChangeLive = ({ liveFrom }: Session, now: Millis): boolean => liveFrom !== null && now >= liveFrom;
