import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { apiKeyKey } from '#shared/adapters/dynamodb/table/keys.ts';
import { hashKey } from '#shared/domain/businesses/api-key.ts';
import { createBusiness } from '#shared/use-cases/businesses/create-business.ts';
import { createKey } from '#shared/use-cases/businesses/create-key.ts';
import { renameBusiness } from '#shared/use-cases/businesses/rename-business.ts';
import { revokeKey } from '#shared/use-cases/businesses/revoke-key.ts';
import { rollKey } from '#shared/use-cases/businesses/roll-key.ts';
import { setProfile } from '#shared/use-cases/businesses/set-profile.ts';
import { startMeter } from '#test/support/engines/meter.ts';
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

  beforeEach(async () => {
    meter = await startMeter(process.env.AWS_ENDPOINT_URL_DYNAMODB ?? '');
    world = await makeWorld({ dynamoDbEndpoint: meter.endpoint });
    const { business, keys } = await createBusiness(world.deps, { name: 'Ada Stores', ...WHO });
    const secret = keys.find(({ mode, kind }) => mode === 'test' && kind === 'secret');
    [businessId, keyId, key] = [business.id, secret?.id ?? '', secret?.key ?? ''];
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

  test('and a key that is revoked while the name changes stays revoked', async () => {
    await Promise.all([setName('Ada Fabrics'), revokeKey(world.deps, { keyId, ...WHO })]);
    expect((await apiClient(world, key).initialize(CHECKOUT)).json.code).toBe('invalid_api_key');
  });

  test('under a key of an older version, which does not have it: the business is read', async () => {
    await world.table.client.send(
      new UpdateCommand({
        TableName: world.table.name,
        Key: { ...apiKeyKey(hashKey(key)) },
        UpdateExpression: 'REMOVE businessDisplayName',
      }),
    );
    expect(await started()).toEqual(['Ada Stores', 2]);
    await setName('Ada Fabrics');
    expect(await started()).toEqual(['Ada Fabrics', 1]);
  });
});
