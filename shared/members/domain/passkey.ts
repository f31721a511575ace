import * as z from 'zod/mini';
import { idSchema } from '#shared/platform/kernel/ids.ts';
import { count, millis, millisOrNull, nonEmptyString, text } from '#shared/platform/kernel/schemas.ts';
import { DAY, type Millis } from '#shared/platform/kernel/time.ts';

/** Keeps a user, who lists them, a small item. */
export const MAX_PASSKEYS = 10;
/** The time for which a passkey that was added after a code alone may not change live mode: a thief of a mailbox could add one. */
export const WAIT_FOR_LIVE: Millis = DAY;

/** A passkey of a user (WebAuthn Level 3: a discoverable credential). */
export const passkey = z.object({
  id: idSchema('pky'),
  /** The id that its authenticator gave it, and the key that verifies its signatures: base64url. */
  credentialId: nonEmptyString,
  publicKey: nonEmptyString,
  /** The number of uses that its authenticator counts; 0 if it counts none. */
  uses: count,
  /** The name that its owner gave it. */
  name: text,
  addedAt: millis,
  lastUsedAt: millisOrNull,
  /** The time from which it may change live mode. */
  liveFrom: millis,
});
export type Passkey = z.infer<typeof passkey>;

/** Checks whether a passkey still waits. It can then be removed without using one, because it may be a stranger's. */
export const isWaiting = ({ liveFrom }: Passkey, now: Millis): boolean => now < liveFrom;
