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
import { apiClient } from '#test/support/worlds/api-client.ts';
import { makeWorld, type World } from '#test/support/worlds/world.ts';

const CHECKOUT = { amount: 8_500.75, payer_email: 'ngozi.eze@example.com' };
const WHO = { who: 'amaka' } as const;

describe('the account of a checkout is named as payers see the business', () => {
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
    publicKey = keys.find((one) => one.mode === 'test' && one.kind === 'public')?.key ?? '';
  });
  afterEach(() => meter.stop());

  /** The name of a new checkout's account, and the read units that the checkout took. */
  const started = async (of = key): Promise<readonly [name: string, readUnits: number]> => {
    meter.take();
    const { data } = (await apiClient(world, of).initialize(CHECKOUT)).json;
    const { GetItem, BatchGetItem } = meter.take();
    return [data.account_name, (GetItem?.readUnits ?? 0) + (BatchGetItem?.readUnits ?? 0)];
  };
  const setName = (displayName: string) => setProfile(world.deps, { businessId, change: { displayName }, ...WHO });

  test('by what its key says: nothing else is read', async () => {
    expect(await started()).toEqual(['Ada Stores', 1]);
  });

  test('from the next request on after a change of its name', async () => {
    await renameBusiness(world.deps, { businessId, name: 'Ada Stores Limited', ...WHO });
    expect(await started()).toEqual(['Ada Stores Limited', 1]);
    await setName('Ada Fabrics');
    expect(await started()).toEqual(['Ada Fabrics', 1]);
    await renameBusiness(world.deps, { businessId, name: 'Ada', ...WHO });
    expect(await started()).toEqual(['Ada Fabrics', 1]);
  });

  test('under a key that came after the name, or replaced another', async () => {
    await setName('Ada Fabrics');
    const { issued } = await createKey(world.deps, { businessId, mode: 'test', kind: 'secret', ...WHO });
    const rolled = await rollKey(world.deps, { keyId, grace: 60_000, ...WHO });
    for (const one of [issued.key, rolled.issued.key, key]) expect(await started(one)).toEqual(['Ada Fabrics', 1]);
  });

  test('under a key that is made while the name changes', async () => {
    const [, { issued }] = await Promise.all([
      setName('Ada Fabrics'),
      createKey(world.deps, { businessId, mode: 'test', kind: 'secret', ...WHO }),
    ]);
    expect(await started(issued.key)).toEqual(['Ada Fabrics', 1]);
  });

  test('whatever becomes of its key while the name changes', async () => {
    const entries = ['102.89.23.17'];
    await Promise.all([
      setName('Ada Fabrics'),
      updateKey(world.deps, { keyId, entries, ...WHO }),
      suspendBusiness(world.deps, { businessId, ...WHO }),
    ]);
    await resumeBusiness(world.deps, { businessId, ...WHO });
    expect((await apiClient(world, key, '198.51.100.7').initialize(CHECKOUT)).json.code).toBe('ip_not_whitelisted');
    const { data } = (await apiClient(world, key, '102.89.23.17').initialize(CHECKOUT)).json;
    expect(data.account_name).toBe('Ada Fabrics');
  });

  longTest('with as many keys as a business may have', async () => {
    for (let n = 4; n < MAX_KEYS_PER_BUSINESS; n++) {
      await createKey(world.deps, { businessId, mode: 'test', kind: 'secret', ...WHO });
    }
    await setName('Ada Fabrics');
    const named = (await world.itemsOf('KEY')).map(({ businessDisplayName }) => businessDisplayName);
    expect(named).toEqual(Array(MAX_KEYS_PER_BUSINESS).fill('Ada Fabrics'));
  });

  test('for a browser too, which reads the business only for a return URL', async () => {
    const headers = { 'x-business-id': businessId };
    const browser = apiClient(world, publicKey);
    const start = async (more: object): Promise<readonly [name: string | undefined, readUnits: number]> => {
      meter.take();
      const { data } = (await browser.initialize({ ...CHECKOUT, ...more }, headers)).json;
      const { GetItem, BatchGetItem } = meter.take();
      return [data?.account_name, (GetItem?.readUnits ?? 0) + (BatchGetItem?.readUnits ?? 0)];
    };
    expect(await start({})).toEqual(['Ada Stores', 1]);
    await setProfile(world.deps, { businessId, change: { websites: ['https://shop.example.ng'] }, ...WHO });
    expect(await start({ callback_url: 'https://shop.example.ng/done' })).toEqual(['Ada Stores', 2]);
    expect(await start({ callback_url: 'https://elsewhere.example/done' })).toEqual([undefined, 2]);
  });
});
