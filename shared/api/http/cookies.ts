import { readServerUrl } from './server-address.ts';
import type { ApiEvent } from './types.ts';

/** The cookies of the dashboard: `session` for a browser that is signed in, `sign-in` for one that waits for its code. */
export type CookieName = 'session' | 'sign-in';

/**
 * Names a cookie for the browser. A browser accepts a `__Host-` cookie only over TLS, and only from the host to which it sends the cookie later.
 * The local stack has no TLS, so its cookies have another prefix, which also distinguishes them from the cookies of other programs on `localhost`.
 */
const nameFor = (event: ApiEvent, name: CookieName): { readonly name: string; readonly isSecure: boolean } => {
  const isSecure = readServerUrl(event).startsWith('https:');
  return { name: isSecure ? `__Host-${name}` : `payments-${name}`, isSecure };
};

/** Reads the value of a cookie; undefined if the browser sent none. */
export const readCookie = (event: ApiEvent, name: CookieName): string | undefined => {
  const prefix = `${nameFor(event, name).name}=`;
  return event.cookies?.find((cookie) => cookie.startsWith(prefix))?.slice(prefix.length);
};

/** Builds a Set-Cookie header. No script can read the cookie, and no other site's page can send it. `seconds`: its lifetime; 0 deletes it. */
export const setCookie = (event: ApiEvent, name: CookieName, value: string, seconds: number): string => {
  const { name: fullName, isSecure } = nameFor(event, name);
  return [
    `${fullName}=${value}`,
    'Path=/',
    `Max-Age=${seconds}`,
    'HttpOnly',
    'SameSite=Strict',
    ...(isSecure ? ['Secure'] : []),
  ].join('; ');
};
