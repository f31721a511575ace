import * as z from 'zod/mini';
import { userId } from '#shared/businesses/domain/member.ts';
import { idSchema } from '#shared/platform/kernel/ids.ts';
import { millis, millisOrNull, text } from '#shared/platform/kernel/schemas.ts';
import { HOUR, MINUTE, type Millis } from '#shared/platform/kernel/time.ts';

export const SESSION_LIFETIME: Millis = 12 * HOUR;
export const IDLE_LIFETIME: Millis = 30 * MINUTE;
/** If `lastSeenAt` is at least this old, `showMe` writes it again. Without this limit each call of `showMe` would write. */
export const SEEN_INTERVAL: Millis = 5 * MINUTE;
/** The time for which the use of a passkey counts for requests that need one. */
export const STEP_UP_LIFETIME: Millis = 10 * MINUTE;

/** The session of a user in one browser. */
export const session = z.object({
  id: idSchema('ses'),
  tokenHash: text,
  userId,
  email: text,
  createdAt: millis,
  lastSeenAt: millis,
  expiresAt: millis,
  /** The last use of a passkey in this session; null if the user has only entered a code. */
  steppedUpAt: millisOrNull,
  /** That passkey; null after a code alone. */
  passkeyId: z.nullable(idSchema('pky')),
  /** The time from which that passkey may change live mode; null after a code alone. */
  liveFrom: millisOrNull,
  /** The browser's name (browser-name.ts), and the address of its sign-in, so that the owner recognises the session. */
  browser: text,
  address: text,
});
export type Session = z.infer<typeof session>;

/** Checks whether a session still admits requests: it has not expired, and was not idle for IDLE_LIFETIME. */
export const isSignedIn = ({ expiresAt, lastSeenAt }: Session, now: Millis): boolean =>
  now < expiresAt && now < lastSeenAt + IDLE_LIFETIME;

/** Returns the time until which the last use of a passkey counts; null if none counts. */
export const steppedUpUntil = ({ steppedUpAt }: Session, now: Millis): Millis | null =>
  steppedUpAt !== null && now < steppedUpAt + STEP_UP_LIFETIME ? steppedUpAt + STEP_UP_LIFETIME : null;

/** Checks whether a session may change live mode: a passkey was used in it, and that passkey no longer has to wait. */
export const mayChangeLive = ({ liveFrom }: Session, now: Millis): boolean => liveFrom !== null && now >= liveFrom;
