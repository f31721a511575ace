import { type Answer, ownAnswer } from './answer.ts';
import { isForwarded, isFromBrowser, isFromOtherSite, namesThisMachine } from './browser-requests.ts';
import type { HttpHead } from './request.ts';

/** Everything that belongs to the local gateway alone. */
const LOCAL_PREFIX = '/_local/';
/** Providers notify from servers, so no browser sends these. */
const NOTIFICATIONS = '/providers/';

const FORBIDDEN = ownAnswer(
  403,
  'This address answers this machine by its own name, no page of another site and no tunnel.',
);

/** Whether the path is the local gateway's own: nothing of it is deployed. */
export const isLocal = (path: string): boolean => path.startsWith(LOCAL_PREFIX);

const isRefused = (request: HttpHead, ownName: string): boolean => {
  if (isLocal(request.path)) {
    return !namesThisMachine(request, ownName) || isFromOtherSite(request) || isForwarded(request);
  }
  return request.path.startsWith(NOTIFICATIONS) && isFromBrowser(request);
};

/**
 * Refuses a request that only a foreign web page in the developer's browser sends. The API itself answers pages of every site, as it does
 * when deployed, since each request needs a key. It also answers under any name, because a provider's notifications come through a
 * tunnel. `ownName` is the host that the gateway is set to listen on.
 */
export const refuseStranger = (request: HttpHead, ownName: string): Answer | undefined =>
  isRefused(request, ownName) ? FORBIDDEN : undefined;
