import { api } from '#shared/api/api.ts';
import { apiEnv } from '#shared/api/env.ts';
import type { ApiDeps } from '#shared/api/http/types.ts';
import { readEnv } from '#shared/platform/env.ts';
import { isoMicros } from '#shared/platform/kernel/time.ts';
import { recoverEndpointDeps } from '#shared/webhooks/compose.ts';
import { recoverWebhookEndpointContract } from '#shared/webhooks/contract/recover-webhook-endpoint.ts';
import { type RecoverDeps, recoverWebhookEndpoint } from '#shared/webhooks/use-cases/recover-webhook-endpoint.ts';

/** Sends the undelivered events of a webhook endpoint again. */
export const recoverWebhookEndpointHandler = (deps: ApiDeps & RecoverDeps) =>
  api(recoverWebhookEndpointContract, deps, async ({ caller, params, body }) => {
    const { recovered, nextSince } = await recoverWebhookEndpoint(deps, caller, { id: params.id, since: body.since });
    const message = recovered === 0 ? 'There is nothing to send again.' : 'The missed events are being sent again.';
    const more = nextSince !== null;
    const data = { recovered, more, next_since: more ? isoMicros(nextSince) : null };
    return { status: 202, body: { status: true, message, data } };
  });

export const handler = recoverWebhookEndpointHandler(recoverEndpointDeps(readEnv(apiEnv, process.env)));
