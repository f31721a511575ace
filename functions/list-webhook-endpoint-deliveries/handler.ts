import { listEndpointDeliveriesDeps } from '#shared/composition/webhooks.ts';
import { waitingDeliveryView } from '#shared/contract/webhooks/delivery-view.ts';
import { listWebhookEndpointDeliveriesContract } from '#shared/contract/webhooks/list-webhook-endpoint-deliveries.ts';
import { Refusal } from '#shared/domain/kernel/errors.ts';
import { apiEnv } from '#shared/env/api.ts';
import { readEnv } from '#shared/env/kernel.ts';
import { api } from '#shared/http/api.ts';
import type { ApiDeps } from '#shared/http/kernel/types.ts';
import { listReply, openPage } from '#shared/http/page.ts';
import type { DeliveryStore, EndpointReader } from '#shared/ports/webhooks.ts';

/** Lists what has not arrived at a webhook endpoint. */
export const listWebhookEndpointDeliveriesHandler = (
  deps: ApiDeps & { endpoints: EndpointReader; deliveries: Pick<DeliveryStore, 'pageOfWaiting'> },
) =>
  api(listWebhookEndpointDeliveriesContract, deps, async ({ caller, params: { id }, query }) => {
    const list = `deliveries of ${id} ${query.status}`;
    const wanted = openPage(deps.hashKey, caller, list, query);
    const endpoint = await deps.endpoints.find(caller, id);
    if (!endpoint) throw new Refusal('webhook_endpoint_not_found');
    const page = await deps.deliveries.pageOfWaiting(id, query.status, wanted);
    return listReply(deps.hashKey, caller, list, page, waitingDeliveryView);
  });

export const handler = listWebhookEndpointDeliveriesHandler(listEndpointDeliveriesDeps(readEnv(apiEnv, process.env)));
