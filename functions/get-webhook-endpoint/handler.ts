import { readEndpointsDeps } from '#shared/composition/webhooks.ts';
import { endpointView } from '#shared/contract/webhooks/endpoint-view.ts';
import { getWebhookEndpointContract } from '#shared/contract/webhooks/get-webhook-endpoint.ts';
import { Refusal } from '#shared/domain/kernel/errors.ts';
import { apiEnv } from '#shared/env/api.ts';
import { readEnv } from '#shared/env/kernel.ts';
import { api } from '#shared/http/api.ts';
import type { ApiDeps } from '#shared/http/kernel/types.ts';
import type { EndpointReader } from '#shared/ports/webhooks.ts';

/** Shows one webhook endpoint. */
export const getWebhookEndpointHandler = (deps: ApiDeps & { endpoints: EndpointReader }) =>
  api(getWebhookEndpointContract, deps, async ({ caller, params }) => {
    const endpoint = await deps.endpoints.find(caller, params.id);
    if (!endpoint) throw new Refusal('webhook_endpoint_not_found');
    return { status: 200, body: { status: true, data: endpointView(endpoint) } };
  });

export const handler = getWebhookEndpointHandler(readEndpointsDeps(readEnv(apiEnv, process.env)));
