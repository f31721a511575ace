import { usePasskey as afterUse } from '#shared/members/domain/user-passkeys.ts';
import type {
  ChallengeStore,
  PasskeyVerifier,
  RequestOrigin,
  SessionStore,
  Site,
  UsedPasskey,
  UserStore,
} from '#shared/members/ports.ts';
import { ApiError } from '#shared/platform/kernel/errors.ts';
import type { Runtime } from '#shared/platform/ports.ts';
import { GIVE_UP_SOON, untilCommitted } from '#shared/platform/until-committed.ts';
import { takeChallenge } from './challenges.ts';
import { endReplacedSession } from './end-sessions.ts';
import { newSession, type SignedIn } from './new-session.ts';

export interface UsePasskeyDeps extends Pick<Runtime, 'now' | 'newId' | 'randomBytes' | 'pause'> {
  readonly challenges: ChallengeStore;
  readonly users: UserStore;
  readonly sessions: SessionStore;
  readonly passkeys: PasskeyVerifier;
}

/**
 * Signs in with a passkey, or steps up a session. In both cases a new session with a new token replaces the browser's former session.
 * @throws ApiError `wrong_passkey`.
 */
export const usePasskey = async (
  deps: UsePasskeyDeps,
  input: {
    readonly passkey: UsedPasskey;
    readonly site: Site;
    readonly from: RequestOrigin;
    /** The token of the browser's session, if it has one. */
    readonly token: string | undefined;
  },
): Promise<SignedIn> => {
  const { challenge, userId: addingUser } = await takeChallenge(deps, input.passkey.response);
  if (addingUser !== null) throw new ApiError('wrong_passkey');
  const userId = Buffer.from(input.passkey.response.userHandle, 'base64url').toString();
  const signedIn = await untilCommitted(
    deps,
    async () => {
      const before = await deps.users.find(userId);
      const passkey = before?.passkeys.find(({ credentialId }) => credentialId === input.passkey.id);
      if (!before || !passkey || before.businesses.length === 0) throw new ApiError('wrong_passkey');
      const used = await deps.passkeys.verifyUse(input.passkey, { challenge, site: input.site }, passkey);
      if (!used) throw new ApiError('wrong_passkey');
      const at = deps.now();
      const { id: passkeyId, liveFrom } = passkey;
      const next = newSession(deps, before, { from: input.from, steppedUpAt: at, passkeyId, liveFrom });
      const after = afterUse(before, passkey.id, { uses: used.uses, at });
      return (await deps.users.save({ before, after, session: next.session })) ? { done: next } : 'conflict';
    },
    GIVE_UP_SOON,
  );
  await endReplacedSession(deps.sessions, input.token);
  return signedIn;
};
