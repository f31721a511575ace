import createClient from 'openapi-fetch';
import type { components, paths } from './api.js';

/* Written against the generated types alone: a name or a type that is missing fails to compile. */

const { BASE_URL: baseUrl = '', KEY = '' } = process.env;
const client = createClient<paths>({ baseUrl, headers: { authorization: `Bearer ${KEY}` } });

type Event = components['schemas']['Event'];
/** A type that is not handled is not `never`, and fails to compile: an event that is new in the document has to be handled here. */
const unknownType = (event: never): string => `An event of a newer version: ${JSON.stringify(event)}`;
/** What an event is about: `type` tells the form of `data`. */
export const subjectOf = (event: Event): string => {
  switch (event.type) {
    case 'checkout.paid':
    case 'checkout.overpaid':
    case 'checkout.underpaid':
    case 'checkout.payment_rejected':
    case 'checkout.payment_reversed':
    case 'checkout.failed':
    case 'checkout.expired':
      return event.data.reference;
    case 'virtual_account.payment_received':
    case 'virtual_account.payment_reversed':
      return event.data.payment.id;
    case 'virtual_account.activated':
    case 'virtual_account.failed':
      return event.data.id;
    case 'endpoint.disabled':
      return event.data.url;
    case 'endpoint.test':
      return event.data.message;
    default:
      return unknownType(event);
  }
};

/** An event that was read has its deliveries as well, and `type` tells the form of its `data` all the same. */
export const deliveredTo = (event: components['schemas']['EventWithDeliveries']): string =>
  event.type === 'checkout.paid' ? `${event.data.reference} ${event.deliveries.length}` : event.id;

const expired: components['schemas']['CheckoutStatus'] = 'expired';
const subscription: components['schemas']['CreateWebhookEndpointRequest'] = {
  url: 'https://hooks.adastores.example/payments',
  events: ['*'],
};

const body = { amount: 8_500.75, payer_email: 'tunde.bakare@example.com' };
const opened = await client.POST('/api/v1/checkout/initialize', { body });
if (opened.error) {
  const code: components['schemas']['ErrorCode'] = opened.error.code;
  throw new Error(`It was refused: ${code}`);
}
const { reference } = opened.data.data;
await client.POST('/api/v1/checkout/sandbox/simulate', { body: { reference } });
const verified = await client.GET('/api/v1/checkout/verify/{reference}', { params: { path: { reference } } });
console.log(verified.data?.data.status, verified.data?.data.paid_amount, expired, subscription.events?.length);
