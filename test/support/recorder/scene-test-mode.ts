import { MINUTE } from '#shared/platform/kernel/time.ts';
import { startReceiver } from '#test/support/worlds/receiver.ts';
import type { RecordedStage } from './stage.ts';
import { EMAIL, expectStatus, makeCustomer, makeIdempotencyHeaders, PAYER, sendTwice } from './steps.ts';

/* Scenes in which each function makes every kind of call that it ever makes, including the rare ones. */

/** Plays test mode from the first checkout to a deactivated account, and every list. */
export const testMode = async (stage: RecordedStage): Promise<void> => {
  const ask = expectStatus((await stage.openBusiness('Ada Stores Limited'))('test'));
  const receiver = await startReceiver();
  await ask(201, 'POST', '/webhook-endpoints', { url: receiver.url });

  const opened = await sendTwice(ask, 201, 'POST', '/checkout/initialize', { amount: 8_500, ...PAYER });
  const { reference } = opened.data;
  const expiring = { amount: 100, ...PAYER, merchant_reference: 'order-1', expires_in: 60 };
  await ask(201, 'POST', '/checkout/initialize', expiring);
  await ask(409, 'POST', '/checkout/initialize', expiring);
  // A merchant reference passes from an ended checkout to the next.
  const renamed = { ...expiring, merchant_reference: 'order-2' };
  const endedCheckout = await ask(201, 'POST', '/checkout/initialize', renamed);
  await sendTwice(ask, 200, 'POST', `/checkouts/${endedCheckout.data.reference}/expire`, undefined);
  await ask(201, 'POST', '/checkout/initialize', renamed);
  await ask(200, 'GET', `/checkout/verify/${reference}`);
  // A container that already knows the API key reads key and checkout together.
  await ask(200, 'GET', `/checkout/verify/${reference}`);
  await sendTwice(ask, 200, 'POST', '/checkout/sandbox/simulate', { reference, status: 'success' });
  await sendTwice(ask, 200, 'POST', '/checkout/sandbox/simulate', { reference, outcome: 'reversed' });
  await payersPage(stage, opened.data.checkout_url);
  await ask(200, 'GET', '/checkouts');
  await ask(200, 'GET', '/checkouts?status=paid');
  await ask(200, 'GET', '/checkouts?merchant_reference=order-1');
  await ask(200, 'GET', '/checkouts?account_number=5430362769');
  await ask(200, 'GET', '/virtual-accounts?account_number=5430362769');
  await ask(200, 'GET', `/checkouts?payer_email=${encodeURIComponent(PAYER.payer_email)}`);

  const banks = ['paystack', 'monnify'];
  const { accounts } = await sendTwice(ask, 201, 'POST', '/virtual-accounts', { ...makeCustomer(), banks });
  const [first, second] = accounts;
  await ask(200, 'GET', `/virtual-accounts/${first.id}`);
  await ask(200, 'GET', '/virtual-accounts');
  await ask(200, 'GET', `/virtual-accounts?customer_email=${encodeURIComponent(EMAIL)}`);
  await sendTwice(ask, 200, 'POST', `/virtual-accounts/${first.id}/sandbox/simulate`, { amount: 1_250.5 });
  await sendTwice(ask, 200, 'POST', `/virtual-accounts/${first.id}/sandbox/simulate`, { outcome: 'reversed' });
  await ask(200, 'GET', `/virtual-accounts/${first.id}/payments`);
  const { data: payments } = await ask(200, 'GET', '/payments');
  await ask(200, 'GET', `/payments?payer_email=${encodeURIComponent(EMAIL)}`);
  await ask(200, 'GET', `/payments?payer_email=${encodeURIComponent(PAYER.payer_email)}`);
  await ask(200, 'GET', `/payments/${payments[0].id}`);
  await ask(200, 'GET', `/payments/export?payer_email=${encodeURIComponent(PAYER.payer_email)}`);
  // A shop uses one address for all payers: there are too many checkouts to query each.
  const guest = { amount: 100, payer_email: 'guest@example.com' };
  for (let i = 0; i < 51; i++) await ask(201, 'POST', '/checkout/initialize', guest);
  await ask(200, 'GET', `/payments?payer_email=${guest.payer_email}`);
  await ask(200, 'GET', `/payments/export?payer_email=${guest.payer_email}`);
  await ask(200, 'DELETE', `/virtual-accounts/${first.id}`, undefined, makeIdempotencyHeaders());
  await sendTwice(ask, 200, 'POST', `/virtual-accounts/${second.id}/delete`, {});

  // The provider does not answer in time, and the sweeper settles the account.
  await ask(201, 'POST', '/virtual-accounts', {
    ...makeCustomer(),
    customer_email: 'slow+paystack@example.com',
    banks,
  });
  const slow = { amount: 500, payer_email: 'slow+paystack@example.com', provider: 'paystack' };
  await ask(201, 'POST', '/checkout/initialize', { ...slow, merchant_reference: 'INV-2026-0418' });

  // The checkout that lives a minute expires, and its business is notified.
  stage.clock.advance(5 * MINUTE);
  await stage.sweep();
  await stage.deliver();
  const { data } = await ask(200, 'GET', '/events');
  await ask(200, 'GET', '/events?type=checkout.paid&delivery_status=succeeded');
  await ask(200, 'GET', `/events/${data[0].id}`);
  await ask(404, 'GET', '/events/evt_01KDVDNX1Q7B3W9E5R2T8Y6U4C');
  await receiver.stop();
};

/** Opens the payment page of a checkout as a payer, asks for its status, and pays by its buttons. */
const payersPage = async ({ request }: RecordedStage, checkoutUrl: string): Promise<void> => {
  const page = new URL(checkoutUrl).pathname;
  await request('GET', page, {});
  await request('GET', `${page}/status`, {});
  for (const [before, outcome] of ['exact', 'exact', 'returned', 'returned'].entries()) {
    const body = new URLSearchParams({ version: String(before + 1), outcome }).toString();
    const accept = before % 2 === 0 ? 'text/html' : 'application/json';
    const headers = { 'content-type': 'application/x-www-form-urlencoded', accept };
    await request('POST', `${page}/simulate`, headers, body);
  }
};

/** Requests the paths without a key. */
export const publicPaths = async ({ request }: RecordedStage): Promise<void> => {
  await request('GET', '/health', {});
  await request('GET', '/nowhere', {});
  await request('GET', '/docs', {});
  await request('GET', '/docs/nowhere', {});
  await request('GET', '/widget/v1.js', {});
  await request('GET', '/dashboard', {});
  await request('GET', '/api/v1/openapi.json', {});
  await request('GET', '/api/v1/openapi.yaml', {});
  await request('GET', '/api/v1/postman.json', {});
  await request('GET', '/llms.txt', {});
};
