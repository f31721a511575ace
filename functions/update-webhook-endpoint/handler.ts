import { businessStore } from '#shared/adapters/dynamodb/businesses/business-store.ts';
import { connectTable } from '#shared/adapters/dynamodb/table/table.ts';
import { breakerStore } from '#shared/adapters/dynamodb/webhooks/breaker-store.ts';
import { targetChecker } from '#shared/adapters/http-out/target-checker.ts';
import { runtime } from '#shared/adapters/runtime.ts';
import { connectQueue, deliveryQueue } from '#shared/adapters/sqs/delivery-queue.ts';
import { apiDeps } from '#shared/composition/api.ts';
import { endpointView } from '#shared/contract/webhooks/endpoint-view.ts';
import { updateWebhookEndpointContract } from '#shared/contract/webhooks/update-webhook-endpoint.ts';
import { readEnv } from '#shared/env/base.ts';
import { updateEndpointEnv } from '#shared/env/webhooks.ts';
import { api } from '#shared/http/api.ts';
import type { ApiDeps } from '#shared/http/kernel/types.ts';
import {
  type UpdateWebhookEndpointDeps,
  updateWebhookEndpoint,
} from '#shared/use-cases/webhooks/update-webhook-endpoint.ts';

/** Changes a webhook endpoint, or switches it on or off. */
export const updateWebhookEndpointHandler = (deps: ApiDeps & UpdateWebhookEndpointDeps) =>
  api(updateWebhookEndpointContract, deps, async ({ caller, params, body }) => {
    const endpoint = await updateWebhookEndpoint(deps, caller, params.id, body);
    return { status: 200, body: { status: true, data: endpointView(endpoint) } };
  });

const env = readEnv(updateEndpointEnv, process.env);
const table = connectTable(env);
export const handler = updateWebhookEndpointHandler({
  ...apiDeps(table, env),
  ...runtime,
  businesses: businessStore(table),
  breakers: breakerStore(table),
  queue: deliveryQueue(connectQueue(), { first: env.FIRST_QUEUE_URL }),
  checkTarget: targetChecker(env.WEBHOOK_TARGETS),
});
