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
 * The user of a session, as long as that is anybody, and has the passkey that was used in it: where that was reset or removed, the session
 * is about to end. @throws the refusal sign_in_required.
 */
export const sessionUser = async (
  deps: { readonly users: UserReader },
  { userId, passkeyId }: Session,
): Promise<User> => {
  const user = await deps.users.find(userId);
  if (user && (passkeyId === null || user.passkeys.some(({ id }) => id === passkeyId))) return user;
  throw new ApiError('sign_in_required');
};

/** @throws the refusal step_up_required: whoever has a passkey adds another with it, so a mailbox alone adds none beside it. */
export const ensureMayAdd = ({ passkeys }: User, session: Session, now: number): void => {
  if (passkeys.length > 0 && steppedUpUntil(session, now) === null) throw new ApiError('step_up_required');
};

/**
 * Begins to add a passkey: the user and what the authenticator is to sign.
 * @throws the refusals step_up_required, not_possible with too many of them, rate_limited.
 */
export const startPasskey = async (
  deps: StartPasskeyDeps,
  session: Session,
): Promise<{ readonly user: User; readonly challenge: string }> => {
  const user = await sessionUser(deps, session);
  ensureMayAdd(user, session, deps.now());
  ensureRoomForPasskey(user);
  return { user, challenge: await newChallenge(deps, user.id, user.id) };
};
