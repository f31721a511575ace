import { isIP } from 'node:net';

/** The parts of a request that show whether a browser sent it, and from which page. Header names are lower case. */
export interface RequestHead {
  readonly method: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** Returns the name or address in a `Host` header, without the port. */
const readName = (host: string): string => host.replace(/:\d{1,5}$/, '').replace(/^\[(.*)\]$/, '$1');

/**
 * Whether the `Host` of a request is this machine: an IP address, `localhost`, or `ownName`, the host in the settings. If a foreign web page
 * uses a name that resolves to this machine (DNS rebinding), the `Host` is that foreign name, so this is false.
 */
export const namesThisMachine = ({ headers: { host } }: Pick<RequestHead, 'headers'>, ownName?: string): boolean => {
  if (typeof host !== 'string') return false;
  const name = readName(host).toLowerCase();
  return isIP(name) !== 0 || name === 'localhost' || name === ownName?.toLowerCase();
};

/** Whether a proxy or a tunnel forwarded a request. The `Host` does not show this, because a proxy may write our own name into it. */
export const isForwarded = ({ headers }: Pick<RequestHead, 'headers'>): boolean =>
  Object.keys(headers).some((name) => name === 'forwarded' || name.startsWith('x-forwarded-'));

/** Whether a browser sent a request. Other programs send neither `Origin` nor `Sec-Fetch-Site` (Fetch standard, Fetch Metadata). */
export const isFromBrowser = ({ headers }: Pick<RequestHead, 'headers'>): boolean =>
  headers.origin !== undefined || headers['sec-fetch-site'] !== undefined;

/**
 * Whether a page of another site caused a request in any way: by its script, a form, a link or a frame. Such a request may show a page but must
 * change nothing.
 */
export const isCausedByOtherSite = ({ headers: { 'sec-fetch-site': site } }: Pick<RequestHead, 'headers'>): boolean =>
  site !== undefined && site !== 'same-origin' && site !== 'none';

const matchesHost = (origin: string, host: unknown): boolean => URL.canParse(origin) && new URL(origin).host === host;

/**
 * Whether a page of another site sent a request by itself. Unlike `isCausedByOtherSite`, it is false if that page only opens our page: by a
 * link, in a frame, or by a form with GET.
 */
export const isFromOtherSite = ({ method, headers }: RequestHead): boolean => {
  const { origin, host, 'sec-fetch-mode': fetchMode } = headers;
  if (origin !== undefined && !matchesHost(String(origin), host)) return true;
  if (!isCausedByOtherSite({ headers })) return false;
  return method !== 'GET' || fetchMode !== 'navigate';
};
