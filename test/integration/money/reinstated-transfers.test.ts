import { DAY, HOUR, MINUTE, SECOND } from '#shared/domain/kernel/time.ts';
import type { LiveProvider } from '#shared/ports/providers.ts';
import { landMoney } from '#shared/use-cases/money/land-money.ts';
import { lookUpPayment } from '#shared/use-cases/money/look-up-payment.ts';
import { merchant, world } from '#test/support/worlds/live-merchant.ts';
import {
  eventTypesOf,
  expectBooksToAgree,
  loggedTimes,
  measuredSum,
  minutesPass,
  notify,
  PROVIDERS,
  recorded,
  signed,
  unmatched,
} from '#test/support/worlds/live-steps.ts';
import { opsOn } from '#test/support/worlds/operations.ts';

/*
 * Money that a provider told as sent back and keeps after all, as when a refund fails: its owner was told that it is gone, so that
 * it counts for nothing, but people hear of it, once.
 */

const AMOUNT = 850_000;

type Provider = (typeof PROVIDERS)[number];
const real = (provider: Provider): LiveProvider => world.deps.liveProviders(provider) as LiveProvider;
/** What is recorded of the one transfer, under the provider's names of it. */
const firstPayment = async () => {
  const first = (await recorded(world)).find(
    ({ origin }) => origin.kind === 'transfer' && origin.reinstatements === undefined,
  );
  if (!first) throw new Error('Nothing is recorded.');
  return first;
};
const look = async (provider: Provider): Promise<void> => {
  const { providerReference: value } = await firstPayment();
  await lookUpPayment(world.deps, provider, real(provider), { by: 'transaction', value });
};
const ops = (...args: string[]) => opsOn({ ...world.deps, who: 'bisi' }, ...args);

const HEARD = {
  account: ['virtual_account.payment_received', 'virtual_account.payment_reversed'],
  checkout: ['checkout.paid', 'checkout.payment_reversed'],
};
const open = async (provider: Provider, of: keyof typeof HEARD) => {
  if (of === 'checkout') {
    const { reference, account_number: accountNumber } = await merchant.checkout(provider);
    return { owner: reference, accountNumber };
  }
  const { id, account_number: accountNumber } = await merchant.account(provider);
  return { owner: id, accountNumber };
};
/** A virtual account, or a checkout of Paystack's, on which money landed and was told as reversed. */
const reversedOn = async (provider: Provider, of: keyof typeof HEARD = 'account') => {
  const { owner, accountNumber } = await open(provider, of);
  const { transferId } = await world.twin.pay({ provider, accountNumber, amount: AMOUNT });
  await world.twin.settled();
  world.clock.advance(MINUTE);
  await world.twin.reverse(provider, transferId);
  await look(provider);
  const told = await eventTypesOf(world, owner);
  expect(told.toSorted()).toEqual(HEARD[of]);
  world.clock.advance(MINUTE);
  return { owner, transferId, told };
};

/** People were called, and find it on the list. */
const expectCalled = async (times = 1): Promise<string> => {
  expect(measuredSum(world, 'payments_unmatched')).toBe(times);
  const { unmatched: listed } = await ops('unmatched', 'list');
  expect(listed).toMatchObject([{ amount: AMOUNT / 100, kept_again: true }]);
  return listed[0].id;
};

const NEWS: readonly (readonly [string, (provider: Provider) => Promise<unknown>])[] = [
  ['a look-up', (provider) => look(provider)],
  ['reconciliation', () => minutesPass(world, 11)],
];
describe.each(PROVIDERS)('kept again at %s', (provider) => {
  test.each(NEWS)('is noticed by %s, and people are called once, an hour later', async (_, hear) => {
    const { owner, transferId, told } = await reversedOn(provider);
    world.twin.reinstate(provider, transferId);
    await hear(provider);
    expect(await unmatched(world)).toHaveLength(1);
    expect(measuredSum(world, 'payments_unmatched')).toBe(0);
    await minutesPass(world, 70, 5);
    await expectCalled();
    for (let hour = 0; hour < 3; hour += 1) {
      await look(provider);
      await minutesPass(world, 60, 10);
    }
    await expectCalled();
    expect(loggedTimes(world, 'payment_reinstated')).toBe(1);
    expect(loggedTimes(world, 'payment_unmatched')).toBe(0);
    // It counts for nothing meanwhile.
    expect(await eventTypesOf(world, owner)).toEqual(told);
    expect(await recorded(world)).toMatchObject([{ outcome: 'reversed' }]);
  });

  test('is credited by hand, and goes back for good later', async () => {
    const { owner, transferId } = await reversedOn(provider);
    world.twin.reinstate(provider, transferId);
    await look(provider);
    await minutesPass(world, 70, 5);
    await ops('unmatched', 'assign', await expectCalled(), owner);
    expect((await ops('unmatched', 'list')).unmatched).toEqual([]);
    await expectBooksToAgree(world);
    const received = 'virtual_account.payment_received';
    expect((await eventTypesOf(world, owner)).filter((type) => type === received)).toHaveLength(2);
    await look(provider);
    await minutesPass(world, 20, 5);
    expect(await unmatched(world)).toEqual([]);
    await world.twin.reverse(provider, transferId);
    await look(provider);
    await expectBooksToAgree(world);
    const reversed = 'virtual_account.payment_reversed';
    expect((await eventTypesOf(world, owner)).filter((type) => type === reversed)).toHaveLength(2);
  });
});

test('a refund at Paystack that fails is noticed by its notification; repeated, the entry is gone, and a second failure is noticed too', async () => {
  const { owner, transferId, told } = await reversedOn('paystack', 'checkout');
  const hear = async (event: string): Promise<void> => {
    world.clock.advance(MINUTE);
    // No two have the same bytes.
    const data = { transaction_reference: owner, updated_at: world.clock.now() };
    expect((await notify(world, 'paystack', signed(world, 'paystack', { event, data }))).status).toBe(200);
  };
  world.twin.reinstate('paystack', transferId);
  await hear('refund.failed');
  await minutesPass(world, 70, 5);
  await expectCalled();
  await world.twin.reverse('paystack', transferId);
  await hear('refund.processed');
  expect((await ops('unmatched', 'list')).unmatched).toEqual([]);
  world.twin.reinstate('paystack', transferId);
  await hear('refund.failed');
  await minutesPass(world, 70, 5);
  const paymentId = await expectCalled(2);
  // What was told of it stays as it is, until somebody credits it.
  expect((await eventTypesOf(world, owner)).filter((type) => type !== 'checkout.expired')).toEqual(told);
  await ops('unmatched', 'assign', paymentId, owner);
  expect((await merchant.api.verify(owner)).json.data).toMatchObject({ status: 'paid', paid_amount: AMOUNT / 100 });
  await expectBooksToAgree(world);
});

test('a refund that fails days later, of which nobody tells, is found by the week’s comparison', async () => {
  const { transferId } = await reversedOn('paystack');
  world.clock.advance(3 * DAY);
  await minutesPass(world, 5);
  world.twin.reinstate('paystack', transferId);
  world.clock.advance(DAY);
  await minutesPass(world, 70, 5);
  await expectCalled();
});

describe('older news that it was accepted', () => {
  const older = async (askedAt: number): Promise<void> => {
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

  test('call nobody while the provider, asked again, says that it is gone', async () => {
    await reversedOn('paystack');
    await older(world.clock.now() - 90 * SECOND);
    await minutesPass(world, 1);
    expect(await unmatched(world)).toEqual([]);
    await minutesPass(world, 180, 10);
    expect(measuredSum(world, 'payments_unmatched')).toBe(0);
  });

  test('that were asked for before it landed are not even noted', async () => {
    await reversedOn('paystack');
    await older(world.clock.now() - HOUR);
    expect([await unmatched(world), loggedTimes(world, 'payment_reinstated')]).toEqual([[], 0]);
  });

  test('cannot be credited by hand meanwhile', async () => {
    const { owner } = await reversedOn('paystack');
    await older(world.clock.now());
    const [entry] = (await ops('unmatched', 'list')).unmatched;
    const assigned = ops('unmatched', 'assign', entry.id, owner);
    await expect(assigned).rejects.toThrow('paystack has sent the money of pay_');
    expect((await ops('unmatched', 'list')).unmatched).toEqual([]);
    await expectBooksToAgree(world);
  });
});

test('money of nobody that went back and is kept again calls people as well', async () => {
  const provider = 'korapay';
  const customer = { name: 'Adaeze Okafor', phone: null, email: null, bvn: '22212345678', nin: '12345678901' };
  const { accountNumber } = await real(provider).createAccount(customer, 'customer-1');
  const { transferId } = await world.twin.pay({ provider, accountNumber, amount: AMOUNT });
  await world.twin.settled();
  const [kept] = await unmatched(world);
  const hear = () =>
    lookUpPayment(world.deps, provider, real(provider), {
      by: 'transaction',
      value: kept?.money.providerReference ?? '',
    });
  world.clock.advance(MINUTE);
  await world.twin.reverse(provider, transferId);
  await hear();
  expect(await unmatched(world)).toEqual([]);
  world.clock.advance(MINUTE);
  world.twin.reinstate(provider, transferId);
  await hear();
  await minutesPass(world, 70, 5);
  await ops('unmatched', 'assign', await expectCalled(), (await merchant.account(provider)).id);
  expect(await recorded(world)).toMatchObject([{ amount: AMOUNT, outcome: 'accepted' }]);
});
