import type { Fault } from '#test/support/emulators/fault-proxy.ts';
import { createApiClient } from '#test/support/worlds/api-client.ts';
import { watchedWorld } from '#test/support/worlds/watched-world.ts';
import { makeWorld, type World } from '#test/support/worlds/world.ts';

const LIMITS = { live: 100, test: 5, publicAddress: 3 };
const CHECKOUT = { amount: 8_500.75, payer_email: 'ngozi.eze@example.com' };

describe('the rate limit', () => {
  let world: World;
  let business: Awaited<ReturnType<World['addBusiness']>>;
  beforeEach(async () => {
    world = await makeWorld({ rateLimits: LIMITS });
    business = await world.addBusiness();
  });
  const times = <T>(count: number, work: () => Promise<T>): Promise<T[]> =>
    Promise.all(Array.from({ length: count }, work));
  const statuses = (answers: readonly { status: number }[]): number[] => answers.map(({ status }) => status).sort();

  test('admits the quota of a key in each second, and each answer says how much is left', async () => {
    const api = createApiClient(world, business.keys.secret_test);
    const first = await api.listCheckouts();
    expect(first.headers).toMatchObject({ 'ratelimit-policy': '"key";q=5;w=1', ratelimit: '"key";r=4;t=1' });
    const rest = await times(9, () => api.listCheckouts());
    expect(statuses(rest)).toEqual([200, 200, 200, 200, 429, 429, 429, 429, 429]);
    const refused = rest.find(({ status }) => status === 429);
    expect(refused?.json).toMatchObject({ status: false, code: 'rate_limited', message: 'Too many requests.' });
    expect(refused?.headers).toMatchObject({ 'retry-after': '1', ratelimit: '"key";r=0;t=1' });
    world.clock.advance(1_000);
    expect((await api.listCheckouts()).status).toBe(200);
  });

  test('counts verify separately, counts each key alone, and has a quota of its own for live mode', async () => {
    const api = createApiClient(world, business.keys.secret_test);
    await times(6, () => api.listCheckouts());
    expect((await api.listCheckouts()).status).toBe(429);
    const verified = await api.verify('PAY-7H2KQ9XW4M1ZB8T5RC3N');
    expect(verified.status).toBe(404);
    expect(verified.headers).toMatchObject({ 'ratelimit-policy': '"verify";q=5;w=1', ratelimit: '"verify";r=4;t=1' });
    const live = createApiClient(world, business.keys.secret_live);
    expect(statuses(await times(20, () => live.listCheckouts()))).toEqual(Array(20).fill(200));
    const other = await world.addBusiness();
    expect((await createApiClient(world, other.keys.secret_test).listCheckouts()).status).toBe(200);
  });

  test('counts the source address before a public key, so that a refused address costs the key nothing', async () => {
    const from = (address: string) => createApiClient(world, business.keys.public_test, address);
    const initialize = (client: ReturnType<typeof from>) =>
      client.initialize(CHECKOUT, { 'x-business-id': business.id });
    const flooding = from('2c0f:f8f0:1:2::17');
    const flood = await times(40, () => initialize(flooding));
    expect(flood.filter(({ status }) => status === 201)).toHaveLength(3);
    expect(flood.find(({ status }) => status === 429)?.headers['ratelimit-policy']).toBe('"address";q=3;w=1');
    // The rest of the /64 belongs to the same subscriber.
    expect((await initialize(from('2c0f:f8f0:1:2:dead:beef::1'))).status).toBe(429);
    const payer = await initialize(from('102.89.23.18'));
    expect(payer.status).toBe(201);
    // A payer does not see how much of the key's limit is left, because that concerns only the merchant.
    expect(payer.headers).toMatchObject({ 'ratelimit-policy': '"address";q=3;w=1', ratelimit: '"address";r=2;t=1' });
  });

  test('refuses without a count in the table after a container has seen the quota used up, until the window ends', async () => {
    const { world: watchedOne, takeCalls, stop } = await watchedWorld(LIMITS);
    const { keys } = await watchedOne.addBusiness();
    const api = createApiClient(watchedOne, keys.secret_test);
    for (let i = 0; i < 6; i++) await api.listCheckouts();
    takeCalls();
    const refused = await api.listCheckouts();
    expect([refused.status, refused.headers.ratelimit]).toEqual([429, '"key";r=0;t=1']);
    expect(takeCalls()).toEqual(['GetItem KEY']);
    watchedOne.clock.advance(1_000);
    expect((await api.listCheckouts()).status).toBe(200);
    await stop();
  });

  test('counts in blocks: twenty requests in a row take four writes, and other containers see the count', async () => {
    const { world: watchedOne, container, takeCalls, stop } = await watchedWorld({ ...LIMITS, test: 100 });
    const { keys } = await watchedOne.addBusiness();
    const api = createApiClient(watchedOne, keys.secret_test);
    let last = await api.listCheckouts();
    takeCalls();
    for (let i = 1; i < 20; i++) last = await api.listCheckouts();
    expect(takeCalls().filter((call) => call === 'UpdateItem RATE')).toHaveLength(3);
    expect(last.headers.ratelimit).toBe('"key";r=80;t=1');
    // The other container does not know of four requests, which the first container has not reported yet.
    const elsewhere = await createApiClient(container(), keys.secret_test).listCheckouts();
    expect(elsewhere.headers.ratelimit).toBe('"key";r=83;t=1');
    await stop();
  });

  test('refuses a request before it has an effect', async () => {
    const api = createApiClient(world, business.keys.secret_test);
    const answers = await times(20, () => api.initialize(CHECKOUT));
    const created = answers.filter(({ status }) => status === 201).length;
    expect(await world.itemsOf('CHK')).toHaveLength(created);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(20 - created);
    // The counts of concurrent requests lack at most four requests, which the container has not reported yet.
    expect(created).toBeGreaterThanOrEqual(LIMITS.test);
    expect(created).toBeLessThanOrEqual(LIMITS.test + 4);
  });

  test.each<[string, Fault]>([
    ['hangs', 'hang'],
    ['fails', { status: 400, body: { __type: 'ValidationException' } }],
  ])('stays in force: while the count %s, each container admits a tenth of the quota', async (_, fault) => {
    const {
      world: watchedOne,
      container,
      inject,
      stop,
    } = await watchedWorld({ live: 100, test: 20, publicAddress: 3 }, 150);
    const { keys } = await watchedOne.addBusiness();
    inject((operation) => (operation === 'UpdateItem' ? fault : undefined));
    for (const process of [watchedOne, container()]) {
      const answers = await times(40, () => createApiClient(process, keys.secret_test).listCheckouts());
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(2);
      expect(answers.filter(({ status }) => status === 429)).toHaveLength(38);
      expect(answers[0]?.headers).not.toHaveProperty('ratelimit');
    }
    watchedOne.clock.advance(1_000);
    expect((await createApiClient(watchedOne, keys.secret_test).listCheckouts()).status).toBe(200);
    await stop();
  });
});
