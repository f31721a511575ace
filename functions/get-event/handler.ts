import { readEventsDeps } from '#shared/composition/webhooks.ts';
import { getEventContract } from '#shared/contract/webhooks/get-event.ts';
import { notFound } from '#shared/domain/kernel/not-found.ts';
import { apiEnv } from '#shared/env/api.ts';
import { readEnv } from '#shared/env/kernel.ts';
import { api } from '#shared/http/api.ts';
import { eventReply } from '#shared/http/event-reply.ts';
import type { ApiDeps } from '#shared/http/kernel/types.ts';
import type { EventReader } from '#shared/ports/webhooks.ts';

/** Shows one event with its deliveries and their attempts. */
export const getEventHandler = (deps: ApiDeps & { events: EventReader }) =>
  api(getEventContract, deps, async ({ caller, params }) => {
    const found = await deps.events.find(caller, params.id);
    if (!found) throw notFound('event_not_found', params.id);
    return eventReply(200, found);
  });

export const handler = getEventHandler(readEventsDeps(readEnv(apiEnv, process.env)));
