import { Refusal } from '#shared/domain/kernel/errors.ts';
import { ensureCode } from '#shared/domain/members/sign-in.ts';
import { isToken, tokenHash } from '#shared/domain/members/token.ts';
import type { Runtime } from '#shared/ports/kernel.ts';
import type { AskedFrom, SessionStore, SignInStore, UserReader } from '#shared/ports/members.ts';
import { endReplaced } from './end-sessions.ts';
import { newSession, type SignedIn } from './new-session.ts';

export interface FinishSignInDeps extends Pick<Runtime, 'now' | 'newId' | 'randomBytes'> {
  readonly signIns: SignInStore;
  readonly sessions: SessionStore;
  readonly users: UserReader;
  readonly hashKey: string;
}

/**
 * Turns a sign-in into a session, with a token of its own, in place of the one that the browser had. A code works once, in the browser
 * that asked for it, five tries and ten minutes long. @throws the refusals code_expired and wrong_code.
 */
export const finishSignIn = async (
  deps: FinishSignInDeps,
  {
    token,
    code,
    from,
    replacedToken,
  }: {
    readonly token: string | undefined;
    readonly code: string;
    readonly from: AskedFrom;
    /** The token of the browser's session, where it has one. */
    readonly replacedToken: string | undefined;
  },
): Promise<SignedIn> => {
  if (token === undefined || !isToken(token)) throw new Refusal('code_expired');
  const waiting = await deps.signIns.takeTry(tokenHash(token));
  const now = deps.now();
  ensureCode(deps.hashKey, code, waiting, now);
  const user = waiting && (await deps.users.find(waiting.userId));
  // Only a user is mailed a code, so one who guesses it learns nothing that the code did not say.
  if (!waiting || !user || user.businesses.length === 0) throw new Refusal('wrong_code');
  const signedIn = newSession(deps, user, { from, steppedUpAt: null, liveFrom: null });
  if (!(await deps.signIns.complete(waiting, signedIn.session))) throw new Refusal('code_expired');
  await endReplaced(deps.sessions, replacedToken);
  return signedIn;
};
