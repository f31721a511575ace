import { INVALID_CURSOR, LIST_QUERY, list, page, success } from '#infra/openapi/endpoint-page.ts';
import { findExampleEvent } from '#infra/openapi/examples/events.ts';
import { delivery, endpoint, pendingDelivery } from '#infra/openapi/examples/objects.ts';
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
      'Lists the events of the key’s mode, newest first. With a filter or `deliveries`, a page may be short or empty while `has_more` is true: see *Lists*.',
    path: {},
    query: {
      ...LIST_QUERY,
      type: 'Only events of this type.',
      delivery_status: 'Only events with a delivery in this status, such as `exhausted`.',
      deliveries: '`true`: each event has its deliveries. Such a list counts as a search: see *Rate limits*.',
      since: 'Only events at or after this time: ISO 8601 with a zone.',
      until: 'Only events before this time: ISO 8601 with a zone.',
    },
    body: {},
    requests: {},
    answers: {
      page: {
        summary: 'The last page',
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
      'Returns an event with its deliveries and your server’s answers. The answer has the deliveries to the 20 newest endpoints. Each delivery shows its newest 20 attempts, but all together show at most 100: with 20 deliveries, each shows 5. The `number` of the last attempt says how many there were.',
    path: PATH,
    query: {},
    body: {},
    requests: {},
    answers: {
      delivered: {
        summary: 'An event that was delivered at the second attempt',
        value: success({ ...paid, deliveries: [delivery] }),
      },
    },
    invalid: [],
  }),
  page(redeliverEventContract, {
    ...TAG,
    title: 'Redeliver an event',
    description:
      'Sends an event again now, in place of a pending retry, and restarts its schedule of retries. Without `endpoint_id` the event goes to every enabled endpoint that it was sent to before. If one of these deliveries is in progress, nothing is sent, and the answer is 409. The answer of a success shows the deliveries to your present endpoints, each with its last attempt; **Get an event** shows more attempts. *Limits of webhooks* says how often you can call it.',
    path: PATH,
    query: {},
    body: { endpoint_id: 'Sends the event to this endpoint only, even if the event was not sent to it before.' },
    requests: {
      all: { summary: 'To every endpoint that it was sent to', value: {} },
      single: { summary: 'To one endpoint', value: { endpoint_id: endpoint.id } },
    },
    answers: {
      sent: { summary: 'The event is being sent again', value: success({ ...paid, deliveries: [pendingDelivery] }) },
    },
    invalid: [
      {
        field: 'endpoint_id',
        message: 'endpoint_id is required: every endpoint that this event was sent to is switched off or deleted.',
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
