import { api } from '#shared/api/api.ts';
import { announcingApiEnv } from '#shared/api/env.ts';
import type { ApiDeps } from '#shared/api/http/types.ts';
import { readEnv } from '#shared/platform/env.ts';
import { redeliveryReply } from '#shared/webhooks/api/event-reply.ts';
import { redeliverEventDeps } from '#shared/webhooks/compose.ts';
import { redeliverEventContract } from '#shared/webhooks/contract/redeliver-event.ts';
import { type RedeliverDeps, redeliverEvent } from '#shared/webhooks/use-cases/redeliver-event.ts';

/** Sends an event again to one or all webhook endpoints. */
export const redeliverEventHandler = (deps: ApiDeps & RedeliverDeps) =>
  api(redeliverEventContract, deps, async ({ caller, params, body, commit }) => {
    const input = { eventId: params.id, endpointId: body.endpoint_id };
    return commit(() => redeliverEvent(deps, caller, input), redeliveryReply);
  });

export const handler = redeliverEventHandler(redeliverEventDeps(readEnv(announcingApiEnv, process.env)));
