import createClient from 'openapi-fetch';
import type { components, paths } from './api.js';

/* Written against the generated types alone: a name or a type that is missing fails to compile. */

const { BASE_URL: baseUrl = '', KEY = '' } = process.env;
const client = createClient<paths>({ baseUrl, headers: { authorization: `Bearer ${KEY}` } });

type Event = components['schemas']['Event'];
/** What an event is about: `type` tells the form of `data`. */
export const subjectOf = (event: Event): string => {
  switch (event.type) {
    case 'checkout.paid':
      return event.data.reference;
    case 'virtual_account.payment_received':
      return event.data.payment.id;
    case 'endpoint.disabled':
      return event.data.url;
    default:
      return event.id;
  }
};

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
