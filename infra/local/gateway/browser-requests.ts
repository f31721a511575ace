import { isIP } from 'node:net';

/** What tells a browser's request from a program's. Names of headers in small letters. */
export interface Asked {
  readonly method: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** The name or address in a `Host` header, without its port. */
const nameIn = (host: string): string => host.replace(/:\d{1,5}$/, '').replace(/^\[(.*)\]$/, '$1');

/**
 * Whether a request names this machine itself: by an IP address, as `localhost`, or by the name that it was told to listen on. A web page
 * whose own name was made to resolve to this machine (DNS rebinding) sends that name, and no name of its owner's is one of these.
 */
export const namesThisMachine = ({ headers: { host } }: Pick<Asked, 'headers'>, ownName?: string): boolean => {
  if (typeof host !== 'string') return false;
  const name = nameIn(host).toLowerCase();
  return isIP(name) !== 0 || name === 'localhost' || name === ownName?.toLowerCase();
};

/** Whether a proxy or a tunnel passed this on, which may have put our own name in its `Host`. */
export const isPassedOn = ({ headers }: Pick<Asked, 'headers'>): boolean =>
  Object.keys(headers).some((name) => name === 'forwarded' || name.startsWith('x-forwarded-'));

/** Whether a browser sends this: a program sends neither header (Fetch standard, Fetch Metadata). */
export const isBrowsers = ({ headers }: Pick<Asked, 'headers'>): boolean =>
  headers.origin !== undefined || headers['sec-fetch-site'] !== undefined;

const isHostOf = (origin: string, host: unknown): boolean => URL.canParse(origin) && new URL(origin).host === host;

/**
 * Whether a page of another site sends this, not the person and not a page of the same address. A link that the person follows from
 * elsewhere is the person's.
 */
export const isForeignPages = ({ method, headers }: Asked): boolean => {
  const { origin, host, 'sec-fetch-site': site, 'sec-fetch-mode': fetchMode } = headers;
  if (origin !== undefined && !isHostOf(String(origin), host)) return true;
  if (site === undefined || site === 'same-origin' || site === 'none') return false;
  return method !== 'GET' || fetchMode !== 'navigate';
};
