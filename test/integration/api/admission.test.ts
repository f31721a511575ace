import { randomBytes } from 'node:crypto';
import { newApiKey } from '#shared/businesses/domain/api-key.ts';
import { createBusiness } from '#shared/businesses/use-cases/create-business.ts';
import { revokeKey } from '#shared/businesses/use-cases/revoke-key.ts';
import { resumeBusiness, suspendBusiness } from '#shared/businesses/use-cases/suspend-business.ts';
import { updateKey } from '#shared/businesses/use-cases/update-key.ts';
import { createApiClient } from '#test/support/worlds/api-client.ts';
import { watchedWorld } from '#test/support/worlds/watched-world.ts';
import type { World } from '#test/support/worlds/world.ts';

const LIMITS = { live: 100, test: 5, publicAddress: 3 };
const CHECKOUT = { amount: 8_500.75, payer_email: 'ngozi.eze@example.com' };
const OWNER = '102.89.23.17';
const THIEF = '198.51.100.7';
const ACTOR = 'amaka';
const UNKNOWN = 'PAY-7H2KQ9XW4M1ZB8T5RC3N';

/* Tests which requests are admitted, and which calls to the table each request makes. */

let watched: Awaited<ReturnType<typeof watchedWorld>>;
let world: World;
beforeEach(async () => {
  watched = await watchedWorld(LIMITS);
  world = watched.world;
});
afterEach(() => watched.stop());

/** Creates a business as an operator. */
const newShop = async () => {
  const { business, keys } = await createBusiness(world.deps, { name: 'Ada Stores', actor: ACTOR });
  const find = (kind: 'secret' | 'public') => {
    const { id = '', key = '' } = keys.find((issued) => issued.mode === 'test' && issued.kind === kind) ?? {};
    return { id, key };
  };
  return { business, secret: find('secret'), public: find('public') };
};
/** Lists the calls to the table that a request makes. */
const callsOf = async (request: () => Promise<unknown>): Promise<string[]> => {
  watched.takeCalls();
  await request();
  return watched.takeCalls();
};
const repeatInTurn = async (count: number, work: () => Promise<{ status: number }>): Promise<number[]> => {
  const statuses: number[] = [];
  for (let i = 0; i < count; i++) statuses.push((await work()).status);
  return statuses;
};
const nextSecond = (): void => world.clock.advance(1_000);

describe('the data of a business', () => {
  test('stays unread until the key is admitted: the calls read the key, count the request, and then read the checkout', async () => {
    const { secret } = await newShop();
    const container = createApiClient(world, secret.key);
    const { reference } = (await container.initialize(CHECKOUT)).json.data;
    for (let i = 0; i < 2; i++) {
      nextSecond();
      expect(await callsOf(() => container.verify(reference))).toEqual([
        'GetItem KEY',
        'UpdateItem RATE',
        'GetItem CHK',
      ]);
    }
    expect((await callsOf(() => container.simulate({ reference }))).slice(0, 3)).toEqual([
      'GetItem KEY',
      'UpdateItem RATE',
      'BatchGetItem BIZ CHK',
    ]);
  });

  test.each([
    ['verify', (container: ReturnType<typeof createApiClient>) => container.verify(UNKNOWN)],
    [
      'initialize under an Idempotency-Key',
      (container: ReturnType<typeof createApiClient>) =>
        container.initialize(CHECKOUT, { 'idempotency-key': `order-${Math.random()}` }),
    ],
  ])(
    'stays unread by %s while the API key is looked up, even if the container has admitted the key before',
    async (_, request) => {
      const { secret } = await newShop();
      const container = createApiClient(world, secret.key);
      await request(container);
      nextSecond();
      watched.takeCalls();
      watched.inject((_operation, input) => (JSON.stringify(input).includes('KEY#') ? 'hang' : undefined));
      void request(container).catch(() => {});
      const calls: string[] = [];
      while (calls.length === 0) {
        await new Promise((resolve) => setTimeout(resolve, 50));
        calls.push(...watched.takeCalls());
      }
      expect(calls).toEqual(['GetItem KEY']);
    },
  );
});

describe('a container that has admitted a key refuses its very next request', () => {
  test('if the key gets a whitelist, or the whitelist changes', async () => {
    const { secret } = await newShop();
    let sourceIp = THIEF;
    const container = createApiClient(world, secret.key, () => sourceIp);
    expect((await container.listCheckouts()).status).toBe(200);
    await updateKey(world.deps, { keyId: secret.id, entries: [OWNER], actor: ACTOR });
    expect((await container.listCheckouts()).json.code).toBe('ip_not_whitelisted');
    sourceIp = OWNER;
    expect((await container.listCheckouts()).status).toBe(200);
    await updateKey(world.deps, { keyId: secret.id, entries: ['102.89.23.18'], actor: ACTOR });
    expect((await container.listCheckouts()).json.code).toBe('ip_not_whitelisted');
  });

  test('if the key is revoked', async () => {
    const { secret } = await newShop();
    const container = createApiClient(world, secret.key);
    expect((await container.listCheckouts()).status).toBe(200);
    await revokeKey(world.deps, { keyId: secret.id, actor: ACTOR });
    expect((await container.listCheckouts()).json.code).toBe('invalid_api_key');
  });

  test('if its business is suspended, and admits it again after the business is resumed', async () => {
    const { business, secret } = await newShop();
    const container = createApiClient(world, secret.key);
    expect((await container.listCheckouts()).status).toBe(200);
    await suspendBusiness(world.deps, { businessId: business.id, actor: ACTOR });
    expect((await container.listCheckouts()).json.code).toBe('invalid_api_key');
    await resumeBusiness(world.deps, { businessId: business.id, actor: ACTOR });
    expect((await container.listCheckouts()).status).toBe(200);
  });
});

describe('a key that a container keeps refusing causes at most five reads a second, and no other call to the table,', () => {
  const FLOOD = 40;
  const FIVE_READS = Array(5).fill('GetItem KEY');

  test('if it was never issued; each of the first five requests in a second causes one read', async () => {
    const stranger = createApiClient(world, newApiKey('secret', 'live', randomBytes));
    const request = async () => expect((await stranger.listCheckouts()).headers).not.toHaveProperty('ratelimit');
    expect(await callsOf(request)).toEqual(['GetItem KEY']);
    nextSecond();
    const calls = await callsOf(async () =>
      expect(await repeatInTurn(FLOOD, () => stranger.listCheckouts())).toEqual(Array(FLOOD).fill(401)),
    );
    expect(calls).toEqual(FIVE_READS);
    nextSecond();
    expect(await callsOf(() => stranger.listCheckouts())).toEqual(['GetItem KEY']);
  });

  test('if it was never issued; many different keys cause one read each, and no write', async () => {
    const calls = await callsOf(() =>
      repeatInTurn(FLOOD, () => createApiClient(world, newApiKey('public', 'live', randomBytes)).listCheckouts()),
    );
    expect(calls).toEqual(Array(FLOOD).fill('GetItem KEY'));
  });

  test('if it was revoked; the log still has its id', async () => {
    const { secret } = await newShop();
    const container = createApiClient(world, secret.key);
    await container.listCheckouts();
    await revokeKey(world.deps, { keyId: secret.id, actor: ACTOR });
    const calls = await callsOf(() => repeatInTurn(FLOOD, () => container.listCheckouts()));
    expect(calls).toEqual(FIVE_READS);
    const lines = world.loggedLines('request_answered').filter(({ status }) => status === 401);
    expect(lines).toHaveLength(FLOOD);
    expect(new Set(lines.map(({ key_id: keyId }) => keyId))).toEqual(new Set([secret.id]));
  });

  test('if its business is suspended', async () => {
    const { business, secret } = await newShop();
    const container = createApiClient(world, secret.key);
    await container.listCheckouts();
    await suspendBusiness(world.deps, { businessId: business.id, actor: ACTOR });
    const calls = await callsOf(async () =>
      expect(await repeatInTurn(FLOOD, () => container.listCheckouts())).toEqual(Array(FLOOD).fill(401)),
    );
    expect(calls).toEqual(FIVE_READS);
  });

  test('if a thief uses it from outside its whitelist; the merchant keeps the whole rate limit', async () => {
    const { secret } = await newShop();
    let sourceIp = OWNER;
    const container = createApiClient(world, secret.key, () => sourceIp);
    expect((await container.listCheckouts()).status).toBe(200);
    await updateKey(world.deps, { keyId: secret.id, entries: [OWNER], actor: ACTOR });
    nextSecond();
    // A thief with a block of IPv6 addresses has a new one for each request.
    let host = 0;
    const steal = () => {
      host += 1;
      sourceIp = `2001:db8::${host.toString(16)}`;
      return container.listCheckouts();
    };
    const calls = await callsOf(async () => expect(await repeatInTurn(FLOOD, steal)).toEqual(Array(FLOOD).fill(403)));
    expect(calls).toEqual(FIVE_READS);
    expect(world.loggedLines('secret_key_refused')).toHaveLength(FLOOD);

    sourceIp = OWNER;
    expect(await repeatInTurn(LIMITS.test, () => container.listCheckouts())).toEqual(Array(LIMITS.test).fill(200));
    await updateKey(world.deps, { keyId: secret.id, entries: ['102.89.23.18'], actor: ACTOR });
    expect((await container.listCheckouts()).status).toBe(403);
  });

  test('if it is a public key and one address is over its limit; another payer and the merchant’s server are answered', async () => {
    const { business, secret, public: publicKey } = await newShop();
    let sourceIp = THIEF;
    const headers = { 'x-business-id': business.id };
    const browsers = createApiClient(world, publicKey.key, () => sourceIp);
    const start = () => browsers.initialize(CHECKOUT, headers);
    expect(await repeatInTurn(8, start)).toEqual([...Array(3).fill(201), ...Array(5).fill(429)]);
    const calls = await callsOf(async () => expect(await repeatInTurn(FLOOD, start)).toEqual(Array(FLOOD).fill(429)));
    expect(calls).toEqual([]);
    sourceIp = OWNER;
    expect((await start()).status).toBe(201);
    const server = createApiClient(world, secret.key);
    expect((await server.initialize(CHECKOUT)).headers.ratelimit).toBe('"key";r=4;t=1');
  });

  test('if it is over its rate limit, which each answer shows', async () => {
    const { secret } = await newShop();
    const container = createApiClient(world, secret.key);
    expect(await repeatInTurn(10, () => container.listCheckouts())).toEqual([
      ...Array(5).fill(200),
      ...Array(5).fill(429),
    ]);
    const calls = await callsOf(async () => {
      const { status, headers } = await container.listCheckouts();
      expect([status, headers.ratelimit, headers['retry-after']]).toEqual([429, '"key";r=0;t=1', '1']);
    });
    expect(calls).toEqual([]);
    nextSecond();
    expect((await container.listCheckouts()).status).toBe(200);
  });
});
