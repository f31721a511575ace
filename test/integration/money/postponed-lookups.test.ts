import type { Kobo } from '#shared/domain/kernel/money.ts';
import { MINUTE, SECOND } from '#shared/domain/kernel/time.ts';
import type { ReportedMoney } from '#shared/domain/money/report.ts';
import { OutcomeUnknown, ProviderRefusal, ProviderUnavailable, StaleReport } from '#shared/domain/providers/errors.ts';
import type { LiveProvider } from '#shared/ports/providers.ts';
import { landMoney } from '#shared/use-cases/money/land-money.ts';
import { lookUpPayment } from '#shared/use-cases/money/look-up-payment.ts';
import { fetchCheckout, merchant, openWorldForEachTest, world } from '#test/support/worlds/live-merchant.ts';
import {
  eventTypesOf,
  expectBooksToAgree,
  loggedTimes,
  measuredSum,
  minutesPass,
  unmatched,
  withScriptedProvider,
} from '#test/support/worlds/live-steps.ts';

openWorldForEachTest();

/* Look-ups that are postponed, because the answer may be stale or there was none. */

const PROVIDER = 'korapay';
const ASKED = 850_000;
const OVER = 900_000;

const common = (reference: string) => ({
  payee: { by: 'our_reference', reference } as const,
  providerReference: 'KPY-PAY-7',
  fee: 0 as Kobo,
  paidAt: null,
  senderName: null,
  senderBank: null,
});
const total = (reference: string, kept: number, returned = 0): ReportedMoney => ({
  ...common(reference),
  kind: 'running_total',
  kept: kept as Kobo,
  returned: returned as Kobo,
});
const transfer = (reference: string, transferId: string, amount: number) =>
  ({
    ...common(reference),
    kind: 'transfer',
    transferId,
    outcome: 'accepted',
    amount: amount as Kobo,
  }) satisfies ReportedMoney;

describe('an answer that may be stale', () => {
  test('of a running total is postponed, while a transfer in the same answer lands at once', async () => {
    const { reference } = await merchant.checkout(PROVIDER);
    const { id } = await merchant.account(PROVIDER);
    const money = (kept: number): readonly ReportedMoney[] => [
      total(reference, kept, OVER - ASKED),
      transfer(id, 'KPY-PAY-8', 125_050),
    ];
    await landMoney(world.deps, PROVIDER, total(reference, OVER), { askedAt: world.clock.now() });
    const lookUp: LiveProvider['lookUp'] = async () => ({ money: money(ASKED), state: 'complete' });
    const { deps } = withScriptedProvider(world, PROVIDER, () => ({ lookUp }));
    const ask = () => {
      const provider = deps.liveProviders(PROVIDER) as LiveProvider;
      return lookUpPayment(deps, PROVIDER, provider, { by: 'our_reference', value: reference });
    };

    world.clock.advance(10 * SECOND);
    for (let time = 1; time <= 2; time += 1) await expect(ask()).rejects.toThrow(StaleReport);
    expect(await fetchCheckout(reference)).toMatchObject({ paid_amount: 9_000, payments: [{ outcome: 'accepted' }] });
    expect(await eventTypesOf(world, reference)).toEqual(['checkout.paid']);
    expect(await eventTypesOf(world, id)).toEqual(['virtual_account.payment_received']);

    world.clock.advance(30 * SECOND);
    for (let time = 1; time <= 2; time += 1) expect(await ask()).toMatchObject({ state: 'complete' });
    expect(await fetchCheckout(reference)).toMatchObject({ status: 'paid', paid_amount: 8_500 });
    expect(await eventTypesOf(world, reference)).toEqual(['checkout.paid', 'checkout.payment_reversed']);
    expect(await eventTypesOf(world, id)).toEqual(['virtual_account.payment_received']);
  });

  test('to a notification’s look-up leaves it due, is no provider failure, and lands at the next look-up', async () => {
    world.twin.prefer(PROVIDER, { over: 'accept_all' });
    const { reference, account_number: accountNumber } = await merchant.checkout(PROVIDER);
    const { transferId } = await world.twin.pay({ provider: PROVIDER, accountNumber, amount: OVER });
    await world.twin.settled();
    await world.twin.returnExcess(transferId, 'success');
    world.clock.advance(10 * SECOND);
    // The notification alone starts the look-up.
    await world.twin.resend(transferId);
    await world.twin.settled();
    expect(await eventTypesOf(world, reference)).toEqual(['checkout.paid']);
    await minutesPass(world, 12, 1);
    expect(await eventTypesOf(world, reference)).toEqual(['checkout.paid', 'checkout.payment_reversed']);
    expect(measuredSum(world, 'provider_failures')).toBe(0);
    await expectBooksToAgree(world);
  });
});

describe('unmatched money that is matched again', () => {
  const UNKNOWN_REFERENCE = 'PAY-NOBODYKNOWSTHISONE00';
  /** Lets three hours pass with unmatched money and this look-up; returns how often it was called. */
  const callsInThreeHours = async (lookUp: LiveProvider['lookUp']): Promise<number> => {
    let asked = 0;
    const counting: LiveProvider['lookUp'] = async (query) => {
      if (query.value === UNKNOWN_REFERENCE) asked += 1;
      return lookUp(query);
    };
    await landMoney(world.deps, PROVIDER, total(UNKNOWN_REFERENCE, ASKED), { askedAt: world.clock.now() });
    await minutesPass(
      withScriptedProvider(world, PROVIDER, () => ({ lookUp: counting })),
      180,
      5,
    );
    return asked;
  };
  const failing =
    (error: Error): LiveProvider['lookUp'] =>
    async () => {
      throw error;
    };

  test.each<[string, LiveProvider['lookUp']]>([
    ['reported again', async () => ({ money: [total(UNKNOWN_REFERENCE, ASKED)], state: 'open' })],
    ['not known to the provider', async () => 'unknown'],
    ['not answered in time', failing(new OutcomeUnknown('No answer in time.'))],
    ['refused', failing(new ProviderRefusal('The provider refused the request.'))],
  ])('and is %s is tried three times, and is then left to operators, who are alerted once', async (_, lookUp) => {
    expect(await callsInThreeHours(lookUp)).toBe(3);
    expect(await unmatched(world)).toMatchObject([{ tries: 3, money: { kept: ASKED } }]);
    expect(measuredSum(world, 'payments_unmatched')).toBe(1);
  });

  test.each<[string, Error]>([
    ['cannot be looked up, because its provider is down,', new ProviderUnavailable('It has been failing.')],
    ['gets an answer that may be stale', new StaleReport('The answer may be older than what counts.')],
  ])('and %s uses up no try: it stays due, and nobody is alerted', async (_, error) => {
    expect(await callsInThreeHours(failing(error))).toBe(180 / 5);
    expect(await unmatched(world)).toMatchObject([{ tries: 0 }]);
    expect(measuredSum(world, 'payments_unmatched')).toBe(0);
    expect(loggedTimes(world, 'work_failed')).toBe(180 / 5);
    // Once there are answers, its tries count.
    world.clock.advance(MINUTE);
    await minutesPass(world, 180, 5);
    expect(await unmatched(world)).toMatchObject([{ tries: 3 }]);
    expect(measuredSum(world, 'payments_unmatched')).toBe(1);
  });
});
