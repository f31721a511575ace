import { type Session, steppedUpUntil } from '#shared/members/domain/session.ts';
import type { User } from '#shared/members/domain/user.ts';
import { ensureRoomForPasskey } from '#shared/members/domain/user-passkeys.ts';
import type { UserReader } from '#shared/members/ports.ts';
import { ApiError } from '#shared/platform/kernel/errors.ts';
import { type ChallengeDeps, newChallenge } from './challenges.ts';

export interface StartPasskeyDeps extends ChallengeDeps {
  readonly users: UserReader;
}

/**
 * Reads the user of a session. The user must exist and, if a passkey was used in the session, still have it. If that passkey was reset or removed,
 * the session is about to end. @throws ApiError `sign_in_required`.
 */
export const readSessionUser = async (
  deps: { readonly users: UserReader },
  { userId, passkeyId }: Session,
): Promise<User> => {
  const user = await deps.users.find(userId);
  if (user && (passkeyId === null || user.passkeys.some(({ id }) => id === passkeyId))) return user;
  throw new ApiError('sign_in_required');
};

/**
 * Checks that a user may add a passkey. A user who has a passkey must have used one in the session within the last ten minutes, so access to the
 * mailbox alone is not enough to add another one. @throws ApiError `step_up_required`.
 */
export const ensureMayAdd = ({ passkeys }: User, session: Session, now: number): void => {
  if (passkeys.length > 0 && steppedUpUntil(session, now) === null) throw new ApiError('step_up_required');
};

/**
 * Begins to add a passkey: returns the user, and the challenge that the authenticator signs.
 * @throws ApiError `step_up_required`, `rate_limited`, or `not_possible` if the user has the maximum of passkeys.
 */
export const startPasskey = async (
  deps: StartPasskeyDeps,
  session: Session,
): Promise<{ readonly user: User; readonly challenge: string }> => {
  const user = await readSessionUser(deps, session);
  ensureMayAdd(user, session, deps.now());
  ensureRoomForPasskey(user);
  return { user, challenge: await newChallenge(deps, user.id, user.id) };
};
