import { SECOND } from '#shared/platform/kernel/time.ts';
import { createApiClient } from '#test/support/worlds/api-client.ts';
import { merchant, openWorldForEachTest, world } from '#test/support/worlds/live-merchant.ts';
import { describeAtProviders } from '#test/support/worlds/provider-scenes.ts';

/* Servers and browsers have separate shares of a quota, and each address has a part of the browsers' share. */

const QUOTA = { creations: 3, publicCreations: 6, addressCreations: 2, seconds: 10 };
const WINDOW = QUOTA.seconds * SECOND;
const ORDER = { amount: 8_500, payer_email: 'chidi.eze@example.com' };
const CUSTOMER = { customer_name: 'Amara Okonkwo', customer_phone: '+2348031234567', bvn: '22212345678' };
const KEY = { 'idempotency-key': 'order-2026-11-20-0417' };
const [MALLORY, PAYER] = ['198.51.100.66', '203.0.113.7'];

openWorldForEachTest({ providerQuota: QUOTA });

/** Creates a browser at an address, with the merchant's public key. */
const browser = (address: string, ownWorld = world) => {
  const { id, keys } = merchant.business;
  const api = createApiClient(ownWorld, keys.public_live, address);
  return {
    initialize: (body: object, headers: Record<string, string> = {}) =>
      api.initialize(body, { 'x-business-id': id, ...headers }),
  };
};
const listStatuses = (answers: readonly { status: number }[]): number[] => answers.map(({ status }) => status).sort();
const together = <T>(times: number, work: (i: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: times }, (_, i) => work(i)));
/** Lists how many requests were charged to each share. The item's key names the share. */
const listCounts = async (): Promise<Record<string, unknown>> =>
  Object.fromEntries(
    (await world.itemsOf('USED')).map(({ pk, requests }) => [String(pk).split('#').slice(4).join(' '), requests]),
  );

describeAtProviders('the shares of a quota at %s', (provider) => {
  const order = { ...ORDER, provider };

  test('an address that floods us with checkouts affects neither other payers nor the merchant’s server', async () => {
    const flood = await together(30, () => browser(MALLORY).initialize(order));
    expect(listStatuses(flood)).toEqual([201, 201, ...Array(28).fill(503)]);
    for (const { json, headers } of flood.filter(({ status }) => status === 503)) {
      expect([json.code, headers['retry-after']]).toEqual(['provider_busy', '10']);
    }
    // Requests that the address's share refuses are charged to no share.
    expect(await listCounts()).toEqual({ [`public ${MALLORY}`]: 2, public: 2 });

    expect((await browser(PAYER).initialize(order)).status).toBe(201);
    expect((await merchant.askForAccount(provider)).status).toBe(201);
    expect(listStatuses(await together(2, () => merchant.api.initialize(order)))).toEqual([201, 201]);
    expect(await listCounts()).toMatchObject({ [`public ${PAYER}`]: 1, public: 3, secret: 3 });
    expect((await merchant.api.initialize(order)).status).toBe(503);

    world.clock.advance(WINDOW);
    expect((await browser(MALLORY).initialize(order)).status).toBe(201);
  });

  test('an address with the public keys of twelve shops gets only ten times its share at one shop', async () => {
    const shops = await Promise.all(Array.from({ length: 12 }, () => world.addBusiness()));
    const flood = await together(24, (i) => {
      const { id, keys } = shops[i % 12] as (typeof shops)[number];
      return createApiClient(world, keys.public_live, MALLORY).initialize(order, { 'x-business-id': id });
    });
    expect(listStatuses(flood)).toEqual([...Array(20).fill(201), ...Array(4).fill(503)]);
  });

  test('any number of addresses use up only the browsers’ share, which is logged once', async () => {
    const flood = await together(12, (i) => browser(`198.51.100.${i}`).initialize(order));
    expect(listStatuses(flood)).toEqual([...Array(6).fill(201), ...Array(6).fill(503)]);
    expect(listStatuses(await together(3, () => merchant.api.initialize(order)))).toEqual([201, 201, 201]);
    expect(world.measuredSum('provider_busy')).toBe(6);
    const window = Math.floor(world.clock.now() / WINDOW);
    const usedUp = { business_id: merchant.business.id, provider, work: 'creations', window };
    expect(world.loggedLines('provider_quota_used_up')).toEqual([
      { event: 'provider_quota_used_up', ...usedUp, share: 'public' },
    ]);

    await merchant.api.initialize(order);
    await merchant.api.initialize(order);
    expect(world.logged).toContainEqual({ event: 'provider_quota_used_up', ...usedUp, share: 'secret' });
    expect(world.loggedTimes('provider_quota_used_up')).toBe(2);
    world.clock.advance(WINDOW);
    await together(4, () => merchant.api.initialize(order));
    expect(world.loggedTimes('provider_quota_used_up')).toBe(3);
  });

  test('hosts of one IPv6 /64 share one quota, and an IPv4 address written as IPv6 is the same address', async () => {
    const hosts = ['2001:db8:7:1::1', '2001:db8:7:1:a:b:c:d', '2001:0db8:0007:0001::3', '::ffff:198.51.100.66'];
    const answers = await together(hosts.length, (i) => browser(hosts[i] as string).initialize(order));
    expect(listStatuses(answers)).toEqual([201, 201, 201, 503]);
    expect(await listCounts()).toEqual({ 'public 2001:db8:7:1::/64': 2, [`public ${MALLORY}`]: 1, public: 3 });
  });

  test('a replay and an interrupted request are not charged, even if the address has used up its share', async () => {
    const first = await browser(PAYER).initialize(order, KEY);
    const interrupted = { 'idempotency-key': 'order-2026-11-20-0418' };
    const named = { ...order, merchant_reference: 'INV-0417' };
    await merchant.dieBeforeWriting((_, deps) => browser(PAYER, { ...world, deps }).initialize(named, interrupted));
    world.clock.advance(3 * WINDOW);
    await together(2, () => browser(PAYER).initialize(order));
    expect((await browser(PAYER).initialize(order)).status).toBe(503);

    expect((await browser(PAYER).initialize(order, KEY)).text).toBe(first.text);
    const [opening] = (await world.itemsOf('CHK')).filter(({ status }) => status === 'opening');
    expect(await browser(PAYER).initialize(named, interrupted)).toMatchObject({
      status: 201,
      json: { data: { reference: opening?.reference, merchant_reference: 'INV-0417', created_with: 'public' } },
    });
  });

  test('another address with the same Idempotency-Key opens its own checkout and does not resume an interrupted one', async () => {
    const named = { ...order, merchant_reference: 'INV-0417' };
    await merchant.dieBeforeWriting((_, deps) => browser(PAYER, { ...world, deps }).initialize(named, KEY));
    const [opening] = await world.itemsOf('CHK');
    const other = await browser(MALLORY).initialize({ ...named, amount: 9_000 }, KEY);
    expect(other).toMatchObject({ status: 201, json: { data: { amount: 9_000 } } });
    world.clock.advance(3 * WINDOW);
    const resumed = await browser(PAYER).initialize(named, KEY);
    expect(resumed).toMatchObject({ status: 201, json: { data: { reference: opening?.reference, amount: 8_500 } } });
    expect((await browser(MALLORY).initialize({ ...named, amount: 9_000 }, KEY)).text).toBe(other.text);
    const listed = await merchant.api.listCheckouts(undefined, {}, { merchant_reference: 'INV-0417' });
    expect(listed.json.data).toHaveLength(2);
  });
});

describe('the quota of test mode', () => {
  const testKeys = () => {
    const { id, keys } = merchant.business;
    return {
      server: createApiClient(world, keys.secret_test),
      browserAt: (address: string) => ({
        start: () => createApiClient(world, keys.public_test, address).initialize(ORDER, { 'x-business-id': id }),
      }),
    };
  };

  test('browsers have a separate quota in test mode, which affects neither live mode nor servers', async () => {
    const { server, browserAt } = testKeys();
    const flood = await together(40, browserAt(MALLORY).start);
    expect(listStatuses(flood)).toEqual([...Array(10).fill(201), ...Array(30).fill(503)]);
    expect(flood.find(({ status }) => status === 503)?.json.code).toBe('provider_busy');
    const others = await together(30, (i) => browserAt(`198.51.100.${i}`).start());
    expect(listStatuses(others)).toEqual([...Array(20).fill(201), ...Array(10).fill(503)]);
    expect(listStatuses(await together(20, () => server.initialize(ORDER)))).toEqual(Array(20).fill(201));
    expect(listStatuses(await together(2, () => browser(MALLORY).initialize(ORDER)))).toEqual([201, 201]);
    world.clock.advance(WINDOW);
    expect((await browserAt(MALLORY).start()).status).toBe(201);
  });

  test('slow answers have a quota in test mode, because each occupies a function for seconds', async () => {
    const { server } = testKeys();
    const openAccount = (customer_email: string) => () =>
      server.createAccounts({ ...CUSTOMER, customer_email, banks: ['monnify'] });
    const slow = await together(8, openAccount('slow+monnify@example.com'));
    const busy = slow.filter(({ json }) => json.errors[0].code === 'provider_busy');
    expect(busy[0]?.json.errors[0].message).toBe('monnify takes no more requests right now. (simulated)');
    expect([slow.length, busy.length]).toEqual([8, 5]);
    expect(listStatuses(await together(8, openAccount('amara.okonkwo@example.com')))).toEqual(Array(8).fill(201));
    expect((await merchant.askForAccount('monnify')).status).toBe(201);
    const startCheckout = (payer_email: string) => () =>
      server.initialize({ amount: 500, payer_email, provider: 'korapay' });
    const started = await together(8, startCheckout('slow+korapay@example.com'));
    expect(listStatuses(started).sort()).toEqual([201, 201, 201, 503, 503, 503, 503, 503]);
    expect(started.find(({ status }) => status === 503)?.json).toMatchObject({
      code: 'provider_busy',
      message: 'korapay takes no more requests right now. (simulated)',
    });
    expect(listStatuses(await together(8, startCheckout('amara.okonkwo@example.com')))).toEqual(Array(8).fill(201));
  });
});

test('no request is admitted if the table does not answer', async () => {
  const quotaMeter = { charge: () => Promise.reject(new Error('The table does not answer.')) };
  const failing = { ...world, deps: { ...world.deps, quotaMeter } };
  expect((await browser(PAYER, failing).initialize(ORDER)).status).toBe(500);
  expect((await merchant.apiWith({ quotaMeter }).initialize(ORDER)).status).toBe(500);
  expect(await world.itemsOf('CHK')).toEqual([]);
});
