import * as z from 'zod/mini';
import { idSchema } from '#shared/platform/kernel/ids.ts';
import { count, millis, millisOrNull, nonEmptyString, text } from '#shared/platform/kernel/schemas.ts';
import { DAY, type Millis } from '#shared/platform/kernel/time.ts';

/** So that a user, who lists them, stays a small item. */
export const MAX_PASSKEYS = 10;
/** How long a passkey waits before it may change live mode, if it was added after a code alone: whoever reads a mailbox could add one. */
export const WAIT_FOR_LIVE: Millis = DAY;

/** A passkey of a user (WebAuthn Level 3: a discoverable credential). */
export const passkey = z.object({
  id: idSchema('pky'),
  /** As its authenticator names it, and the key that verifies its signatures: base64url. */
  credentialId: nonEmptyString,
  publicKey: nonEmptyString,
  /** How often its authenticator says that it was used; 0 where that does not count. */
  uses: count,
  /** What its owner calls it. */
  name: text,
  addedAt: millis,
  lastUsedAt: millisOrNull,
  /** From when on it may change live mode. */
  liveFrom: millis,
});
export type Passkey = z.infer<typeof passkey>;

/** Whether somebody may remove a passkey without using one: while it waits, because it may be a stranger's. */
export const isWaiting = ({ liveFrom }: Passkey, now: Millis): boolean => now < liveFrom;
