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
  /** The keys of codes. */
  readonly signInKeys: ReadKeys;
}

/**
 * The sign-in that a code is of, among those that the browser waits for. A try counts for each that it is compared with.
 * @throws the refusals wrong_code, code_expired where none of them is open.
 */
const findSignIn = async (deps: FinishSignInDeps, tokens: readonly string[], code: string): Promise<SignIn> => {
  const keys = await deps.signInKeys();
  const open: SignIn[] = [];
  for (const token of tokens) {
    const waiting = await deps.signIns.takeTry(tokenHash(token));
    if (!waiting || !isOpen(waiting, deps.now())) continue;
    if (matchesCode(keys, code, waiting)) return waiting;
    open.push(waiting);
  }
  if (open.length === 0) throw new ApiError('code_expired');
  // The code may have been made with a key that is newer than those that this container knows.
  const newest = await deps.signInKeys({ refresh: true });
  const match = open.find((waiting) => matchesCode(newest, code, waiting));
  if (!match) throw new ApiError('wrong_code');
  return match;
};

/**
 * Turns a sign-in into a session, with a token of its own, in place of the one that the browser had. A code works once, in the browser
 * that asked for it, five tries and ten minutes long, although another was asked for since. @throws the refusals code_expired and wrong_code.
 */
export const finishSignIn = async (
  deps: FinishSignInDeps,
  {
    waiting: cookie,
    code,
    from,
    replacedToken,
  }: {
    /** The browser's cookie of sign-ins. */
    readonly waiting: string | undefined;
    readonly code: string;
    readonly from: RequestOrigin;
    /** The token of the browser's session, where it has one. */
    readonly replacedToken: string | undefined;
  },
): Promise<SignedIn> => {
  const waiting = await findSignIn(deps, tokensIn(cookie), code);
  const user = await deps.users.find(waiting.userId);
  // Only a user is mailed a code, so one who guesses it learns nothing that the code did not say.
  if (!user || user.businesses.length === 0) throw new ApiError('wrong_code');
  const signedIn = newSession(deps, user, { from, steppedUpAt: null, passkeyId: null, liveFrom: null });
  if (!(await deps.signIns.complete(waiting, signedIn.session))) throw new ApiError('code_expired');
  await endReplacedSession(deps.sessions, replacedToken);
  return signedIn;
};
