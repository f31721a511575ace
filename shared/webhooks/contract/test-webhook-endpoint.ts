import * as z from 'zod/mini';
import { success } from '#shared/platform/contract/answer-fields.ts';
import { contract } from '#shared/platform/contract/contract.ts';
import { endpointId, nothing } from '#shared/platform/contract/params.ts';
import { optional } from '#shared/platform/contract/request-fields.ts';
import { eventType, testableTypesText } from '#shared/webhooks/domain/event.ts';
import { eventAnswer } from './event-answer.ts';

/**
 * The created event. It has a schema of its own, because its type is always known to the client: the client chose it. In other answers an event
 * may have a type that is newer than the client.
 */
export const requestedEvent = z.extend(eventAnswer, {});

/** POST /webhook-endpoints/{id}/test. The event is stored and delivered like any other. */
export const testWebhookEndpointContract = contract({
  method: 'POST',
  path: '/api/v1/webhook-endpoints/{id}/test',
  summary: 'Send a test event, or an example of any type, to a webhook endpoint, whatever it is subscribed to.',
  keys: ['secret'],
  session: 'developer',
  testOnly: false,
  // A request that is repeated with the same Idempotency-Key does not count against the endpoint's send limit again.
  idempotent: true,
  params: endpointId,
  query: nothing,
  body: z.object({
    /** The type of the example. Default: `endpoint.test`, which is the only type that a live key may name. */
    type: optional(z.enum(eventType.options, `must be ${testableTypesText}.`)),
  }),
  success: { status: 201, body: success(requestedEvent) },
  errors: ['validation_failed', 'webhook_endpoint_not_found'],
});
