import * as z from 'zod/mini';
import { contract } from './contract.ts';
import { success } from './parts/answer-fields.ts';
import { endpointAnswerWithSecret } from './parts/endpoint-answer.ts';
import { subscription, targetUrl } from './parts/endpoint-fields.ts';
import { nothing } from './parts/params.ts';
import { optional } from './parts/request-fields.ts';

/** POST /webhook-endpoints: api.md section 5. Its answer holds a secret, so no Idempotency-Key keeps it. */
export const createWebhookEndpoint = contract({
  method: 'POST',
  path: '/api/v1/webhook-endpoints',
  summary: 'Create a webhook endpoint. The secret is shown in this answer only.',
  keys: ['secret'],
  testOnly: false,
  idempotent: false,
  params: nothing,
  query: nothing,
  body: z.object({ url: targetUrl, events: optional(subscription) }),
  success: { status: 201, body: success(endpointAnswerWithSecret) },
  refusals: ['validation_failed', 'endpoint_limit_reached'],
});
