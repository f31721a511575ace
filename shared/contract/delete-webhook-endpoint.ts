import { contract } from './contract.ts';
import { success } from './parts/answer-fields.ts';
import { endpointAnswer } from './parts/endpoint-answer.ts';
import { endpointId, nothing } from './parts/params.ts';

/** DELETE /webhook-endpoints/{id}: api.md section 5. What is on its way to it is cancelled. Answers with the endpoint as it was. */
export const deleteWebhookEndpoint = contract({
  method: 'DELETE',
  path: '/api/v1/webhook-endpoints/{id}',
  summary: 'Delete a webhook endpoint.',
  keys: ['secret'],
  testOnly: false,
  idempotent: false,
  params: endpointId,
  query: nothing,
  body: null,
  success: { status: 200, body: success(endpointAnswer) },
  refusals: ['webhook_endpoint_not_found'],
});
