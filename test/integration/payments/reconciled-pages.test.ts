import { listProviderPasses } from '#shared/payments/compose-sweep.ts';
import { afterPage, choosePasses, reconciliation } from '#shared/payments/domain/reconciliation.ts';
import { planReconciliations } from '#shared/payments/use-cases/plan-reconciliations.ts';
import { DAY, HOUR, MINUTE } from '#shared/platform/kernel/time.ts';
import { listsByCreation } from '#shared/providers/descriptions.ts';
import { isLongRun, longerTest, longTest } from '#test/support/jest/long.ts';
import { doMoneyWork } from '#test/support/worlds/functions.ts';
import { merchant, OVER, openWorld, openWorldForEachTest, world } from '#test/support/worlds/live-merchant.ts';
import { LIST } from '#test/support/worlds/provider-calls.ts';
import { describeAtOneProvider, describeAtProviders } from '#test/support/worlds/provider-scenes.ts';
import { reconcileAt } from '#test/support/worlds/scene-provider.ts';

openWorldForEachTest();

/* Reconciliation compares one list page for each ticket, queues look-ups, and looks up no payment twice. */

const passOf = async (provider: string, pass = 'recent') =>
  (await world.itemsOf('RECON')).find((item) => item.provider === provider && item.pass === pass);
const isPage = ({ pk }: { readonly pk: string }): boolean => pk.startsWith('RECON#');
/** Returns the delay in milliseconds that the latest sweep measured. */
const readDelay = (): number | undefined =>
  world.measured.findLast(({ metric }) => metric === 'reconciliation_behind')?.value;

describeAtProviders('a page of the list of %s', (provider) => {
  const payUnnotified = async (accountNumber: string, count: number): Promise<void> => {
    world.simulator.fault(provider, { kind: 'lost' });
    for (let n = 1; n <= count; n += 1) await world.simulator.pay({ provider, accountNumber, amount: 10_000 + n });
    await world.simulator.settled();
  };

  test('causes no look-up itself: each payment that our books lack is queued, and looked up once', async () => {
    const { id, accountNumber } = await merchant.account(provider);
    await world.sweep();
    await payUnnotified(accountNumber, 3);
    const [lists, lookUps] = [world.countLists(provider), world.countLookUps(provider)];
    world.clock.advance(10 * MINUTE);
    await world.dispatch();
    const pages = (await world.takeTickets(provider)).filter(isPage);
    for (const ticket of pages) await doMoneyWork(world.deps, ticket);
    expect([pages.length, lists(), lookUps()]).toEqual([1, 1, 0]);
    expect(await world.itemsOf('NTF')).toHaveLength(3);
    expect(await world.recorded()).toEqual([]);
    await world.consumeMoney([provider]);
    expect([lists(), lookUps()]).toEqual([1, 3]);
    expect(await world.recordedAmounts()).toEqual([10_001, 10_002, 10_003]);
    expect(await world.eventsOf(id)).toHaveLength(3);
    expect(world.measuredSum('payments_not_notified')).toBe(3);
  });

  test('causes the next list page at once; after the last one it causes none until the next comparison is due', async () => {
    const paged = world.scripted(provider, () => ({
      listPayments: async ({ cursor }) => ({ payments: [], next: cursor === null ? 'page-2' : null }),
    }));
    await world.dispatch();
    const [first, ...none] = (await world.takeTickets(provider))
      .filter(isPage)
      .filter(({ pk }) => pk.endsWith('recent'));
    if (!first || none.length > 0) throw new Error('The recent pass is not due once.');
    await doMoneyWork({ ...world.deps, ...paged }, first);
    expect(await passOf(provider)).toMatchObject({ cursor: 'page-2', dueAt: world.clock.now() });
    const [second, ...more] = await world.takeTickets(provider);
    expect([second?.pk, more]).toEqual([first.pk, []]);
    if (second) await doMoneyWork({ ...world.deps, ...paged }, second);
    expect(await passOf(provider)).toMatchObject({
      cursor: null,
      dueAt: world.clock.now() + 10 * MINUTE,
      comparedUntil: world.clock.now(),
    });
    expect(await world.takeTickets(provider)).toEqual([]);
  });

  test('gets asked for again each minute while the provider does not answer', async () => {
    await world.sweep();
    world.clock.advance(10 * MINUTE);
    world.simulator.fault(provider, { kind: 'server_fault', path: LIST[provider] });
    const failed = world.measuredSum('provider_failures');
    await world.minutesPass(3);
    expect(world.measuredSum('provider_failures') - failed).toBeGreaterThanOrEqual(3);
    expect(readDelay()).toBe(3 * MINUTE);
    world.simulator.fault(provider, null);
    await world.minutesPass(2);
    expect(readDelay()).toBe(0);
  });
});

describeAtOneProvider('the progress with %s', (provider) => {
  test('begins on a new stage with a comparison at once', async () => {
    await world.stop();
    await openWorld({ isNew: true });
    await world.sweep();
    for (const pass of choosePasses(listsByCreation(provider))) {
      expect(await passOf(provider, pass)).toMatchObject({ comparedUntil: world.clock.now() });
    }
    expect(readDelay()).toBe(0);
  });

  test('is split into four lists, each from the time that the single list had reached, after a setting asks for four', async () => {
    const { accountNumber } = await merchant.account(provider);
    await world.sweep();
    const { comparedUntil } = reconciliation.parse(await passOf(provider));
    world.simulator.fault(provider, { kind: 'lost' });
    const amounts = [10_001, 10_002, 10_003, 10_004, 10_005, 10_006, 10_007];
    for (const amount of amounts) {
      await world.simulator.pay({ provider, accountNumber, amount });
      world.clock.advance(27 * MINUTE);
    }
    await world.simulator.settled();
    const four = { ...world.deps, reconciled: listProviderPasses([provider], { [provider]: 4 }) };
    await planReconciliations(four);
    const lists = (await world.itemsOf('RECON')).map((item) => reconciliation.parse(item));
    const planned = lists.filter((list) => list.provider === provider && list.pass === 'recent');
    expect(planned.map((state) => [state.list, state.lists, state.comparedUntil])).toEqual(
      [0, 1, 2, 3].map((list) => [list, 4, comparedUntil]),
    );
    await world.minutesPass(2, 1, four);
    expect(readDelay()).toBe(0);
    expect(await world.recordedAmounts()).toEqual(amounts);
    expect(world.measuredSum('payments_not_notified')).toBe(amounts.length);
    const recent = (await world.itemsOf('RECON')).filter(
      (item) => item.provider === provider && item.pass === 'recent',
    );
    expect(recent).toHaveLength(4);
    await world.expectBooksToAgree();
  });

  test('stays unchanged if another consumer has compared the page meanwhile', async () => {
    await world.sweep();
    const before = reconciliation.parse(await passOf(provider));
    const after = afterPage(before, 'page-2', world.clock.now(), 0);
    const { reconciliations } = world.deps;
    expect(await reconciliations.save(before, after)).toMatchObject({ family: 'payments' });
    expect(await reconciliations.save(before, after)).toBeUndefined();
    expect(await reconciliations.save(undefined, before)).toBeUndefined();
  });
});

describe('a checkout payment in Korapay’s list', () => {
  const provider = 'korapay';
  reconcileAt(provider);
  /** Counts the look-ups of all comparisons in the first hours, and of the daily ones until the review on the seventh day. */
  const countLookUpsOfDays = async (): Promise<number> => {
    const lookUps = world.countLookUps(provider);
    await world.minutesPass(130, 10);
    for (let day = 0; day < 5; day += 1) await world.minutesPass(24 * 60, 24 * 60);
    return lookUps();
  };

  longTest('causes no look-up if the amount is right, or if the excess was sent back', async () => {
    await merchant.paidCheckout(provider);
    const { reference } = await merchant.paidCheckout(provider, OVER);
    expect(await merchant.paymentsOf(reference)).toHaveLength(2);
    expect(await countLookUpsOfDays()).toBe(0);
    await world.expectBooksToAgree();
  });

  longTest('causes one look-up in all comparisons if it has only Korapay’s references', async () => {
    world.simulator.prefer(provider, { listReferences: 'korapays' });
    for (let n = 0; n < 3; n += 1) await merchant.paidCheckout(provider);
    expect(await countLookUpsOfDays()).toBe(3);
    expect(world.measuredSum('payments_not_notified')).toBe(0);
    await world.expectBooksToAgree();
  });

  test('gets looked up until a look-up shows it', async () => {
    world.simulator.prefer(provider, { listReferences: 'korapays' });
    world.simulator.fault(provider, { kind: 'lost', times: 1 });
    await world.sweep();
    const { reference } = await merchant.paidCheckout(provider);
    const late = world.scripted(provider, () => ({ lookUp: async () => ({ money: [], state: 'open' }) }));
    await world.minutesPass(11, 11, late);
    expect(await world.itemsOf('NTF')).toMatchObject([{ why: 'provider_knows_nothing' }]);
    await world.minutesPass(2);
    expect(await merchant.statusOf(reference)).toBe('paid');
    expect(world.measuredSum('payments_not_notified')).toBe(1);
  });
});

describeAtOneProvider('a week without a comparison with %s, and without a notification', (provider) => {
  const PAGE = { paystack: 100, monnify: 100, korapay: 50 }[provider];
  const PAYMENTS = isLongRun ? 210 : 56;

  longerTest(
    'is made up for page by page: each payment lands once, and the measured delay returns to zero',
    async () => {
      const { id, accountNumber } = await merchant.account(provider);
      await world.sweep();
      world.simulator.fault(provider, { kind: 'lost' });
      for (let n = 1; n <= PAYMENTS; n += 1) {
        world.clock.advance((7 * DAY) / PAYMENTS);
        await world.simulator.pay({ provider, accountNumber, amount: 10_000 + n });
      }
      await world.simulator.settled();
      const [lists, lookUps] = [world.countLists(provider), world.countLookUps(provider)];
      await world.dispatch();
      expect(readDelay()).toBe(7 * DAY - 10 * MINUTE);
      await world.consumeMoney();
      await world.minutesPass(2);
      expect(readDelay()).toBe(0);
      expect(lookUps()).toBe(PAYMENTS);
      // A span of a list has six hours. Each pass goes through this week; the pass `week` goes through the week before, too.
      const spans = Math.ceil((4 * 7 * DAY + 10 * HOUR) / (6 * HOUR)) + 3;
      expect(lists()).toBeLessThanOrEqual(spans + Math.ceil((4 * PAYMENTS) / PAGE));
      const amounts = await world.recordedAmounts();
      expect(amounts).toEqual(Array.from({ length: PAYMENTS }, (_, n) => 10_001 + n));
      expect(await world.eventsOf(id)).toHaveLength(PAYMENTS);
      expect(world.measuredSum('payments_not_notified')).toBe(PAYMENTS);
      await world.expectBooksToAgree();
    },
  );
});

test('the delay is measured for the other providers if the progress of one cannot be read', async () => {
  await world.sweep();
  world.clock.advance(HOUR);
  const { findLists } = world.deps.reconciliations;
  const reconciliations = {
    ...world.deps.reconciliations,
    findLists: (...[name, pass]: Parameters<typeof findLists>) =>
      name === 'korapay' ? Promise.reject(new Error('It cannot be read.')) : findLists(name, pass),
  };
  const reconciled = listProviderPasses(['korapay', 'monnify']);
  const planned = planReconciliations({ ...world.deps, reconciliations, reconciled });
  await expect(planned).rejects.toThrow('It cannot be read.');
  expect(readDelay()).toBe(50 * MINUTE);
});
