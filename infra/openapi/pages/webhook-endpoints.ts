import { INVALID_CURSOR, LIST_QUERY, list, page, success } from '#infra/openapi/endpoint-page.ts';
import { findExampleEvent } from '#infra/openapi/examples/events.ts';
import {
  BUSINESS_ID,
  disabledEndpoint,
  endpoint,
  healthyEndpoint,
  parkedDelivery,
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
  'The URL that receives webhooks: https, a public host name, port 443 or any port from 1024 on, no user name, no fragment. A local stack of this service (`npm start`) also takes http, `localhost` and IP addresses; the answer’s `message` then says that a deployed stage refuses such a URL.';
const EVENTS = 'The event types that it receives. `["*"]` means all types, also those that are added later.';
const SWITCHED_OFF = { field: 'id', message: 'id names a webhook endpoint that is switched off. Enable it first.' };
const LIMITS = '*Limits of webhooks* says how often you can call it.';
const TOO_MANY_URLS = {
  message: 'A business can set at most 10 webhook endpoint URLs a minute. Try again in 40 s.',
  errors: [{ field: 'url', message: `${BUSINESS_ID} has reached its limit.` }],
};
const BARE = { ...TAG, path: PATH, query: {}, body: {}, requests: {}, invalid: [] };

/** The pages of webhook endpoints. */
export const WEBHOOK_ENDPOINT_PAGES = [
  page(createWebhookEndpointContract, {
    ...TAG,
    title: 'Create a webhook endpoint',
    description: `From now on we post the events of the key’s mode to this URL. You can have 5 endpoints in each mode. If you create the same URL twice, you have two endpoints, and every event arrives twice. **Only this answer shows the secret.** \`Idempotency-Key\` is ignored, because a stored answer would contain the secret. ${LIMITS}`,
    path: {},
    query: {},
    body: { url: URL, events: `${EVENTS} Default: all types.` },
    requests: {
      all: { summary: 'For all events', value: { url: endpoint.url } },
      some: {
        summary: 'For some events',
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
    description: 'Lists all endpoints of the key’s mode. There are at most 5, so there is one page.',
    path: {},
    query: {},
    body: {},
    requests: {},
    answers: { all: { summary: 'All endpoints', value: list(endpoint) } },
    invalid: [],
  }),
  page(getWebhookEndpointContract, {
    ...BARE,
    title: 'Get a webhook endpoint',
    description:
      'Returns an endpoint in its current state with its `health`, but never its secret. While it is `suspended`, deliveries wait, and one of them is tried now and then (see *Retries, and an endpoint that fails*). **Test a webhook endpoint** tries it at once. **List deliveries of a webhook endpoint** shows the deliveries that wait.',
    answers: {
      on: { summary: 'An enabled and healthy endpoint', value: success(healthyEndpoint) },
      suspended: { summary: 'A suspended endpoint: its server keeps failing', value: success(suspendedEndpoint) },
      off: { summary: 'An endpoint that we disabled', value: success({ ...suspendedEndpoint, ...disabledEndpoint }) },
    },
  }),
  page(updateWebhookEndpointContract, {
    ...TAG,
    title: 'Change a webhook endpoint',
    description: `Changes the fields that you send. A new \`url\` also applies to events that are already on their way. If you send \`url\`, even the present URL, a suspended endpoint is tried at once. With a new URL, earlier failures are forgotten. A disabled endpoint receives nothing: its deliveries are \`parked\` until you enable it (see *Retries, and an endpoint that fails*). ${LIMITS}`,
    path: PATH,
    query: {},
    body: {
      url: URL,
      events: EVENTS,
      enabled: '`false` disables the endpoint. `true` enables it again, and the parked deliveries are sent.',
    },
    requests: {
      move: { summary: 'Another URL', value: { url: 'https://hooks.adastores.example/v2/payments' } },
      on: { summary: 'Enable it again', value: { enabled: true } },
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
    description: `Deletes an endpoint, and cancels its pending deliveries. The answer shows the endpoint before its deletion. ${LIMITS}`,
    answers: { deleted: { summary: 'Deleted', value: success(endpoint, 'Webhook endpoint deleted.') } },
  }),
  page(rotateWebhookSecretContract, {
    ...TAG,
    title: 'Rotate a webhook secret',
    description: `Gives the endpoint a new secret. **Only this answer shows it.** \`Idempotency-Key\` is ignored. During the grace period both secrets sign, so that you can replace yours without losing a webhook. At most two secrets sign at a time: if you rotate again during the grace period, the older secret ends at once, even if your server still uses it. **Get a webhook endpoint** shows in \`previous_secret_until\` whether the previous secret still signs. ${LIMITS}`,
    path: PATH,
    query: {},
    body: {
      grace_seconds: 'The seconds for which the old secret still signs: 0 to 604,800. Default: 86,400, which is a day.',
    },
    requests: {
      day: { summary: 'With a grace period of a day', value: {} },
      now: { summary: 'Without a grace period, if the old secret leaked', value: { grace_seconds: 0 } },
    },
    answers: { rotated: { summary: 'The new secret', value: success({ ...endpoint, secret: SECRET }) } },
    invalid: [{ field: 'grace_seconds', message: 'grace_seconds must be at most 604800, which is seven days.' }],
  }),
  page(testWebhookEndpointContract, {
    ...TAG,
    title: 'Test a webhook endpoint',
    description: `Sends an \`endpoint.test\` event to this endpoint. With a test key you can choose any \`type\`, even one that the endpoint does not receive: the event is then an example of this type. The event is signed and retried like every other event. It is sent at once, even to a \`suspended\` endpoint: a 2xx ends the suspension. An example has \`example: true\` beside its \`type\`. Its \`data\` is not real, and nothing changes. ${LIMITS}`,
    path: PATH,
    query: {},
    body: {
      type: 'The type of the event. Default: `endpoint.test`, which is the only type with a live key.',
    },
    requests: {
      example: { summary: 'An example of another type', value: { type: 'checkout.overpaid' } },
      least: { summary: 'A test event', value: {} },
    },
    answers: {
      sent: {
        summary: 'The test event is being sent',
        value: success(findExampleEvent('endpoint.test'), 'A test event is on its way.'),
      },
      example: {
        summary: 'The example is being sent',
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
    description: `Sends all events again that happened since a time and did not reach this endpoint, because their deliveries were given up or the endpoint was disabled. They are sent slowly at first and then faster, so that a server that has just recovered is not overloaded. A pending retry keeps its time; **Redeliver an event** sends it now. One call handles at most 10,000 deliveries: while \`more\` is true, call again with \`next_since\`. One recovery of an endpoint runs at a time. ${LIMITS}`,
    path: PATH,
    query: {},
    body: { since: 'The time from which on events are sent again: ISO 8601 with a zone.' },
    requests: { morning: { summary: 'Everything since this morning', value: { since: '2026-11-20T07:00:00+01:00' } } },
    answers: {
      some: {
        summary: '128 deliveries are being sent',
        value: success({ recovered: 128, more: false, next_since: null }, 'The missed events are being sent again.'),
      },
      more: {
        summary: 'The first 10,000 deliveries are being sent',
        value: success(
          { recovered: 10_000, more: true, next_since: '2026-11-20T11:42:18.733000Z' },
          'The missed events are being sent again.',
        ),
      },
      none: {
        summary: 'Nothing to send',
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
      'Lists deliveries that have not arrived, newest event first. `parked` deliveries wait until the endpoint works again or is enabled; `exhausted` deliveries were given up. **Recover a webhook endpoint** sends both again. A page may be short while `has_more` is true: see *Lists*. Deliveries that wait for their next attempt are not listed: **List events** with `delivery_status=pending` has their events.',
    path: PATH,
    query: { ...LIST_QUERY, status: '`parked` (default) or `exhausted`.' },
    body: {},
    requests: {},
    answers: { page: { summary: 'The last page', value: list(parkedDelivery) } },
    invalid: [{ field: 'status', message: 'status must be parked or exhausted.' }, INVALID_CURSOR],
  }),
];
