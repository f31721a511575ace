import * as z from 'zod/mini';
import { success } from '#shared/platform/contract/answer-fields.ts';
import { contract } from '#shared/platform/contract/contract.ts';
import { eventId, nothing } from '#shared/platform/contract/params.ts';
import { optional } from '#shared/platform/contract/request-fields.ts';
import { eventWithDeliveries } from './delivery-answer.ts';
import { namedEndpoint } from './endpoint-fields.ts';

/** POST /events/{id}/redeliver */
export const redeliverEventContract = contract({
  method: 'POST',
  path: '/api/v1/events/{id}/redeliver',
  summary:
    'Send an event again, to one endpoint (`endpoint_id`) or to all that it was sent to. Replaces a waiting retry.',
  keys: ['secret'],
  session: 'developer',
  recordedFields: ['endpoint_id'],
  testOnly: false,
  idempotent: true,
  params: eventId,
  query: nothing,
  body: z.object({ endpoint_id: optional(namedEndpoint) }),
  success: { status: 202, body: success(eventWithDeliveries) },
  errors: ['validation_failed', 'event_not_found', 'webhook_endpoint_not_found', 'delivery_in_progress'],
});
