import type { Kobo } from '#shared/platform/kernel/money.ts';
import type { ProviderName } from '#shared/providers/domain/provider.ts';
import type { ReportedMoney } from '#shared/providers/domain/report.ts';
import { breakOpening } from '#test/support/worlds/live-faults.ts';
import { ASKED, merchant, openWorldForEachTest, world } from '#test/support/worlds/live-merchant.ts';
import { openPayersCharge } from '#test/support/worlds/payers-charge.ts';
import { describeAtProviders } from '#test/support/worlds/provider-scenes.ts';

/*
 * A payer can open a charge at a provider without us: with the provider's public key any browser can open a charge, under any reference and for any
 * amount. Every checkout here asks for ₦8,500.
 */

openWorldForEachTest();
// A charge that was opened without us does not name our notification address. By the older reading, Korapay notifies us of it anyway.
beforeEach(() => world.simulator.prefer('korapay', { chargesNotify: 'dashboard' }));

/** The amount of a payer’s charge in naira. Every provider accepts this amount. */
const NAIRA = 100;

/** Opens a charge as a payer, and pays its amount. */
const payOwnCharge = async (provider: ProviderName, reference: string, naira = NAIRA): Promise<void> => {
  const accountNumber = await openPayersCharge(world.simulator, provider, { reference, naira });
  const { keptAmount } = await world.pay(provider, accountNumber, naira * 100, { senderName: 'Mallory Bello' });
  expect(keptAmount).toBe(naira * 100);
};

const expectUntouched = async (reference: string): Promise<void> => {
  expect(await merchant.fetch(reference)).toMatchObject({ status: 'pending', paid: false, paid_amount: 0, version: 1 });
  expect(await world.eventsOf(reference)).toEqual([]);
};

/** Expects exactly one unmatched payment, and returns its id. */
const findOnlyUnmatched = async (): Promise<string> => {
  const [kept, ...more] = await world.unmatched();
  expect(more).toEqual([]);
  return kept?.id ?? '';
};

describeAtProviders('a payer’s own charge at %s', (provider) => {
  test('stays unmatched under a reference that we never used, and the checkout waits for its own money', async () => {
    const { reference, accountNumber } = await merchant.checkout(provider);
    await payOwnCharge(provider, `${reference}-2`);
    await expectUntouched(reference);
    expect(await world.unmatched()).toMatchObject([{ money: { payee: { reference: `${reference}-2` } } }]);
    await world.pay(provider, accountNumber, ASKED);
    const paid = { status: 'paid', paid_amount: 8_500, sender_name: 'Chidi Eze' };
    expect(await merchant.fetch(reference)).toMatchObject(paid);
    expect(await world.recorded()).toHaveLength(1);
    expect(await world.unmatched()).toHaveLength(1);
  });
});

describeAtProviders('a payer’s own charge at %s, looked up repeatedly,', (provider) => {
  test('alerts once as unmatched money, and never as a lost notification', async () => {
    const { reference } = await merchant.checkout(provider);
    await payOwnCharge(provider, `${reference}-9`);
    await world.minutesPass(10, 5);
    await expectUntouched(reference);
    // The money is matched for the last time after an hour. More time passes, because a try in which the provider was not asked is repeated.
    await world.minutesPass(180, 20);
    expect(world.measuredSum('payments_unmatched')).toBe(1);
    expect(world.measuredSum('payments_not_notified')).toBe(0);
    expect((await merchant.fetch(reference)).status).toBe('expired');
    expect(await world.eventsOf(reference)).toEqual(['checkout.expired']);
  });

  test('counts by its amount if operators assign it, on the checkout of its reference or on another checkout', async () => {
    for (const isOther of [false, true]) {
      const named = await merchant.checkout(provider);
      const to = isOther ? await merchant.checkout(provider) : named;
      await payOwnCharge(provider, `${named.reference}-3`);
      await world.assign(await findOnlyUnmatched(), to.reference);
      expect(await merchant.fetch(to.reference)).toMatchObject({ status: 'underpaid', paid_amount: NAIRA });
      // Later look-ups change nothing.
      await world.minutesPass(10, 10);
      expect(await world.eventsOf(to.reference)).toEqual(['checkout.underpaid']);
      if (isOther) await expectUntouched(named.reference);
    }
  });
});

test('our own charge for less than the checkout counts by its amount, even if the provider calls it complete', async () => {
  const provider = 'paystack';
  const { reference, accountNumber } = await merchant.checkout(provider);
  const asked = 5_000 as Kobo;
  const less = world.scripted(provider, ({ lookUp }) => ({
    lookUp: async (query) => {
      const report = await lookUp(query);
      if (report === 'unknown') return report;
      const money = report.money.map((money) => ({ ...money, asked, amount: asked }) as ReportedMoney);
      return { ...report, money };
    },
  }));
  world.simulator.notifyAt(provider, null);
  await world.simulator.pay({ provider, accountNumber, amount: 850_000 });
  expect(await world.lookUp(provider, reference, less)).toMatchObject({ state: 'complete' });
  expect(await merchant.fetch(reference)).toMatchObject({ status: 'underpaid', paid_amount: 50 });
});

// Monnify is left out, because a second call returns the account of the first call.
test.each(['paystack', 'korapay'] as const)(
  'money on every charge that we opened at %s for a checkout counts on that checkout',
  async (provider) => {
    const headers = { 'idempotency-key': 'order-417' };
    const order = { amount: 8_500, payer_email: 'chidi.eze@example.com', provider };
    breakOpening(world, provider, 'checkout', { kind: 'lost_answer' });
    expect((await merchant.api.initialize(order, headers)).status).toBe(502);
    const { reference } = (await merchant.api.initialize(order, headers)).json.data;
    const accounts = world.simulator.books.accounts();
    expect(accounts.map((account) => account.reference)).toEqual([reference, `${reference}-2`]);
    await payOwnCharge(provider, `${reference}-3`);
    await expectUntouched(reference);
    for (const { number } of accounts) await world.pay(provider, number, ASKED);
    expect(await merchant.fetch(reference)).toMatchObject({ status: 'paid', paid_amount: 17_000 });
    expect(await world.unmatched()).toMatchObject([{ money: { payee: { reference: `${reference}-3` } } }]);
  },
);

test('a payer’s own charge at korapay without a notification is found within ten minutes, unmatched', async () => {
  world.simulator.prefer('korapay', {});
  const { reference } = await merchant.checkout('korapay');
  await payOwnCharge('korapay', `${reference}-2`);
  expect(await world.unmatched()).toEqual([]);
  await world.minutesPass(10);
  expect(await world.unmatched()).toMatchObject([{ money: { payee: { reference: `${reference}-2` } } }]);
  await expectUntouched(reference);
});
