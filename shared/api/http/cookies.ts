import { readServerUrl } from './server-address.ts';
import type { ApiEvent } from './types.ts';

/** The cookies of the dashboard: of a browser that is signed in, and of one that waits for its code. */
export type CookieName = 'session' | 'sign-in';

/**
 * The name that browsers keep a cookie under. `__Host-` has them refuse it from any other host and without TLS. The local stack has no
 * TLS, and shares `localhost` with whatever else a developer runs there.
 */
const nameFor = (event: ApiEvent, name: CookieName): { readonly name: string; readonly isSecure: boolean } => {
  const isSecure = readServerUrl(event).startsWith('https:');
  return { name: isSecure ? `__Host-${name}` : `payments-${name}`, isSecure };
};

/** The value of a cookie; undefined where the browser sent none. */
export const readCookie = (event: ApiEvent, name: CookieName): string | undefined => {
  const prefix = `${nameFor(event, name).name}=`;
  return event.cookies?.find((cookie) => cookie.startsWith(prefix))?.slice(prefix.length);
};

/** A Set-Cookie header. No script reads the cookie, and no other site's page has it sent. `seconds`: how long it is kept; 0 deletes it. */
export const setCookie = (event: ApiEvent, name: CookieName, value: string, seconds: number): string => {
  const { name: full, isSecure } = nameFor(event, name);
  return [
    `${full}=${value}`,
    'Path=/',
    `Max-Age=${seconds}`,
    'HttpOnly',
    'SameSite=Strict',
    ...(isSecure ? ['Secure'] : []),
  ].join('; ');
};
