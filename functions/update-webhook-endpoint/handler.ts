import { api } from '#shared/api/api.ts';
import type { ApiDeps } from '#shared/api/http/types.ts';
import { readEnv } from '#shared/platform/env.ts';
import { updateEndpointDeps } from '#shared/webhooks/compose.ts';
import { endpointView } from '#shared/webhooks/contract/endpoint-view.ts';
import { updateWebhookEndpointContract } from '#shared/webhooks/contract/update-webhook-endpoint.ts';
import { localTargetNote } from '#shared/webhooks/domain/target.ts';
import { updateWebhookEndpointEnv } from '#shared/webhooks/env.ts';
import {
  type UpdateWebhookEndpointDeps,
  updateWebhookEndpoint,
} from '#shared/webhooks/use-cases/update-webhook-endpoint.ts';

/** Changes a webhook endpoint, or switches it on or off. */
export const updateWebhookEndpointHandler = (deps: ApiDeps & UpdateWebhookEndpointDeps) =>
  api(updateWebhookEndpointContract, deps, async ({ caller, by, params, body }) => {
    const endpoint = await updateWebhookEndpoint(deps, caller, params.id, body, by);
    const message = body.url === null ? undefined : localTargetNote(endpoint.url);
    return { status: 200, body: { status: true, ...(message && { message }), data: endpointView(endpoint) } };
  });

export const handler = updateWebhookEndpointHandler(updateEndpointDeps(readEnv(updateWebhookEndpointEnv, process.env)));
