import { updateEndpointDeps } from '#shared/composition/webhooks.ts';
import { endpointView } from '#shared/contract/webhooks/endpoint-view.ts';
import { updateWebhookEndpointContract } from '#shared/contract/webhooks/update-webhook-endpoint.ts';
import { localTargetNote } from '#shared/domain/webhooks/target.ts';
import { readEnv } from '#shared/env/kernel.ts';
import { updateWebhookEndpointEnv } from '#shared/env/webhooks.ts';
import { api } from '#shared/http/api.ts';
import type { ApiDeps } from '#shared/http/kernel/types.ts';
import {
  type UpdateWebhookEndpointDeps,
  updateWebhookEndpoint,
} from '#shared/use-cases/webhooks/update-webhook-endpoint.ts';

/** Changes a webhook endpoint, or switches it on or off. */
export const updateWebhookEndpointHandler = (deps: ApiDeps & UpdateWebhookEndpointDeps) =>
  api(updateWebhookEndpointContract, deps, async ({ caller, by, params, body }) => {
    const endpoint = await updateWebhookEndpoint(deps, caller, params.id, body, by);
    const message = body.url === null ? undefined : localTargetNote(endpoint.url);
    return { status: 200, body: { status: true, ...(message && { message }), data: endpointView(endpoint) } };
  });

export const handler = updateWebhookEndpointHandler(updateEndpointDeps(readEnv(updateWebhookEndpointEnv, process.env)));
