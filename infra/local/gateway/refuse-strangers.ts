import { type Answer, gatewayAnswer } from './answer.ts';
import { isForwarded, isFromBrowser, isFromOtherSite, namesThisMachine } from './browser-requests.ts';
import type { HttpHead } from './request.ts';

/** The beginning of the paths that only the local gateway has. */
const LOCAL_PREFIX = '/_local/';
/** The beginning of the paths of notifications. Providers send notifications from servers, never from browsers. */
const NOTIFICATIONS = '/providers/';

const FORBIDDEN = gatewayAnswer(
  403,
  'This address only answers requests that this machine sends under its own name, not pages of other sites and not tunnels. Open it on this machine, at the address that npm start printed.',
);

/** Whether a path exists only at the local gateway, not at a deployed stage. */
export const isLocal = (path: string): boolean => path.startsWith(LOCAL_PREFIX);

const isRefused = (request: HttpHead, ownName: string): boolean => {
  if (isLocal(request.path)) {
    return !namesThisMachine(request, ownName) || isFromOtherSite(request) || isForwarded(request);
  }
  return request.path.startsWith(NOTIFICATIONS) && isFromBrowser(request);
};

/**
 * Returns the 403 for a stranger's request; undefined for other requests. A request for a path of the local gateway is a stranger's if it comes
 * from a page of another site, through a tunnel, or under a name that is not this machine's. A notification is a stranger's if a browser sends it.
 * All other requests are answered, as in a deployed stage. They may come from a page of any site, because each request to the API needs a key. They
 * may use any name, because notifications may come through a tunnel. `ownName` is the host in the settings.
 */
export const refuseStranger = (request: HttpHead, ownName: string): Answer | undefined =>
  isRefused(request, ownName) ? FORBIDDEN : undefined;
