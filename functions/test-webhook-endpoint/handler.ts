import { testEndpointDeps } from '#shared/composition/webhooks.ts';
import { eventView } from '#shared/contract/webhooks/event-view.ts';
import { testWebhookEndpointContract } from '#shared/contract/webhooks/test-webhook-endpoint.ts';
import type { Event } from '#shared/domain/webhooks/event.ts';
import { announcingApiEnv } from '#shared/env/api.ts';
import { readEnv } from '#shared/env/kernel.ts';
import { api } from '#shared/http/api.ts';
import type { ApiDeps, Reply } from '#shared/http/kernel/types.ts';
import { type TestEndpointDeps, testWebhookEndpoint } from '#shared/use-cases/webhooks/test-webhook-endpoint.ts';

const reply = (event: Event): Reply => ({
  status: 201,
  created: [event.id],
  body: { status: true, message: 'A test event is on its way.', data: eventView(event) },
});

/** Sends a test event, or an example of another type, to a webhook endpoint. */
export const testWebhookEndpointHandler = (deps: ApiDeps & TestEndpointDeps) =>
  api(testWebhookEndpointContract, deps, async ({ caller, params, body, commit }) => {
    const input = { id: params.id, type: body.type };
    return commit(() => testWebhookEndpoint(deps, caller, input), reply);
  });

export const handler = testWebhookEndpointHandler(testEndpointDeps(readEnv(announcingApiEnv, process.env)));
