import * as z from 'zod/mini';
import { success } from '#shared/platform/contract/answer-fields.ts';
import { contract } from '#shared/platform/contract/contract.ts';
import { nothing } from '#shared/platform/contract/params.ts';
import { optional } from '#shared/platform/contract/request-fields.ts';
import { endpointAnswerWithSecret } from './endpoint-answer.ts';
import { subscription, targetUrl } from './endpoint-fields.ts';

/** POST /webhook-endpoints. The answer contains a secret, so no answer is stored under an Idempotency-Key. */
export const createWebhookEndpointContract = contract({
  method: 'POST',
  path: '/api/v1/webhook-endpoints',
  summary: 'Create a webhook endpoint. The secret is shown in this answer only.',
  keys: ['secret'],
  session: 'developer',
  isRecorded: true,
  stepUp: 'live',
  testOnly: false,
  idempotent: false,
  params: nothing,
  query: nothing,
  body: z.object({ url: targetUrl, events: optional(subscription) }),
  success: { status: 201, body: success(endpointAnswerWithSecret) },
  errors: ['validation_failed', 'endpoint_limit_reached'],
});
