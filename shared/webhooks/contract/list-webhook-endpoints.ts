import { contract } from '#shared/platform/contract/contract.ts';
import { successList } from '#shared/platform/contract/list.ts';
import { nothing } from '#shared/platform/contract/params.ts';
import { endpointAnswer } from './endpoint-answer.ts';

/** GET /webhook-endpoints. A mode has at most five endpoints, so the list has only one list page. */
export const listWebhookEndpointsContract = contract({
  method: 'GET',
  path: '/api/v1/webhook-endpoints',
  summary: 'List the webhook endpoints of this mode.',
  keys: ['secret'],
  session: 'viewer',
  testOnly: false,
  idempotent: false,
  params: nothing,
  query: nothing,
  body: null,
  success: { status: 200, body: successList(endpointAnswer) },
  errors: [],
});
