import { api } from '#shared/api/api.ts';
import { apiEnv } from '#shared/api/env.ts';
import type { ApiDeps } from '#shared/api/http/types.ts';
import { readEnv } from '#shared/platform/env.ts';
import { notFound } from '#shared/platform/kernel/not-found.ts';
import { eventReply } from '#shared/webhooks/api/event-reply.ts';
import { readEventsDeps } from '#shared/webhooks/compose.ts';
import { getEventContract } from '#shared/webhooks/contract/get-event.ts';
import type { EventReader } from '#shared/webhooks/ports.ts';

/** Shows one event with its deliveries and their attempts. */
export const getEventHandler = (deps: ApiDeps & { events: EventReader }) =>
  api(getEventContract, deps, async ({ caller, params }) => {
    const event = await deps.events.find(caller, params.id);
    if (!event) throw notFound('event_not_found', params.id);
    return eventReply(200, event);
  });

export const handler = getEventHandler(readEventsDeps(readEnv(apiEnv, process.env)));
