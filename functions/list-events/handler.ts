import { listEventsDeps } from '#shared/composition/webhooks.ts';
import { eventView } from '#shared/contract/webhooks/event-view.ts';
import { listEventsContract } from '#shared/contract/webhooks/list-events.ts';
import { searchesOf } from '#shared/domain/webhooks/allowance.ts';
import { apiEnv } from '#shared/env/api.ts';
import { readEnv } from '#shared/env/kernel.ts';
import { api } from '#shared/http/api.ts';
import type { ApiDeps } from '#shared/http/kernel/types.ts';
import { listReply, openPage } from '#shared/http/page.ts';
import type { EventReader } from '#shared/ports/webhooks.ts';
import { type AllowanceDeps, takeAllowance } from '#shared/use-cases/kernel/take-allowance.ts';

/** Lists events, newest first. */
export const listEventsHandler = (deps: ApiDeps & AllowanceDeps & { events: EventReader }) =>
  api(listEventsContract, deps, async ({ caller, query }) => {
    const { type = null, delivery_status: deliveryState = null, since = null, until = null } = query;
    // A cursor is valid for the list that it came from, filters included.
    const list = `events ${JSON.stringify([type, deliveryState, since, until])}`;
    const wanted = openPage(deps.hashKey, caller, list, query);
    const isSearch = type !== null || deliveryState !== null;
    if (isSearch) await takeAllowance(deps, 'search', [searchesOf(caller)]);
    const page = await deps.events.list(caller, { type, deliveryState, since, until }, wanted);
    return listReply(deps.hashKey, caller, list, page, eventView);
  });

export const handler = listEventsHandler(listEventsDeps(readEnv(apiEnv, process.env)));
