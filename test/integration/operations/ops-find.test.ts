import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { DAY, MINUTE } from '#shared/platform/kernel/time.ts';
import { paymentAccountKey, receivingAccountKey } from '#shared/virtual-accounts/store/keys.ts';
import { type Breaker, healthyBreaker } from '#shared/webhooks/domain/breaker.ts';
import { startAttempt } from '#shared/webhooks/domain/delivery-transitions.ts';
import { toEventCheckout } from '#test/support/worlds/answers.ts';
import { createApiClient } from '#test/support/worlds/api-client.ts';
import { type LiveWorld, makeLiveWorld } from '#test/support/worlds/live-world.ts';
import { runOpsAsJson, runOpsAsText } from '#test/support/worlds/operations.ts';

const ORDER = { amount: 8_500.75, payer_email: 'ngozi.eze@example.com' };
const CUSTOMER = { customer_name: 'Adaeze Okafor', bvn: '22212345678', nin: '12345678901', provider: 'korapay' };
const UNKNOWN = 'PAY-7H2KQ9XW4M1ZB8T5RC3N';

let world: LiveWorld;
beforeAll(async () => {
  world = await makeLiveWorld({ recycleNumbers: true });
});
afterAll(() => world.stop());

const run = (...args: string[]) => runOpsAsText({ ...world.deps, operator: async () => 'amaka' }, ...args);
const ops = (...args: string[]) => runOpsAsJson({ ...world.deps, operator: async () => 'amaka' }, ...args);
const find = async (...args: string[]) => (await ops('checkout', 'find', ...args)).found;

describe('checkout find', () => {
  test('finds a checkout by reference, in any letter case, with spaces, or with the suffix of an attempt', async () => {
    const business = await world.addBusiness();
    const { data } = (await createApiClient(world, business.keys.secret_test).initialize(ORDER)).json;
    const found = [
      {
        found_by: 'reference',
        business: { id: business.id, name: 'Ada Stores Limited' },
        checkout: toEventCheckout(data),
      },
    ];
    expect(await find(data.reference)).toEqual(found);
    expect(await find(` ${data.reference.toLowerCase()} `)).toEqual(found);
    expect(await find(`${data.reference}-2`)).toEqual(found);
    expect(await find(data.reference, '--business', business.id, '--mode', 'test')).toEqual(found);
    await expect(find(data.reference, '--business', business.id, '--mode', 'live')).rejects.toThrow('in live mode');
    await expect(find(UNKNOWN)).rejects.toThrow('There is no such checkout or account.');
  });

  test('finds a checkout by merchant reference within its business and mode, even if it looks like an account number', async () => {
    const [business, other] = [await world.addBusiness(), await world.addBusiness()];
    const order = { ...ORDER, merchant_reference: '7712345678' };
    const { data } = (await createApiClient(world, business.keys.secret_test).initialize(order)).json;
    const [only, ...more] = await find('7712345678', '--business', business.id, '--mode', 'test');
    expect([only, more]).toEqual([
      {
        found_by: 'merchant_reference',
        business: { id: business.id, name: 'Ada Stores Limited' },
        checkout: toEventCheckout(data),
      },
      [],
    ]);
    await expect(find('7712345678', '--business', other.id, '--mode', 'test')).rejects.toThrow(other.id);
    await expect(find('7712345678')).rejects.toThrow('give --business and --mode');
    await expect(find('INV-42')).rejects.toThrow('give --business and --mode');
    await expect(find('INV-42', '--business', business.id)).rejects.toThrow(
      '--business and --mode must be given together',
    );
  });

  test('finds a payment account and a virtual account by number in test mode', async () => {
    const api = createApiClient(world, (await world.addBusiness()).keys.secret_test);
    const { data } = (await api.initialize(ORDER)).json;
    expect(await find(data.account_number)).toMatchObject([
      { found_by: 'account_number', checkout: toEventCheckout(data) },
    ]);
    const { accounts } = (await api.createAccounts(CUSTOMER)).json;
    const [found, ...more] = await find(accounts[0].account_number);
    expect(found.virtual_account).toMatchObject({ id: accounts[0].id, customer_name: CUSTOMER.customer_name });
    expect(more).toEqual([]);
  });

  test('finds every checkout of a recycled number in live mode, newest first', async () => {
    const api = world.live(await world.addBusiness([], 'live'));
    const opened: { reference: string; account_number: string }[] = [];
    for (let n = 0; n < 3; n++) {
      world.clock.advance(MINUTE);
      opened.push((await api.initialize({ ...ORDER, provider: 'korapay' })).json.data);
      // The number is free again after the account has expired.
      world.clock.advance(DAY);
    }
    const number = opened[0]?.account_number ?? '';
    expect(new Set(opened.map((checkout) => checkout.account_number))).toEqual(new Set([number]));
    const found = await find(number);
    expect(found.map(({ checkout }: { checkout: unknown }) => checkout)).toEqual(
      opened.toReversed().map(toEventCheckout),
    );

    // The pointers do not expire, so they exist as long as the checkouts.
    const pointers = (await world.itemsOf('OPENED#')).filter(({ pk }) => String(pk).endsWith(number));
    expect(pointers.map(({ ttl }) => ttl)).toEqual([undefined, undefined, undefined]);
  });

  test('finds a virtual account by number in live mode, and its payments still land', async () => {
    const api = world.live(await world.addBusiness([], 'live'));
    const { accounts } = (await api.createAccounts(CUSTOMER)).json;
    expect(await find(accounts[0].account_number)).toMatchObject([
      { found_by: 'account_number', virtual_account: { id: accounts[0].id, mode: 'live', status: 'active' } },
    ]);
    const { account_number: accountNumber } = accounts[0];
    await world.simulator.pay({ provider: 'korapay', accountNumber, amount: 125_050, senderName: 'Chidi Eze' });
    await world.simulator.settled();
    expect((await api.listPayments(accounts[0].id)).json.data).toMatchObject([{ amount: 1_250.5 }]);
  });

  test('lists the newest fifty owners of a number that was recycled more often', async () => {
    const references = Array.from({ length: 60 }, (_, n) => `PAY-${String(n).padStart(20, '0')}`);
    for (const [n, reference] of references.entries()) {
      const Item = {
        ...paymentAccountKey('live', 'paystack', '9900000001', world.clock.now() + n, reference),
        reference,
      };
      await world.table.client.send(new PutCommand({ TableName: world.table.name, Item }));
    }
    const newest = references
      .toReversed()
      .slice(0, 50)
      .map((reference) => ({ kind: 'checkout', reference }));
    const owners = () => world.deps.accountNumbers.findOwners('live', '9900000001');
    expect(await owners()).toEqual(newest);
    // The virtual account that has the number now is found, regardless of the number of earlier owners.
    const Item = { ...receivingAccountKey('live', 'paystack', '9900000001'), virtualAccountId: 'va_1' };
    await world.table.client.send(new PutCommand({ TableName: world.table.name, Item }));
    expect(await owners()).toEqual([...newest, { kind: 'virtual_account', id: 'va_1' }]);
  });

  test('prints the business of a checkout and what was paid', async () => {
    const business = await world.addBusiness();
    const api = createApiClient(world, business.keys.secret_test);
    const { data } = (await api.initialize(ORDER)).json;
    await api.simulate({ reference: data.reference });
    const text = await run('checkout', 'find', data.account_number);
    expect(text).toContain(`Ada Stores Limited (${business.id})`);
    expect(text).toMatch(/^ {2}naira +8500\.75 of 8500\.75 paid$/m);
    expect(text).toMatch(/^ {2}payment +8500\.75 accepted 2026-\S+ \(pay_\w{26}\)$/m);
  });
});

describe('business show', () => {
  test('shows the ten newest checkouts of each mode', async () => {
    const business = await world.addBusiness([], 'live');
    const test = createApiClient(world, business.keys.secret_test);
    const references: string[] = [];
    for (let n = 0; n < 12; n++) {
      world.clock.advance(MINUTE);
      references.push((await test.initialize(ORDER)).json.data.reference);
    }
    const { data: live } = (await world.live(business).initialize({ ...ORDER, provider: 'monnify' })).json;
    const { checkouts } = await ops('business', 'show', business.id);
    expect(checkouts.live).toEqual([toEventCheckout(live)]);
    expect(checkouts.test.map(({ reference }: { reference: string }) => reference)).toEqual(
      references.toReversed().slice(0, 10),
    );
    const text = await run('business', 'show', business.id);
    expect(text).toMatch(new RegExp(`^ {2}${live.reference} {2}live {2}pending +0\\.00 +8500\\.75 +monnify`, 'm'));
  });

  test('shows the health of each endpoint', async () => {
    const business = await world.addBusiness(Array.from({ length: 4 }, (_, n) => `https://ada.example/${n}`));
    const since = world.clock.now();
    const ids = business.endpoints.map(({ id }) => id);
    const event = world.deps.newId('evt');
    const outage = { since, failures: 3, rejections: 0, lastEventId: event, lastAt: since, goneSince: null };
    const whileParked = { lastReleasedId: null, emptyPolls: 0, dueAt: null };
    const save = (n: number, state: Partial<Breaker>) =>
      world.deps.breakers.save({
        ...healthyBreaker({ endpointId: ids[n] ?? '', mode: 'test' }),
        version: 1,
        ...state,
      } as Breaker);
    await save(1, { outage });
    await save(2, { ...whileParked, outage: { ...outage, failures: 7 }, state: 'open', canary: null, probes: 1 });
    await save(3, { ...whileParked, state: 'draining', stepSize: 60, canary: null });

    const at = `${new Date(since).toISOString().slice(0, -1)}000Z`;
    const { endpoints } = await ops('business', 'show', business.id);
    expect(endpoints).toMatchObject([
      { id: ids[0], enabled: true, health: 'well', failures: 0, failing_since: null },
      { id: ids[1], health: 'failing', failures: 3, failing_since: at },
      { id: ids[2], health: 'parked', failures: 7, failing_since: at },
      { id: ids[3], health: 'draining', failures: 0, failing_since: null },
    ]);
    const text = await run('business', 'show', business.id);
    expect(text).toMatch(new RegExp(`failing since ${at}, 3 times in a row +\\*`));
    expect(text).toContain(`failing since ${at}, 7 times in a row; deliveries are parked`);
    expect(text).not.toContain('whsec_');
  });
});

describe('event redeliver', () => {
  const newEvent = async () => {
    const business = await world.addBusiness(['https://ada.example/1', 'https://ada.example/2']);
    const api = createApiClient(world, business.keys.secret_test);
    const { id } = (await api.testEndpoint(business.endpoints[0]?.id ?? '')).json.data;
    await world.takeJobs();
    return { business, id: id as string };
  };
  const readChanges = async (businessId: string) =>
    (await world.itemsOf('LOG#'))
      .filter((change) => change.businessId === businessId)
      .sort((a, b) => Number(a.at) - Number(b.at));

  test('sends an event again to all its endpoints or to one endpoint, and records the change', async () => {
    const { business, id } = await newEvent();
    const [first = '', second = ''] = business.endpoints.map((endpoint) => endpoint.id);
    const { event } = await ops('event', 'redeliver', id);
    expect(event).toMatchObject({ id, type: 'endpoint.test', deliveries: [{ endpoint_id: first, status: 'pending' }] });
    expect(await world.takeJobs()).toMatchObject([{ eventId: id, endpointId: first, byHand: true, redeliveries: 1 }]);

    world.clock.advance(MINUTE);
    const text = await run('event', 'redeliver', id, '--endpoint', second);
    expect(text).toContain(`endpoint.test ${id} is being sent again.`);
    expect(await world.takeJobs()).toMatchObject([{ eventId: id, endpointId: second, byHand: true }]);
    expect(await readChanges(business.id)).toMatchObject([
      { who: 'amaka', what: `asked to send event ${id} again to all endpoints that got it` },
      { who: 'amaka', what: `asked to send event ${id} again to ${second}` },
    ]);
  });

  test('says why an event cannot be redelivered', async () => {
    const { business, id } = await newEvent();
    const unknown = 'evt_01KDVDNX1Q5G8K2N4P7S9V3X6Z';
    await expect(ops('event', 'redeliver', unknown)).rejects.toThrow(`There is no event ${unknown}.`);
    const foreign = (await world.addBusiness(['https://other.example/'])).endpoints[0]?.id ?? '';
    await expect(ops('event', 'redeliver', id, '--endpoint', foreign)).rejects.toThrow(
      'Webhook endpoint not found. The command "endpoint list" shows the endpoints of a business.',
    );
    const endpointId = business.endpoints[0]?.id ?? '';
    const job = { eventId: id, endpointId, mode: 'test' as const, attempt: 0, redeliveries: 0, dueAt: null };
    await world.deps.deliveries.apply(job, startAttempt(job, 'lease_01KDVDNX1Q5G8K2N4P7S9V3X6Z', world.clock.now()));
    await expect(ops('event', 'redeliver', id)).rejects.toThrow(/in progress\. Wait half a minute/);
    await createApiClient(world, business.keys.secret_test).updateEndpoint(endpointId, { enabled: false });
    await expect(ops('event', 'redeliver', id)).rejects.toThrow('--endpoint is required');
    expect((await world.takeJobs()).filter(({ eventId }) => eventId === id)).toEqual([]);
  });
});
