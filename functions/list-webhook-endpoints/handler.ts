import { api } from '#shared/api/api.ts';
import { apiEnv } from '#shared/api/env.ts';
import type { ApiDeps } from '#shared/api/http/types.ts';
import { listReply } from '#shared/api/list-cursor.ts';
import { readEnv } from '#shared/platform/env.ts';
import { readEndpointsDeps } from '#shared/webhooks/compose.ts';
import { endpointView } from '#shared/webhooks/contract/endpoint-view.ts';
import { listWebhookEndpointsContract } from '#shared/webhooks/contract/list-webhook-endpoints.ts';
import type { EndpointReader } from '#shared/webhooks/ports.ts';

/** Lists the webhook endpoints of a mode, all on one list page. */
export const listWebhookEndpointsHandler = (deps: ApiDeps & { endpoints: EndpointReader }) =>
  api(listWebhookEndpointsContract, deps, async ({ caller }) => {
    const newestFirst = [...(await deps.endpoints.list(caller))].reverse();
    const page = { items: newestFirst, next: null };
    return listReply(deps.hashKey, caller, 'webhook endpoints', page, endpointView);
  });

export const handler = listWebhookEndpointsHandler(readEndpointsDeps(readEnv(apiEnv, process.env)));
