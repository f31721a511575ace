import { api } from '#shared/api/api.ts';
import { apiEnv } from '#shared/api/env.ts';
import type { ApiDeps } from '#shared/api/http/types.ts';
import { listReply, readPageRequest } from '#shared/api/list-cursor.ts';
import { searchUsageId } from '#shared/businesses/domain/usage-limits.ts';
import { chargeUsageLimit, type UsageLimitDeps } from '#shared/businesses/use-cases/charge-usage-limit.ts';
import { readEnv } from '#shared/platform/env.ts';
import { listEventsDeps } from '#shared/webhooks/compose.ts';
import { listedEventView } from '#shared/webhooks/contract/event-view.ts';
import { listEventsContract } from '#shared/webhooks/contract/list-events.ts';
import type { EventReader } from '#shared/webhooks/ports.ts';

/** Lists events, newest first. */
export const listEventsHandler = (deps: ApiDeps & UsageLimitDeps & { events: EventReader }) =>
  api(listEventsContract, deps, async ({ caller, query }) => {
    const { type = null, delivery_status: deliveryState = null, deliveries: withDeliveries = false } = query;
    const { since = null, until = null } = query;
    // A cursor is valid only for the same list with the same filters.
    const list = `events ${JSON.stringify([type, deliveryState, since, until])}`;
    const pageRequest = readPageRequest(deps.hashKey, caller, list, query);
    const isSearch = type !== null || deliveryState !== null || withDeliveries;
    if (isSearch) await chargeUsageLimit(deps, 'search', [searchUsageId(caller)]);
    const page = await deps.events.list(caller, { type, deliveryState, since, until, withDeliveries }, pageRequest);
    return listReply(deps.hashKey, caller, list, page, listedEventView);
  });

export const handler = listEventsHandler(listEventsDeps(readEnv(apiEnv, process.env)));
