import { api } from '#shared/api/api.ts';
import { apiEnv } from '#shared/api/env.ts';
import type { ApiDeps } from '#shared/api/http/types.ts';
import { readEnv } from '#shared/platform/env.ts';
import { notFound } from '#shared/platform/kernel/not-found.ts';
import { readEndpointDeps } from '#shared/webhooks/compose.ts';
import { endpointViewWithHealth } from '#shared/webhooks/contract/endpoint-view.ts';
import { getWebhookEndpointContract } from '#shared/webhooks/contract/get-webhook-endpoint.ts';
import type { DeliveryStore, EndpointReader } from '#shared/webhooks/ports.ts';

/** The most parked deliveries that are counted. If more wait, the answer still shows this number. */
const MAX_COUNTED = 1_000;

/** Shows one webhook endpoint, its health, and how many parked deliveries wait for it. */
export const getWebhookEndpointHandler = (
  deps: ApiDeps & { readonly endpoints: EndpointReader; readonly deliveries: Pick<DeliveryStore, 'countParked'> },
) =>
  api(getWebhookEndpointContract, deps, async ({ caller, params }) => {
    const stored = await deps.endpoints.findWithBreaker(caller, params.id);
    if (!stored) throw notFound('webhook_endpoint_not_found', params.id);
    const { endpoint, breaker } = stored;
    const parked = await deps.deliveries.countParked(endpoint.id, MAX_COUNTED);
    const data = endpointViewWithHealth(endpoint, { breaker, parked }, deps.now());
    return { status: 200, body: { status: true, data } };
  });

export const handler = getWebhookEndpointHandler(readEndpointDeps(readEnv(apiEnv, process.env)));
