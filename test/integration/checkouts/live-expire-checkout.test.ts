import { MINUTE } from '#shared/domain/kernel/time.ts';
import { sweepDueWork } from '#test/support/worlds/functions.ts';
import {
  apiWith,
  type Business,
  gate,
  providersWith,
  unreachable,
  untilReached,
} from '#test/support/worlds/live-faults.ts';
import {
  countCalls,
  eventTypesOf,
  expectBooksToAgree,
  holdNotifications,
  type LiveMerchant,
  LOOK_UP,
  minutesPass,
  openMerchant,
  withScriptedProvider,
} from '#test/support/worlds/live-steps.ts';
import { type LiveWorld, makeLiveWorld } from '#test/support/worlds/live-world.ts';
import { describeAtProviders } from '#test/support/worlds/provider-scenes.ts';

/* Expiring a live checkout by hand: its provider has the last word on money. */

const PAID = 850_000;

let world: LiveWorld;
let merchant: LiveMerchant;
let business: Business;

beforeEach(async () => {
  world = await makeLiveWorld();
  merchant = await openMerchant(world);
  business = merchant.business;
});
afterEach(() => world.stop());

const statusOf = async (reference: string): Promise<string> => (await merchant.api.verify(reference)).json.data.status;

describeAtProviders('expiring a checkout of %s', (provider) => {
  const pay = (accountNumber: string, amount = PAID) => world.twin.pay({ provider, accountNumber, amount });

  test('asks the provider once, announces it, and asks no more once it has expired', async () => {
    const { reference } = await merchant.checkout(provider);
    const asked = countCalls(world.twin, provider, LOOK_UP[provider]);
    expect(await merchant.api.expire(reference)).toMatchObject({ status: 200, json: { data: { status: 'expired' } } });
    const once = asked();
    expect(once).toBeGreaterThan(0);
    expect((await merchant.api.expire(reference)).status).toBe(200);
    expect(asked()).toBe(once);
    expect(await eventTypesOf(world, reference)).toEqual(['checkout.expired']);
  });

  test('is 409 when the provider knows of money without a notification, and the money counts', async () => {
    const held = await holdNotifications(world, provider);
    const { reference, account_number } = await merchant.checkout(provider);
    await pay(account_number);
    await world.twin.settled();
    expect(await statusOf(reference)).toBe('pending');
    expect(await merchant.api.expire(reference)).toMatchObject({
      status: 409,
      json: { code: 'checkout_not_payable', message: 'Checkout is already paid.' },
    });
    expect(await statusOf(reference)).toBe('paid');
    expect(await eventTypesOf(world, reference)).toEqual(['checkout.paid']);
    await held.stop();
  });

  test('is 409 when money lands between the provider’s answer and ours', async () => {
    const { reference, account_number } = await merchant.checkout(provider);
    let paid = false;
    const { deps } = withScriptedProvider(world, provider, (real) => ({
      lookUp: async (query) => {
        const before = await real.lookUp(query);
        if (!paid) {
          paid = true;
          await pay(account_number);
          await world.twin.settled();
        }
        return before;
      },
    }));
    expect((await apiWith(world, business, deps).expire(reference)).status).toBe(409);
    expect(await eventTypesOf(world, reference)).toEqual(['checkout.paid']);
    await expectBooksToAgree(world);
  });

  test('leaves late money with the checkout: it is looked for around its expiry all the same', async () => {
    const held = await holdNotifications(world, provider);
    const { reference, account_number } = await merchant.checkout(provider);
    await merchant.api.expire(reference);
    await pay(account_number);
    await world.twin.settled();
    await minutesPass(world, 120, 10);
    expect(await statusOf(reference)).toBe('paid');
    expect(await eventTypesOf(world, reference)).toEqual(['checkout.expired', 'checkout.paid']);
    await expectBooksToAgree(world);
    await held.stop();
  });

  test.each(['unreachable', 'not enabled any more', 'refusing our credentials'])(
    'is 502 and changes nothing while the provider is %s',
    async (away) => {
      const { reference } = await merchant.checkout(provider);
      const changed = {
        unreachable: () => providersWith(world, unreachable(world, [provider])),
        'not enabled any more': () => ({ liveProviders: () => undefined }),
        'refusing our credentials': () => {
          world.twin.fault(provider, { kind: 'unauthorised' });
          return {};
        },
      }[away];
      const api = apiWith(world, business, changed?.() ?? {});
      for (const headers of [{}, { 'idempotency-key': 'end-0042' }, { 'idempotency-key': 'end-0042' }]) {
        expect(await api.expire(reference, undefined, headers)).toMatchObject({
          status: 502,
          json: { code: 'provider_error', message: `${provider} could not complete the request.` },
        });
      }
      world.twin.fault(provider, null);
      expect(await eventTypesOf(world, reference)).toEqual([]);
      expect((await merchant.api.verify(reference)).json.data).toMatchObject({ status: 'pending', version: 1 });
      const done = await merchant.api.expire(reference, undefined, { 'idempotency-key': 'end-0042' });
      expect(done.status).toBe(200);
    },
  );

  test('raced against money, again and again: the books agree and the checkout is paid', async () => {
    for (let round = 0; round < 4; round++) {
      const { reference, account_number } = await merchant.checkout(provider);
      const [ended] = await Promise.all([merchant.api.expire(reference), pay(account_number)]);
      await world.twin.settled();
      expect([200, 409]).toContain(ended.status);
      expect(await statusOf(reference)).toBe('paid');
    }
    await expectBooksToAgree(world);
  });

  test('raced against the sweeper that expires it: announced once', async () => {
    const { reference, expires_at } = await merchant.checkout(provider);
    world.clock.advance(Date.parse(expires_at) - world.clock.now() + 6 * MINUTE);
    const until = world.clock.now() + 30_000;
    const answers = await Promise.all([
      merchant.api.expire(reference),
      sweepDueWork(world.deps, until),
      merchant.api.expire(reference),
    ]);
    await sweepDueWork(world.deps, until);
    for (const i of [0, 2]) expect(answers[i]).toMatchObject({ status: 200, json: { data: { version: 2 } } });
    expect(await eventTypesOf(world, reference)).toEqual(['checkout.expired']);
  });

  test('by a process that dies before it writes: nothing changed, and a retry does it', async () => {
    const { reference } = await merchant.checkout(provider);
    const { opened, open } = gate();
    const record = (): Promise<never> => {
      open();
      return new Promise<never>(() => {});
    };
    const dead = apiWith(world, business, { ledger: { ...world.deps.ledger, record } });
    const headers = { 'idempotency-key': 'end-0042' };
    await untilReached(opened, dead.expire(reference, undefined, headers));
    expect(await statusOf(reference)).toBe('pending');
    expect((await merchant.api.expire(reference, undefined, headers)).status).toBe(200);
    expect(await eventTypesOf(world, reference)).toEqual(['checkout.expired']);
  });

  test('by a process that dies after it wrote: its retry gets the first answer, and the event is sent', async () => {
    const { reference } = await merchant.checkout(provider);
    const { opened, open } = gate();
    const send = (): Promise<never> => {
      open();
      return new Promise<never>(() => {});
    };
    const dead = apiWith(world, business, { queue: { ...world.deps.queue, send } });
    const headers = { 'idempotency-key': 'end-0042' };
    await untilReached(opened, dead.expire(reference, undefined, headers));
    const retried = await merchant.api.expire(reference, undefined, headers);
    expect([retried.status, retried.headers['idempotent-replayed']]).toEqual([200, 'true']);
    await minutesPass(world, 1);
    expect(await world.takeJobs()).toHaveLength(1);
    expect(await eventTypesOf(world, reference)).toEqual(['checkout.expired']);
  });
});

test.each(['paystack', 'monnify'] as const)('money that %s sent back counts as none', async (provider) => {
  const { reference, account_number: accountNumber } = await merchant.checkout(provider);
  await world.twin.pay({ provider, accountNumber, amount: PAID - 100 });
  await world.twin.settled();
  const { data } = (await merchant.api.verify(reference)).json;
  expect(data).toMatchObject({ status: 'pending', payments: [{ outcome: 'rejected' }] });
  expect(await merchant.api.expire(reference)).toMatchObject({ status: 200, json: { data: { status: 'expired' } } });
  expect(await eventTypesOf(world, reference)).toEqual(['checkout.payment_rejected', 'checkout.expired']);
});
