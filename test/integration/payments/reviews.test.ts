import { payment } from '#shared/payments/domain/payment.ts';
import { DAY, HOUR, MINUTE } from '#shared/platform/kernel/time.ts';
import { OutcomeUnknown, ProviderBusy, ProviderUnavailable } from '#shared/providers/domain/errors.ts';
import { PROVIDERS } from '#shared/providers/domain/names.ts';
import type { ProviderName } from '#shared/providers/domain/provider.ts';
import { longTest, testRows } from '#test/support/jest/long.ts';
import { ASKED, merchant, openWorldForEachTest, world } from '#test/support/worlds/live-merchant.ts';
import { LOOK_UP } from '#test/support/worlds/provider-calls.ts';

openWorldForEachTest();

/* Each payment at a provider that may return money without a report is looked up once more within a week. */

const provider = 'korapay';
const REVERSED = ['checkout.paid', 'checkout.payment_reversed'];

const payCheckout = (at: ProviderName = provider) => merchant.paidCheckout(at);
const dueReviews = async (): Promise<readonly number[]> =>
  (await world.recorded()).flatMap(({ review }) => review?.dueAt ?? []);
/** Advances the clock until the only review is due, without a sweep. */
const untilDue = async (): Promise<void> => {
  world.clock.advance(((await dueReviews())[0] ?? 0) - world.clock.now());
};
/** Sweeps without reconciliation, which would take most of these tests' time. */
const sweep = (deps = world.deps) => world.sweep({ ...deps, ...world.withoutReconciliation() });

describe('a full return that only the amounts of a look-up show', () => {
  beforeEach(() => {
    world.simulator.prefer(provider, { reversalBy: 'amounts' });
  });

  test('reverses a checkout payment once, within seven days', async () => {
    const { reference, transferId } = await payCheckout();
    await world.simulator.reverse(provider, transferId);
    world.clock.advance(MINUTE);
    // The list does not show the return.
    await world.reconcile(provider);
    expect(await world.eventsOf(reference)).toEqual(['checkout.paid']);
    world.clock.advance(7 * DAY - 2 * MINUTE);
    await sweep();
    expect(await merchant.fetch(reference)).toMatchObject({ status: 'pending', paid: false, paid_amount: 0 });
    expect(await merchant.paymentsOf(reference)).toEqual(['8500 reversed']);
    expect(await world.eventsOf(reference)).toEqual(REVERSED);
    expect(await world.itemsOf('DLV#')).toHaveLength(2);
    expect(await dueReviews()).toEqual([]);
    await world.expectBooksToAgree();
  });

  test('reverses the payment of a virtual account, too', async () => {
    const { id, transferId } = await merchant.paidAccount(provider, ASKED);
    await world.simulator.reverse(provider, transferId);
    await untilDue();
    await sweep();
    const announced = (await world.eventsOf(id)).filter((type) => type.startsWith('virtual_account.payment_'));
    expect(announced).toEqual(['virtual_account.payment_received', 'virtual_account.payment_reversed']);
    await world.expectBooksToAgree();
  });

  test('causes one reversal with three sweepers at the same moment', async () => {
    const { reference, transferId } = await payCheckout();
    await world.simulator.reverse(provider, transferId);
    await untilDue();
    await Promise.all([sweep(), sweep(), sweep()]);
    expect(await world.eventsOf(reference)).toEqual(REVERSED);
    expect(await dueReviews()).toEqual([]);
    await world.expectBooksToAgree();
  });

  test('causes a reversal by the next sweep if the first sweep dies before it writes the reversal', async () => {
    const { reference, transferId } = await payCheckout();
    await world.simulator.reverse(provider, transferId);
    await untilDue();
    const record = () => Promise.reject(new Error('It died here.'));
    const schedule = () => Promise.reject(new Error('It died here.'));
    const { ledger, reviews } = world.deps;
    await sweep({ ...world.deps, ledger: { ...ledger, record }, reviews: { ...reviews, schedule } });
    expect(await world.eventsOf(reference)).toEqual(['checkout.paid']);
    world.clock.advance(5 * MINUTE);
    await sweep();
    expect(await world.eventsOf(reference)).toEqual(REVERSED);
    await world.expectBooksToAgree();
  });

  test('causes only one reversal if a sweep dies after it wrote the reversal', async () => {
    const { reference, transferId } = await payCheckout();
    await world.simulator.reverse(provider, transferId);
    await untilDue();
    const schedule = () => Promise.reject(new Error('It died here.'));
    await sweep({ ...world.deps, reviews: { ...world.deps.reviews, schedule } });
    await sweep();
    // The checkout's account has ended, so the checkout expires.
    expect(await world.eventsOf(reference)).toEqual([...REVERSED, 'checkout.expired']);
    expect(await dueReviews()).toEqual([]);
  });
});

test.each(PROVIDERS)(
  'a paid checkout at %s is reviewed only if that provider may return money without a report',
  async (at) => {
    const { reference } = await payCheckout(at);
    const lookUps = world.countLookUps(at);
    const [dueAt] = await dueReviews();
    if (at === provider) {
      const waits = (dueAt ?? 0) - world.clock.now();
      expect(waits).toBeGreaterThanOrEqual(6 * DAY);
      expect(waits).toBeLessThan(7 * DAY - MINUTE);
    } else expect(dueAt).toBeUndefined();
    for (let days = 0; days < 14; days += 7) {
      world.clock.advance(7 * DAY);
      await sweep();
    }
    expect(lookUps()).toBe(at === provider ? 1 : 0);
    expect(await dueReviews()).toEqual([]);
    expect(await world.eventsOf(reference)).toEqual(['checkout.paid']);
  },
);

test('the reviews of payments that came at once are spread over a day', async () => {
  for (let i = 0; i < 6; i++) await payCheckout();
  const due = (await dueReviews()).toSorted((a, b) => a - b);
  expect(new Set(due).size).toBe(6);
  expect((due.at(-1) ?? 0) - (due[0] ?? 0)).toBeGreaterThan(2 * HOUR);
});

test('a payment that was reversed before is not reviewed', async () => {
  const { transferId } = await payCheckout();
  await world.simulator.reverse(provider, transferId);
  await world.minutesPass(12, 6);
  expect((await world.recorded()).map(({ outcome }) => outcome)).toEqual(['reversed']);
  expect(await dueReviews()).toEqual([]);
  expect((await world.itemsOf('PAY')).filter(({ gsi2pk }) => gsi2pk !== undefined)).toEqual([]);
});

describe('a review that fails', () => {
  /** Replaces the provider's reviews, and counts them. */
  const answering = (review: () => Promise<never>) => {
    let calls = 0;
    const scripted = world.scripted(provider, () => ({
      review: () => {
        calls += 1;
        return review();
      },
    }));
    return { deps: { ...world.deps, ...scripted }, countCalls: () => calls };
  };
  const pass = async (deps: typeof world.deps, days: number): Promise<void> => {
    for (let hours = 0; hours < days * 24; hours += 12) {
      world.clock.advance(12 * HOUR);
      await sweep(deps);
    }
  };

  longTest('gets at most seven tries and is then given up, without an alarm; the money still counts', async () => {
    const { reference } = await payCheckout();
    const { deps, countCalls } = answering(() => Promise.reject(new OutcomeUnknown('An old charge.')));
    await pass(deps, 21);
    expect(countCalls()).toBe(7);
    expect([world.loggedTimes('review_failed'), world.loggedTimes('review_given_up')]).toEqual([7, 1]);
    expect(world.measuredSum('provider_failures')).toBe(0);
    expect(await dueReviews()).toEqual([]);
    expect(await merchant.fetch(reference)).toMatchObject({ status: 'paid', paid_amount: 8_500 });
  });

  testRows([
    ['not called', new ProviderUnavailable('Its breaker is open.')],
    ['busy', new ProviderBusy('It limits our requests.', MINUTE)],
  ])('counts no try while the provider is %s, and is given up at most three days after the week', async (_, away) => {
    await payCheckout();
    const { deps } = answering(() => Promise.reject(away));
    await pass(deps, 8);
    const [reviewed] = (await world.itemsOf('PAY')).map((item) => payment.parse(item));
    expect(reviewed?.review?.tries).toBe(0);
    await pass(deps, 3);
    expect(await dueReviews()).toEqual([]);
    expect(world.loggedTimes('review_given_up')).toBe(1);
  });
});

test('a provider that fails at reviews is held back only for reviews, and money still lands', async () => {
  for (let i = 0; i < 5; i++) await payCheckout();
  world.clock.advance(7 * DAY);
  world.simulator.fault(provider, { kind: 'server_fault', path: LOOK_UP[provider] });
  await sweep();
  const find = (calls: 'look_ups' | 'reviews') => world.deps.providerBreakers.find(provider, calls);
  expect((await find('reviews')).openUntil).not.toBeNull();
  world.simulator.fault(provider, null);
  const { reference } = await payCheckout();
  expect(await merchant.fetch(reference)).toMatchObject({ status: 'paid' });
});

test('a provider that limits reviews is still asked about money that lands', async () => {
  await payCheckout();
  await untilDue();
  world.simulator.limit(provider, { reads: { calls: 0, seconds: 60 } });
  await sweep();
  expect(world.logged).toContainEqual(expect.objectContaining({ event: 'provider_limited', calls: 'reviews' }));
  world.simulator.limit(provider, {});
  const { reference } = await payCheckout();
  expect(await merchant.fetch(reference)).toMatchObject({ status: 'paid' });
  expect(world.measuredSum('look_ups_limited')).toBe(0);
});
