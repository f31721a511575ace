import { redeliverEventDeps } from '#shared/composition/webhooks.ts';
import { redeliverEventContract } from '#shared/contract/webhooks/redeliver-event.ts';
import { announcingApiEnv } from '#shared/env/api.ts';
import { readEnv } from '#shared/env/kernel.ts';
import { api } from '#shared/http/api.ts';
import { sentAgainReply } from '#shared/http/event-reply.ts';
import type { ApiDeps } from '#shared/http/kernel/types.ts';
import { type RedeliverDeps, redeliverEvent } from '#shared/use-cases/webhooks/redeliver-event.ts';

/** Sends an event again. */
export const redeliverEventHandler = (deps: ApiDeps & RedeliverDeps) =>
  api(redeliverEventContract, deps, async ({ caller, params, body, commit }) => {
    const input = { eventId: params.id, endpointId: body.endpoint_id };
    return commit(() => redeliverEvent(deps, caller, input), sentAgainReply);
  });

export const handler = redeliverEventHandler(redeliverEventDeps(readEnv(announcingApiEnv, process.env)));
