import { readEndpointDeps } from '#shared/composition/webhooks.ts';
import { endpointViewWithHealth } from '#shared/contract/webhooks/endpoint-view.ts';
import { getWebhookEndpointContract } from '#shared/contract/webhooks/get-webhook-endpoint.ts';
import { notFound } from '#shared/domain/kernel/not-found.ts';
import { apiEnv } from '#shared/env/api.ts';
import { readEnv } from '#shared/env/kernel.ts';
import { api } from '#shared/http/api.ts';
import type { ApiDeps } from '#shared/http/kernel/types.ts';
import type { DeliveryStore, EndpointReader } from '#shared/ports/webhooks.ts';

/** Deliveries that are counted at most. */
const MOST_COUNTED = 1_000;

/** Shows one webhook endpoint, its health, and how many deliveries wait for it. */
export const getWebhookEndpointHandler = (
  deps: ApiDeps & { readonly endpoints: EndpointReader; readonly deliveries: Pick<DeliveryStore, 'countParked'> },
) =>
  api(getWebhookEndpointContract, deps, async ({ caller, params }) => {
    const found = await deps.endpoints.findWithBreaker(caller, params.id);
    if (!found) throw notFound('webhook_endpoint_not_found', params.id);
    const { endpoint, breaker } = found;
    const parked = await deps.deliveries.countParked(endpoint.id, MOST_COUNTED);
    const data = endpointViewWithHealth(endpoint, { breaker, parked }, deps.now());
    return { status: 200, body: { status: true, data } };
  });

export const handler = getWebhookEndpointHandler(readEndpointDeps(readEnv(apiEnv, process.env)));
