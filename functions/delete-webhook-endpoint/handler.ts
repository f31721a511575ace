import { changeEndpointDeps } from '#shared/composition/webhooks.ts';
import { deleteWebhookEndpointContract } from '#shared/contract/webhooks/delete-webhook-endpoint.ts';
import { endpointView } from '#shared/contract/webhooks/endpoint-view.ts';
import { apiEnv } from '#shared/env/api.ts';
import { readEnv } from '#shared/env/kernel.ts';
import { api } from '#shared/http/api.ts';
import type { ApiDeps } from '#shared/http/kernel/types.ts';
import { type DeleteEndpointDeps, deleteWebhookEndpoint } from '#shared/use-cases/webhooks/delete-webhook-endpoint.ts';

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
