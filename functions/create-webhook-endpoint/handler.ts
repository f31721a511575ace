import { businessStore } from '#shared/adapters/dynamodb/businesses/business-store.ts';
import { connectTable } from '#shared/adapters/dynamodb/table/table.ts';
import { targetChecker } from '#shared/adapters/http-out/target-checker.ts';
import { runtime } from '#shared/adapters/runtime.ts';
import { apiDeps } from '#shared/composition/api.ts';
import { createWebhookEndpointContract } from '#shared/contract/webhooks/create-webhook-endpoint.ts';
import { endpointView } from '#shared/contract/webhooks/endpoint-view.ts';
import { readEnv } from '#shared/env/base.ts';
import { createEndpointEnv } from '#shared/env/webhooks.ts';
import { api } from '#shared/http/api.ts';
import type { ApiDeps } from '#shared/http/kernel/types.ts';
import {
  type CreateWebhookEndpointDeps,
  createWebhookEndpoint,
} from '#shared/use-cases/webhooks/create-webhook-endpoint.ts';

const MESSAGE = 'Webhook endpoint created. Its secret is shown only this once.';

/** Creates a webhook endpoint. */
export const createWebhookEndpointHandler = (deps: ApiDeps & CreateWebhookEndpointDeps) =>
  api(createWebhookEndpointContract, deps, async ({ caller, body }) => {
    const { endpoint, secret } = await createWebhookEndpoint(deps, caller, {
      url: body.url,
      events: body.events ?? ['*'],
    });
    const data = { ...endpointView(endpoint), secret };
    return { status: 201, body: { status: true, message: MESSAGE, data } };
  });

const env = readEnv(createEndpointEnv, process.env);
const table = connectTable(env);
export const handler = createWebhookEndpointHandler({
  ...apiDeps(table, env),
  ...runtime,
  businesses: businessStore(table),
  checkTarget: targetChecker(env.WEBHOOK_TARGETS),
});
