import { makeWorld } from '#test/support/worlds/world.ts';
import type { Client } from './requests.ts';

/* The merchant of the benchmarks. */

export const CHECKOUT = { amount: 8_500.75, payer_email: 'ngozi.eze@example.com', payer_name: 'Ngozi Eze' };
export const CUSTOMER = {
  customer_name: 'Adaeze Okafor',
  customer_phone: '+2348031234567',
  banks: ['paystack', 'monnify'],
};
/** An endpoint that is never called: nothing in these sections consumes the queue. */
const ENDPOINT = 'http://127.0.0.1:9/webhooks';

/** Makes a table and queues, with a merchant that has one webhook endpoint. */
export const openShop = async () => {
  const world = await makeWorld({ startAt: Date.now() });
  const business = await world.addBusiness([ENDPOINT]);
  return { world, business, key: business.keys.secret_test };
};
const readData = (text: string) => JSON.parse(text).data as { reference: string };

/** Starts a checkout and returns its reference. */
export const newCheckout = async (client: Client, key: string): Promise<string> => {
  const { status, text } = await client.ask({
    method: 'POST',
    path: '/api/v1/checkout/initialize',
    key,
    body: CHECKOUT,
  });
  if (status !== 201) throw new Error(`A checkout was answered with ${status}: ${text}`);
  return readData(text).reference;
};
