import * as z from 'zod/mini';
import { contract } from '#shared/platform/contract/contract.ts';
import { pageQuery, successList } from '#shared/platform/contract/list.ts';
import { nothing } from '#shared/platform/contract/params.ts';
import { inOrder, since } from '#shared/platform/contract/since.ts';
import { deliveryStatus, listedEvent } from './delivery-answer.ts';
import { namedEventType } from './endpoint-fields.ts';

/** A boolean in a query string. */
export const flag = z.pipe(
  z.enum(['true', 'false'], 'must be true or false.'),
  z.transform((value) => value === 'true'),
);

/**
 * GET /events. With a filter or with deliveries, a list page may have fewer than `limit` events, even none, and another list page may still
 * follow.
 */
export const listEventsContract = contract({
  method: 'GET',
  path: '/api/v1/events',
  summary: 'List events, newest first. Filter by type, by the status of any of their deliveries, or by period.',
  keys: ['secret'],
  session: 'viewer',
  testOnly: false,
  idempotent: false,
  params: nothing,
  query: z
    .extend(pageQuery, {
      type: z.optional(namedEventType),
      delivery_status: z.optional(deliveryStatus),
      since: z.optional(since),
      until: z.optional(since),
      // New parameters go last, because generated clients take parameters by their position.
      deliveries: z.optional(flag),
    })
    .check(inOrder('since', 'until')),
  body: null,
  success: { status: 200, body: successList(listedEvent) },
  errors: ['validation_failed'],
});
