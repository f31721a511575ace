import * as z from 'zod/mini';
import { success } from '#shared/platform/contract/answer-fields.ts';
import { contract } from '#shared/platform/contract/contract.ts';
import { endpointId, nothing } from '#shared/platform/contract/params.ts';
import { optional } from '#shared/platform/contract/request-fields.ts';
import { endpointAnswer } from './endpoint-answer.ts';
import { subscription, targetUrl } from './endpoint-fields.ts';

/** PATCH /webhook-endpoints/{id}. A field that is left out stays as it is. */
export const updateWebhookEndpointContract = contract({
  method: 'PATCH',
  path: '/api/v1/webhook-endpoints/{id}',
  summary: 'Change the URL or the events of a webhook endpoint, or switch it on or off.',
  keys: ['secret'],
  session: 'developer',
  isRecorded: true,
  liveStepUpField: 'url',
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
  errors: ['validation_failed', 'webhook_endpoint_not_found'],
});
