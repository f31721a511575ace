import { apiKeyKey, businessKey, checkoutsOf } from '#shared/adapters/dynamodb/table/keys.ts';
import { hashKey } from '#shared/domain/businesses/api-key.ts';
import { makeWorld } from '#test/support/worlds/world.ts';
import type { Templates } from './bare-functions.ts';
import type { Client } from './requests.ts';

/* The merchant of the benchmarks. */

export const CHECKOUT = { amount: 8_500.75, payer_email: 'ngozi.eze@example.com', payer_name: 'Ngozi Eze' };
export const CUSTOMER = {
  customer_name: 'Adaeze Okafor',
  customer_phone: '+2348031234567',
  banks: ['paystack', 'monnify'],
};
/** Never connected to: nothing in these sections consumes the queue. */
const ENDPOINT = 'http://127.0.0.1:9/webhooks';

/** A new table and queues, with a merchant that has one webhook endpoint. */
export const openShop = async () => {
  const world = await makeWorld({ startAt: Date.now() });
  const business = await world.addBusiness([ENDPOINT]);
  return { world, business, key: business.keys.secret_test };
};
export type Shop = Awaited<ReturnType<typeof openShop>>;

const dataOf = (text: string) => JSON.parse(text).data as { reference: string };

/** Starts a checkout and returns its reference. */
export const newCheckout = async (client: Client, key: string, prefix = ''): Promise<string> => {
  const { status, text } = await client.ask({
    method: 'POST',
    path: `${prefix}/api/v1/checkout/initialize`,
    key,
    body: CHECKOUT,
  });
  if (status !== 201) throw new Error(`A checkout was answered with ${status}: ${text}`);
  return dataOf(text).reference;
};

/** Lets the service write one item of each kind, as templates for the bare functions. */
export const takeTemplates = async ({ world, business, key }: Shop, client: Client): Promise<Templates> => {
  const one = async (prefix: string) => {
    const [item] = await world.itemsOf(prefix);
    if (!item) throw new Error(`The service wrote no item with a sort key ${prefix}.`);
    return item;
  };
  const reference = await newCheckout(client, key);
  const pending = await one('CHK');
  const number = await one('ACCT');
  await client.ask({ method: 'POST', path: '/api/v1/checkout/sandbox/simulate', key, body: { reference } });
  const [paid, payment, event, delivery] = await Promise.all(['CHK', 'PAY', 'EVT', 'DLV#'].map(one));
  const customer_email = 'adaeze.okafor@example.com';
  const created = { ...CUSTOMER, customer_email };
  await client.ask({ method: 'POST', path: '/api/v1/virtual-accounts', key, body: created });
  const accounts = [
    ...(await world.itemsOf('VA')),
    ...(await world.itemsOf('ACCT')).filter((item) => item.reference === undefined),
  ];
  if (!paid || !payment || !event || !delivery) throw new Error('The service did not write what a landing writes.');
  const hash = hashKey(key);
  return {
    apiKey: apiKeyKey(hash).pk,
    rate: `RATE#bare-${hash}`,
    business: businessKey(business.id).pk,
    list: checkoutsOf(business.tenant),
    pending,
    paid,
    number,
    payment,
    event,
    delivery,
    accounts,
  };
};
