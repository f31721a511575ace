import { Refusal } from '#shared/domain/kernel/errors.ts';
import { SESSION_LIFETIME, type Session } from '#shared/domain/members/session.ts';
import { ensureCode } from '#shared/domain/members/sign-in.ts';
import { isToken, newToken, tokenHash } from '#shared/domain/members/token.ts';
import type { Runtime } from '#shared/ports/kernel.ts';
import type { AskedFrom, SignInStore, UserReader } from '#shared/ports/members.ts';

export interface FinishSignInDeps extends Pick<Runtime, 'now' | 'newId' | 'randomBytes'> {
  readonly signIns: SignInStore;
  readonly users: UserReader;
  readonly hashKey: string;
}

/** A session with the token that its browser keeps. */
export interface SignedIn {
  readonly session: Session;
  readonly token: string;
}

/**
 * Turns a sign-in into a session, with a token of its own. A code works once, in the browser that asked for it, five tries and ten
 * minutes long. @throws the refusals code_expired and wrong_code.
 */
export const finishSignIn = async (
  deps: FinishSignInDeps,
  { token, code, from }: { readonly token: string | undefined; readonly code: string; readonly from: AskedFrom },
): Promise<SignedIn> => {
  if (token === undefined || !isToken(token)) throw new Refusal('code_expired');
  const waiting = await deps.signIns.takeTry(tokenHash(token));
  const now = deps.now();
  ensureCode(deps.hashKey, code, waiting, now);
  const user = waiting && (await deps.users.find(waiting.userId));
  // Only a user is mailed a code, so one who guesses it learns nothing that the code did not say.
  if (!waiting || !user || user.businesses.length === 0) throw new Refusal('wrong_code');
  const fresh = newToken(deps.randomBytes);
  const session: Session = {
    id: deps.newId('ses'),
    tokenHash: tokenHash(fresh),
    userId: user.id,
    email: user.email,
    createdAt: now,
    lastSeenAt: now,
    expiresAt: now + SESSION_LIFETIME,
    steppedUpAt: null,
    browser: from.browser,
    address: from.address,
  };
  if (!(await deps.signIns.complete(waiting, session))) throw new Refusal('code_expired');
  return { session, token: fresh };
};
