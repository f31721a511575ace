import { connectTable } from '#shared/adapters/dynamodb/table/table.ts';
import { endpointStore } from '#shared/adapters/dynamodb/webhooks/endpoint-store.ts';
import { apiDeps } from '#shared/composition/api.ts';
import { endpointView } from '#shared/contract/webhooks/endpoint-view.ts';
import { getWebhookEndpointContract } from '#shared/contract/webhooks/get-webhook-endpoint.ts';
import { Refusal } from '#shared/domain/kernel/errors.ts';
import { apiEnv, readEnv } from '#shared/env/base.ts';
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

const env = readEnv(apiEnv, process.env);
const table = connectTable(env);
export const handler = getWebhookEndpointHandler({ ...apiDeps(table, env), endpoints: endpointStore(table) });
