import { DAY, HOUR, MINUTE, SECOND } from '#shared/platform/kernel/time.ts';
import { longTest } from '#test/support/jest/long.ts';
import { sweepPaymentsFunction } from '#test/support/worlds/handlers.ts';
import { breakOpening, providersWith } from '#test/support/worlds/live-faults.ts';
import { ASKED, merchant, openWorldForEachTest, world } from '#test/support/worlds/live-merchant.ts';
import type { LiveWorld } from '#test/support/worlds/live-world.ts';
import { LOOK_UP } from '#test/support/worlds/provider-calls.ts';
import { describeAtOneProvider } from '#test/support/worlds/provider-scenes.ts';

openWorldForEachTest();

describeAtOneProvider('%s, disabled while look-ups are due', (provider) => {
  longTest(
    'is not called for four days; all due work is measured, none is lost, and all is done once it is enabled',
    async () => {
      // Its reconciliation has started.
      await world.sweep();
      const account = await merchant.account(provider);
      const checkout = await merchant.checkout(provider);
      breakOpening(world, provider, 'accounts', { kind: 'lost_answer' });
      await merchant.askForAccount(provider);
      // A notification whose look-up failed, so that it is due from now on.
      world.twin.fault(provider, { kind: 'server_fault', path: LOOK_UP[provider] });
      await world.pay(provider, account.accountNumber, 310_000);
      world.twin.fault(provider, null);

      const { [provider]: _, ...others } = world.settings;
      const enabled = { liveProviders: world.deps.liveProviders, providers: world.deps.providers };
      Object.assign(world.deps, providersWith(world, others));
      const [requests, failures] = [world.twin.books.requests(provider), world.measuredSum('provider_failures')];
      const paidAt = world.clock.now() + MINUTE;
      world.clock.advance(MINUTE);
      await world.pay(provider, checkout.accountNumber, ASKED, { paidAt });
      await world.pay(provider, account.accountNumber, 120_000);
      await world.minutesPass(120, 10);
      const tried = world.measuredSum('provider_failures') - failures;
      // Each of the three is retried at growing delays: often enough for the alarm, and cheap.
      expect(tried).toBeGreaterThan(3);
      expect(tried).toBeLessThan(3 * 13);
      expect(world.loggedTimes('work_failed')).toBeGreaterThan(0);
      expect(world.loggedTimes('look_up_failed')).toBeGreaterThan(1);
      for (let waited = 0; waited < 4 * DAY; waited += 6 * HOUR) await world.minutesPass(360, 360);
      expect(world.twin.books.requests(provider)).toBe(requests);
      expect(await merchant.statusOf(checkout.reference)).toBe('pending');
      expect(await world.recorded()).toEqual([]);
      const body = world.signed(provider, { event: 'charge.success', data: { reference: checkout.reference } });
      expect((await world.notify(provider, body)).status).toBe(404);

      Object.assign(world.deps, enabled);
      await world.minutesPass(60, 10);
      expect(await merchant.fetch(checkout.reference)).toMatchObject({ status: 'paid', paid_amount: 8_500 });
      expect(await world.recordedAmounts()).toEqual([120_000, 310_000, ASKED]);
      expect(await merchant.listedAccounts()).toMatchObject([{ status: 'active' }, { status: 'active' }]);
      await world.expectBooksToAgree();
    },
  );
});

describeAtOneProvider('reconciliation with %s when it is slow', (provider) => {
  test('stops before its function times out, and the next run continues where it stopped', async () => {
    world.twin.fault(provider, { kind: 'lost' });
    const { accountNumber } = await merchant.account(provider);
    await world.sweep();
    const PAYMENTS = 30;
    for (let n = 1; n <= PAYMENTS; n++) await world.pay(provider, accountNumber, 10_000 + n);
    world.clock.advance(10 * MINUTE);

    // The clock is injected: a list takes 5 s and a look-up 4 s; eight concurrent look-ups take 32 s of this clock.
    const asked: string[] = [];
    const slow = world.scripted(provider, (real) => ({
      listPayments: (span) => {
        world.clock.advance(5 * SECOND);
        return real.listPayments(span);
      },
      lookUp: (query) => {
        asked.push(query.value);
        world.clock.advance(4 * SECOND);
        return real.lookUp(query);
      },
    }));
    const lists = world.countLists(provider);
    const progress = async () =>
      (await world.itemsOf('RECON')).find((one) => one.provider === provider && one.pass === 'recent');
    // Only this provider's reconciliation, since the others would become due meanwhile.
    const reconciliations: LiveWorld['deps']['reconciliations'] = {
      ...world.deps.reconciliations,
      find: async (name, pass) => {
        const found = await world.deps.reconciliations.find(name, pass);
        return found && (name !== provider || pass !== 'recent')
          ? { ...found, cursor: null, done: 0, dueAt: Number.MAX_SAFE_INTEGER }
          : found;
      },
    };
    const run = async (): Promise<number> => {
      const endsAt = world.clock.now() + 55 * SECOND;
      const context = { getRemainingTimeInMillis: () => endsAt - world.clock.now() };
      await sweepPaymentsFunction({ ...world.deps, ...slow, reconciliations })(undefined, context as never);
      return endsAt - world.clock.now();
    };
    for (const done of [8, 16, 24]) {
      // 5 + 32 s: over its own 35, under the function's 55.
      expect(await run()).toBe(18 * SECOND);
      expect(await progress()).toMatchObject({ done });
      expect(await world.recorded()).toHaveLength(done);
      world.clock.advance(23 * SECOND);
    }
    await run();
    expect(await progress()).toMatchObject({ done: 0, cursor: null });
    expect(lists()).toBe(4);
    // None was looked up twice.
    expect([asked.length, new Set(asked).size]).toEqual([PAYMENTS, PAYMENTS]);
    await world.expectBooksToAgree();
  });
});
