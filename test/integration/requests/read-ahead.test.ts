import { keyStore } from '#shared/adapters/dynamodb/businesses/key-store.ts';
import { checkoutStore } from '#shared/adapters/dynamodb/checkouts/checkout-store.ts';
import { ledger } from '#shared/adapters/dynamodb/money/ledger.ts';
import { sharedReads } from '#shared/adapters/dynamodb/table/shared-reads.ts';
import type { Ledger } from '#shared/ports/money.ts';
import { createBusiness } from '#shared/use-cases/businesses/create-business.ts';
import { revokeKey } from '#shared/use-cases/businesses/revoke-key.ts';
import { setWhitelist } from '#shared/use-cases/businesses/set-whitelist.ts';
import { type FaultProxy, type Faults, startFaultProxy } from '#test/support/engines/fault-proxy.ts';
import { apiClient } from '#test/support/worlds/api-client.ts';
import { tableAt } from '#test/support/worlds/table.ts';
import { makeWorld, type World } from '#test/support/worlds/world.ts';

const CHECKOUT = { amount: 8_500.75, payer_email: 'ngozi.eze@example.com' };
const CUSTOMER = {
  customer_name: 'Ngozi Eze',
  customer_phone: '+2348031234567',
  customer_email: 'ngozi.eze@example.com',
};
const READS = ['GetItem', 'BatchGetItem'];
const readers = ({ readCheckout, readVirtualAccount }: Ledger) => ({ readCheckout, readVirtualAccount });

describe('an endpoint’s first read', () => {
  let proxy: FaultProxy;
  let world: World;
  let asked: string[];
  const inject = (faults: Faults): void =>
    proxy.inject((operation, input) => {
      asked.push(operation);
      return faults(operation, input);
    });
  beforeEach(async () => {
    proxy = await startFaultProxy(process.env.AWS_ENDPOINT_URL_DYNAMODB ?? '');
    const made = await makeWorld();
    const table = tableAt(made.table.name, proxy.endpoint);
    // As the composition of these endpoints: the key and what they read are read by one reader.
    const read = sharedReads(table);
    const deps = {
      ...made.deps,
      keys: keyStore(table, read),
      checkouts: { ...made.deps.checkouts, ...checkoutStore(table, read) },
      ledger: { ...made.deps.ledger, ...readers(ledger(table, read)) },
    };
    world = { ...made, deps };
    asked = [];
    inject(() => undefined);
  });
  afterEach(() => proxy.stop());

  /** The reads that a request makes. */
  const readsOf = async (request: () => Promise<unknown>): Promise<readonly string[]> => {
    asked.length = 0;
    await request();
    return asked.filter((operation) => READS.includes(operation));
  };
  /** A business that an operator created, with its secret test key and a checkout. */
  const newShop = async () => {
    const { business, keys } = await createBusiness(world.deps, { name: 'Ada Stores', who: 'amaka' });
    const { id: keyId = '', key = '' } = keys.find(({ mode, kind }) => mode === 'test' && kind === 'secret') ?? {};
    const { reference } = (await apiClient(world, key).initialize(CHECKOUT)).json.data;
    return { business, keyId, key, reference: String(reference) };
  };

  test('is one call with the look-up of a key that the container has admitted, and a call more for any other', async () => {
    const { key, reference } = await newShop();
    const container = apiClient(world, key);
    expect(await readsOf(() => container.verify(reference))).toEqual(['GetItem', 'GetItem']);
    expect(await readsOf(() => container.verify(reference))).toEqual(['BatchGetItem']);
    const { reference: other } = (await container.initialize(CHECKOUT)).json.data;
    expect(await readsOf(() => container.simulate({ reference }))).toEqual(['GetItem', 'BatchGetItem']);
    expect(await readsOf(() => container.simulate({ reference: other }))).toEqual(['BatchGetItem']);
  });

  test('is one call for a transfer to a virtual account as well', async () => {
    const { key } = await newShop();
    const container = apiClient(world, key);
    const { id } = (await container.createAccounts({ ...CUSTOMER, provider: 'paystack' })).json.accounts[0];
    const pay = () => container.simulateAccount(id, { amount: 8_500.75 });
    expect(await readsOf(pay)).toEqual(['GetItem', 'BatchGetItem']);
    expect(await readsOf(pay)).toEqual(['BatchGetItem']);
  });

  test('shows what the last request wrote', async () => {
    const { key, reference } = await newShop();
    const container = apiClient(world, key);
    for (const status of ['pending', 'paid']) {
      for (let i = 0; i < 2; i++) expect((await container.verify(reference)).json.data.status).toBe(status);
      if (status === 'pending') expect((await container.simulate({ reference })).status).toBe(200);
    }
  });

  test('pays a checkout once when several read it ahead at once', async () => {
    const { key, reference } = await newShop();
    const container = apiClient(world, key);
    const { reference: before } = (await container.initialize(CHECKOUT)).json.data;
    expect((await container.simulate({ reference: before })).status).toBe(200);
    const answers = await Promise.all(Array.from({ length: 8 }, () => container.simulate({ reference })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(409)]);
    const { paid_amount: paid, payments } = (await container.verify(reference)).json.data;
    expect([paid, payments.length]).toEqual([8_500.75, 1]);
  });

  test('shows no other business’s checkout', async () => {
    const { key, reference } = await newShop();
    const neighbour = await newShop();
    const container = apiClient(world, key);
    for (const one of [reference, neighbour.reference, neighbour.reference]) await container.verify(one);
    await container.simulate({ reference });
    expect((await container.verify(reference)).status).toBe(200);
    expect((await container.verify(neighbour.reference)).json.code).toBe('checkout_not_found');
    expect((await container.simulate({ reference: neighbour.reference })).json.code).toBe('checkout_not_found');
  });

  test('is not made ahead for a key that was revoked or has a whitelist, from the second request on', async () => {
    const revoked = await newShop();
    const container = apiClient(world, revoked.key);
    await container.verify(revoked.reference);
    await revokeKey(world.deps, { keyId: revoked.keyId, who: 'amaka' });
    expect((await container.verify(revoked.reference)).status).toBe(401);
    expect(await readsOf(() => container.verify(revoked.reference))).toEqual(['GetItem']);

    const stolen = await newShop();
    let sourceIp = '102.89.23.17';
    const open = apiClient(world, stolen.key, () => sourceIp);
    await open.verify(stolen.reference);
    await setWhitelist(world.deps, { keyId: stolen.keyId, entries: ['102.89.23.17'], who: 'amaka' });
    sourceIp = '198.51.100.7';
    expect((await open.verify(stolen.reference)).status).toBe(403);
    expect(await readsOf(() => open.verify(stolen.reference))).toEqual(['GetItem']);
    sourceIp = '102.89.23.17';
    for (let i = 0; i < 2; i++) {
      expect(await readsOf(() => open.verify(stolen.reference))).toEqual(['GetItem', 'GetItem']);
    }
  });

  test('is not made ahead for a whitelist’s owner either, once the container has read the whitelist', async () => {
    const { key, keyId, reference } = await newShop();
    const container = apiClient(world, key);
    await container.verify(reference);
    await setWhitelist(world.deps, { keyId, entries: ['102.89.23.17'], who: 'amaka' });
    const owner = apiClient(world, key, '102.89.23.17');
    for (let i = 0; i < 3; i++) {
      expect(await readsOf(() => owner.verify(reference))).toEqual(['GetItem', 'GetItem']);
    }
  });

  test('is made once for a key that is refused over its allowance, however often it is sent', async () => {
    const { key, reference } = await newShop();
    const few = { ...world, deps: { ...world.deps, rateLimits: { live: 2, test: 2, publicAddress: 2 } } };
    const container = apiClient(few, key);
    for (let i = 0; i < 2; i++) expect((await container.verify(reference)).status).toBe(200);
    const refused = async (): Promise<void> => {
      for (let i = 0; i < 20; i++) expect((await container.verify(reference)).status).toBe(429);
    };
    expect(await readsOf(refused)).toEqual(['BatchGetItem', ...Array(4).fill('GetItem')]);
  });

  test('changes nothing about what a wrong request is told, in the same order', async () => {
    const { key, keyId, reference } = await newShop();
    const container = apiClient(world, key);
    const wrong = () => container.simulate({ reference, amount: -1 });
    await container.simulate({ reference });
    const { status, json } = await wrong();
    expect([status, json.code, json.errors[0].field]).toEqual([422, 'validation_failed', 'amount']);
    await revokeKey(world.deps, { keyId, who: 'amaka' });
    expect((await wrong()).json.code).toBe('invalid_api_key');
  });

  test('that fails is 503, and the next request is answered', async () => {
    const { key, reference } = await newShop();
    const container = apiClient(world, key);
    await container.verify(reference);
    inject((operation) =>
      operation === 'BatchGetItem'
        ? { status: 400, body: { __type: 'com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException' } }
        : undefined,
    );
    expect((await container.verify(reference)).json.code).toBe('service_unavailable');
    inject(() => undefined);
    expect((await container.verify(reference)).status).toBe(200);
  });

  test('whose items stay unread does not keep a key from being refused', async () => {
    const { key, keyId, reference } = await newShop();
    const container = apiClient(world, key);
    await container.verify(reference);
    await revokeKey(world.deps, { keyId, who: 'amaka' });
    inject((operation, input) =>
      operation === 'BatchGetItem'
        ? { status: 200, body: { Responses: {}, UnprocessedKeys: input.RequestItems } }
        : undefined,
    );
    expect((await container.verify(reference)).status).toBe(401);
  });
});
