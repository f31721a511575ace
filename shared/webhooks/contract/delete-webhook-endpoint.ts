import { success } from '#shared/platform/contract/answer-fields.ts';
import { contract } from '#shared/platform/contract/contract.ts';
import { endpointId, nothing } from '#shared/platform/contract/params.ts';
import { endpointAnswer } from './endpoint-answer.ts';

/**
 * DELETE /webhook-endpoints/{id}. The answer shows the endpoint as it was. The endpoint's unfinished deliveries are cancelled later, each when a
 * consumer next takes it.
 */
export const deleteWebhookEndpointContract = contract({
  method: 'DELETE',
  path: '/api/v1/webhook-endpoints/{id}',
  summary: 'Delete a webhook endpoint.',
  keys: ['secret'],
  session: 'developer',
  isRecorded: true,
  testOnly: false,
  idempotent: false,
  params: endpointId,
  query: nothing,
  body: null,
  success: { status: 200, body: success(endpointAnswer) },
  errors: ['webhook_endpoint_not_found'],
});
