import { connectTable } from '#shared/adapters/dynamodb/table/table.ts';
import { eventStore } from '#shared/adapters/dynamodb/webhooks/event-store.ts';
import { apiDeps } from '#shared/composition/api.ts';
import { getEventContract } from '#shared/contract/webhooks/get-event.ts';
import { Refusal } from '#shared/domain/kernel/errors.ts';
import { apiEnv, readEnv } from '#shared/env/base.ts';
import { api } from '#shared/http/api.ts';
import { eventReply } from '#shared/http/event-reply.ts';
import type { ApiDeps } from '#shared/http/kernel/types.ts';
import type { EventReader } from '#shared/ports/webhooks.ts';

/** Shows one event with its deliveries and their attempts. */
export const getEventHandler = (deps: ApiDeps & { events: EventReader }) =>
  api(getEventContract, deps, async ({ caller, params }) => {
    const found = await deps.events.find(caller, params.id);
    if (!found) throw new Refusal('event_not_found');
    return eventReply(200, found);
  });

const env = readEnv(apiEnv, process.env);
const table = connectTable(env);
export const handler = getEventHandler({ ...apiDeps(table, env), events: eventStore(table) });
