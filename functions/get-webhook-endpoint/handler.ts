import { endpointStore } from '#shared/adapters/dynamodb/endpoint-store.ts';
import { connectTable } from '#shared/adapters/dynamodb/table.ts';
import { getWebhookEndpoint as contract } from '#shared/contract/get-webhook-endpoint.ts';
import { Refusal } from '#shared/domain/errors.ts';
import { webhookEndpointView } from '#shared/domain/webhook-endpoint.ts';
import { apiEnv, readEnv } from '#shared/env.ts';
import { api } from '#shared/http/api.ts';
import { apiDeps } from '#shared/http/api-deps.ts';
import type { ApiDeps } from '#shared/http/types.ts';
import type { EndpointReader } from '#shared/ports.ts';

/** Shows one webhook endpoint. */
export const getWebhookEndpoint = (deps: ApiDeps & { endpoints: EndpointReader }) =>
  api(contract, deps, async ({ caller, params }) => {
    const endpoint = await deps.endpoints.find(caller, params.id);
    if (!endpoint) throw new Refusal('webhook_endpoint_not_found');
    return { status: 200, body: { status: true, data: webhookEndpointView(endpoint) } };
  });

const env = readEnv(apiEnv, process.env);
const table = connectTable(env);
export const handler = getWebhookEndpoint({ ...apiDeps(table, env), endpoints: endpointStore(table) });
