import { isIP } from 'node:net';

/** The parts of a request that show whether a browser sent it, and from which page. Header names are lower case. */
export interface RequestHead {
  readonly method: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** The name or address in a `Host` header, without its port. */
const nameIn = (host: string): string => host.replace(/:\d{1,5}$/, '').replace(/^\[(.*)\]$/, '$1');

/**
 * Whether a request names this machine itself: by an IP address, as `localhost`, or as `ownName`, the host that it is set to listen on. A
 * web page whose own name was made to resolve to this machine (DNS rebinding) sends that name, which is none of these.
 */
export const namesThisMachine = ({ headers: { host } }: Pick<RequestHead, 'headers'>, ownName?: string): boolean => {
  if (typeof host !== 'string') return false;
  const name = nameIn(host).toLowerCase();
  return isIP(name) !== 0 || name === 'localhost' || name === ownName?.toLowerCase();
};

/** Whether a proxy or a tunnel forwarded this. It may have put our own name in `Host`. */
export const isForwarded = ({ headers }: Pick<RequestHead, 'headers'>): boolean =>
  Object.keys(headers).some((name) => name === 'forwarded' || name.startsWith('x-forwarded-'));

/** Whether a browser sent this. Programs send neither header (Fetch standard, Fetch Metadata). */
export const isFromBrowser = ({ headers }: Pick<RequestHead, 'headers'>): boolean =>
  headers.origin !== undefined || headers['sec-fetch-site'] !== undefined;

/** Whether a page of another site led a browser here, also as a link or a frame, which may be looked at but must cause nothing. */
export const isLinkedFromOtherSite = ({ headers: { 'sec-fetch-site': site } }: Pick<RequestHead, 'headers'>): boolean =>
  site !== undefined && site !== 'same-origin' && site !== 'none';

const matchesHost = (origin: string, host: unknown): boolean => URL.canParse(origin) && new URL(origin).host === host;

/**
 * Whether a page of another site sent this. A page of the same address is no other site, nor is the person, who may type an address or
 * follow a link from elsewhere.
 */
export const isFromOtherSite = ({ method, headers }: RequestHead): boolean => {
  const { origin, host, 'sec-fetch-mode': fetchMode } = headers;
  if (origin !== undefined && !matchesHost(String(origin), host)) return true;
  if (!isLinkedFromOtherSite({ headers })) return false;
  return method !== 'GET' || fetchMode !== 'navigate';
};
