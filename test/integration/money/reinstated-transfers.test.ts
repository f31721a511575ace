import { DAY, HOUR, MINUTE, SECOND } from '#shared/domain/kernel/time.ts';
import type { LiveProvider } from '#shared/ports/providers.ts';
import { landMoney } from '#shared/use-cases/money/land-money.ts';
import { lookUpPayment } from '#shared/use-cases/money/look-up-payment.ts';
import { longTest } from '#test/support/jest/long.ts';
import { merchant, openWorldForEachTest, world } from '#test/support/worlds/live-merchant.ts';
import {
  eventTypesOf,
  expectBooksToAgree,
  loggedTimes,
  measuredSum,
  minutesPass,
  notify,
  type PROVIDERS,
  recorded,
  signed,
  unmatched,
} from '#test/support/worlds/live-steps.ts';
import { opsOn } from '#test/support/worlds/operations.ts';
import { describeAtProviders } from '#test/support/worlds/provider-scenes.ts';

openWorldForEachTest();

/*
 * Money that a provider reported as returned and keeps after all, as when a refund fails. Its owner was notified of the reversal, so
 * it does not count by itself; operators are alerted once and may assign it.
 */

const AMOUNT = 850_000;

type Provider = (typeof PROVIDERS)[number];
const real = (provider: Provider): LiveProvider => world.deps.liveProviders(provider) as LiveProvider;
/** The recorded payment of the one transfer. */
const firstPayment = async () => {
  const first = (await recorded(world)).find(
    ({ origin }) => origin.kind === 'transfer' && origin.reinstatements === undefined,
  );
  if (!first) throw new Error('Nothing is recorded.');
  return first;
};
const lookUpOnce = async (provider: Provider): Promise<void> => {
  const { providerReference: value } = await firstPayment();
  await lookUpPayment(world.deps, provider, real(provider), { by: 'transaction', value });
};
const ops = (...args: string[]) => opsOn({ ...world.deps, who: async () => 'bisi' }, ...args);

const EVENTS = {
  account: ['virtual_account.payment_received', 'virtual_account.payment_reversed'],
  checkout: ['checkout.paid', 'checkout.payment_reversed'],
};
const open = async (provider: Provider, kind: keyof typeof EVENTS) => {
  if (kind === 'checkout') {
    const { reference, account_number: accountNumber } = await merchant.checkout(provider);
    return { owner: reference, accountNumber };
  }
  const { id, account_number: accountNumber } = await merchant.account(provider);
  return { owner: id, accountNumber };
};
/** Opens a virtual account or a checkout, pays it, and has the money returned; returns the events so far. */
const reversedOn = async (provider: Provider, kind: keyof typeof EVENTS = 'account') => {
  const { owner, accountNumber } = await open(provider, kind);
  const { transferId } = await world.twin.pay({ provider, accountNumber, amount: AMOUNT });
  await world.twin.settled();
  world.clock.advance(MINUTE);
  await world.twin.reverse(provider, transferId);
  await lookUpOnce(provider);
  const events = await eventTypesOf(world, owner);
  expect(events.toSorted()).toEqual(EVENTS[kind]);
  world.clock.advance(MINUTE);
  return { owner, transferId, events };
};

/** Expects that operators were alerted so often, and that the money is on their list; returns its id. */
const expectAlerted = async (times = 1): Promise<string> => {
  expect(measuredSum(world, 'payments_unmatched')).toBe(times);
  const { unmatched: listed } = await ops('unmatched', 'list');
  expect(listed).toMatchObject([{ amount: AMOUNT / 100, kept_again: true }]);
  return listed[0].id;
};

const SOURCES: readonly (readonly [string, (provider: Provider) => Promise<unknown>])[] = [
  ['a look-up', (provider) => lookUpOnce(provider)],
  ['reconciliation', () => minutesPass(world, 11)],
];
describeAtProviders('a transfer at %s that is reinstated', (provider) => {
  longTest.each(SOURCES)('is noticed by %s, and operators are alerted once, an hour later', async (_, notice) => {
    const { owner, transferId, events } = await reversedOn(provider);
    world.twin.reinstate(provider, transferId);
    await notice(provider);
    expect(await unmatched(world)).toHaveLength(1);
    expect(measuredSum(world, 'payments_unmatched')).toBe(0);
    await minutesPass(world, 70, 5);
    await expectAlerted();
    for (let hour = 0; hour < 3; hour += 1) {
      await lookUpOnce(provider);
      await minutesPass(world, 60, 10);
    }
    await expectAlerted();
    expect(loggedTimes(world, 'payment_reinstated')).toBe(1);
    expect(loggedTimes(world, 'payment_unmatched')).toBe(0);
    // Meanwhile it does not count.
    expect(await eventTypesOf(world, owner)).toEqual(events);
    expect(await recorded(world)).toMatchObject([{ outcome: 'reversed' }]);
  });

  test('counts again once an operator assigns it, and is reversed when it is returned again', async () => {
    const { owner, transferId } = await reversedOn(provider);
    world.twin.reinstate(provider, transferId);
    await lookUpOnce(provider);
    await minutesPass(world, 70, 5);
    await ops('unmatched', 'assign', await expectAlerted(), owner);
    expect((await ops('unmatched', 'list')).unmatched).toEqual([]);
    await expectBooksToAgree(world);
    const received = 'virtual_account.payment_received';
    expect((await eventTypesOf(world, owner)).filter((type) => type === received)).toHaveLength(2);
    await lookUpOnce(provider);
    await minutesPass(world, 20, 5);
    expect(await unmatched(world)).toEqual([]);
    await world.twin.reverse(provider, transferId);
    await lookUpOnce(provider);
    await expectBooksToAgree(world);
    const reversed = 'virtual_account.payment_reversed';
    expect((await eventTypesOf(world, owner)).filter((type) => type === reversed)).toHaveLength(2);
  });
});

test('each notification of a failed refund at Paystack alerts operators; a successful refund in between clears the list', async () => {
  const { owner, transferId, events } = await reversedOn('paystack', 'checkout');
  const notifyOf = async (event: string): Promise<void> => {
    world.clock.advance(MINUTE);
    // A time makes the bytes of each different.
    const data = { transaction_reference: owner, updated_at: world.clock.now() };
    expect((await notify(world, 'paystack', signed(world, 'paystack', { event, data }))).status).toBe(200);
  };
  world.twin.reinstate('paystack', transferId);
  await notifyOf('refund.failed');
  await minutesPass(world, 70, 5);
  await expectAlerted();
  await world.twin.reverse('paystack', transferId);
  await notifyOf('refund.processed');
  expect((await ops('unmatched', 'list')).unmatched).toEqual([]);
  world.twin.reinstate('paystack', transferId);
  await notifyOf('refund.failed');
  await minutesPass(world, 70, 5);
  const paymentId = await expectAlerted(2);
  // No event is announced until an operator assigns it.
  expect((await eventTypesOf(world, owner)).filter((type) => type !== 'checkout.expired')).toEqual(events);
  await ops('unmatched', 'assign', paymentId, owner);
  expect((await merchant.api.verify(owner)).json.data).toMatchObject({ status: 'paid', paid_amount: AMOUNT / 100 });
  await expectBooksToAgree(world);
});

test('a refund that fails days later, without a notification, is found by the weekly reconciliation', async () => {
  const { transferId } = await reversedOn('paystack');
  world.clock.advance(3 * DAY);
  await minutesPass(world, 5);
  world.twin.reinstate('paystack', transferId);
  world.clock.advance(DAY);
  await minutesPass(world, 70, 5);
  await expectAlerted();
});

describe('an older report that a reversed transfer was accepted', () => {
  const reportAccepted = async (askedAt: number): Promise<void> => {
    const { origin, providerReference, amount, fee, paidAt, owner } = await firstPayment();
    const transferId = origin.kind === 'transfer' ? origin.transferId : '';
    const reference = owner.kind === 'virtual_account' ? owner.id : owner.reference;
    const money = {
      kind: 'transfer',
      payee: { by: 'our_reference', reference },
      outcome: 'accepted',
      ...{ transferId, providerReference, amount, fee, paidAt, senderName: null, senderBank: null },
    } as const;
    await landMoney(world.deps, 'paystack', money, { askedAt });
  };

  test('alerts nobody when a new look-up shows that it was returned', async () => {
    await reversedOn('paystack');
    await reportAccepted(world.clock.now() - 90 * SECOND);
    await minutesPass(world, 1);
    expect(await unmatched(world)).toEqual([]);
    await minutesPass(world, 180, 10);
    expect(measuredSum(world, 'payments_unmatched')).toBe(0);
  });

  test('is not stored if it was asked for before the transfer landed', async () => {
    await reversedOn('paystack');
    await reportAccepted(world.clock.now() - HOUR);
    expect([await unmatched(world), loggedTimes(world, 'payment_reinstated')]).toEqual([[], 0]);
  });

  test('cannot be assigned while a new look-up shows that it was returned', async () => {
    const { owner } = await reversedOn('paystack');
    await reportAccepted(world.clock.now());
    const [entry] = (await ops('unmatched', 'list')).unmatched;
    const assigned = ops('unmatched', 'assign', entry.id, owner);
    await expect(assigned).rejects.toThrow('paystack has sent the money of pay_');
    expect((await ops('unmatched', 'list')).unmatched).toEqual([]);
    await expectBooksToAgree(world);
  });
});

test('unmatched money that was returned and is reinstated alerts operators too', async () => {
  const provider = 'korapay';
  const customer = { name: 'Adaeze Okafor', phone: null, email: null, bvn: '22212345678', nin: '12345678901' };
  const { accountNumber } = await real(provider).createAccount(customer, 'customer-1');
  const { transferId } = await world.twin.pay({ provider, accountNumber, amount: AMOUNT });
  await world.twin.settled();
  const [kept] = await unmatched(world);
  const lookUpAgain = () =>
    lookUpPayment(world.deps, provider, real(provider), {
      by: 'transaction',
      value: kept?.money.providerReference ?? '',
    });
  world.clock.advance(MINUTE);
  await world.twin.reverse(provider, transferId);
  await lookUpAgain();
  expect(await unmatched(world)).toEqual([]);
  world.clock.advance(MINUTE);
  world.twin.reinstate(provider, transferId);
  await lookUpAgain();
  await minutesPass(world, 70, 5);
  await ops('unmatched', 'assign', await expectAlerted(), (await merchant.account(provider)).id);
  expect(await recorded(world)).toMatchObject([{ amount: AMOUNT, outcome: 'accepted' }]);
});
