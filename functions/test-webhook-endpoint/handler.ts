import { api } from '#shared/api/api.ts';
import { announcingApiEnv } from '#shared/api/env.ts';
import type { ApiDeps, Reply } from '#shared/api/http/types.ts';
import { readEnv } from '#shared/platform/env.ts';
import { testEndpointDeps } from '#shared/webhooks/compose.ts';
import { eventView } from '#shared/webhooks/contract/event-view.ts';
import { testWebhookEndpointContract } from '#shared/webhooks/contract/test-webhook-endpoint.ts';
import type { Event } from '#shared/webhooks/domain/event.ts';
import { type TestEndpointDeps, testWebhookEndpoint } from '#shared/webhooks/use-cases/test-webhook-endpoint.ts';

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
