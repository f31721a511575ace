import { api } from '#shared/api/api.ts';
import { apiEnv } from '#shared/api/env.ts';
import type { ApiDeps } from '#shared/api/http/types.ts';
import { listReply, readPageRequest } from '#shared/api/list-cursor.ts';
import { readEnv } from '#shared/platform/env.ts';
import { ApiError } from '#shared/platform/kernel/errors.ts';
import { listEndpointDeliveriesDeps } from '#shared/webhooks/compose.ts';
import { undeliveredView } from '#shared/webhooks/contract/delivery-view.ts';
import { listWebhookEndpointDeliveriesContract } from '#shared/webhooks/contract/list-webhook-endpoint-deliveries.ts';
import type { DeliveryStore, EndpointReader } from '#shared/webhooks/ports.ts';

/** Lists the deliveries that have not arrived at a webhook endpoint. */
export const listWebhookEndpointDeliveriesHandler = (
  deps: ApiDeps & { endpoints: EndpointReader; deliveries: Pick<DeliveryStore, 'pageOfUndelivered'> },
) =>
  api(listWebhookEndpointDeliveriesContract, deps, async ({ caller, params: { id }, query }) => {
    const list = `deliveries of ${id} ${query.status}`;
    const pageRequest = readPageRequest(deps.hashKey, caller, list, query);
    const endpoint = await deps.endpoints.find(caller, id);
    if (!endpoint) throw new ApiError('webhook_endpoint_not_found');
    const page = await deps.deliveries.pageOfUndelivered(id, query.status, pageRequest);
    return listReply(deps.hashKey, caller, list, page, undeliveredView);
  });

export const handler = listWebhookEndpointDeliveriesHandler(listEndpointDeliveriesDeps(readEnv(apiEnv, process.env)));
