import { randomBytes } from 'node:crypto';
import { requestCounter } from '#shared/adapters/dynamodb/requests/request-counter.ts';
import { newApiKey } from '#shared/domain/businesses/api-key.ts';
import { createBusiness } from '#shared/use-cases/businesses/create-business.ts';
import { setWhitelist } from '#shared/use-cases/businesses/set-whitelist.ts';
import { type Fault, type FaultProxy, type Faults, startFaultProxy } from '#test/support/engines/fault-proxy.ts';
import { apiClient } from '#test/support/worlds/api-client.ts';
import { tableAt } from '#test/support/worlds/table.ts';
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
  /** A world whose calls to the table are watched, and can be made to fail. `answerMs`: how long it waits for a count. */
  const watchedWorld = async (rateLimits = LIMITS, answerMs = 20_000) => {
    const proxy: FaultProxy = await startFaultProxy(process.env.AWS_ENDPOINT_URL_DYNAMODB ?? '');
    const behind = await makeWorld({ rateLimits, dynamoDbEndpoint: proxy.endpoint });
    const asked: string[] = [];
    const inject = (faults: Faults): void =>
      proxy.inject((operation, input) => {
        asked.push(operation);
        return faults(operation, input);
      });
    inject(() => undefined);
    const table = tableAt(behind.table.name, proxy.endpoint);
    const container = () => ({ ...behind, deps: { ...behind.deps, countRequest: requestCounter(table, answerMs) } });
    return { world: container(), container, asked, inject, stop: proxy.stop };
  };
  const times = <T>(count: number, work: () => Promise<T>): Promise<T[]> =>
    Promise.all(Array.from({ length: count }, work));
  const statuses = (answers: readonly { status: number }[]): number[] => answers.map(({ status }) => status).sort();

  test('allows a key its quota per second, and reports what is left', async () => {
    const api = apiClient(world, business.keys.secret_test);
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

  test('counts verify separately, each key alone, and live mode by its own quota', async () => {
    const api = apiClient(world, business.keys.secret_test);
    await times(6, () => api.listCheckouts());
    expect((await api.listCheckouts()).status).toBe(429);
    const verified = await api.verify('PAY-7H2KQ9XW4M1ZB8T5RC3N');
    expect(verified.status).toBe(404);
    expect(verified.headers).toMatchObject({ 'ratelimit-policy': '"verify";q=5;w=1', ratelimit: '"verify";r=4;t=1' });
    const live = apiClient(world, business.keys.secret_live);
    expect(statuses(await times(20, () => live.listCheckouts()))).toEqual(Array(20).fill(200));
    const other = await world.addBusiness();
    expect((await apiClient(world, other.keys.secret_test).listCheckouts()).status).toBe(200);
  });

  test('of a public key counts its source address first: what an address is refused costs the key nothing', async () => {
    const from = (address: string) => apiClient(world, business.keys.public_test, address);
    const initialize = (client: ReturnType<typeof from>) =>
      client.initialize(CHECKOUT, { 'x-business-id': business.id });
    const flooding = from('2c0f:f8f0:1:2::17');
    const flood = await times(40, () => initialize(flooding));
    expect(flood.filter(({ status }) => status === 201)).toHaveLength(3);
    expect(flood.find(({ status }) => status === 429)?.headers['ratelimit-policy']).toBe('"address";q=3;w=1');
    // The rest of the /64 is the same subscriber's.
    expect((await initialize(from('2c0f:f8f0:1:2:dead:beef::1'))).status).toBe(429);
    const payer = await initialize(from('102.89.23.18'));
    expect(payer.status).toBe(201);
    // What is left of the key is the merchant's affair.
    expect(payer.headers).toMatchObject({ 'ratelimit-policy': '"address";q=3;w=1', ratelimit: '"address";r=2;t=1' });
  });

  /** The secret test key of a business that an operator has created. */
  const operatorsKey = async ({ deps }: Pick<World, 'deps'>) => {
    const { keys } = await createBusiness(deps, { name: 'Ada Stores', who: 'amaka' });
    const { id: keyId = '', key = '' } = keys.find(({ mode, kind }) => mode === 'test' && kind === 'secret') ?? {};
    return { keyId, key };
  };
  const writes = (asked: readonly string[]): readonly string[] => asked.filter((operation) => operation !== 'GetItem');

  test('costs a stranger’s request one read and no write, however well-formed its key is', async () => {
    const { world: seen, asked, stop } = await watchedWorld();
    const made = newApiKey('secret', 'test', randomBytes);
    for (const answer of await times(10, () => apiClient(seen, made).listCheckouts())) {
      expect(answer.status).toBe(401);
      expect(answer.headers).not.toHaveProperty('ratelimit');
    }
    expect(asked).toEqual(Array(10).fill('GetItem'));
    await stop();
  });

  describe('reads a key that it goes on refusing a few times a second, and no more', () => {
    const inTurn = async (count: number, work: () => Promise<{ status: number }>): Promise<number[]> => {
      const seen: number[] = [];
      for (let i = 0; i < count; i++) seen.push((await work()).status);
      return seen;
    };

    test('one that was never issued', async () => {
      const { world: seen, asked, stop } = await watchedWorld();
      const stranger = apiClient(seen, newApiKey('public', 'live', randomBytes));
      expect(await inTurn(40, () => stranger.listCheckouts())).toEqual(Array(40).fill(401));
      expect(asked).toEqual(Array(5).fill('GetItem'));
      seen.clock.advance(1_000);
      expect(await inTurn(1, () => stranger.listCheckouts())).toEqual([401]);
      expect(asked).toHaveLength(6);
      await stop();
    });

    test('one that is used from elsewhere, while a whitelist that is changed holds for the very next request', async () => {
      const { world: seen, asked, stop } = await watchedWorld();
      const { keyId, key } = await operatorsKey(seen);
      await setWhitelist(seen.deps, { keyId, entries: ['102.89.23.17'], who: 'amaka' });
      let sourceIp = '198.51.100.7';
      const container = apiClient(seen, key, () => sourceIp);
      asked.length = 0;
      expect(await inTurn(40, () => container.listCheckouts())).toEqual(Array(40).fill(403));
      expect(asked).toHaveLength(5);
      sourceIp = '102.89.23.17';
      expect(await inTurn(2, () => container.listCheckouts())).toEqual([200, 200]);
      await setWhitelist(seen.deps, { keyId, entries: ['102.89.23.18'], who: 'amaka' });
      expect(await inTurn(1, () => container.listCheckouts())).toEqual([403]);
      await stop();
    });

    test('one that has used up its allowance, from that address alone', async () => {
      const { world: seen, asked, stop } = await watchedWorld();
      const { id, keys } = await seen.addBusiness();
      let sourceIp = '198.51.100.7';
      const container = apiClient(seen, keys.public_test, () => sourceIp);
      const start = () => container.initialize(CHECKOUT, { 'x-business-id': id });
      expect(await inTurn(8, start)).toEqual([...Array(3).fill(201), ...Array(5).fill(429)]);
      asked.length = 0;
      expect(await inTurn(40, start)).toEqual(Array(40).fill(429));
      expect(asked).toEqual([]);
      sourceIp = '102.89.23.17';
      expect(await inTurn(1, start)).toEqual([201]);
      await stop();
    });
  });

  test('counts nothing that a whitelist refuses: a stolen key’s quota stays its owner’s', async () => {
    const { world: seen, asked, stop } = await watchedWorld();
    const { keyId, key } = await operatorsKey(seen);
    const owner = apiClient(seen, key);
    expect((await owner.listCheckouts()).status).toBe(200);
    await setWhitelist(seen.deps, { keyId, entries: ['102.89.23.17'], who: 'amaka' });
    const thief = apiClient(seen, key, '198.51.100.7');
    asked.length = 0;
    for (const { status } of await times(20, () => thief.listCheckouts())) expect(status).toBe(403);
    expect(writes(asked)).toEqual([]);
    seen.clock.advance(1_000);
    expect(statuses(await times(5, () => owner.listCheckouts()))).toEqual(Array(5).fill(200));
    await stop();
  });

  test('refuses what it has seen used up without a call, until the window ends', async () => {
    const { world: seen, asked, stop } = await watchedWorld();
    const { keys } = await seen.addBusiness();
    const api = apiClient(seen, keys.secret_test);
    for (let i = 0; i < 6; i++) await api.listCheckouts();
    asked.length = 0;
    const refused = await api.listCheckouts();
    expect([refused.status, refused.headers.ratelimit]).toEqual([429, '"key";r=0;t=1']);
    expect(writes(asked)).toEqual([]);
    seen.clock.advance(1_000);
    expect((await api.listCheckouts()).status).toBe(200);
    await stop();
  });

  test('counts one request of a thief at most in a container that knew the key before it got its whitelist', async () => {
    const { world: seen, asked, stop } = await watchedWorld();
    const { keyId, key } = await operatorsKey(seen);
    let sourceIp = '';
    const container = apiClient(seen, key, () => sourceIp);
    const list = async (from: string): Promise<number> => {
      sourceIp = from;
      return (await container.listCheckouts()).status;
    };
    expect(await list('102.89.23.17')).toBe(200);
    await setWhitelist(seen.deps, { keyId, entries: ['102.89.23.17'], who: 'amaka' });
    seen.clock.advance(1_000);
    asked.length = 0;
    for (let i = 0; i < 20; i++) expect(await list('198.51.100.7')).toBe(403);
    expect(writes(asked)).toHaveLength(1);
    expect([await list('102.89.23.17'), await list('102.89.23.17')]).toEqual([200, 200]);
    await stop();
  });

  test('is reported in blocks: twenty requests in a row take four writes, and other containers learn of them', async () => {
    const { world: seen, container, asked, stop } = await watchedWorld({ ...LIMITS, test: 100 });
    const { keys } = await seen.addBusiness();
    const api = apiClient(seen, keys.secret_test);
    let last = await api.listCheckouts();
    asked.length = 0;
    for (let i = 1; i < 20; i++) last = await api.listCheckouts();
    expect(asked.filter((operation) => operation === 'UpdateItem')).toHaveLength(3);
    expect(last.headers.ratelimit).toBe('"key";r=80;t=1');
    // Four that are not reported yet are missing there.
    const elsewhere = await apiClient(container(), keys.secret_test).listCheckouts();
    expect(elsewhere.headers.ratelimit).toBe('"key";r=83;t=1');
    await stop();
  });

  test('refuses before there is an effect', async () => {
    const api = apiClient(world, business.keys.secret_test);
    const answers = await times(20, () => api.initialize(CHECKOUT));
    const created = answers.filter(({ status }) => status === 201).length;
    expect(await world.itemsOf('CHK')).toHaveLength(created);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(20 - created);
    // A request that the container keeps to itself is missing in the counts of those that are under way: four at most.
    expect(created).toBeGreaterThanOrEqual(LIMITS.test);
    expect(created).toBeLessThanOrEqual(LIMITS.test + 4);
  });

  test('counts a key that the container has admitted before while it is looked up', async () => {
    const { world: seen, asked, inject, stop } = await watchedWorld({ ...LIMITS, test: 2 });
    const { keys } = await seen.addBusiness();
    const api = apiClient(seen, keys.secret_test);
    await api.listCheckouts();
    expect(asked).toEqual(['GetItem', 'UpdateItem', 'Query']);
    asked.length = 0;
    inject((operation) => (operation === 'GetItem' ? 'hang' : undefined));
    void api.listCheckouts().catch(() => {});
    while (asked.length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(asked.toSorted()).toEqual(['GetItem', 'UpdateItem']);
    await stop();
  });

  test.each<[string, Fault]>([
    ['hangs', 'hang'],
    ['fails', { status: 400, body: { __type: 'ValidationException' } }],
  ])('never lapses: while the count %s, each container admits a tenth of the quota', async (_, fault) => {
    const { world: seen, container, inject, stop } = await watchedWorld({ live: 100, test: 20, publicAddress: 3 }, 150);
    const { keys } = await seen.addBusiness();
    inject((operation) => (operation === 'UpdateItem' ? fault : undefined));
    for (const one of [seen, container()]) {
      const answers = await times(40, () => apiClient(one, keys.secret_test).listCheckouts());
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(2);
      expect(answers.filter(({ status }) => status === 429)).toHaveLength(38);
      expect(answers[0]?.headers).not.toHaveProperty('ratelimit');
    }
    seen.clock.advance(1_000);
    expect((await apiClient(seen, keys.secret_test).listCheckouts()).status).toBe(200);
    await stop();
  });
});
