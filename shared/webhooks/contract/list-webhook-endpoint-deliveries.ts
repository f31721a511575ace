import * as z from 'zod/mini';
import { contract } from '#shared/platform/contract/contract.ts';
import { pageQuery, successList } from '#shared/platform/contract/list.ts';
import { endpointId } from '#shared/platform/contract/params.ts';
import { undeliveredDelivery, undeliveredStatus } from './delivery-answer.ts';

/** GET /webhook-endpoints/{id}/deliveries. Lists only deliveries that have not arrived. Merchants find an arrived delivery by its event. */
export const listWebhookEndpointDeliveriesContract = contract({
  method: 'GET',
  path: '/api/v1/webhook-endpoints/{id}/deliveries',
  summary: 'List the deliveries that wait for a webhook endpoint, or that were given up, newest event first.',
  keys: ['secret'],
  session: 'viewer',
  testOnly: false,
  idempotent: false,
  params: endpointId,
  query: z.extend(pageQuery, { status: z._default(z.optional(undeliveredStatus), 'parked') }),
  body: null,
  success: { status: 200, body: successList(undeliveredDelivery) },
  errors: ['validation_failed', 'webhook_endpoint_not_found'],
});
