import { requestCounter } from '#shared/adapters/dynamodb/requests/request-counter.ts';
import { type FaultProxy, startFaultProxy } from '#test/support/engines/fault-proxy.ts';
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

  test('also counts a public key’s source addresses', async () => {
    const api = apiClient(world, business.keys.public_test);
    const answers = await times(5, () => api.initialize(CHECKOUT, { 'x-business-id': business.id }));
    expect(statuses(answers)).toEqual([201, 201, 201, 429, 429]);
    expect(answers[0]?.headers['ratelimit-policy']).toBe('"key";q=5;w=1, "address";q=3;w=1');
  });

  test('does not apply to an invalid key, and a refused request has no effect', async () => {
    const unknownKey = apiClient(
      world,
      business.keys.secret_test.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')),
    );
    const answer = await unknownKey.listCheckouts();
    expect(answer.status).toBe(401);
    expect(answer.headers).not.toHaveProperty('ratelimit');
    const api = apiClient(world, business.keys.secret_test);
    await times(10, () => api.initialize(CHECKOUT));
    expect(await world.itemsOf('CHK')).toHaveLength(5);
  });

  test('delays no request: one whose count hangs is answered', async () => {
    const proxy: FaultProxy = await startFaultProxy(process.env.AWS_ENDPOINT_URL_DYNAMODB ?? '');
    const slow = await makeWorld({ rateLimits: LIMITS, dynamoDbEndpoint: proxy.endpoint });
    const { keys } = await slow.addBusiness();
    const shortTimeout = { ...slow.deps, countRequest: requestCounter(tableAt(slow.table.name, proxy.endpoint)) };
    const asked: string[] = [];
    proxy.inject((operation) => {
      asked.push(operation);
      return operation === 'UpdateItem' ? 'hang' : undefined;
    });
    const answer = await apiClient({ ...slow, deps: shortTimeout }, keys.secret_test).listCheckouts();
    expect(answer.status).toBe(200);
    expect(answer.headers).not.toHaveProperty('ratelimit');
    // Counted while the key is read, before anything else.
    expect(asked.slice(0, 2).toSorted()).toEqual(['GetItem', 'UpdateItem']);
    await proxy.stop();
  });

  test('fails open: a count that fails or hangs is undefined, which limits nothing', async () => {
    const proxy: FaultProxy = await startFaultProxy(process.env.AWS_ENDPOINT_URL_DYNAMODB ?? '');
    const proxied = tableAt(world.table.name, proxy.endpoint);
    expect(await requestCounter(proxied, 20_000)('a-bucket', world.clock.now())).toBe(1);
    const counter = requestCounter(proxied);
    proxy.inject(() => 'hang');
    expect(await counter('a-bucket', world.clock.now())).toBeUndefined();
    proxy.inject(() => ({ status: 400, body: { __type: 'ValidationException' } }));
    expect(await counter('a-bucket', world.clock.now())).toBeUndefined();
    await proxy.stop();
  });
});
