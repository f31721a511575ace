import { isOpen, matchesCode, type SignIn, tokensIn } from '#shared/members/domain/sign-in.ts';
import { tokenHash } from '#shared/members/domain/token.ts';
import type { RequestOrigin, SessionStore, SignInStore, UserReader } from '#shared/members/ports.ts';
import { ApiError } from '#shared/platform/kernel/errors.ts';
import type { ReadKeys, Runtime } from '#shared/platform/ports.ts';
import { endReplacedSession } from './end-sessions.ts';
import { newSession, type SignedIn } from './new-session.ts';

export interface FinishSignInDeps extends Pick<Runtime, 'now' | 'newId' | 'randomBytes'> {
  readonly signIns: SignInStore;
  readonly sessions: SessionStore;
  readonly users: UserReader;
  /** The keys from which the codes are computed. */
  readonly signInKeys: ReadKeys;
}

/**
 * Finds the sign-in that a code belongs to. It tries the browser's unfinished sign-ins in turn, newest first. Each sign-in that it reaches counts
 * one try.
 * @throws ApiError `wrong_code`, or `code_expired` if none of them is open.
 */
const findSignIn = async (deps: FinishSignInDeps, tokens: readonly string[], code: string): Promise<SignIn> => {
  const keys = await deps.signInKeys();
  const open: SignIn[] = [];
  for (const token of tokens) {
    const candidate = await deps.signIns.countTry(tokenHash(token));
    if (!candidate || !isOpen(candidate, deps.now())) continue;
    if (matchesCode(keys, code, candidate)) return candidate;
    open.push(candidate);
  }
  if (open.length === 0) throw new ApiError('code_expired');
  // The code may have been made with a newer key than this container knows.
  const newest = await deps.signInKeys({ refresh: true });
  const match = open.find((candidate) => matchesCode(newest, code, candidate));
  if (!match) throw new ApiError('wrong_code');
  return match;
};

/**
 * Turns a sign-in into a session with a token of its own, which replaces the browser's former session. A code works once, in the browser that asked
 * for it, for five tries and ten minutes, even if the browser has asked for another code since. @throws ApiError `code_expired`, `wrong_code`.
 */
export const finishSignIn = async (
  deps: FinishSignInDeps,
  {
    signInCookie: cookie,
    code,
    from,
    replacedToken,
  }: {
    /** The browser's cookie of sign-ins. */
    readonly signInCookie: string | undefined;
    readonly code: string;
    readonly from: RequestOrigin;
    /** The token of the browser's session, if it has one. */
    readonly replacedToken: string | undefined;
  },
): Promise<SignedIn> => {
  const match = await findSignIn(deps, tokensIn(cookie), code);
  const user = await deps.users.find(match.userId);
  // Codes are mailed only to members of a business. So the code of anybody else was guessed, and is answered like a wrong code.
  if (!user || user.businesses.length === 0) throw new ApiError('wrong_code');
  const signedIn = newSession(deps, user, { from, steppedUpAt: null, passkeyId: null, liveFrom: null });
  if (!(await deps.signIns.complete(match, signedIn.session))) throw new ApiError('code_expired');
  await endReplacedSession(deps.sessions, replacedToken);
  return signedIn;
};
