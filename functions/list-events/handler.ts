import { eventStore } from '#shared/adapters/dynamodb/event-store.ts';
import { connectTable } from '#shared/adapters/dynamodb/table.ts';
import { listEvents as contract } from '#shared/contract/list-events.ts';
import { eventView } from '#shared/domain/event.ts';
import { apiEnv, readEnv } from '#shared/env.ts';
import { api } from '#shared/http/api.ts';
import { apiDeps } from '#shared/http/api-deps.ts';
import { listReply, openPage } from '#shared/http/page.ts';
import type { ApiDeps } from '#shared/http/types.ts';
import type { EventReader } from '#shared/ports.ts';

/** Lists events, newest first. */
export const listEvents = (deps: ApiDeps & { events: EventReader }) =>
  api(contract, deps, async ({ caller, query }) => {
    const { type = null, delivery_status: deliveryState = null, since = null } = query;
    // A cursor continues the list that it was given for, filters included.
    const list = `events ${JSON.stringify([type, deliveryState, since])}`;
    const wanted = openPage(deps.hashKey, caller, list, query);
    const page = await deps.events.list(caller, { type, deliveryState, since }, wanted);
    return listReply(deps.hashKey, caller, list, page, eventView);
  });

const env = readEnv(apiEnv, process.env);
const table = connectTable(env);
export const handler = listEvents({ ...apiDeps(table, env), events: eventStore(table) });
