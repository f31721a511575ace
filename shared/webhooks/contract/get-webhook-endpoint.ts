import { success } from '#shared/platform/contract/answer-fields.ts';
import { contract } from '#shared/platform/contract/contract.ts';
import { endpointId, nothing } from '#shared/platform/contract/params.ts';
import { endpointAnswerWithHealth } from './endpoint-answer.ts';

/** GET /webhook-endpoints/{id} */
export const getWebhookEndpointContract = contract({
  method: 'GET',
  path: '/api/v1/webhook-endpoints/{id}',
  summary: 'Get one webhook endpoint and its health.',
  keys: ['secret'],
  session: 'viewer',
  testOnly: false,
  idempotent: false,
  params: endpointId,
  query: nothing,
  body: null,
  success: { status: 200, body: success(endpointAnswerWithHealth) },
  errors: ['webhook_endpoint_not_found'],
});
