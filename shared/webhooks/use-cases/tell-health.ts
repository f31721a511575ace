import { type Notice, newNotice } from '#shared/businesses/domain/notice.ts';
import type { Runtime } from '#shared/platform/ports.ts';
import type { Breaker } from '#shared/webhooks/domain/breaker.ts';
import { type EndpointNews, type NotifiedHealth, withNews } from '#shared/webhooks/domain/told-health.ts';

/** Creates the mail to owners about an endpoint that fails or works again. */
export const createHealthNotice = (
  { newId }: Pick<Runtime, 'newId'>,
  { businessId, ...news }: EndpointNews & Pick<NotifiedHealth, 'businessId'>,
): Notice =>
  newNotice(
    { id: newId('ntc'), businessIds: [businessId], userId: null, about: { kind: 'endpoint', ...news } },
    news.at,
  );

/** Adds the mail to owners, if one is due, to a changed breaker. */
export type AddHealthNotice = (after: Breaker) => { readonly breaker: Breaker; readonly notice?: Notice };

/** Creates the function that adds mails about live endpoints. `attempt`: the endpoint and its answer, if an attempt changed the breaker. */
export const addHealthNotice =
  (deps: Pick<Runtime, 'newId'>, now: number, attempt?: Parameters<typeof withNews>[2]): AddHealthNotice =>
  (after) => {
    if (after.mode !== 'live') return { breaker: after };
    const { breaker, news } = withNews(after, now, attempt);
    return { breaker, ...(news && { notice: createHealthNotice(deps, news) }) };
  };
