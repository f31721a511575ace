import {
  endpointAnswer,
  endpointAnswerWithHealth,
  endpointAnswerWithSecret,
  endpointHealth,
} from '#shared/webhooks/contract/endpoint-answer.ts';
import { recovery } from '#shared/webhooks/contract/recover-webhook-endpoint.ts';
import { component } from './component.ts';

const endpointFields = {
  id: 'Identifies the endpoint.',
  url: 'The URL that webhooks are posted to.',
  mode: 'The mode whose events it receives.',
  events: 'The event types that it receives. `["*"]` means all types, also those that are added later.',
  enabled: 'True if it receives webhooks.',
  disabled_reason: 'The reason why it is disabled; null while it is enabled.',
  created_at: 'The time when it was created.',
};

/** The components of webhook endpoints. */
export const WEBHOOK_ENDPOINT_COMPONENTS = [
  component(endpointAnswer, 'WebhookEndpoint', 'A URL of yours that receives webhooks.', endpointFields),
  component(endpointAnswerWithSecret, 'WebhookEndpointWithSecret', 'A webhook endpoint with its secret.', {
    ...endpointFields,
    secret: 'The secret that signs the webhooks of this endpoint. Store it now: it is not shown again.',
  }),
  component(endpointAnswerWithHealth, 'WebhookEndpointWithHealth', 'A webhook endpoint with its health.', {
    ...endpointFields,
    health: 'The health of your server.',
    previous_secret_until:
      'The time until which the previous secret also signs; null if it does not sign any more. Another rotation ends it at once.',
  }),
  component(endpointHealth, 'EndpointHealth', 'The health of the server behind a webhook endpoint.', {
    status:
      '`healthy`; `failing`: the last attempts failed; `suspended`: it keeps failing, so deliveries wait, and one of them is tried now and then (see *Webhooks*); `recovering`: it works again, and the waiting deliveries are being sent.',
    failing_since: 'The time since which attempts have failed; null if the last one succeeded.',
    last_failed_event_id:
      'The event whose delivery failed last: **Get an event** shows what your server answered. Null if the last attempt succeeded.',
    parked:
      'The number of `parked` deliveries, counted up to 1,000. They wait until the endpoint works again or is enabled.',
  }),
  component(recovery, 'Recovery', 'The result of a recovery.', {
    recovered: 'The number of deliveries that are being sent again, including those that were already waiting.',
    more: 'True if more are left than one call handles. Then call again with `next_since` as `since`.',
    next_since: 'Send this as `since` to continue; null if nothing is left.',
  }),
];
