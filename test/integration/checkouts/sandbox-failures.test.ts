import { MINUTE } from '#shared/platform/kernel/time.ts';
import { createApiClient } from '#test/support/worlds/api-client.ts';
import {
  answerInSandbox,
  openMerchantAtSlowSandbox,
  sandboxAsked,
  sandboxWaits,
} from '#test/support/worlds/slow-sandbox.ts';
import { api, business, world } from '#test/support/worlds/test-merchant.ts';

/* When a checkout starts in test mode, the payer's e-mail address chooses the failure or delay that the sandbox simulates. */

openMerchantAtSlowSandbox();

const KEY = { 'idempotency-key': 'order-0417-4f1c' };
const order = (payer_email: string) => ({
  amount: 500,
  payer_email,
  provider: 'monnify',
  merchant_reference: 'INV-1',
});
const listed = async (): Promise<string[]> =>
  (await api.listCheckouts()).json.data.map(({ reference }: { reference: string }) => reference);

test('a slow sandbox provider leaves time to see that a request is in progress, and the checkout exists afterwards', async () => {
  const body = order('slow+monnify@example.com');
  const first = api.initialize(body, KEY);
  await sandboxAsked;
  expect(sandboxWaits).toEqual([3_000]);
  const second = await api.initialize(body, KEY);
  expect([second.status, second.json.code]).toEqual([409, 'idempotency_in_progress']);
  expect(second.headers['retry-after']).toBeDefined();
  expect(await listed()).toEqual([]);
  answerInSandbox();
  const { status, json, text } = await first;
  expect([status, json.data.status, json.data.mode]).toEqual([201, 'pending', 'test']);
  const again = await api.initialize(body, KEY);
  expect([again.text, again.headers['idempotent-replayed']]).toEqual([text, 'true']);
  expect(await listed()).toEqual([json.data.reference]);
  const { reference } = json.data;
  for (const filter of [{ account_number: json.data.account_number }, { payer_email: body.payer_email }]) {
    const matches = (await api.listCheckouts(undefined, {}, filter)).json.data;
    expect(matches.map((checkout: { reference: string }) => checkout.reference)).toEqual([reference]);
  }
  expect((await api.simulate({ reference })).json.data.status).toBe('paid');
  expect(sandboxWaits).toEqual([3_000]);
});

test('a request interrupted at a slow provider is dropped, asks no live provider, and frees its merchant reference', async () => {
  void api.initialize(order('slow+monnify@example.com'), KEY);
  await sandboxAsked;
  const other = order('ngozi.eze@example.com');
  expect((await api.initialize(other)).json.code).toBe('duplicate_merchant_reference');
  world.clock.advance(MINUTE);
  await world.sweep();
  expect(await world.itemsOf('CHK')).toEqual([]);
  expect((await api.initialize(other)).status).toBe(201);
});

test.each(['fail+monnify@example.com', 'FAIL+all@example.com'])(
  'the payer address %s makes the sandbox provider fail, and nothing is stored',
  async (email) => {
    const { status, json } = await api.initialize(order(email), KEY);
    expect([status, json.code, json.message]).toEqual([
      502,
      'provider_error',
      'monnify could not complete the request. (simulated)',
    ]);
    expect(await listed()).toEqual([]);
    expect((await api.initialize(order('ngozi.eze@example.com'))).status).toBe(201);
    // The failure does not count among failures of live providers or of ours, because those counts alert operators.
    expect(['provider_failures', 'requests_failed'].map((name) => world.measuredSum(name))).toEqual([0, 0]);
  },
);

test('a payer address that names a provider other than the requested one changes nothing', async () => {
  for (const email of ['fail+paystack@example.com', 'slow+korapay@example.com', 'slow+all@example.com']) {
    const { merchant_reference: _, ...body } = order(email);
    expect((await api.initialize(body)).status).toBe(201);
  }
  expect(sandboxWaits).toEqual([]);
});

test('a request with a public key gets the same simulated failure', async () => {
  const browser = createApiClient(world, business.keys.public_test);
  const refused = await browser.initialize(order('fail+monnify@example.com'), { 'x-business-id': business.id });
  expect([refused.status, refused.json.code]).toEqual([502, 'provider_error']);
});
