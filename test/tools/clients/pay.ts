import createClient from 'openapi-fetch';
import type { components, paths } from './api.js';

/* Uses only the generated types: a missing name or type does not compile. */

const { BASE_URL = '', LATER_URL = '', KEY = '' } = process.env;
const headers = { authorization: `Bearer ${KEY}` };
const client = createClient<paths>({ baseUrl: BASE_URL, headers });
const later = createClient<paths>({ baseUrl: LATER_URL, headers });

type Event = components['schemas']['WebhookEvent'];
/** Accepts no data. If `findSubject` does not handle every form of `data`, its call of this function does not compile. */
const unknownData = (data: never): string => `An event of a newer version: ${JSON.stringify(data)}`;
/** Names the object of an event, by its type or by the form of its data. */
export const findSubject = (event: Event): string => {
  if (event.type === 'endpoint.disabled') return event.data.url;
  if (event.type === 'endpoint.test') return event.data.message;
  const { data } = event;
  if ('payments' in data) return data.reference;
  if ('payment' in data) return data.payment.id;
  if ('customer_name' in data) return data.id;
  return unknownData(data);
};

/** Reads the reference of a listed event. An event may have a type that is added later: its `data` is any object until its type is known. */
export const readReference = (event: components['schemas']['Event']): unknown =>
  event.type === 'endpoint.test' ? undefined : event.data.reference;

const subscription: components['schemas']['CreateWebhookEndpointRequest'] = {
  url: 'https://hooks.adastores.example/payments',
  events: ['*'],
};

const AMOUNT = 8_500_000.75;
const body = { amount: AMOUNT, payer_email: 'tunde.bakare@example.com' };
const opened = await client.POST('/api/v1/checkout/initialize', { body });
if (opened.error) throw new Error(`The checkout was refused: ${opened.error.code}`);
const { reference } = opened.data.data;
const simulation = { body: { reference } };
await client.POST('/api/v1/checkout/sandbox/simulate', simulation);
const verify = { params: { path: { reference } } };
const { data: verified } = await client.GET('/api/v1/checkout/verify/{reference}', verify);
const paid: components['schemas']['CheckoutStatus'] = 'paid';
if (verified?.data.amount !== AMOUNT || verified.data.status !== paid)
  throw new Error('The amount or the status is wrong.');
console.log(verified.data.status, verified.data.paid_amount);

const known: components['schemas']['ErrorCode'] = 'checkout_not_payable';
const again = await client.POST('/api/v1/checkout/sandbox/simulate', simulation);
if (again.error?.code !== known || subscription.events?.length !== 1)
  throw new Error('The second simulation was not refused as expected.');
console.log(again.error.code);

const refused = await later.POST('/api/v1/checkout/sandbox/simulate', simulation);
const { data: events } = await later.GET('/api/v1/events');
const { data: checkout } = await later.GET('/api/v1/checkout/verify/{reference}', verify);
const [event] = events?.data ?? [];
if (event) console.log(refused.error?.code, checkout?.data.provider, event.type, readReference(event));
