import { DAY, HOUR, MINUTE, SECOND } from '#shared/domain/kernel/time.ts';
import { sweepDueWork, sweepPaymentsFunction } from '#test/support/worlds/functions.ts';
import { breakOpening, providersWith } from '#test/support/worlds/live-faults.ts';
import { merchant, openWorldForEachTest, world } from '#test/support/worlds/live-merchant.ts';
import {
  countCalls,
  expectBooksToAgree,
  LIST,
  LOOK_UP,
  loggedTimes,
  measuredSum,
  minutesPass,
  notify,
  recorded,
  signed,
  withScriptedProvider,
} from '#test/support/worlds/live-steps.ts';
import type { LiveWorld } from '#test/support/worlds/live-world.ts';
import { describeAtProviders } from '#test/support/worlds/provider-scenes.ts';

openWorldForEachTest();

describeAtProviders('%s, disabled while look-ups are due', (provider) => {
  test('is not called for four days; all due work is measured, none is lost, and all is done once it is enabled', async () => {
    // Its reconciliation has started.
    await sweepDueWork(world.deps, world.clock.now() + 30 * SECOND);
    const account = await merchant.account(provider);
    const checkout = await merchant.checkout(provider);
    breakOpening(world, provider, 'accounts', { kind: 'lost_answer' });
    await merchant.askForAccount(provider);
    // A notification whose look-up failed, so that it is due from now on.
    world.twin.fault(provider, { kind: 'server_fault', path: LOOK_UP[provider] });
    await world.twin.pay({ provider, accountNumber: account.account_number, amount: 310_000 });
    await world.twin.settled();
    world.twin.fault(provider, null);

    const { [provider]: _, ...others } = world.settings;
    const enabled = { liveProviders: world.deps.liveProviders, providers: world.deps.providers };
    Object.assign(world.deps, providersWith(world, others));
    const [requests, failures] = [world.twin.books.requests(provider), measuredSum(world, 'provider_failures')];
    const paidAt = world.clock.now() + MINUTE;
    world.clock.advance(MINUTE);
    await world.twin.pay({ provider, accountNumber: checkout.account_number, amount: 850_000, paidAt });
    await world.twin.pay({ provider, accountNumber: account.account_number, amount: 120_000 });
    await world.twin.settled();
    await minutesPass(world, 120, 10);
    const tried = measuredSum(world, 'provider_failures') - failures;
    // Each of the three is retried at growing delays: often enough for the alarm, and cheap.
    expect(tried).toBeGreaterThan(3);
    expect(tried).toBeLessThan(3 * 13);
    expect(loggedTimes(world, 'work_failed')).toBeGreaterThan(0);
    expect(loggedTimes(world, 'look_up_failed')).toBeGreaterThan(1);
    for (let waited = 0; waited < 4 * DAY; waited += 6 * HOUR) await minutesPass(world, 360, 360);
    expect(world.twin.books.requests(provider)).toBe(requests);
    expect((await merchant.api.verify(checkout.reference)).json.data.status).toBe('pending');
    expect(await recorded(world)).toEqual([]);
    const body = signed(world, provider, { event: 'charge.success', data: { reference: checkout.reference } });
    expect((await notify(world, provider, body)).status).toBe(404);

    Object.assign(world.deps, enabled);
    await minutesPass(world, 60, 10);
    expect((await merchant.api.verify(checkout.reference)).json.data).toMatchObject({
      status: 'paid',
      paid_amount: 8_500,
    });
    expect((await recorded(world)).map(({ amount }) => Number(amount)).sort((a, b) => a - b)).toEqual([
      120_000, 310_000, 850_000,
    ]);
    expect((await merchant.api.listAccounts()).json.data.map(({ status }: { status: string }) => status)).toEqual([
      'active',
      'active',
    ]);
    await expectBooksToAgree(world);
  });
});

describeAtProviders('reconciliation with %s when it is slow', (provider) => {
  test('stops before its function times out, and the next run continues where it stopped', async () => {
    world.twin.fault(provider, { kind: 'lost' });
    const { account_number: accountNumber } = await merchant.account(provider);
    await sweepDueWork(world.deps, world.clock.now() + 30 * SECOND);
    const PAYMENTS = 30;
    for (let n = 1; n <= PAYMENTS; n++) await world.twin.pay({ provider, accountNumber, amount: 10_000 + n });
    await world.twin.settled();
    world.clock.advance(10 * MINUTE);

    // The clock is injected: a list takes 5 s and a look-up 4 s; eight concurrent look-ups take 32 s of this clock.
    const asked: string[] = [];
    const slow = withScriptedProvider(world, provider, (real) => ({
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
    const lists = countCalls(world.twin, provider, LIST[provider]);
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
      await sweepPaymentsFunction({ ...slow.deps, reconciliations })(undefined, context as never);
      return endsAt - world.clock.now();
    };
    for (const done of [8, 16, 24]) {
      // 5 + 32 s: over its own 35, under the function's 55.
      expect(await run()).toBe(18 * SECOND);
      expect(await progress()).toMatchObject({ done });
      expect(await recorded(world)).toHaveLength(done);
      world.clock.advance(23 * SECOND);
    }
    await run();
    expect(await progress()).toMatchObject({ done: 0, cursor: null });
    expect(lists()).toBe(4);
    // None was looked up twice.
    expect([asked.length, new Set(asked).size]).toEqual([PAYMENTS, PAYMENTS]);
    await expectBooksToAgree(world);
  });
});
