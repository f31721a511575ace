import * as z from 'zod/mini';
import { contract } from './contract.ts';
import { success } from './parts/answer-fields.ts';
import { endpointAnswer } from './parts/endpoint-answer.ts';
import { subscription, targetUrl } from './parts/endpoint-fields.ts';
import { endpointId, nothing } from './parts/params.ts';
import { optional } from './parts/request-fields.ts';

/** PATCH /webhook-endpoints/{id}: api.md section 5. What is left out stays as it is. */
export const updateWebhookEndpoint = contract({
  method: 'PATCH',
  path: '/api/v1/webhook-endpoints/{id}',
  summary: 'Change the URL or the events of a webhook endpoint, or switch it on or off.',
  keys: ['secret'],
  testOnly: false,
  idempotent: false,
  params: endpointId,
  query: nothing,
  body: z.object({
    url: optional(targetUrl),
    events: optional(subscription),
    enabled: optional(z.boolean('must be true or false.')),
  }),
  success: { status: 200, body: success(endpointAnswer) },
  refusals: ['validation_failed', 'webhook_endpoint_not_found'],
});
