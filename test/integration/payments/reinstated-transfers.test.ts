import { getOwnerId } from '#shared/payments/domain/payment.ts';
import { landMoney } from '#shared/payments/use-cases/land-money.ts';
import { DAY, HOUR, MINUTE, SECOND } from '#shared/platform/kernel/time.ts';
import type { ProviderName } from '#shared/providers/domain/provider.ts';
import { longTest } from '#test/support/jest/long.ts';
import { ASKED, merchant, newCustomer, openWorldForEachTest, world } from '#test/support/worlds/live-merchant.ts';
import { runOpsAsJson } from '#test/support/worlds/operations.ts';
import { describeAtProviders } from '#test/support/worlds/provider-scenes.ts';
import { makeTransfer } from '#test/support/worlds/reports.ts';

openWorldForEachTest();

/*
 * A provider may report money as returned and keep it after all, for example because a refund fails. Its owner was notified of the reversal, so the money
 * does not count by itself. Operators are alerted once and may assign it.
 */

/** Returns the first payment of the transfer. */
const firstPayment = async () => {
  const first = (await world.recorded()).find(
    ({ origin }) => origin.kind === 'transfer' && origin.reinstatements === undefined,
  );
  if (!first) throw new Error('Nothing is recorded.');
  return first;
};
const lookUpOnce = async (provider: ProviderName): Promise<void> => {
  const { providerReference: value } = await firstPayment();
  await world.lookUp(provider, { by: 'transaction', value });
};
const ops = (...args: string[]) => runOpsAsJson({ ...world.deps, operator: async () => 'bisi' }, ...args);

const EVENTS = {
  account: ['virtual_account.payment_received', 'virtual_account.payment_reversed'],
  checkout: ['checkout.paid', 'checkout.payment_reversed'],
};
/** Opens a virtual account or a checkout, pays it, and lets the provider return the money. The result has the events so far. */
const reversePayment = async (provider: ProviderName, kind: keyof typeof EVENTS = 'account') => {
  const pay = kind === 'checkout' ? merchant.paidCheckout : merchant.paidAccount;
  const { transferId, ...paid } = await pay(provider, ASKED);
  const owner = 'id' in paid ? paid.id : paid.reference;
  world.clock.advance(MINUTE);
  await world.simulator.reverse(provider, transferId);
  await lookUpOnce(provider);
  const events = await world.eventsOf(owner);
  expect(events.toSorted()).toEqual(EVENTS[kind]);
  world.clock.advance(MINUTE);
  return { owner, transferId, events };
};

/** Expects this number of alerts to operators, and the money on their list. Returns its id. */
const expectAlerted = async (times = 1): Promise<string> => {
  expect(world.measuredSum('payments_unmatched')).toBe(times);
  const { unmatched: listed } = await ops('unmatched', 'list');
  expect(listed).toMatchObject([{ amount: ASKED / 100, kept_again: true }]);
  return listed[0].id;
};

const SOURCES: readonly (readonly [string, (provider: ProviderName) => Promise<unknown>])[] = [
  ['a look-up', (provider) => lookUpOnce(provider)],
  ['reconciliation', () => world.minutesPass(11)],
];
describeAtProviders('a reinstated transfer at %s', (provider) => {
  longTest.each(SOURCES)('alerts operators once, an hour after %s noticed it', async (_, notice) => {
    const { owner, transferId, events } = await reversePayment(provider);
    world.simulator.reinstate(provider, transferId);
    await notice(provider);
    expect(await world.unmatched()).toHaveLength(1);
    expect(world.measuredSum('payments_unmatched')).toBe(0);
    await world.minutesPass(70, 5);
    await expectAlerted();
    for (let hour = 0; hour < 3; hour += 1) {
      await lookUpOnce(provider);
      await world.minutesPass(60, 10);
    }
    await expectAlerted();
    expect(world.loggedTimes('payment_reinstated')).toBe(1);
    expect(world.loggedTimes('payment_unmatched')).toBe(0);
    // It does not count meanwhile.
    expect(await world.eventsOf(owner)).toEqual(events);
    expect(await world.recorded()).toMatchObject([{ outcome: 'reversed' }]);
  });

  test('counts again when an operator assigns it, and is reversed when it is returned again', async () => {
    const { owner, transferId } = await reversePayment(provider);
    world.simulator.reinstate(provider, transferId);
    await lookUpOnce(provider);
    await world.minutesPass(70, 5);
    await ops('unmatched', 'assign', await expectAlerted(), owner);
    expect((await ops('unmatched', 'list')).unmatched).toEqual([]);
    await world.expectBooksToAgree();
    const received = 'virtual_account.payment_received';
    expect((await world.eventsOf(owner)).filter((type) => type === received)).toHaveLength(2);
    await lookUpOnce(provider);
    await world.minutesPass(20, 5);
    expect(await world.unmatched()).toEqual([]);
    await world.simulator.reverse(provider, transferId);
    await lookUpOnce(provider);
    await world.expectBooksToAgree();
    const reversed = 'virtual_account.payment_reversed';
    expect((await world.eventsOf(owner)).filter((type) => type === reversed)).toHaveLength(2);
  });
});

longTest(
  'each failed refund at Paystack alerts operators, and a successful refund in between clears the list',
  async () => {
    const { owner, transferId, events } = await reversePayment('paystack', 'checkout');
    const notify = async (event: string): Promise<void> => {
      world.clock.advance(MINUTE);
      // The time makes the bytes of each notification different.
      const data = { transaction_reference: owner, updated_at: world.clock.now() };
      expect((await world.notify('paystack', world.signed('paystack', { event, data }))).status).toBe(200);
    };
    world.simulator.reinstate('paystack', transferId);
    await notify('refund.failed');
    await world.minutesPass(70, 5);
    await expectAlerted();
    await world.simulator.reverse('paystack', transferId);
    await notify('refund.processed');
    expect((await ops('unmatched', 'list')).unmatched).toEqual([]);
    world.simulator.reinstate('paystack', transferId);
    await notify('refund.failed');
    await world.minutesPass(70, 5);
    const paymentId = await expectAlerted(2);
    // There is no event until an operator assigns it.
    expect((await world.eventsOf(owner)).filter((type) => type !== 'checkout.expired')).toEqual(events);
    await ops('unmatched', 'assign', paymentId, owner);
    expect(await merchant.fetch(owner)).toMatchObject({ status: 'paid', paid_amount: ASKED / 100 });
    await world.expectBooksToAgree();
  },
);

longTest('a refund that fails days later, without a notification, is found by the weekly reconciliation', async () => {
  const { transferId } = await reversePayment('paystack');
  world.clock.advance(3 * DAY);
  await world.minutesPass(5);
  world.simulator.reinstate('paystack', transferId);
  world.clock.advance(DAY);
  await world.minutesPass(70, 5);
  await expectAlerted();
});

describe('an older report of a reversed transfer as accepted', () => {
  const reportAccepted = async (askedAt: number): Promise<void> => {
    const { origin, providerReference, amount, fee, paidAt, owner } = await firstPayment();
    const transferId = origin.kind === 'transfer' ? origin.transferId : '';
    const report = makeTransfer(getOwnerId(owner), amount, 'accepted', transferId);
    await landMoney(world.deps, 'paystack', { ...report, providerReference, fee, paidAt }, { askedAt });
  };

  longTest('alerts nobody when a new look-up shows that it was returned', async () => {
    await reversePayment('paystack');
    await reportAccepted(world.clock.now() - 90 * SECOND);
    await world.minutesPass(1);
    expect(await world.unmatched()).toEqual([]);
    await world.minutesPass(180, 10);
    expect(world.measuredSum('payments_unmatched')).toBe(0);
  });

  test('stores nothing if it was asked for before the transfer landed', async () => {
    await reversePayment('paystack');
    await reportAccepted(world.clock.now() - HOUR);
    expect([await world.unmatched(), world.loggedTimes('payment_reinstated')]).toEqual([[], 0]);
  });

  test('cannot be assigned while a new look-up shows that it was returned', async () => {
    const { owner } = await reversePayment('paystack');
    await reportAccepted(world.clock.now());
    const [entry] = (await ops('unmatched', 'list')).unmatched;
    const assigned = ops('unmatched', 'assign', entry.id, owner);
    await expect(assigned).rejects.toThrow('paystack has returned the money of pay_');
    expect((await ops('unmatched', 'list')).unmatched).toEqual([]);
    await world.expectBooksToAgree();
  });
});

test('unmatched money that was returned and is reinstated alerts operators too', async () => {
  const provider = 'korapay';
  const { accountNumber } = await world.provider(provider).createAccount(newCustomer(), 'customer-1');
  const { transferId } = await world.pay(provider, accountNumber, ASKED);
  const [kept] = await world.unmatched();
  const lookUpAgain = () => world.lookUp(provider, { by: 'transaction', value: kept?.money.providerReference ?? '' });
  world.clock.advance(MINUTE);
  await world.simulator.reverse(provider, transferId);
  await lookUpAgain();
  expect(await world.unmatched()).toEqual([]);
  world.clock.advance(MINUTE);
  world.simulator.reinstate(provider, transferId);
  await lookUpAgain();
  await world.minutesPass(70, 5);
  await ops('unmatched', 'assign', await expectAlerted(), (await merchant.account(provider)).id);
  expect(await world.recorded()).toMatchObject([{ amount: ASKED, outcome: 'accepted' }]);
});
