import { recoverEndpointDeps } from '#shared/composition/webhooks.ts';
import { recoverWebhookEndpointContract } from '#shared/contract/webhooks/recover-webhook-endpoint.ts';
import { isoMicros } from '#shared/domain/kernel/time.ts';
import { apiEnv } from '#shared/env/api.ts';
import { readEnv } from '#shared/env/kernel.ts';
import { api } from '#shared/http/api.ts';
import type { ApiDeps } from '#shared/http/kernel/types.ts';
import { type RecoverDeps, recoverWebhookEndpoint } from '#shared/use-cases/webhooks/recover-webhook-endpoint.ts';

/** Sends again what was not delivered to a webhook endpoint. */
export const recoverWebhookEndpointHandler = (deps: ApiDeps & RecoverDeps) =>
  api(recoverWebhookEndpointContract, deps, async ({ caller, params, body }) => {
    const { recovered, nextSince } = await recoverWebhookEndpoint(deps, caller, { id: params.id, since: body.since });
    const message = recovered === 0 ? 'There is nothing to send again.' : 'What was not delivered is being sent again.';
    const more = nextSince !== null;
    const data = { recovered, more, next_since: more ? isoMicros(nextSince) : null };
    return { status: 202, body: { status: true, message, data } };
  });

export const handler = recoverWebhookEndpointHandler(recoverEndpointDeps(readEnv(apiEnv, process.env)));
