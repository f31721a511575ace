import { MINUTE, SECOND } from '#shared/platform/kernel/time.ts';
import { OutcomeUnknown } from '#shared/providers/domain/errors.ts';
import { type Fault, type FaultProxy, type Faults, startFaultProxy } from '#test/support/emulators/fault-proxy.ts';
import { landMany } from '#test/support/emulators/landed-events.ts';
import { longTest, testRows } from '#test/support/jest/long.ts';
import {
  api,
  business,
  ORDER,
  openMerchant,
  payCheckouts,
  receiver,
  world,
} from '#test/support/worlds/test-merchant.ts';

const QUEUE_DOWN: Fault = { status: 500, body: { __type: 'InternalFailure', message: 'The queue is away.' } };
const THROTTLED: Fault = {
  status: 400,
  body: { __type: 'com.amazonaws.sqs#ThrottlingException', message: 'Rate exceeded' },
};

describe('the sweeper', () => {
  let queue: FaultProxy;
  beforeEach(async () => {
    queue = await startFaultProxy(process.env.AWS_ENDPOINT_URL_SQS ?? '');
    await openMerchant({ world: { sqsEndpoint: queue.endpoint } });
  });
  afterEach(async () => {
    await receiver.stop();
    await queue.stop();
  });
  const failSends = (fault = QUEUE_DOWN): void =>
    queue.inject((operation) => (operation === 'SendMessageBatch' ? fault : undefined));
  const acceptSends = (): void => queue.inject(() => undefined);
  /** Opens a checkout that expires in a minute. */
  const openShort = async (): Promise<string> =>
    (await api.initialize({ ...ORDER, expires_in: 60 })).json.data.reference;
  const fetch = async (reference: string) => (await api.verify(reference)).json.data;

  testRows([
    ['fails', QUEUE_DOWN, 25],
    ['throttles', THROTTLED, 3],
  ])(
    'sends every delivery once after the queue works again if payments land while the queue %s',
    async (_, fault, count) => {
      failSends(fault);
      await payCheckouts(count);
      expect(await world.takeJobs()).toHaveLength(0);
      await world.sweepAfter(11_000);
      expect(await world.takeJobs()).toHaveLength(0);

      acceptSends();
      await world.sweepAfter(11_000);
      const jobs = await world.takeJobs();
      expect(jobs).toHaveLength(count);
      expect(new Set(jobs.map(({ eventId }) => eventId)).size).toBe(count);
      await world.sweep();
      expect(await world.takeJobs()).toHaveLength(0);
    },
  );

  test('sends the messages of a batch that the queue did not accept again within a minute', async () => {
    const rejectAll: Faults = (operation, { Entries }) => {
      if (operation !== 'SendMessageBatch') return undefined;
      const Failed = (Entries as { Id: string }[]).map(({ Id }) => ({ Id, Code: 'InternalError', SenderFault: false }));
      return { status: 200, body: { Successful: [], Failed } };
    };
    queue.inject(rejectAll);
    await payCheckouts(12);
    await world.sweepAfter(11 * SECOND);
    expect(world.loggedTimes('deliveries_not_queued')).toBeGreaterThan(12);
    acceptSends();
    await world.sweepAfter(11 * SECOND);
    expect(await world.takeJobs()).toHaveLength(12);
  });

  describe('during a failure of a part of the table', () => {
    const REJECTED = { status: 400, body: { __type: 'com.amazonaws.dynamodb.v20120810#ValidationException' } } as const;
    let table: FaultProxy;
    beforeEach(async () => {
      table = await startFaultProxy(process.env.AWS_ENDPOINT_URL_DYNAMODB ?? '');
      await receiver.stop();
      await openMerchant({ world: { sqsEndpoint: queue.endpoint, dynamoDbEndpoint: table.endpoint } });
      failSends();
      await payCheckouts(20);
    });
    afterEach(() => table.stop());

    const dueIn = async (shard: string): Promise<string[]> =>
      (await world.itemsOf('DLV#')).filter(({ gsi2pk }) => gsi2pk === shard).map(({ eventId }) => String(eventId));

    test('sweeps the other shards completely before it throws', async () => {
      acceptSends();
      world.clock.advance(11 * SECOND);
      const left = await dueIn('DUE#test_deliveries#0');
      expect(left.length).toBeGreaterThan(0);
      expect(left.length).toBeLessThan(20);
      table.inject((operation, input) => {
        const values = input.ExpressionAttributeValues as Record<string, { S?: string }> | undefined;
        return operation === 'Query' && values?.[':shard']?.S === 'DUE#test_deliveries#0' ? REJECTED : undefined;
      });
      // Lambda freezes everything that still runs after the function has failed, so the other shards must be done by then.
      await expect(world.sweep()).rejects.toThrow();
      const sent = (await world.takeJobs()).map(({ eventId }) => eventId);
      expect(sent).toHaveLength(20 - left.length);
      expect(sent.filter((eventId) => left.includes(eventId))).toEqual([]);
      expect(world.logged).toContainEqual(expect.objectContaining({ event: 'swept', oldest: SECOND }));
    });

    test('delays no other delivery if one delivery cannot be written', async () => {
      world.clock.advance(11 * SECOND);
      const soon = String(world.clock.now() + 10 * SECOND);
      let failures = 0;
      table.inject((operation, input) => {
        const values = Object.values((input.ExpressionAttributeValues ?? {}) as Record<string, { N?: string }>);
        if (operation !== 'UpdateItem' || failures > 0 || !values.some(({ N }) => N === soon)) return undefined;
        failures += 1;
        return REJECTED;
      });
      await world.sweep();
      expect(failures).toBe(1);
      const waits = (await world.deliveries()).map(({ dueAt }) => (dueAt ?? 0) - world.clock.now());
      expect(waits.toSorted((a, b) => a - b)).toEqual([...Array(19).fill(10 * SECOND), 5 * MINUTE]);
      expect(world.logged).toContainEqual(expect.objectContaining({ event: 'work_failed', kind: 'delivery' }));
    });
  });

  test('sends each delivery once if ten sweepers run at once', async () => {
    failSends();
    await payCheckouts(5);
    acceptSends();
    world.clock.advance(11_000);
    await Promise.all(Array.from({ length: 10 }, () => world.sweep()));
    expect(await world.takeJobs()).toHaveLength(5);
  });

  test('does not touch deliveries that are not due', async () => {
    await payCheckouts(1);
    expect(await world.takeJobs()).toHaveLength(1);
    await world.sweep();
    expect(await world.takeJobs()).toHaveLength(0);
    expect((await world.delivery()).dueAt).toBe(world.clock.now() + 10_000);
  });

  longTest('sends more than one page of due work in one sweep', async () => {
    await landMany(world, world.deps, business.id, 450);
    // The messages are lost on their way to the queue.
    await world.takeJobs();
    await world.sweepAfter(11_000);
    expect(await world.takeJobs()).toHaveLength(450);
  });

  test('expires a checkout once at its time and announces it; money still counts afterwards', async () => {
    const reference = await openShort();
    await world.sweepAfter(59_000);
    expect(await fetch(reference)).toMatchObject({ status: 'pending' });
    world.clock.advance(1_000);
    await Promise.all(Array.from({ length: 3 }, () => world.sweep()));
    expect(await fetch(reference)).toMatchObject({ status: 'expired', version: 2 });
    expect(await world.events()).toMatchObject([{ type: 'checkout.expired' }]);

    world.clock.advance(1);
    const paid = await api.simulate({ reference });
    expect(paid.json.data).toMatchObject({ status: 'paid', paid: true, payments: [{ late: true }] });
  });

  test('expires a checkout at once if a simulated late transfer ended the time of its account and did not count', async () => {
    const reference = await openShort();
    const sent = await api.simulate({ reference, late: true, outcome: 'rejected' });
    expect(sent.json.data).toMatchObject({ status: 'pending', payments: [{ outcome: 'rejected', late: true }] });
    await world.sweep();
    expect(await fetch(reference)).toMatchObject({ status: 'expired', expires_at: sent.json.data.expires_at });
  });

  test('does not expire an underpaid checkout', async () => {
    const reference = await openShort();
    await api.simulate({ reference, amount: 100 });
    await world.sweepAfter(120_000);
    expect(await fetch(reference)).toMatchObject({ status: 'underpaid' });
  });

  test('loses no payment that comes at the same time as an expiry', async () => {
    const reference = await openShort();
    world.clock.advance(60_000);
    const [, paid] = await Promise.all([world.sweep(), api.simulate({ reference }), world.sweep()]);
    expect(paid.status).toBe(200);
    expect(await fetch(reference)).toMatchObject({ status: 'paid', paid_amount: 2_500 });
  });

  test('settles an account after its creation timed out, and announces that it is active', async () => {
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
    await Promise.all([world.sweep(), world.sweep()]);
    expect((await api.getAccount(pending.id)).json.data).toMatchObject({
      status: 'active',
      account_number: expect.stringMatching(/^\d{10}$/),
      bank_name: 'Sandbox Bank (paystack)',
    });
    expect(await world.events()).toMatchObject([{ type: 'virtual_account.activated' }]);
  });

  longTest('asks a silent provider again at growing intervals, and never gives up', async () => {
    let requests = 0;
    const findAccount = async (): Promise<never> => {
      requests += 1;
      throw new OutcomeUnknown('silence');
    };
    const providers: typeof world.deps.providers = (mode, name) => {
      const issuer = world.deps.providers(mode, name);
      return issuer && { ...issuer, findAccount };
    };
    const customer = { customer_name: 'Ibrahim Musa', customer_email: 'slow+monnify@example.com' };
    await api.createAccounts({ ...customer, provider: 'monnify' });
    for (let minute = 0; minute < 240; minute++) await world.sweepAfter(60_000, { providers });
    expect(requests).toBeGreaterThan(8);
    expect(requests).toBeLessThan(20);
    expect((await api.listAccounts()).json.data[0].status).toBe('pending');
  });
});
