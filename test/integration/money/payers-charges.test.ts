import type { Kobo } from '#shared/domain/kernel/money.ts';
import type { ReportedMoney } from '#shared/domain/money/report.ts';
import type { ProviderName } from '#shared/domain/providers/provider.ts';
import type { LiveProvider } from '#shared/ports/providers.ts';
import { assignPayment } from '#shared/use-cases/money/assign-payment.ts';
import { lookUpPayment } from '#shared/use-cases/money/look-up-payment.ts';
import { breakOpening } from '#test/support/worlds/live-faults.ts';
import { fetchCheckout, merchant, openWorldForEachTest, world } from '#test/support/worlds/live-merchant.ts';
import {
  eventTypesOf,
  measuredSum,
  minutesPass,
  PROVIDERS,
  recorded,
  unmatched,
  withScriptedProvider,
} from '#test/support/worlds/live-steps.ts';
import { openPayersCharge } from '#test/support/worlds/payers-charge.ts';
import { describeAtProviders } from '#test/support/worlds/provider-scenes.ts';

/*
 * Charges that a payer opens at the provider without us. With a provider's public key any browser can, under any reference and over any
 * amount. Every checkout here asks for ₦8,500.
 */

openWorldForEachTest();

/** What every provider takes for a charge. */
const NAIRA = 100;

/** A payer opens a charge and pays what it asks for. */
const payOwnCharge = async (provider: ProviderName, reference: string, naira = NAIRA): Promise<void> => {
  const accountNumber = await openPayersCharge(world.twin, provider, { reference, naira });
  const { kept } = await world.twin.pay({ provider, accountNumber, amount: naira * 100, senderName: 'Mallory Bello' });
  expect(kept).toBe(naira * 100);
  await world.twin.settled();
};

const expectUntouched = async (reference: string): Promise<void> => {
  expect(await fetchCheckout(reference)).toMatchObject({ status: 'pending', paid: false, paid_amount: 0, version: 1 });
  expect(await eventTypesOf(world, reference)).toEqual([]);
};

/** The unmatched payment's id. */
const onlyUnmatched = async (): Promise<string> => {
  const [kept, ...more] = await unmatched(world);
  expect(more).toEqual([]);
  return kept?.id ?? '';
};

describe.each(PROVIDERS)('a payer’s own charge at %s', (provider) => {
  test('under a reference that we never used is unmatched, and the checkout waits for its own money', async () => {
    const { reference, account_number: accountNumber } = await merchant.checkout(provider);
    await payOwnCharge(provider, `${reference}-2`);
    await expectUntouched(reference);
    expect(await unmatched(world)).toMatchObject([{ money: { payee: { reference: `${reference}-2` } } }]);
    await world.twin.pay({ provider, accountNumber, amount: 850_000, senderName: 'Chidi Eze' });
    await world.twin.settled();
    const paid = { status: 'paid', paid_amount: 8_500, sender_name: 'Chidi Eze' };
    expect(await fetchCheckout(reference)).toMatchObject(paid);
    expect(await recorded(world)).toHaveLength(1);
    expect(await unmatched(world)).toHaveLength(1);
  });
});

describeAtProviders('a payer’s own charge, looked up again and again at %s,', (provider) => {
  test('alerts once, as money that matches nothing, and never as one without a notification', async () => {
    const { reference } = await merchant.checkout(provider);
    await payOwnCharge(provider, `${reference}-9`);
    await minutesPass(world, 10, 5);
    await expectUntouched(reference);
    // An hour later it is matched for the last time; a try in which the provider was not asked is repeated.
    await minutesPass(world, 180, 20);
    expect(measuredSum(world, 'payments_unmatched')).toBe(1);
    expect(measuredSum(world, 'payments_not_notified')).toBe(0);
    expect((await fetchCheckout(reference)).status).toBe('expired');
    expect(await eventTypesOf(world, reference)).toEqual(['checkout.expired']);
  });

  test('that operators assign counts by its amount, on the checkout whose reference it bears and on any other', async () => {
    for (const isOther of [false, true]) {
      const named = await merchant.checkout(provider);
      const to = isOther ? await merchant.checkout(provider) : named;
      await payOwnCharge(provider, `${named.reference}-3`);
      await assignPayment(world.deps, { paymentId: await onlyUnmatched(), to: to.reference, who: 'bisi' });
      expect(await fetchCheckout(to.reference)).toMatchObject({ status: 'underpaid', paid_amount: NAIRA });
      // Whatever is asked from here on says the same of it.
      await minutesPass(world, 10, 10);
      expect(await eventTypesOf(world, to.reference)).toEqual(['checkout.underpaid']);
      if (isOther) await expectUntouched(named.reference);
    }
  });
});

test('a charge of our own that asked for less than the checkout counts by its amount, whatever the provider calls it', async () => {
  const provider = 'paystack';
  const { reference, account_number: accountNumber } = await merchant.checkout(provider);
  const asked = 5_000 as Kobo;
  const less = withScriptedProvider(world, provider, ({ lookUp }) => ({
    lookUp: async (query) => {
      const report = await lookUp(query);
      if (report === 'unknown') return report;
      const money = report.money.map((one) => ({ ...one, asked, amount: asked }) as ReportedMoney);
      return { ...report, money };
    },
  }));
  world.twin.notifyAt(provider, null);
  await world.twin.pay({ provider, accountNumber, amount: 850_000 });
  const deps = less.deps;
  const query = { by: 'our_reference', value: reference } as const;
  const report = await lookUpPayment(deps, provider, deps.liveProviders(provider) as LiveProvider, query);
  expect(report).toMatchObject({ state: 'complete' });
  expect(await fetchCheckout(reference)).toMatchObject({ status: 'underpaid', paid_amount: 50 });
});

// Monnify gives the account of the earlier call again.
test.each(['paystack', 'korapay'] as const)('all charges that we opened at %s are the checkout’s', async (provider) => {
  const headers = { 'idempotency-key': 'order-417' };
  const order = { amount: 8_500, payer_email: 'chidi.eze@example.com', provider };
  breakOpening(world, provider, 'checkout', { kind: 'lost_answer' });
  expect((await merchant.api.initialize(order, headers)).status).toBe(502);
  const { reference } = (await merchant.api.initialize(order, headers)).json.data;
  const [first, second] = world.twin.books.accounts();
  expect([first?.reference, second?.reference]).toEqual([reference, `${reference}-2`]);
  await payOwnCharge(provider, `${reference}-3`);
  await expectUntouched(reference);
  await world.twin.pay({ provider, accountNumber: first?.number ?? '', amount: 850_000 });
  await world.twin.pay({ provider, accountNumber: second?.number ?? '', amount: 850_000 });
  await world.twin.settled();
  expect(await fetchCheckout(reference)).toMatchObject({ status: 'paid', paid_amount: 17_000 });
  expect(await unmatched(world)).toMatchObject([{ money: { payee: { reference: `${reference}-3` } } }]);
});
