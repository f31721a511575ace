import * as z from 'zod/mini';
import { instant } from '#shared/platform/contract/answer-fields.ts';
import { contract } from '#shared/platform/contract/contract.ts';
import { endpointId, nothing } from '#shared/platform/contract/params.ts';
import { since } from '#shared/platform/contract/since.ts';

/** The number of deliveries that a call recovered, and the time from which the next call continues. */
export const recovery = z.object({ recovered: z.int(), more: z.boolean(), next_since: z.nullable(instant) });

/** POST /webhook-endpoints/{id}/recover. If `more` is true, the caller calls again with `next_since`. */
export const recoverWebhookEndpointContract = contract({
  method: 'POST',
  path: '/api/v1/webhook-endpoints/{id}/recover',
  summary: 'Send the events that a webhook endpoint has missed since a time.',
  keys: ['secret'],
  session: 'developer',
  recordedFields: ['since'],
  testOnly: false,
  idempotent: true,
  params: endpointId,
  query: nothing,
  body: z.object({ since }),
  success: {
    status: 202,
    body: z.object({
      status: z.literal(true),
      message: z.string(),
      data: recovery,
    }),
  },
  errors: ['validation_failed', 'webhook_endpoint_not_found'],
});
