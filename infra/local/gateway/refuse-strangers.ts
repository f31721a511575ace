import { LOCAL_PREFIX } from '#infra/local/inbox/routes.ts';
import { ownAnswer } from './answer.ts';
import type { Answerer } from './api.ts';
import { isBrowsers, isForeignPages, isPassedOn, namesThisMachine } from './browser-requests.ts';
import type { HttpRequest } from './request.ts';

/** Providers notify from servers. */
const NOTIFICATIONS = '/providers/';

const FORBIDDEN = ownAnswer(
  403,
  'This address answers this machine by its own name, no page of another site and no tunnel.',
);

/** Whether the path is the local gateway's own: nothing of it is deployed. */
export const isLocal = (path: string): boolean => path.startsWith(LOCAL_PREFIX);

const isStrangers = (request: HttpRequest, ownName: string): boolean => {
  if (isLocal(request.path)) {
    return !namesThisMachine(request, ownName) || isForeignPages(request) || isPassedOn(request);
  }
  return request.path.startsWith(NOTIFICATIONS) && isBrowsers(request);
};

/**
 * Refuses what only a web page of a stranger sends, who has the developer's browser reach this machine. The API itself answers pages
 * of every site, as it does when deployed: it asks each request for a key. It also answers under any name, because a provider's
 * notifications come through a tunnel. `ownName` is what the gateway was told to listen on.
 */
export const refusingStrangers =
  (answerer: Answerer, ownName: string): Answerer =>
  async (request) =>
    isStrangers(request, ownName) ? FORBIDDEN : answerer(request);
