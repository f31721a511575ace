import { contract } from './contract.ts';
import { success } from './parts/answer-fields.ts';
import { eventAnswer } from './parts/event-answer.ts';
import { endpointId, nothing } from './parts/params.ts';

/** POST /webhook-endpoints/{id}/test: api.md section 5. The event takes the way of every other event. */
export const testWebhookEndpoint = contract({
  method: 'POST',
  path: '/api/v1/webhook-endpoints/{id}/test',
  summary: 'Send a test event to a webhook endpoint, whatever it is subscribed to.',
  keys: ['secret'],
  testOnly: false,
  idempotent: true,
  params: endpointId,
  query: nothing,
  body: null,
  success: { status: 201, body: success(eventAnswer) },
  refusals: ['validation_failed', 'webhook_endpoint_not_found'],
});
