import { ApiError } from '#shared/platform/kernel/errors.ts';
import type { Millis } from '#shared/platform/kernel/time.ts';
import { MAX_PASSKEYS, type Passkey } from './passkey.ts';
import { nextUser, type User } from './user.ts';

/* What becomes of a user's passkeys. */

/** A passkey of a user. @throws the refusal passkey_not_found. */
export const findPasskey = ({ passkeys }: User, id: string): Passkey => {
  const existing = passkeys.find((passkey) => passkey.id === id);
  if (existing) return existing;
  throw new ApiError('passkey_not_found');
};

/** @throws the refusal not_possible when a user has as many passkeys as allowed. */
export const ensureRoomForPasskey = ({ passkeys }: User): void => {
  if (passkeys.length < MAX_PASSKEYS) return;
  throw new ApiError('not_possible', {
    message: `You have ${MAX_PASSKEYS} passkeys, which is the most. Remove one first.`,
  });
};

/** The user with one more passkey. @throws the refusal not_possible for one too many, or one that is there. */
export const addPasskey = (before: User, added: Passkey): User => {
  ensureRoomForPasskey(before);
  if (before.passkeys.some(({ credentialId }) => credentialId === added.credentialId)) {
    throw new ApiError('not_possible', { message: 'This passkey was added before.' });
  }
  return nextUser(before, { passkeys: [...before.passkeys, added] });
};

/** The user once one of the passkeys was used. */
export const usePasskey = (before: User, id: string, used: { readonly uses: number; readonly at: Millis }): User =>
  nextUser(before, {
    passkeys: before.passkeys.map((passkey) =>
      passkey.id === id ? { ...passkey, uses: used.uses, lastUsedAt: used.at } : passkey,
    ),
  });

/** The user without one of the passkeys. */
export const removePasskey = (before: User, id: string): User =>
  nextUser(before, { passkeys: before.passkeys.filter((passkey) => passkey.id !== id) });

/** The user with a passkey that may change live mode from now on. @throws the refusal passkey_not_found. */
export const trustPasskey = (before: User, id: string, now: Millis): User => {
  findPasskey(before, id);
  return nextUser(before, {
    passkeys: before.passkeys.map((passkey) =>
      passkey.id === id ? { ...passkey, liveFrom: Math.min(passkey.liveFrom, now) } : passkey,
    ),
  });
};
