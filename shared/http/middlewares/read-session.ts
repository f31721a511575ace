import { Refusal } from '#shared/domain/kernel/errors.ts';
import { isSignedIn } from '#shared/domain/members/session.ts';
import { isToken, tokenHash } from '#shared/domain/members/token.ts';
import { readCookie } from '#shared/http/kernel/cookies.ts';
import type { ApiDeps, ApiMiddleware } from '#shared/http/kernel/types.ts';
import type { SessionReader } from '#shared/ports/members.ts';

/** Sets the request's session. @throws the refusal sign_in_required. */
export const readSession = (deps: Pick<ApiDeps, 'now'> & { readonly sessions: SessionReader }): ApiMiddleware => ({
  before: async ({ event, context }) => {
    const token = readCookie(event, 'session');
    const found = token !== undefined && isToken(token) ? await deps.sessions.find(tokenHash(token)) : undefined;
    if (!found || !isSignedIn(found, deps.now())) throw new Refusal('sign_in_required');
    context.api.session = found;
  },
});
