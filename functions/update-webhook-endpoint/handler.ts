import { breakerStore } from '#shared/adapters/dynamodb/breaker-store.ts';
import { businessStore } from '#shared/adapters/dynamodb/business-store.ts';
import { connectTable } from '#shared/adapters/dynamodb/table.ts';
import { targetChecker } from '#shared/adapters/http-out/target-checker.ts';
import { nature } from '#shared/adapters/nature.ts';
import { connectQueue, deliveryQueue } from '#shared/adapters/sqs/delivery-queue.ts';
import { updateWebhookEndpoint as contract } from '#shared/contract/update-webhook-endpoint.ts';
import { webhookEndpointView } from '#shared/domain/webhook-endpoint.ts';
import { readEnv } from '#shared/env.ts';
import { api } from '#shared/http/api.ts';
import { apiDeps } from '#shared/http/api-deps.ts';
import type { ApiDeps } from '#shared/http/types.ts';
import {
  type UpdateWebhookEndpointDeps,
  updateWebhookEndpoint as update,
} from '#shared/use-cases/update-webhook-endpoint.ts';
import { updateEndpointEnv } from '#shared/webhook-env.ts';

/** Changes a webhook endpoint, or switches it on or off. */
export const updateWebhookEndpoint = (deps: ApiDeps & UpdateWebhookEndpointDeps) =>
  api(contract, deps, async ({ caller, params, body }) => {
    const endpoint = await update(deps, caller, params.id, body);
    return { status: 200, body: { status: true, data: webhookEndpointView(endpoint) } };
  });

const env = readEnv(updateEndpointEnv, process.env);
const table = connectTable(env);
export const handler = updateWebhookEndpoint({
  ...apiDeps(table, env),
  ...nature,
  businesses: businessStore(table),
  breakers: breakerStore(table),
  queue: deliveryQueue(connectQueue(), { first: env.FIRST_QUEUE_URL }),
  checkTarget: targetChecker(env.WEBHOOK_TARGETS),
});
