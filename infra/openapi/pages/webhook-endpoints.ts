import { INVALID_CURSOR, LIST_QUERY, list, page, success } from '#infra/openapi/endpoint-page.ts';
import { findExampleEvent } from '#infra/openapi/examples/events.ts';
import {
  BUSINESS_ID,
  disabledEndpoint,
  endpoint,
  healthyEndpoint,
  parked,
  SECRET,
  suspendedEndpoint,
} from '#infra/openapi/examples/objects.ts';
import { createWebhookEndpointContract } from '#shared/webhooks/contract/create-webhook-endpoint.ts';
import { deleteWebhookEndpointContract } from '#shared/webhooks/contract/delete-webhook-endpoint.ts';
import { getWebhookEndpointContract } from '#shared/webhooks/contract/get-webhook-endpoint.ts';
import { listWebhookEndpointDeliveriesContract } from '#shared/webhooks/contract/list-webhook-endpoint-deliveries.ts';
import { listWebhookEndpointsContract } from '#shared/webhooks/contract/list-webhook-endpoints.ts';
import { recoverWebhookEndpointContract } from '#shared/webhooks/contract/recover-webhook-endpoint.ts';
import { rotateWebhookSecretContract } from '#shared/webhooks/contract/rotate-webhook-secret.ts';
import { testWebhookEndpointContract } from '#shared/webhooks/contract/test-webhook-endpoint.ts';
import { updateWebhookEndpointContract } from '#shared/webhooks/contract/update-webhook-endpoint.ts';

const TAG = { tag: 'Webhook endpoints' } as const;
const PATH = { id: { description: 'The `id` of the webhook endpoint.', example: endpoint.id } };
const URL =
  'Where to POST webhooks: an https URL with a public host name, port 443 or one from 1024 on, no user name, no fragment. A local stack of this service (`npm start`) also takes http, `localhost` and addresses, and says in `message` that no stage would.';
const EVENTS = 'The event types that it receives; `["*"]` is all of them, future ones included.';
const SWITCHED_OFF = { field: 'id', message: 'id names a webhook endpoint that is switched off. Enable it first.' };
const CHANGE_LIMIT =
  'Live keys of a business whose owners have the dashboard change endpoints 60 times an hour at most: its owners are mailed of each change.';
const URL_LIMIT = `You can give endpoints 10 URLs a minute, created or changed. ${CHANGE_LIMIT}`;
const TOO_MANY_URLS = {
  message: 'A business gives webhook endpoints at most 10 URLs a minute. Try again in 40 s.',
  errors: [{ field: 'url', message: `${BUSINESS_ID} has reached its limit.` }],
};
const BARE = { ...TAG, path: PATH, query: {}, body: {}, requests: {}, invalid: [] };

/** The pages of webhook endpoints. */
export const WEBHOOK_ENDPOINT_PAGES = [
  page(createWebhookEndpointContract, {
    ...TAG,
    title: 'Create a webhook endpoint',
    description: `From now on the events of the key’s mode are posted there. At most 5 in each mode; the same URL twice is two endpoints, and every event arrives twice. **The answer is the only one that shows the secret.** \`Idempotency-Key\` is ignored, because stored answers would contain the secret. ${URL_LIMIT}`,
    path: {},
    query: {},
    body: { url: URL, events: `${EVENTS} Left out: all.` },
    requests: {
      all: { summary: 'Every event', value: { url: endpoint.url } },
      some: {
        summary: 'Only what you need',
        value: { url: endpoint.url, events: ['checkout.paid', 'virtual_account.payment_received'] },
      },
    },
    answers: { created: { summary: 'Created', value: success({ ...endpoint, secret: SECRET }) } },
    invalid: [{ field: 'url', message: 'url must be a valid https URL.' }],
    errors: { rate_limited: TOO_MANY_URLS },
  }),
  page(listWebhookEndpointsContract, {
    ...TAG,
    title: 'List webhook endpoints',
    description: 'All endpoints of the key’s mode. There are at most 5, so there is only one page.',
    path: {},
    query: {},
    body: {},
    requests: {},
    answers: { all: { summary: 'All of them', value: list(endpoint) } },
    invalid: [],
  }),
  page(getWebhookEndpointContract, {
    ...BARE,
    title: 'Get a webhook endpoint',
    description:
      'One endpoint, as it is now, with its `health`; never its secret. While it is `suspended`, events are kept and one of them is tried now and then (see *Webhooks*). **Test a webhook endpoint** tries it at once. **List deliveries of a webhook endpoint** shows what waits.',
    answers: {
      on: { summary: 'Switched on and healthy', value: success(healthyEndpoint) },
      suspended: { summary: 'Your server keeps failing', value: success(suspendedEndpoint) },
      off: { summary: 'Switched off by us', value: success({ ...suspendedEndpoint, ...disabledEndpoint }) },
    },
  }),
  page(updateWebhookEndpointContract, {
    ...TAG,
    title: 'Change a webhook endpoint',
    description: `Changes the fields that you send. A URL, even the same one, also applies to events already on their way; it is tried at once, and earlier failures are forgotten. A disabled endpoint receives nothing; events that happen meanwhile are kept, and **Recover** sends them again. ${URL_LIMIT}`,
    path: PATH,
    query: {},
    body: {
      url: URL,
      events: EVENTS,
      enabled: '`false` disables it; `true` enables it again, and what waited follows.',
    },
    requests: {
      move: { summary: 'Another address', value: { url: 'https://hooks.adastores.example/v2/payments' } },
      on: { summary: 'Switch it on again', value: { enabled: true } },
    },
    answers: {
      changed: {
        summary: 'Changed',
        value: success({ ...endpoint, url: 'https://hooks.adastores.example/v2/payments' }),
      },
    },
    invalid: [{ field: 'url', message: 'url must be a valid https URL.' }],
    errors: { rate_limited: TOO_MANY_URLS },
  }),
  page(deleteWebhookEndpointContract, {
    ...BARE,
    title: 'Delete a webhook endpoint',
    description: `Pending deliveries to it are cancelled. The answer shows it as it was. ${CHANGE_LIMIT}`,
    answers: { deleted: { summary: 'Deleted', value: success(endpoint, 'Webhook endpoint deleted.') } },
  }),
  page(rotateWebhookSecretContract, {
    ...TAG,
    title: 'Rotate a webhook secret',
    description: `Gives the endpoint a new secret. \`Idempotency-Key\` is ignored. During the grace period both secrets sign, so that you can change yours without losing a webhook. At most two sign at a time: rotating again during the grace period ends the older one at once, even if your server still uses it. **Get a webhook endpoint** says in \`previous_secret_until\` whether one is still signing. ${CHANGE_LIMIT} **The answer is the only one that shows the new secret.**`,
    path: PATH,
    query: {},
    body: {
      grace_seconds: 'How long the old secret still signs: 0 to 604,800 seconds, by default 86,400, which is a day.',
    },
    requests: {
      day: { summary: 'A day to change over', value: {} },
      now: { summary: 'The old secret leaked: end it now', value: { grace_seconds: 0 } },
    },
    answers: { rotated: { summary: 'The new secret', value: success({ ...endpoint, secret: SECRET }) } },
    invalid: [{ field: 'grace_seconds', message: 'grace_seconds must be at most 604800, which is seven days.' }],
  }),
  page(testWebhookEndpointContract, {
    ...TAG,
    title: 'Test a webhook endpoint',
    description:
      'Sends an `endpoint.test` event to this endpoint, or with a test key an example of any `type`, whatever it is subscribed to. It is signed and retried like every other event, and sent at once even to a `suspended` endpoint: a 2xx ends the suspension. An example has `example: true` beside its `type`; what its `data` shows does not exist, and nothing changes. An endpoint takes 60 test events and redeliveries a minute.',
    path: PATH,
    query: {},
    body: {
      type: 'The type of the event: `endpoint.test` by default, and the only one with a live key. Another one is 422 with a list of those that it takes.',
    },
    requests: {
      example: { summary: 'An example of a type', value: { type: 'checkout.overpaid' } },
      least: { summary: 'A test event', value: {} },
    },
    answers: {
      sent: { summary: 'On its way', value: success(findExampleEvent('endpoint.test'), 'A test event is on its way.') },
      example: {
        summary: 'An example is on its way',
        value: success({ ...findExampleEvent('checkout.overpaid'), example: true }, 'A test event is on its way.'),
      },
    },
    invalid: [SWITCHED_OFF],
    errors: {
      rate_limited: {
        message: 'A webhook endpoint takes at most 60 test events and redeliveries a minute. Try again in 40 s.',
        errors: [{ field: 'endpoint_id', message: `${endpoint.id} has reached its limit.` }],
      },
    },
  }),
  page(recoverWebhookEndpointContract, {
    ...TAG,
    title: 'Recover a webhook endpoint',
    description:
      'Sends everything again that did not reach this endpoint since a time: given up, or kept while it was disabled. It is sent slowly at first and then faster, so that a server that has just come back is not overloaded. A pending retry keeps its time; **Redeliver** sends it now. One call takes at most 10,000; with `more`, call again with `next_since`. An endpoint takes 10 recoveries and 10,000 deliveries a minute, one recovery at a time: after a 429, wait as long as `Retry-After` says.',
    path: PATH,
    query: {},
    body: { since: 'Since when: ISO 8601 with a zone.' },
    requests: { morning: { summary: 'Since this morning', value: { since: '2026-11-20T07:00:00+01:00' } } },
    answers: {
      some: {
        summary: 'On its way',
        value: success(
          { recovered: 128, more: false, next_since: null },
          'What was not delivered is being sent again.',
        ),
      },
      more: {
        summary: 'The first 10,000',
        value: success(
          { recovered: 10_000, more: true, next_since: '2026-11-20T11:42:18.733000Z' },
          'What was not delivered is being sent again.',
        ),
      },
      none: {
        summary: 'Nothing was missed',
        value: success({ recovered: 0, more: false, next_since: null }, 'There is nothing to send again.'),
      },
    },
    invalid: [
      { field: 'since', message: 'since must be an ISO 8601 time with its zone, such as 2026-11-20T12:00:00Z.' },
    ],
    errors: {
      rate_limited: {
        message: 'A webhook endpoint takes at most 10 recoveries a minute. Try again in 40 s.',
        errors: [{ field: 'endpoint_id', message: `${endpoint.id} has reached its limit.` }],
      },
    },
  }),
  page(listWebhookEndpointDeliveriesContract, {
    ...TAG,
    title: 'List deliveries of a webhook endpoint',
    description:
      'What has not arrived there, newest event first: `parked` waits until the endpoint works again or is enabled, `exhausted` is not tried any more. **Recover** sends both again. A page may have fewer than `limit` and still be followed by another: use `has_more`. Deliveries that wait for their next attempt are not here: **List events** with `delivery_status=pending` has their events.',
    path: PATH,
    query: { ...LIST_QUERY, status: '`parked`, unless you ask for `exhausted`.' },
    body: {},
    requests: {},
    answers: { page: { summary: 'A page, the last one', value: list(parked) } },
    invalid: [{ field: 'status', message: 'status must be parked or exhausted.' }, INVALID_CURSOR],
  }),
];
