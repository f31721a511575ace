import { DAY, MINUTE, SECOND } from '#shared/platform/kernel/time.ts';
import { createApiClient } from '#test/support/worlds/api-client.ts';
import {
  merchant as live,
  world as liveWorld,
  openWorld as openLiveWorld,
} from '#test/support/worlds/live-merchant.ts';
import { api, business, openMerchantForEachTest, world } from '#test/support/worlds/test-merchant.ts';

openMerchantForEachTest({ urls: [] });

const open = async (payer_email: string, more: Record<string, unknown> = {}): Promise<string> => {
  world.clock.advance(SECOND);
  return (await api.initialize({ amount: 2_500, payer_email, ...more })).json.data.reference;
};
const list = (query: Record<string, string>) => api.listCheckouts(undefined, {}, query);
const find = async (query: Record<string, string>): Promise<string[]> =>
  (await list(query)).json.data.map(({ reference }: { reference: string }) => reference);
const at = (seconds: number) => `2026-11-20T12:00:0${seconds}Z`;

test('a checkout search filters by payer, status and time, and by all of them together', async () => {
  const ada = await open('Ada@example.com');
  const bola = await open('bola@example.com', { merchant_reference: 'order-1' });
  const again = await open('ada@EXAMPLE.com');
  await api.simulate({ reference: again });
  expect(await find({ payer_email: 'ADA@example.com' })).toEqual([again, ada]);
  expect(await find({ payer_email: 'nobody@example.com' })).toEqual([]);
  expect(await find({ status: 'pending' })).toEqual([bola, ada]);
  expect(await find({ status: 'paid' })).toEqual([again]);
  expect(await find({ payer_email: 'ada@example.com', status: 'pending' })).toEqual([ada]);
  expect(await find({ from: at(2) })).toEqual([again, bola]);
  expect(await find({ from: at(1), to: at(3) })).toEqual([bola, ada]);
  expect(await find({ payer_email: 'ada@example.com', to: at(3) })).toEqual([ada]);
  expect(await find({ payer_email: 'ada@example.com', from: at(2) })).toEqual([again]);
  expect(await find({ merchant_reference: 'order-1', payer_email: 'bola@example.com' })).toEqual([bola]);
  expect(await find({ merchant_reference: 'order-1', payer_email: 'ada@example.com' })).toEqual([]);
  expect(await find({ merchant_reference: 'order-1', from: at(3) })).toEqual([]);
  expect(await list({ status: 'open' })).toMatchObject({ status: 422, json: { errors: [{ field: 'status' }] } });
});

test('a checkout search continues each page where the last one ended, and a cursor belongs to its filters', async () => {
  const references: string[] = [];
  for (let i = 0; i < 5; i++) references.unshift(await open(i % 2 === 0 ? 'ada@example.com' : 'bola@example.com'));
  const expected = references.filter((_, i) => i % 2 === 0);
  for (const query of [{ payer_email: 'ada@example.com' }, { payer_email: 'ada@example.com', status: 'pending' }]) {
    const seen: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page = await list({ ...query, limit: '1', ...(cursor && { cursor }) });
      seen.push(...page.json.data.map(({ reference }: { reference: string }) => reference));
      cursor = page.json.meta.next_cursor;
    }
    expect(seen).toEqual(expected);
  }
  const { next_cursor: cursor } = (await list({ payer_email: 'ada@example.com', limit: '1' })).json.meta;
  expect((await list({ payer_email: 'bola@example.com', cursor })).status).toBe(422);
});

test('a checkout search finds nothing of another business or mode', async () => {
  await open('ada@example.com');
  const other = await world.addBusiness([]);
  for (const key of [other.keys.secret_test, business.keys.secret_live]) {
    const listed = await createApiClient(world, key).listCheckouts(undefined, {}, { payer_email: 'ada@example.com' });
    expect(listed.json.data).toEqual([]);
  }
});

test('a checkout search by payer finds an open live checkout, even if the sweeper opened it', async () => {
  await openLiveWorld();
  try {
    const payer_email = 'emeka@example.com';
    const listReferences = async () =>
      (await live.api.listCheckouts(undefined, {}, { payer_email })).json.data.map(
        ({ reference }: { reference: string }) => reference,
      );
    const { reference } = await live.checkout('paystack', { payer_email });
    const lost = await live.lostCheckout('korapay', { payer_email });
    expect(await listReferences()).toEqual([reference]);
    await liveWorld.minutesPass(8);
    expect((await listReferences()).sort()).toEqual([reference, lost.reference].sort());
  } finally {
    await liveWorld.stop();
  }
});

describe('a search by account number', () => {
  const CUSTOMER = {
    customer_name: 'Adaeze Okafor',
    customer_phone: '+2348031234567',
    customer_email: 'Adaeze.Okafor@example.com',
    provider: 'paystack',
  };

  test('finds a checkout or a virtual account only for its business', async () => {
    const reference = await open('ada@example.com');
    const { account_number: checkoutNumber } = (await list({})).json.data[0];
    const [account] = (await api.createAccounts(CUSTOMER)).json.accounts;
    const { account_number: virtualNumber } = account;
    expect(await find({ account_number: checkoutNumber })).toEqual([reference]);
    expect(await find({ account_number: checkoutNumber, status: 'paid' })).toEqual([]);
    expect(await find({ account_number: virtualNumber })).toEqual([]);
    const accounts = async (query: Record<string, string>, client = api) =>
      (await client.listAccounts(undefined, {}, query)).json.data;
    expect(await accounts({ account_number: virtualNumber })).toEqual([account]);
    expect(await accounts({ account_number: virtualNumber, customer_email: 'adaeze.okafor@example.com' })).toEqual([
      account,
    ]);
    expect(await accounts({ account_number: virtualNumber, customer_email: 'chidi.eze@example.com' })).toEqual([]);
    expect(await accounts({ account_number: checkoutNumber })).toEqual([]);
    const other = await world.addBusiness([]);
    for (const key of [other.keys.secret_test, business.keys.secret_live]) {
      const client = createApiClient(world, key);
      expect(await accounts({ account_number: virtualNumber }, client)).toEqual([]);
      expect((await client.listCheckouts(undefined, {}, { account_number: checkoutNumber })).json.data).toEqual([]);
    }
    expect(await list({ account_number: '12345' })).toMatchObject({
      status: 422,
      json: { errors: [{ message: 'account_number must be an account number of ten digits.' }] },
    });
  });

  test('finds the business’s own checkouts of a number that the provider reuses, newest first and page by page', async () => {
    await openLiveWorld({ recycleNumbers: true });
    try {
      const other = liveWorld.live(await liveWorld.addBusiness([], 'live'));
      const opened: string[] = [];
      let account_number = '';
      for (const client of [live.api, other, live.api, live.api]) {
        liveWorld.clock.advance(MINUTE);
        const order = { amount: 2_500, payer_email: 'emeka@example.com', provider: 'korapay' };
        const { data } = (await client.initialize(order)).json;
        if (client === live.api) opened.unshift(data.reference);
        account_number = data.account_number;
        // The number is free again once the account has expired.
        liveWorld.clock.advance(DAY);
      }
      const seen: string[] = [];
      let cursor: string | null = '';
      while (cursor !== null) {
        const query = { account_number, limit: '1', ...(cursor && { cursor }) };
        const page = await live.api.listCheckouts(undefined, {}, query);
        seen.push(...page.json.data.map(({ reference }: { reference: string }) => reference));
        cursor = page.json.meta.next_cursor;
      }
      expect(seen).toEqual(opened);
    } finally {
      await liveWorld.stop();
    }
  });
});
