import { type Notice, newNotice } from '#shared/businesses/domain/notice.ts';
import type { Runtime } from '#shared/platform/ports.ts';
import type { Breaker } from '#shared/webhooks/domain/breaker.ts';
import { type EndpointNews, type NotifiedHealth, withNews } from '#shared/webhooks/domain/told-health.ts';

/** What owners are mailed of an endpoint that fails, or is well again. */
export const newsNotice = (
  { newId }: Pick<Runtime, 'newId'>,
  { businessId, ...news }: EndpointNews & Pick<NotifiedHealth, 'businessId'>,
): Notice =>
  newNotice(
    { id: newId('ntc'), businessIds: [businessId], userId: null, about: { kind: 'endpoint', ...news } },
    news.at,
  );

/** Adds what owners are told to a change of a breaker. */
export type AddHealthNotice = (after: Breaker) => { readonly breaker: Breaker; readonly notice?: Notice };

/** The same of live endpoints, after an `attempt` or without one. */
export const addHealthNotice =
  (deps: Pick<Runtime, 'newId'>, now: number, attempt?: Parameters<typeof withNews>[2]): AddHealthNotice =>
  (after) => {
    if (after.mode !== 'live') return { breaker: after };
    const { breaker, news } = withNews(after, now, attempt);
    return { breaker, ...(news && { notice: newsNotice(deps, news) }) };
  };
