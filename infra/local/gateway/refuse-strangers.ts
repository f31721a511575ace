import { ownAnswer } from './answer.ts';
import type { Answerer } from './api.ts';
import { isForwarded, isFromBrowser, isFromOtherSite, namesThisMachine } from './browser-requests.ts';
import type { HttpRequest } from './request.ts';

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

const isRefused = (request: HttpRequest, ownName: string): boolean => {
  if (isLocal(request.path)) {
    return !namesThisMachine(request, ownName) || isFromOtherSite(request) || isForwarded(request);
  }
  return request.path.startsWith(NOTIFICATIONS) && isFromBrowser(request);
};

/**
 * Refuses requests that only a foreign web page in the developer's browser sends. The API itself answers pages of every site, as it does
 * when deployed, since each request needs a key. It also answers under any name, because a provider's notifications come through a
 * tunnel. `ownName` is the host that the gateway is set to listen on.
 */
export const refuseStrangers =
  (answerer: Answerer, ownName: string): Answerer =>
  async (request) =>
    isRefused(request, ownName) ? FORBIDDEN : answerer(request);
