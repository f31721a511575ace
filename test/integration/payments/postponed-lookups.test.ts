import { landMoney } from '#shared/payments/use-cases/land-money.ts';
import { MINUTE, SECOND } from '#shared/platform/kernel/time.ts';
import { OutcomeUnknown, ProviderError, ProviderUnavailable } from '#shared/providers/domain/errors.ts';
import type { LiveProvider } from '#shared/providers/ports.ts';
import { longTest, testRows } from '#test/support/jest/long.ts';
import { ASKED, merchant, OVER, openWorldForEachTest, world } from '#test/support/worlds/live-merchant.ts';
import { makeCumulativeReport, makeTransfer } from '#test/support/worlds/reports.ts';
import { reconcileAt } from '#test/support/worlds/scene-provider.ts';

/* Tests look-ups that are postponed, because the answer may be stale or no answer came. */

const PROVIDER = 'korapay';

reconcileAt(PROVIDER);
openWorldForEachTest();

describe('an answer that may be stale', () => {
  test('postpones a cumulative report, while a transfer in the same answer lands at once', async () => {
    const { reference } = await merchant.checkout(PROVIDER);
    const { id } = await merchant.account(PROVIDER);
    await landMoney(world.deps, PROVIDER, makeCumulativeReport(reference, OVER), { askedAt: world.clock.now() });
    const money = [makeCumulativeReport(reference, ASKED, OVER - ASKED), makeTransfer(id, 125_050)];
    const scripted = world.scripted(PROVIDER, () => ({ lookUp: async () => ({ money, state: 'complete' }) }));
    const ask = () => world.lookUp(PROVIDER, reference, scripted);

    world.clock.advance(10 * SECOND);
    for (let time = 1; time <= 2; time += 1) expect(await ask()).toBe('stale');
    expect(await merchant.fetch(reference)).toMatchObject({ paid_amount: 9_000, payments: [{ outcome: 'accepted' }] });
    expect(await world.eventsOf(reference)).toEqual(['checkout.paid']);
    expect(await world.eventsOf(id)).toEqual(['virtual_account.payment_received']);

    world.clock.advance(30 * SECOND);
    for (let time = 1; time <= 2; time += 1) expect(await ask()).toMatchObject({ state: 'complete' });
    expect(await merchant.fetch(reference)).toMatchObject({ status: 'paid', paid_amount: 8_500 });
    expect(await world.eventsOf(reference)).toEqual(['checkout.paid', 'checkout.payment_reversed']);
    expect(await world.eventsOf(id)).toEqual(['virtual_account.payment_received']);
  });

  test('leaves a notification due, counts as no failure of the provider, and lands the money at the next look-up', async () => {
    world.simulator.prefer(PROVIDER, { over: 'accept_all' });
    const { reference, transferId } = await merchant.paidCheckout(PROVIDER, OVER);
    await world.simulator.returnExcess(transferId, 'success');
    world.clock.advance(10 * SECOND);
    // The notification alone starts the look-up.
    await world.simulator.resend(transferId);
    await world.simulator.settled();
    expect(await world.eventsOf(reference)).toEqual(['checkout.paid']);
    await world.minutesPass(12, 1);
    expect(await world.eventsOf(reference)).toEqual(['checkout.paid', 'checkout.payment_reversed']);
    expect(world.measuredSum('provider_failures')).toBe(0);
    await world.expectBooksToAgree();
  });
});

describe('unmatched money that is matched again', () => {
  const UNKNOWN_REFERENCE = 'PAY-NOBODYKNOWSTHISONE00';
  /** Records unmatched money and lets time pass, by default three hours. Returns how often `lookUp` was called for the money. */
  const countCalls = async (lookUp: LiveProvider['lookUp'], minutes = 180): Promise<number> => {
    let calls = 0;
    const counting: LiveProvider['lookUp'] = async (query) => {
      if (query.value === UNKNOWN_REFERENCE) calls += 1;
      return lookUp(query);
    };
    await landMoney(world.deps, PROVIDER, makeCumulativeReport(UNKNOWN_REFERENCE, ASKED), {
      askedAt: world.clock.now(),
    });
    const scripted = world.scripted(PROVIDER, () => ({ lookUp: counting }));
    await world.minutesPass(minutes, 5, scripted);
    return calls;
  };
  const failing = (error: Error) => () => Promise.reject(error);
  /** Builds a look-up that shows less of a checkout's total than was recorded a moment ago. */
  const stale = async (): Promise<LiveProvider['lookUp']> => {
    const { reference } = await merchant.checkout(PROVIDER);
    let kept = 100;
    return async () => {
      kept += 100;
      await landMoney(world.deps, PROVIDER, makeCumulativeReport(reference, kept), { askedAt: world.clock.now() });
      return { money: [makeCumulativeReport(reference, kept - 50)], state: 'open' };
    };
  };

  testRows<[string, LiveProvider['lookUp']]>([
    ['reported again', async () => ({ money: [makeCumulativeReport(UNKNOWN_REFERENCE, ASKED)], state: 'open' })],
    ['not known to the provider', async () => 'unknown'],
    ['not answered in time', failing(new OutcomeUnknown('No answer in time.'))],
    ['rejected by the provider', failing(new ProviderError('The provider refused the request.'))],
  ])('gets three tries and then one alert to operators if it is %s', async (_, lookUp) => {
    expect(await countCalls(lookUp)).toBe(3);
    expect(await world.unmatched()).toMatchObject([{ tries: 3, money: { kept: ASKED } }]);
    expect(world.measuredSum('payments_unmatched')).toBe(1);
  });

  longTest('stays due without a counted try or an alert while its provider is down', async () => {
    expect(await countCalls(failing(new ProviderUnavailable('It has been failing.')))).toBe(180 / 5);
    expect(await world.unmatched()).toMatchObject([{ tries: 0 }]);
    expect(world.measuredSum('payments_unmatched')).toBe(0);
    expect(world.loggedTimes('work_failed')).toBe(180 / 5);
    // Tries count when the provider answers again.
    world.clock.advance(MINUTE);
    await world.minutesPass(180, 5);
    expect(await world.unmatched()).toMatchObject([{ tries: 3 }]);
    expect(world.measuredSum('payments_unmatched')).toBe(1);
  });

  test('stays due without a counted try or a failure if the answer may be stale', async () => {
    // The checkout expires after 30 minutes, and is then looked up too.
    expect(await countCalls(await stale(), 25)).toBe(25 / 5);
    expect(await world.unmatched()).toMatchObject([{ tries: 0 }]);
    expect(world.loggedTimes('work_failed')).toBe(0);
  });
});
