import { Refusal } from '#shared/domain/kernel/errors.ts';
import { serverOf } from '#shared/http/kernel/server-address.ts';
import type { ApiEvent, ApiMiddleware } from '#shared/http/kernel/types.ts';

/**
 * Whether the dashboard's own page sends a request. Browsers say where it comes from by Sec-Fetch-Site, and by Origin unless it only
 * reads; one that says neither is not sent by a page that we serve.
 */
const isFromOwnPage = (event: ApiEvent): boolean => {
  const { 'sec-fetch-site': site, origin } = event.headers;
  if (site !== undefined && site !== 'same-origin') return false;
  if (origin !== undefined && origin !== serverOf(event)) return false;
  return site !== undefined || origin !== undefined;
};

/** Refuses what a page of another site sends with the browser's cookie. @throws the refusal cross_site_request. */
export const sameOrigin = (): ApiMiddleware => ({
  before: ({ event }) => {
    if (!isFromOwnPage(event)) throw new Refusal('cross_site_request');
  },
});
