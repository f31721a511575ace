import { MINUTE, SECOND } from '#shared/domain/kernel/time.ts';
import { delivery } from '#shared/domain/webhooks/delivery.ts';
import { type FaultProxy, type Faults, startFaultProxy } from '#test/support/engines/fault-proxy.ts';
import { landMany } from '#test/support/engines/moved-queue-events.ts';
import { longTest } from '#test/support/jest/long.ts';
import { apiClient } from '#test/support/worlds/api-client.ts';
import { sweepDueWork } from '#test/support/worlds/functions.ts';
import { makeWorld, type World } from '#test/support/worlds/world.ts';

const HANG_UP = { status: 500, body: { __type: 'InternalFailure', message: 'The queue is away.' } } as const;

describe('the sweeper', () => {
  let world: World;
  let queue: FaultProxy;
  let api: ReturnType<typeof apiClient>;
  let businessId: string;

  beforeEach(async () => {
    queue = await startFaultProxy(process.env.AWS_ENDPOINT_URL_SQS ?? '');
    world = await makeWorld({ sqsEndpoint: queue.endpoint });
    const business = await world.addBusiness(['http://127.0.0.1:9/unused']);
    api = apiClient(world, business.keys.secret_test);
    businessId = business.id;
  });
  afterEach(() => queue.stop());

  const sweep = () => sweepDueWork(world.deps, world.clock.now() + 60_000);
  const pay = async (count: number): Promise<void> => {
    for (let i = 0; i < count; i++) {
      const opened = await api.initialize({ amount: 2_500, payer_email: 'sade.balogun@example.com' });
      expect((await api.simulate({ reference: opened.json.data.reference })).status).toBe(200);
    }
  };

  test('while the queue refuses sends, payments land; once it is back, every delivery is sent once', async () => {
    queue.inject((operation) => (operation === 'SendMessageBatch' ? HANG_UP : undefined));
    await pay(25);
    expect(await world.takeJobs()).toHaveLength(0);
    world.clock.advance(11_000);
    await sweep();
    expect(await world.takeJobs()).toHaveLength(0);

    queue.inject(() => undefined);
    world.clock.advance(11_000);
    await sweep();
    const jobs = await world.takeJobs();
    expect(jobs).toHaveLength(25);
    expect(new Set(jobs.map(({ eventId }) => eventId)).size).toBe(25);
    await sweep();
    expect(await world.takeJobs()).toHaveLength(0);
  });

  test('messages of a batch that the queue refuses are sent again within the minute', async () => {
    const refuseAll: Faults = (operation, { Entries }) => {
      if (operation !== 'SendMessageBatch') return undefined;
      const refused = (Entries as { Id: string }[]).map(({ Id }) => ({
        Id,
        Code: 'InternalError',
        SenderFault: false,
      }));
      return { status: 200, body: { Successful: [], Failed: refused } };
    };
    queue.inject(refuseAll);
    await pay(12);
    world.clock.advance(11 * SECOND);
    await sweep();
    expect(world.logged.filter(({ event }) => event === 'deliveries_not_queued').length).toBeGreaterThan(12);
    queue.inject(() => undefined);
    world.clock.advance(11 * SECOND);
    await sweep();
    expect(await world.takeJobs()).toHaveLength(12);
  });

  describe('when a part of the table fails', () => {
    const REFUSED = { status: 400, body: { __type: 'com.amazonaws.dynamodb.v20120810#ValidationException' } } as const;
    let table: FaultProxy;
    beforeEach(async () => {
      table = await startFaultProxy(process.env.AWS_ENDPOINT_URL_DYNAMODB ?? '');
      world = await makeWorld({ sqsEndpoint: queue.endpoint, dynamoDbEndpoint: table.endpoint });
      const business = await world.addBusiness(['http://127.0.0.1:9/unused']);
      api = apiClient(world, business.keys.secret_test);
      queue.inject((operation) => (operation === 'SendMessageBatch' ? HANG_UP : undefined));
      await pay(20);
    });
    afterEach(() => table.stop());

    const dueIn = async (shard: string): Promise<string[]> =>
      (await world.itemsOf('DLV#')).filter(({ gsi2pk }) => gsi2pk === shard).map(({ eventId }) => String(eventId));

    test('the other shards are swept to the end before it throws', async () => {
      queue.inject(() => undefined);
      world.clock.advance(11 * SECOND);
      const left = await dueIn('DUE#test_deliveries#0');
      expect(left.length).toBeGreaterThan(0);
      expect(left.length).toBeLessThan(20);
      table.inject((operation, input) => {
        const values = input.ExpressionAttributeValues as Record<string, { S?: string }> | undefined;
        return operation === 'Query' && values?.[':shard']?.S === 'DUE#test_deliveries#0' ? REFUSED : undefined;
      });
      // Lambda freezes whatever still runs when the function has failed.
      await expect(sweep()).rejects.toThrow();
      const sent = (await world.takeJobs()).map(({ eventId }) => eventId);
      expect(sent).toHaveLength(20 - left.length);
      expect(sent.filter((eventId) => left.includes(eventId))).toEqual([]);
      expect(world.logged).toContainEqual(expect.objectContaining({ event: 'swept', oldest: SECOND }));
    });

    test('one delivery that cannot be written delays no other', async () => {
      world.clock.advance(11 * SECOND);
      const soon = String(world.clock.now() + 10 * SECOND);
      let refused = 0;
      table.inject((operation, input) => {
        const values = Object.values((input.ExpressionAttributeValues ?? {}) as Record<string, { N?: string }>);
        if (operation !== 'UpdateItem' || refused > 0 || !values.some(({ N }) => N === soon)) return undefined;
        refused += 1;
        return REFUSED;
      });
      await sweep();
      expect(refused).toBe(1);
      const waits = (await world.itemsOf('DLV#')).map((item) => (delivery.parse(item).dueAt ?? 0) - world.clock.now());
      expect(waits.toSorted((a, b) => a - b)).toEqual([...Array(19).fill(10 * SECOND), 5 * MINUTE]);
      expect(world.logged).toContainEqual(expect.objectContaining({ event: 'work_failed', kind: 'delivery' }));
    });
  });

  test('ten sweepers at once send each delivery once', async () => {
    queue.inject((operation) => (operation === 'SendMessageBatch' ? HANG_UP : undefined));
    await pay(5);
    queue.inject(() => undefined);
    world.clock.advance(11_000);
    await Promise.all(Array.from({ length: 10 }, sweep));
    expect(await world.takeJobs()).toHaveLength(5);
  });

  test('leaves alone what is not due, and what is finished', async () => {
    await pay(1);
    expect(await world.takeJobs()).toHaveLength(1);
    await sweep();
    expect(await world.takeJobs()).toHaveLength(0);
    const [stored] = (await world.itemsOf('DLV#')).map((item) => delivery.parse(item));
    expect(stored?.dueAt).toBe(world.clock.now() + 10_000);
  });

  test('reaches more than a page of due work in one sweep', async () => {
    await landMany(world, world.deps, businessId, 450);
    // Lost on their way to the queue.
    await world.takeJobs();
    world.clock.advance(11_000);
    await sweep();
    expect(await world.takeJobs()).toHaveLength(450);
  });

  test('expires a checkout whose time is up, once, and announces it; money still counts afterwards', async () => {
    const opened = await api.initialize({ amount: 2_500, payer_email: 'sade.balogun@example.com', expires_in: 60 });
    const { reference } = opened.json.data;
    world.clock.advance(59_000);
    await sweep();
    expect((await api.verify(reference)).json.data.status).toBe('pending');
    world.clock.advance(1_000);
    await Promise.all([sweep(), sweep(), sweep()]);
    expect((await api.verify(reference)).json.data).toMatchObject({ status: 'expired', version: 2 });
    expect((await world.itemsOf('EVT')).map((item) => item.type)).toEqual(['checkout.expired']);

    world.clock.advance(1);
    const paid = await api.simulate({ reference });
    expect(paid.json.data).toMatchObject({ status: 'paid', paid: true, payments: [{ late: true }] });
  });

  test('does not expire an underpaid or a paid checkout', async () => {
    const opened = await api.initialize({ amount: 2_500, payer_email: 'sade.balogun@example.com', expires_in: 60 });
    const { reference } = opened.json.data;
    await api.simulate({ reference, amount: 100 });
    world.clock.advance(120_000);
    await sweep();
    expect((await api.verify(reference)).json.data.status).toBe('underpaid');
  });

  test('an expiry that races a payment loses nothing', async () => {
    const opened = await api.initialize({ amount: 2_500, payer_email: 'sade.balogun@example.com', expires_in: 60 });
    const { reference } = opened.json.data;
    world.clock.advance(60_000);
    const [, paid] = await Promise.all([sweep(), api.simulate({ reference }), sweep()]);
    expect(paid.status).toBe(200);
    expect((await api.verify(reference)).json.data).toMatchObject({ status: 'paid', paid_amount: 2_500 });
  });

  test('settles an account whose creation timed out, and announces that it is active', async () => {
    const created = await api.createAccounts({
      customer_name: 'Ibrahim Musa',
      customer_phone: '+2348051112222',
      customer_email: 'slow+paystack@example.com',
      banks: ['paystack', 'monnify'],
    });
    expect(created).toMatchObject({
      status: 201,
      json: { accounts: [{ provider: 'monnify' }], errors: [{ provider: 'paystack' }] },
    });
    const pending = (await api.listAccounts()).json.data.find((a: { provider: string }) => a.provider === 'paystack');
    expect(pending).toMatchObject({ status: 'pending', account_number: null });

    world.clock.advance(10_000);
    await Promise.all([sweep(), sweep()]);
    expect((await api.getAccount(pending.id)).json.data).toMatchObject({
      status: 'active',
      account_number: expect.stringMatching(/^\d{10}$/),
      bank_name: 'Sandbox Bank (paystack)',
    });
    expect((await world.itemsOf('EVT')).map((item) => item.type)).toEqual(['virtual_account.activated']);
  });

  longTest('a provider that stays silent is asked again later and later, and never written off', async () => {
    const { OutcomeUnknown } = await import('#shared/domain/providers/errors.ts');
    let asked = 0;
    const silent = {
      ...world.deps,
      providers: ((mode, name) => ({
        ...world.deps.providers(mode, name),
        findAccount: async () => {
          asked += 1;
          throw new OutcomeUnknown('silence');
        },
      })) as typeof world.deps.providers,
    };
    await api.createAccounts({
      customer_name: 'Ibrahim Musa',
      customer_email: 'slow+monnify@example.com',
      provider: 'monnify',
    });
    for (let minute = 0; minute < 240; minute++) {
      world.clock.advance(60_000);
      await sweepDueWork(silent, world.clock.now() + 1_000);
    }
    expect(asked).toBeGreaterThan(8);
    expect(asked).toBeLessThan(20);
    expect((await api.listAccounts()).json.data[0].status).toBe('pending');
  });
});
