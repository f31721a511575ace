import { INVALID_CURSOR, LIST_QUERY, list, page, success } from '#infra/openapi/endpoint-page.ts';
import { findExampleEvent } from '#infra/openapi/examples/events.ts';
import { delivery, endpoint, waiting } from '#infra/openapi/examples/objects.ts';
import { getEventContract } from '#shared/webhooks/contract/get-event.ts';
import { listEventsContract } from '#shared/webhooks/contract/list-events.ts';
import { redeliverEventContract } from '#shared/webhooks/contract/redeliver-event.ts';

const TAG = { tag: 'Events' } as const;
const paid = findExampleEvent('checkout.paid');
const LISTED = { id: delivery.id, endpoint_id: delivery.endpoint_id };
const PATH = { id: { description: 'The `id` of the event, as in `webhook-id`.', example: paid.id } };

/** The pages of events. */
export const EVENT_PAGES = [
  page(listEventsContract, {
    ...TAG,
    title: 'List events',
    description:
      'The events of the key’s mode, newest first. With a filter or `deliveries`, a page may have fewer than `limit`, even none, and still be followed by another: use `has_more`.',
    path: {},
    query: {
      ...LIST_QUERY,
      type: 'Only events of this type.',
      delivery_status: 'Only events with a delivery in this status, such as `exhausted`.',
      deliveries: '`true`: with the deliveries of each event. Such a list counts as a search (*Rate limits*).',
      since: 'Only events since this time: ISO 8601 with a zone.',
      until: 'Only events before this time: ISO 8601 with a zone.',
    },
    body: {},
    requests: {},
    answers: {
      page: {
        summary: 'A page, the last one',
        value: list(findExampleEvent('virtual_account.payment_received'), paid),
      },
      delivered: {
        summary: 'With deliveries',
        value: list({ ...paid, deliveries: [{ ...LISTED, status: 'succeeded', next_attempt_at: null }] }),
      },
    },
    invalid: [
      { field: 'since', message: 'since must be an ISO 8601 time with its zone, such as 2026-11-20T12:00:00Z.' },
      INVALID_CURSOR,
    ],
  }),
  page(getEventContract, {
    ...TAG,
    title: 'Get an event',
    description:
      'One event, with its deliveries and what your server answered. It shows the deliveries to the 20 newest endpoints that it went to, and the newest 20 attempts of each: 5 where it went to 20 endpoints, as all attempts together are at most 100. `number` says how many there were.',
    path: PATH,
    query: {},
    body: {},
    requests: {},
    answers: {
      delivered: { summary: 'Delivered at the second attempt', value: success({ ...paid, deliveries: [delivery] }) },
    },
    invalid: [],
  }),
  page(redeliverEventContract, {
    ...TAG,
    title: 'Redeliver an event',
    description:
      'Sends an event again now and restarts its schedule of retries. It replaces a pending retry. Without `endpoint_id` it is sent to every enabled endpoint that it was sent to before. An endpoint takes 60 test events and redeliveries a minute. The answer shows the deliveries to your present endpoints, each with the last of its attempts; **Get an event** shows more of them. If one of the deliveries is in progress nothing is sent. Requests with one `Idempotency-Key` send once.',
    path: PATH,
    query: {},
    body: { endpoint_id: 'Only to this endpoint, even if the event was not sent to it before.' },
    requests: {
      all: { summary: 'To all that it went to', value: {} },
      one: { summary: 'To one endpoint', value: { endpoint_id: endpoint.id } },
    },
    answers: {
      sent: { summary: 'On its way again', value: success({ ...paid, deliveries: [waiting] }) },
    },
    invalid: [
      {
        field: 'endpoint_id',
        message: 'endpoint_id must be named: no endpoint that this event went to is switched on.',
      },
    ],
    errors: {
      rate_limited: {
        message: 'A webhook endpoint takes at most 60 test events and redeliveries a minute. Try again in 40 s.',
        errors: [{ field: 'endpoint_id', message: `${endpoint.id} has reached its limit.` }],
      },
      delivery_in_progress: {
        errors: [{ field: 'endpoint_id', message: `The delivery to ${endpoint.id} is in progress.` }],
      },
    },
  }),
];
