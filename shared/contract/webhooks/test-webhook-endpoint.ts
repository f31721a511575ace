import { success } from '#shared/contract/kernel/answer-fields.ts';
import { contract } from '#shared/contract/kernel/contract.ts';
import { endpointId, nothing } from '#shared/contract/kernel/params.ts';
import { eventAnswer } from './event-answer.ts';

/** POST /webhook-endpoints/{id}/test: api-decisions.md section 5. The event is stored and delivered like any other. */
export const testWebhookEndpointContract = contract({
  method: 'POST',
  path: '/api/v1/webhook-endpoints/{id}/test',
  summary: 'Send a test event to a webhook endpoint, whatever it is subscribed to.',
  keys: ['secret'],
  testOnly: false,
  // A repeated request takes nothing from the endpoint's allowance.
  idempotent: 'looked_up',
  params: endpointId,
  query: nothing,
  body: null,
  success: { status: 201, body: success(eventAnswer) },
  refusals: ['validation_failed', 'webhook_endpoint_not_found'],
});
