import { ApiError } from '#shared/platform/kernel/errors.ts';
import type { Millis } from '#shared/platform/kernel/time.ts';
import { MAX_PASSKEYS, type Passkey } from './passkey.ts';
import { nextUser, type User } from './user.ts';

/* Finds and changes the passkeys of a user. */

/** Finds a passkey of a user. @throws ApiError `passkey_not_found`. */
export const findPasskey = ({ passkeys }: User, id: string): Passkey => {
  const existing = passkeys.find((passkey) => passkey.id === id);
  if (existing) return existing;
  throw new ApiError('passkey_not_found');
};

/** Checks that a user may have one more passkey. @throws ApiError `not_possible` if the user has the maximum. */
export const ensureRoomForPasskey = ({ passkeys }: User): void => {
  if (passkeys.length < MAX_PASSKEYS) return;
  throw new ApiError('not_possible', {
    message: `You have ${MAX_PASSKEYS} passkeys, the maximum. Remove one first.`,
  });
};

/** Adds a passkey to a user. @throws ApiError `not_possible` if the user has the maximum, or has this passkey already. */
export const addPasskey = (before: User, added: Passkey): User => {
  ensureRoomForPasskey(before);
  if (before.passkeys.some(({ credentialId }) => credentialId === added.credentialId)) {
    throw new ApiError('not_possible', { message: 'This passkey was added before.' });
  }
  return nextUser(before, { passkeys: [...before.passkeys, added] });
};

/** Notes the use of a user's passkey. */
export const usePasskey = (before: User, id: string, used: { readonly uses: number; readonly at: Millis }): User =>
  nextUser(before, {
    passkeys: before.passkeys.map((passkey) =>
      passkey.id === id ? { ...passkey, uses: used.uses, lastUsedAt: used.at } : passkey,
    ),
  });

/** Removes one of a user's passkeys. */
export const removePasskey = (before: User, id: string): User =>
  nextUser(before, { passkeys: before.passkeys.filter((passkey) => passkey.id !== id) });

/** Lets one of a user's passkeys change live mode from now on. @throws ApiError `passkey_not_found`. */
export const trustPasskey = (before: User, id: string, now: Millis): User => {
  findPasskey(before, id);
  return nextUser(before, {
    passkeys: before.passkeys.map((passkey) =>
      passkey.id === id ? { ...passkey, liveFrom: Math.min(passkey.liveFrom, now) } : passkey,
    ),
  });
};
