import { readCookie } from '#shared/api/http/cookies.ts';
import { readServerUrl } from '#shared/api/http/server-address.ts';
import type { ApiDeps, ApiEvent } from '#shared/api/http/types.ts';
import { isSignedIn, type Session } from '#shared/members/domain/session.ts';
import { isToken, tokenHash } from '#shared/members/domain/token.ts';
import type { SessionReader } from '#shared/members/ports.ts';
import { ApiError } from '#shared/platform/kernel/errors.ts';
import type { Admit } from './admission.ts';

type SessionDeps = Pick<ApiDeps, 'now'> & { readonly sessions: SessionReader };

/**
 * Checks whether the dashboard's own page sends a request. Browsers name the sender in Sec-Fetch-Site, and in Origin unless the request only
 * reads. A request with neither header is from no page of ours.
 */
const isFromOwnPage = (event: ApiEvent): boolean => {
  const { 'sec-fetch-site': site, origin } = event.headers;
  if (site !== undefined && site !== 'same-origin') return false;
  if (origin !== undefined && origin !== readServerUrl(event)) return false;
  return site !== undefined || origin !== undefined;
};

/** Reads the session of the browser that sent a request; undefined if the browser has none, or the session has ended. */
export const readSession = async (deps: SessionDeps, event: ApiEvent): Promise<Session | undefined> => {
  const token = readCookie(event, 'session');
  const session = token !== undefined && isToken(token) ? await deps.sessions.find(tokenHash(token)) : undefined;
  return session && isSignedIn(session, deps.now()) ? session : undefined;
};

/** Admits requests of the dashboard's own page. A page of another site may not use the browser's cookie. */
export const admitVisitor: Admit = async (event) =>
  isFromOwnPage(event) ? {} : { error: new ApiError('cross_site_request') };

/** Makes the admission of browsers that are signed in, on the dashboard's own page. */
export const admitSession =
  (deps: SessionDeps): Admit =>
  async (event) => {
    const visitor = await admitVisitor(event);
    if (visitor.error) return visitor;
    const session = await readSession(deps, event);
    return session ? { session } : { error: new ApiError('sign_in_required') };
  };
