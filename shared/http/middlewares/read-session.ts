import { Refusal } from '#shared/domain/kernel/errors.ts';
import { isSignedIn, type Session } from '#shared/domain/members/session.ts';
import { isToken, tokenHash } from '#shared/domain/members/token.ts';
import { readCookie } from '#shared/http/kernel/cookies.ts';
import type { ApiDeps, ApiEvent, ApiMiddleware } from '#shared/http/kernel/types.ts';
import type { SessionReader } from '#shared/ports/members.ts';

type ReadDeps = Pick<ApiDeps, 'now'> & { readonly sessions: SessionReader };

/** The session of the browser that sent a request; undefined where none counts. */
export const sessionOf = async (deps: ReadDeps, event: ApiEvent): Promise<Session | undefined> => {
  const token = readCookie(event, 'session');
  const found = token !== undefined && isToken(token) ? await deps.sessions.find(tokenHash(token)) : undefined;
  return found && isSignedIn(found, deps.now()) ? found : undefined;
};

/** Sets the request's session. @throws the refusal sign_in_required. */
export const readSession = (deps: ReadDeps): ApiMiddleware => ({
  before: async ({ event, context }) => {
    const found = await sessionOf(deps, event);
    if (!found) throw new Refusal('sign_in_required');
    context.api.session = found;
  },
});
