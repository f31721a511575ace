import { createApiClient } from '#test/support/worlds/api-client.ts';
import { makeWorld, type World } from '#test/support/worlds/world.ts';

/* A simulated transfer can have all outcomes of live mode, with the same events and states. */

const ORDER = { amount: 8_500.75, payer_email: 'ngozi.eze@example.com' };
const NOTHING = { status: 409, json: { code: 'nothing_to_reverse', message: 'No accepted payment to reverse.' } };
const notPayable = (state: string) => ({
  status: 409,
  json: { code: 'checkout_not_payable', message: `Checkout is already ${state}.` },
});

let world: World;
let api: ReturnType<typeof createApiClient>;
beforeEach(async () => {
  world = await makeWorld();
  const business = await world.addBusiness(['http://127.0.0.1:9/unused']);
  api = createApiClient(world, business.keys.secret_test);
});

const start = async (): Promise<string> => (await api.initialize(ORDER)).json.data.reference;
const eventTypes = async (): Promise<string[]> =>
  (await world.itemsOf('EVT')).map(({ type }) => String(type)).toSorted();

describe('a simulated transfer to a checkout', () => {
  test('changes no sum and no state if it is rejected, and is announced', async () => {
    const reference = await start();
    expect(await api.simulate({ reference, outcome: 'rejected', amount: 5_000 })).toMatchObject({
      status: 200,
      json: {
        data: { status: 'pending', paid_amount: 0, version: 2, payments: [{ amount: 5_000, outcome: 'rejected' }] },
      },
    });
    expect((await api.simulate({ reference, outcome: 'rejected' })).json.data.payments[0]).toMatchObject({
      amount: 8_500.75,
      outcome: 'rejected',
    });
    expect(await eventTypes()).toEqual(['checkout.payment_rejected', 'checkout.payment_rejected']);
  });

  test('no longer counts when it is reversed, the newest transfer first, until no transfer is left', async () => {
    const reference = await start();
    await api.simulate({ reference, amount: 5_000 });
    await api.simulate({ reference });
    const reverse = async () => (await api.simulate({ reference, outcome: 'reversed' })).json.data;
    expect(await reverse()).toMatchObject({
      status: 'underpaid',
      paid_amount: 5_000,
      payments: [{ outcome: 'reversed' }, { outcome: 'accepted' }],
    });
    expect(await reverse()).toMatchObject({ status: 'pending', paid_amount: 0, paid: false, paid_at: null });
    expect(await api.simulate({ reference, outcome: 'reversed' })).toMatchObject(NOTHING);
    const payments = await world.itemsOf('PAY');
    expect(payments.map(({ outcome }) => outcome)).toEqual(['reversed', 'reversed']);
    expect(await eventTypes()).toEqual([
      'checkout.paid',
      'checkout.payment_reversed',
      'checkout.payment_reversed',
      'checkout.underpaid',
    ]);
  });

  test('gets reversed once by twenty requests at once, and the other requests find nothing', async () => {
    const reference = await start();
    await api.simulate({ reference });
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => api.simulate({ reference, outcome: 'reversed' })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ json }) => json.code === 'nothing_to_reverse')).toHaveLength(19);
    expect((await api.verify(reference)).json.data).toMatchObject({ status: 'pending', paid_amount: 0, version: 3 });
  });

  test('lands in every state if it names an amount; without an amount it lands only if an amount is due', async () => {
    const [paid, failed] = [await start(), await start()];
    await api.simulate({ reference: paid });
    await api.simulate({ reference: failed, status: 'failed' });
    for (const [reference, state] of [
      [paid, 'paid'],
      [failed, 'failed'],
    ] as const) {
      expect(await api.simulate({ reference })).toMatchObject(notPayable(state));
      expect(await api.simulate({ reference, outcome: 'rejected' })).toMatchObject(notPayable(state));
    }
    const more = await api.simulate({ reference: paid, amount: 100 });
    expect(more.json.data).toMatchObject({ status: 'paid', paid_amount: 8_600.75 });
    const late = await api.simulate({ reference: failed, amount: 8_500.75 });
    expect(late.json.data).toMatchObject({ status: 'paid', paid_amount: 8_500.75 });
    const returned = await api.simulate({ reference: paid, amount: 100, outcome: 'rejected' });
    expect(returned.json.data).toMatchObject({ status: 'paid', paid_amount: 8_600.75 });
  });

  test('can fail only a pending checkout', async () => {
    const reference = await start();
    await api.simulate({ reference, amount: 100 });
    expect(await api.simulate({ reference, status: 'failed' })).toMatchObject(notPayable('underpaid'));
  });

  test.each([
    [{ status: 'failed', outcome: 'accepted', amount: 100, late: true }, ['outcome', 'amount', 'late']],
    [{ outcome: 'reversed', amount: 100, late: true }, ['amount', 'late']],
    [{ status: 'failed', outcome: 'reversed', amount: 100, late: true }, ['outcome', 'amount', 'late']],
    [{ outcome: 'lost' }, ['outcome']],
  ])('gets a 422 and records nothing if its fields contradict each other: %j', async (input, fields) => {
    const reference = await start();
    const { status, json } = await api.simulate({ reference, ...input });
    expect([status, json.errors.map(({ field }: { field: string }) => field)]).toEqual([422, fields]);
    expect(await world.itemsOf('PAY')).toEqual([]);
  });
});

describe('a simulated transfer to a virtual account', () => {
  const simulate = (id: string, body: object) => api.simulateAccount(id, body);
  const openAccount = async (): Promise<string> => {
    const contact = { customer_phone: '+2348031234567', customer_email: 'adaeze.okafor@example.com' };
    const customer = { customer_name: 'Adaeze Okafor', ...contact, provider: 'paystack' };
    return (await api.createAccounts(customer)).json.accounts[0].id;
  };

  test('gets reversed, the newest transfer first, and announced', async () => {
    const id = await openAccount();
    expect(await simulate(id, { outcome: 'reversed' })).toMatchObject(NOTHING);
    await simulate(id, { amount: 100 });
    world.clock.advance(1_000);
    await simulate(id, { amount: 250.5 });
    for (const amount of [250.5, 100]) {
      expect(await simulate(id, { outcome: 'reversed' })).toMatchObject({
        status: 200,
        json: { data: { amount, outcome: 'reversed' } },
      });
    }
    expect(await simulate(id, { outcome: 'reversed' })).toMatchObject(NOTHING);
    expect(await eventTypes()).toEqual([
      'virtual_account.payment_received',
      'virtual_account.payment_received',
      'virtual_account.payment_reversed',
      'virtual_account.payment_reversed',
    ]);
  });

  test('gets reversed once by twenty requests at once', async () => {
    const id = await openAccount();
    await simulate(id, { amount: 100 });
    const answers = await Promise.all(Array.from({ length: 20 }, () => simulate(id, { outcome: 'reversed' })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ json }) => json.code === 'nothing_to_reverse')).toHaveLength(19);
    expect((await world.itemsOf('PAY')).map(({ outcome }) => outcome)).toEqual(['reversed']);
  });

  test.each([
    [{}, 'amount is required and must be a number in naira.'],
    [{ outcome: 'reversed', amount: 100 }, 'amount must be absent with outcome reversed.'],
  ])('gets a 422 for %j', async (body, message) => {
    const id = await openAccount();
    expect(await simulate(id, body)).toMatchObject({ status: 422, json: { errors: [{ field: 'amount', message }] } });
  });
});
