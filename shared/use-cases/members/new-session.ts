import { SESSION_LIFETIME, type Session } from '#shared/domain/members/session.ts';
import { newToken, tokenHash } from '#shared/domain/members/token.ts';
import type { User } from '#shared/domain/members/user.ts';
import type { Runtime } from '#shared/ports/kernel.ts';
import type { AskedFrom } from '#shared/ports/members.ts';

/** A session with the token that its browser keeps. */
export interface SignedIn {
  readonly session: Session;
  readonly token: string;
}

/** A session of a user, with a token of its own: nothing that was known before a sign-in is used after it. */
export const newSession = (
  deps: Pick<Runtime, 'now' | 'newId' | 'randomBytes'>,
  user: Pick<User, 'id' | 'email'>,
  { from, ...passkey }: { readonly from: AskedFrom } & Pick<Session, 'steppedUpAt' | 'passkeyId' | 'liveFrom'>,
): SignedIn => {
  const token = newToken(deps.randomBytes);
  const now = deps.now();
  const session: Session = {
    id: deps.newId('ses'),
    tokenHash: tokenHash(token),
    userId: user.id,
    email: user.email,
    createdAt: now,
    lastSeenAt: now,
    expiresAt: now + SESSION_LIFETIME,
    ...passkey,
    browser: from.browser,
    address: from.address,
  };
  return { session, token };
};
