import { type Answer, gatewayAnswer } from './answer.ts';
import { isForwarded, isFromBrowser, isFromOtherSite, namesThisMachine } from './browser-requests.ts';
import type { HttpHead } from './request.ts';

/** The path of everything that only the local gateway has. */
const LOCAL_PREFIX = '/_local/';
/** The path of notifications. Providers send them from servers, never from browsers. */
const NOTIFICATIONS = '/providers/';

const FORBIDDEN = gatewayAnswer(
  403,
  'This address only answers requests of this machine under its own name. It answers no pages of other sites and no tunnels.',
);

/** Whether only the local gateway has a path. */
export const isLocal = (path: string): boolean => path.startsWith(LOCAL_PREFIX);

const isRefused = (request: HttpHead, ownName: string): boolean => {
  if (isLocal(request.path)) {
    return !namesThisMachine(request, ownName) || isFromOtherSite(request) || isForwarded(request);
  }
  return request.path.startsWith(NOTIFICATIONS) && isFromBrowser(request);
};

/**
 * Refuses requests that only a foreign web page in the developer's browser sends; undefined for others. The API answers pages of every site,
 * as when deployed, because each request needs a key. It also answers under any name, because notifications may come through a tunnel.
 * `ownName` is the host in the settings.
 */
export const refuseStranger = (request: HttpHead, ownName: string): Answer | undefined =>
  isRefused(request, ownName) ? FORBIDDEN : undefined;
