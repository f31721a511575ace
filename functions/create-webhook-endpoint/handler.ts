import { api } from '#shared/api/api.ts';
import type { ApiDeps } from '#shared/api/http/types.ts';
import { readEnv } from '#shared/platform/env.ts';
import { createEndpointDeps } from '#shared/webhooks/compose.ts';
import { createWebhookEndpointContract } from '#shared/webhooks/contract/create-webhook-endpoint.ts';
import { endpointView } from '#shared/webhooks/contract/endpoint-view.ts';
import { localTargetNote } from '#shared/webhooks/domain/target.ts';
import { createWebhookEndpointEnv } from '#shared/webhooks/env.ts';
import {
  type CreateWebhookEndpointDeps,
  createWebhookEndpoint,
} from '#shared/webhooks/use-cases/create-webhook-endpoint.ts';

const MESSAGE = 'Webhook endpoint created. Its secret is shown only this once.';

/** Creates a webhook endpoint. Only this answer contains the secret. */
export const createWebhookEndpointHandler = (deps: ApiDeps & CreateWebhookEndpointDeps) =>
  api(createWebhookEndpointContract, deps, async ({ caller, by, body }) => {
    const input = { url: body.url, events: body.events ?? ['*'] };
    const { endpoint, secret } = await createWebhookEndpoint(deps, caller, input, by);
    const data = { ...endpointView(endpoint), secret };
    const message = [MESSAGE, localTargetNote(endpoint.url) ?? []].flat().join(' ');
    return { status: 201, created: [endpoint.id], body: { status: true, message, data } };
  });

export const handler = createWebhookEndpointHandler(createEndpointDeps(readEnv(createWebhookEndpointEnv, process.env)));
