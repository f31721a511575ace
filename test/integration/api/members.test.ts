import { ALL_FUNCTIONS } from '#infra/dashboard-functions.ts';
import { api } from '#shared/api/api.ts';
import { createBusiness } from '#shared/businesses/use-cases/create-business.ts';
import { updateKey } from '#shared/businesses/use-cases/update-key.ts';
import { SECOND } from '#shared/platform/kernel/time.ts';
import { startFaultProxy } from '#test/support/emulators/fault-proxy.ts';
import { createApiClient } from '#test/support/worlds/api-client.ts';
import { callAs, invite, signIn } from '#test/support/worlds/dashboard.ts';
import { createDashboardClient } from '#test/support/worlds/dashboard-client.ts';
import { makeWorld } from '#test/support/worlds/world.ts';

const OWNER = 'ada@ada-stores.example.com';
const VIEWER = 'bisi@ada-stores.example.com';

const open = async (options: Parameters<typeof makeWorld>[0] = {}) => {
  const world = await makeWorld({ rateLimits: { live: 5, test: 5, publicAddress: 5 }, ...options });
  const { business, keys } = await createBusiness(world.deps, { name: 'Ada Stores Limited', actor: 'a test' });
  const member = async (email: string) => {
    await invite(world, business.id, email, 'owner');
    const cookie = await signIn(world, email);
    return { cookie, ...createDashboardClient(world, cookie, business.id) };
  };
  return { world, shop: business.id, keys, member };
};

describe('a request of a member', () => {
  test('takes two reads before its work, at every endpoint', async () => {
    const proxy = await startFaultProxy(process.env.AWS_ENDPOINT_URL_DYNAMODB ?? '');
    const { world, shop, member } = await open({ dynamoDbEndpoint: proxy.endpoint });
    const { cookie } = await member(OWNER);
    let calls: string[] = [];
    proxy.inject((operation) => void calls.push(operation));
    for (const { trigger } of ALL_FUNCTIONS) {
      if (trigger.kind !== 'endpoint' || trigger.contract.session === undefined) continue;
      const { contract } = trigger;
      const handler = api(contract, world.deps, async () => {
        throw new Error('reached the work');
      });
      calls = [];
      await callAs(handler, contract, { cookie, businessId: shop });
      const reads = calls.filter((operation) => /Get|Query|Scan/.test(operation));
      expect([contract.path, ...reads]).toEqual([contract.path, 'GetItem', 'GetItem']);
      world.clock.advance(SECOND);
    }
    await proxy.stop();
  });

  test('counts towards fifty a second at all endpoints together; keys and other members have limits of their own', async () => {
    const { world, keys, member } = await open();
    const [ada, bisi] = [await member(OWNER), await member(VIEWER)];
    const statuses: number[] = [];
    for (let n = 0; n < 30; n++) statuses.push((await ada.listKeys({})).status, (await ada.business({})).status);
    expect(statuses).toEqual([...Array(50).fill(200), ...Array(10).fill(429)]);
    const { headers, json } = await ada.listKeys({});
    expect([json.code, headers['retry-after']]).toEqual(['rate_limited', '1']);
    expect((await bisi.listKeys({})).status).toBe(200);
    const { key = '' } = keys.find(({ kind, mode }) => kind === 'secret' && mode === 'test') ?? {};
    expect((await createApiClient(world, key).listCheckouts()).status).toBe(200);
    world.clock.advance(SECOND);
    expect((await ada.listKeys({})).status).toBe(200);
  });

  test('may come from any address, whatever the whitelists of the keys say', async () => {
    const { world, keys, member } = await open();
    const ada = await member(OWNER);
    for (const { id: keyId, kind } of keys) {
      if (kind === 'secret') await updateKey(world.deps, { keyId, entries: ['41.58.0.9'], actor: 'a test' });
    }
    const { key = '' } = keys.find(({ kind, mode }) => kind === 'secret' && mode === 'test') ?? {};
    expect((await createApiClient(world, key, '102.89.23.17').listCheckouts()).status).toBe(403);
    const { status, json } = await ada.listKeys({});
    expect([status, json.data.your_address]).toEqual([200, '102.89.23.17']);
  });
});
