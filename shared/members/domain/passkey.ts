import * as z from 'zod/mini';
import { idSchema } from '#shared/platform/kernel/ids.ts';
import { count, millis, millisOrNull, nonEmptyString, text } from '#shared/platform/kernel/schemas.ts';
import { DAY, type Millis } from '#shared/platform/kernel/time.ts';

/** The most passkeys of a user. The item of the user lists them, and must stay small. */
export const MAX_PASSKEYS = 10;
/**
 * For this time a new passkey may not change live mode, so that the user can remove a passkey that a thief of the mailbox added. A passkey that was
 * added in a session that may change live mode does not wait. Milliseconds.
 */
export const WAIT_FOR_LIVE: Millis = DAY;

/** A passkey of a user (WebAuthn Level 3: a discoverable credential). */
export const passkey = z.object({
  id: idSchema('pky'),
  /** The id that the authenticator gave the passkey, and the public key that verifies its signatures. Both in base64url. */
  credentialId: nonEmptyString,
  publicKey: nonEmptyString,
  /** The number of uses that the authenticator counted; 0 if it does not count. */
  uses: count,
  /** The name that the owner gave the passkey. */
  name: text,
  addedAt: millis,
  lastUsedAt: millisOrNull,
  /** The time from which the passkey may change live mode. */
  liveFrom: millis,
});
export type Passkey = z.infer<typeof passkey>;

/** Checks whether a passkey still waits for live mode. A waiting passkey can be removed without using a passkey, because it may be a stranger's. */
export const isWaiting = ({ liveFrom }: Passkey, now: Millis): boolean => now < liveFrom;
