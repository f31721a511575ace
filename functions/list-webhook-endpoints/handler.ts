import { readEndpointsDeps } from '#shared/composition/webhooks.ts';
import { endpointView } from '#shared/contract/webhooks/endpoint-view.ts';
import { listWebhookEndpointsContract } from '#shared/contract/webhooks/list-webhook-endpoints.ts';
import { apiEnv } from '#shared/env/api.ts';
import { readEnv } from '#shared/env/kernel.ts';
import { api } from '#shared/http/api.ts';
import type { ApiDeps } from '#shared/http/kernel/types.ts';
import { listReply } from '#shared/http/page.ts';
import type { EndpointReader } from '#shared/ports/webhooks.ts';

/** Lists the webhook endpoints of a mode, all on one page. */
export const listWebhookEndpointsHandler = (deps: ApiDeps & { endpoints: EndpointReader }) =>
  api(listWebhookEndpointsContract, deps, async ({ caller }) => {
    const newestFirst = [...(await deps.endpoints.list(caller))].reverse();
    const page = { items: newestFirst, next: null };
    return listReply(deps.hashKey, caller, 'webhook endpoints', page, endpointView);
  });

export const handler = listWebhookEndpointsHandler(readEndpointsDeps(readEnv(apiEnv, process.env)));
