import { MAX_KEYS_PER_BUSINESS } from '#shared/businesses/domain/business.ts';
import { createBusiness } from '#shared/businesses/use-cases/create-business.ts';
import { createKey } from '#shared/businesses/use-cases/create-key.ts';
import { renameBusiness } from '#shared/businesses/use-cases/rename-business.ts';
import { rollKey } from '#shared/businesses/use-cases/roll-key.ts';
import { setProfile } from '#shared/businesses/use-cases/set-profile.ts';
import { resumeBusiness, suspendBusiness } from '#shared/businesses/use-cases/suspend-business.ts';
import { updateKey } from '#shared/businesses/use-cases/update-key.ts';
import { startMeter } from '#test/support/emulators/meter.ts';
import { longTest } from '#test/support/jest/long.ts';
import { createApiClient } from '#test/support/worlds/api-client.ts';
import { makeWorld, type World } from '#test/support/worlds/world.ts';

const CHECKOUT = { amount: 8_500.75, payer_email: 'ngozi.eze@example.com' };
const WHO = { actor: 'amaka' } as const;

describe('the account name of a checkout', () => {
  let meter: Awaited<ReturnType<typeof startMeter>>;
  let world: World;
  let businessId: string;
  let keyId: string;
  let key: string;
  let publicKey: string;

  beforeEach(async () => {
    meter = await startMeter(process.env.AWS_ENDPOINT_URL_DYNAMODB ?? '');
    world = await makeWorld({ dynamoDbEndpoint: meter.endpoint });
    const { business, keys } = await createBusiness(world.deps, { name: 'Ada Stores', ...WHO });
    const secret = keys.find(({ mode, kind }) => mode === 'test' && kind === 'secret');
    [businessId, keyId, key] = [business.id, secret?.id ?? '', secret?.key ?? ''];
    publicKey = keys.find((entry) => entry.mode === 'test' && entry.kind === 'public')?.key ?? '';
  });
  afterEach(() => meter.stop());

  /** Starts a checkout; returns the name of its account, and the read units that it took. */
  const start = async (apiKey = key): Promise<readonly [name: string, readUnits: number]> => {
    meter.take();
    const { data } = (await createApiClient(world, apiKey).initialize(CHECKOUT)).json;
    const { GetItem, BatchGetItem } = meter.take();
    return [data.account_name, (GetItem?.readUnits ?? 0) + (BatchGetItem?.readUnits ?? 0)];
  };
  const setName = (displayName: string) => setProfile(world.deps, { businessId, change: { displayName }, ...WHO });

  test('comes from the API key, without another read', async () => {
    expect(await start()).toEqual(['Ada Stores', 1]);
  });

  test('changes with the next request after a change of the business’s name', async () => {
    await renameBusiness(world.deps, { businessId, name: 'Ada Stores Limited', ...WHO });
    expect(await start()).toEqual(['Ada Stores Limited', 1]);
    await setName('Ada Fabrics');
    expect(await start()).toEqual(['Ada Fabrics', 1]);
    await renameBusiness(world.deps, { businessId, name: 'Ada', ...WHO });
    expect(await start()).toEqual(['Ada Fabrics', 1]);
  });

  test('stays current under a new key and under a rolled key', async () => {
    await setName('Ada Fabrics');
    const { issued } = await createKey(world.deps, { businessId, mode: 'test', kind: 'secret', ...WHO });
    const rolled = await rollKey(world.deps, { keyId, grace: 60_000, ...WHO });
    for (const apiKey of [issued.key, rolled.issued.key, key]) expect(await start(apiKey)).toEqual(['Ada Fabrics', 1]);
  });

  test('stays current under a key that is created while the name changes', async () => {
    const [, { issued }] = await Promise.all([
      setName('Ada Fabrics'),
      createKey(world.deps, { businessId, mode: 'test', kind: 'secret', ...WHO }),
    ]);
    expect(await start(issued.key)).toEqual(['Ada Fabrics', 1]);
  });

  test('stays current if its API key changes while the name changes', async () => {
    const entries = ['102.89.23.17'];
    await Promise.all([
      setName('Ada Fabrics'),
      updateKey(world.deps, { keyId, entries, ...WHO }),
      suspendBusiness(world.deps, { businessId, ...WHO }),
    ]);
    await resumeBusiness(world.deps, { businessId, ...WHO });
    expect((await createApiClient(world, key, '198.51.100.7').initialize(CHECKOUT)).json.code).toBe(
      'ip_not_whitelisted',
    );
    const { data } = (await createApiClient(world, key, '102.89.23.17').initialize(CHECKOUT)).json;
    expect(data.account_name).toBe('Ada Fabrics');
  });

  longTest('changes under the maximum number of keys of a business', async () => {
    for (let n = 4; n < MAX_KEYS_PER_BUSINESS; n++) {
      await createKey(world.deps, { businessId, mode: 'test', kind: 'secret', ...WHO });
    }
    await setName('Ada Fabrics');
    const names = (await world.itemsOf('KEY')).map(({ businessDisplayName }) => businessDisplayName);
    expect(names).toEqual(Array(MAX_KEYS_PER_BUSINESS).fill('Ada Fabrics'));
  });

  test('needs no read of the business for a browser either, except if the request has a return URL', async () => {
    const headers = { 'x-business-id': businessId };
    const browser = createApiClient(world, publicKey);
    const startInBrowser = async (more: object): Promise<readonly [name: string | undefined, readUnits: number]> => {
      meter.take();
      const { data } = (await browser.initialize({ ...CHECKOUT, ...more }, headers)).json;
      const { GetItem, BatchGetItem } = meter.take();
      return [data?.account_name, (GetItem?.readUnits ?? 0) + (BatchGetItem?.readUnits ?? 0)];
    };
    expect(await startInBrowser({})).toEqual(['Ada Stores', 1]);
    await setProfile(world.deps, { businessId, change: { websites: ['https://shop.example.ng'] }, ...WHO });
    expect(await startInBrowser({ callback_url: 'https://shop.example.ng/done' })).toEqual(['Ada Stores', 2]);
    expect(await startInBrowser({ callback_url: 'https://elsewhere.example/done' })).toEqual([undefined, 2]);
  });
});
