import { readEndpointsDeps } from '#shared/composition/webhooks.ts';
import { endpointViewWithHealth } from '#shared/contract/webhooks/endpoint-view.ts';
import { getWebhookEndpointContract } from '#shared/contract/webhooks/get-webhook-endpoint.ts';
import { Refusal } from '#shared/domain/kernel/errors.ts';
import { apiEnv } from '#shared/env/api.ts';
import { readEnv } from '#shared/env/kernel.ts';
import { api } from '#shared/http/api.ts';
import type { ApiDeps } from '#shared/http/kernel/types.ts';
import type { EndpointReader } from '#shared/ports/webhooks.ts';

/** Shows one webhook endpoint and its health. */
export const getWebhookEndpointHandler = (deps: ApiDeps & { endpoints: EndpointReader }) =>
  api(getWebhookEndpointContract, deps, async ({ caller, params }) => {
    const found = await deps.endpoints.findWithBreaker(caller, params.id);
    if (!found) throw new Refusal('webhook_endpoint_not_found');
    const data = endpointViewWithHealth(found.endpoint, found.breaker, deps.now());
    return { status: 200, body: { status: true, data } };
  });

export const handler = getWebhookEndpointHandler(readEndpointsDeps(readEnv(apiEnv, process.env)));
