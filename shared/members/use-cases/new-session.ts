import { SESSION_LIFETIME, type Session } from '#shared/members/domain/session.ts';
import { newToken, tokenHash } from '#shared/members/domain/token.ts';
import type { User } from '#shared/members/domain/user.ts';
import type { RequestOrigin } from '#shared/members/ports.ts';
import type { Runtime } from '#shared/platform/ports.ts';

/** A session, and the token that its browser keeps. */
export interface SignedIn {
  readonly session: Session;
  readonly token: string;
}

/**
 * Makes a session with a new token. If a stranger had put a token into the browser before the sign-in, that token does not belong to the new
 * session.
 */
export const newSession = (
  deps: Pick<Runtime, 'now' | 'newId' | 'randomBytes'>,
  user: Pick<User, 'id' | 'email'>,
  { from, ...passkey }: { readonly from: RequestOrigin } & Pick<Session, 'steppedUpAt' | 'passkeyId' | 'liveFrom'>,
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
