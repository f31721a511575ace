import { api } from '#shared/api/api.ts';
import { apiEnv } from '#shared/api/env.ts';
import type { ApiDeps } from '#shared/api/http/types.ts';
import { readEnv } from '#shared/platform/env.ts';
import { changeEndpointDeps } from '#shared/webhooks/compose.ts';
import { deleteWebhookEndpointContract } from '#shared/webhooks/contract/delete-webhook-endpoint.ts';
import { endpointView } from '#shared/webhooks/contract/endpoint-view.ts';
import { type DeleteEndpointDeps, deleteWebhookEndpoint } from '#shared/webhooks/use-cases/delete-webhook-endpoint.ts';

/** Deletes a webhook endpoint. */
export const deleteWebhookEndpointHandler = (deps: ApiDeps & DeleteEndpointDeps) =>
  api(deleteWebhookEndpointContract, deps, async ({ caller, by, params }) => {
    const endpoint = await deleteWebhookEndpoint(deps, caller, params.id, by);
    return {
      status: 200,
      body: { status: true, message: 'Webhook endpoint deleted.', data: endpointView(endpoint) },
    };
  });

export const handler = deleteWebhookEndpointHandler(changeEndpointDeps(readEnv(apiEnv, process.env)));
