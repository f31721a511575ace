import { createEndpointDeps } from '#shared/composition/webhooks.ts';
import { createWebhookEndpointContract } from '#shared/contract/webhooks/create-webhook-endpoint.ts';
import { endpointView } from '#shared/contract/webhooks/endpoint-view.ts';
import { localTargetNote } from '#shared/domain/webhooks/target.ts';
import { readEnv } from '#shared/env/kernel.ts';
import { createWebhookEndpointEnv } from '#shared/env/webhooks.ts';
import { api } from '#shared/http/api.ts';
import type { ApiDeps } from '#shared/http/kernel/types.ts';
import {
  type CreateWebhookEndpointDeps,
  createWebhookEndpoint,
} from '#shared/use-cases/webhooks/create-webhook-endpoint.ts';

const MESSAGE = 'Webhook endpoint created. Its secret is shown only this once.';

/** Creates a webhook endpoint. */
export const createWebhookEndpointHandler = (deps: ApiDeps & CreateWebhookEndpointDeps) =>
  api(createWebhookEndpointContract, deps, async ({ caller, by, body }) => {
    const input = { url: body.url, events: body.events ?? ['*'] };
    const { endpoint, secret } = await createWebhookEndpoint(deps, caller, input, by);
    const data = { ...endpointView(endpoint), secret };
    const message = [MESSAGE, localTargetNote(endpoint.url) ?? []].flat().join(' ');
    return { status: 201, created: [endpoint.id], body: { status: true, message, data } };
  });

export const handler = createWebhookEndpointHandler(createEndpointDeps(readEnv(createWebhookEndpointEnv, process.env)));
