import { DAY, HOUR, MINUTE } from '#shared/platform/kernel/time.ts';
import { longTest } from '#test/support/jest/long.ts';
import { breakOpening, makeProvidersWith } from '#test/support/worlds/live-faults.ts';
import { ASKED, merchant, openWorldForEachTest, world } from '#test/support/worlds/live-merchant.ts';
import { LOOK_UP } from '#test/support/worlds/provider-calls.ts';
import { describeAtOneProvider } from '#test/support/worlds/provider-scenes.ts';

openWorldForEachTest();

describeAtOneProvider('%s, disabled while look-ups are due:', (provider) => {
  longTest(
    'a disabled provider is not called for four days, and all due work is done after it is enabled again',
    async () => {
      // This starts the provider's reconciliation.
      await world.sweep();
      const account = await merchant.account(provider);
      const checkout = await merchant.checkout(provider);
      breakOpening(world, provider, 'accounts', { kind: 'lost_answer' });
      await merchant.askForAccount(provider);
      // The look-up of this notification fails, so that it stays due.
      world.simulator.fault(provider, { kind: 'server_fault', path: LOOK_UP[provider] });
      await world.pay(provider, account.accountNumber, 310_000);
      world.simulator.fault(provider, null);

      const { [provider]: _, ...others } = world.settings;
      const enabled = { liveProviders: world.deps.liveProviders, providers: world.deps.providers };
      Object.assign(world.deps, makeProvidersWith(world, others));
      const [requests, failures] = [world.simulator.books.requests(provider), world.measuredSum('provider_failures')];
      const paidAt = world.clock.now() + MINUTE;
      world.clock.advance(MINUTE);
      await world.pay(provider, checkout.accountNumber, ASKED, { paidAt });
      await world.pay(provider, account.accountNumber, 120_000);
      await world.minutesPass(120, 10);
      const tried = world.measuredSum('provider_failures') - failures;
      // Each of the three look-ups that are due is retried at growing delays, often enough to raise the alarm.
      expect(tried).toBeGreaterThan(3);
      expect(tried).toBeLessThan(3 * 13);
      expect(world.loggedTimes('work_failed')).toBeGreaterThan(0);
      expect(world.loggedTimes('look_up_failed')).toBeGreaterThan(1);
      for (let waited = 0; waited < 4 * DAY; waited += 6 * HOUR) await world.minutesPass(360, 360);
      expect(world.simulator.books.requests(provider)).toBe(requests);
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
