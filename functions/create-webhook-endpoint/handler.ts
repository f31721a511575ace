import { businessStore } from '#shared/adapters/dynamodb/business-store.ts';
import { connectTable } from '#shared/adapters/dynamodb/table.ts';
import { targetChecker } from '#shared/adapters/http-out/target-checker.ts';
import { nature } from '#shared/adapters/nature.ts';
import { createWebhookEndpoint as contract } from '#shared/contract/create-webhook-endpoint.ts';
import { webhookEndpointView } from '#shared/domain/webhook-endpoint.ts';
import { readEnv } from '#shared/env.ts';
import { api } from '#shared/http/api.ts';
import { apiDeps } from '#shared/http/api-deps.ts';
import type { ApiDeps } from '#shared/http/types.ts';
import {
  type CreateWebhookEndpointDeps,
  createWebhookEndpoint as create,
} from '#shared/use-cases/create-webhook-endpoint.ts';
import { createEndpointEnv } from '#shared/webhook-env.ts';

const MESSAGE = 'Webhook endpoint created. Its secret is shown only this once.';

/** Creates a webhook endpoint. */
export const createWebhookEndpoint = (deps: ApiDeps & CreateWebhookEndpointDeps) =>
  api(contract, deps, async ({ caller, body }) => {
    const { endpoint, secret } = await create(deps, caller, { url: body.url, events: body.events ?? ['*'] });
    const data = { ...webhookEndpointView(endpoint), secret };
    return { status: 201, body: { status: true, message: MESSAGE, data } };
  });

const env = readEnv(createEndpointEnv, process.env);
const table = connectTable(env);
export const handler = createWebhookEndpoint({
  ...apiDeps(table, env),
  ...nature,
  businesses: businessStore(table),
  checkTarget: targetChecker(env.WEBHOOK_TARGETS),
});
