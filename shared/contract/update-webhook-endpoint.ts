import * as z from 'zod/mini';
import { contract } from './contract.ts';
import { nothing, optional, success } from './fields.ts';
import { endpointAnswer, endpointId, subscription, targetUrl } from './webhook-fields.ts';

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
