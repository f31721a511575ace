import { HOUR, MINUTE } from '#shared/platform/kernel/time.ts';
import { PROVIDERS } from '#shared/providers/domain/names.ts';
import { SEED } from '#test/support/jest/seed.ts';
import { payersPage } from '#test/support/worlds/payers-page.ts';
import { type Away, openProviderHour, STEP } from '#test/support/worlds/provider-hour.ts';
import { describeAtOneProvider } from '#test/support/worlds/provider-scenes.ts';
import { reconcileAt } from '#test/support/worlds/scene-provider.ts';

/* One provider is away for an hour of simulated time, while money keeps arriving at all three. */

const STEPS_IN_HOUR = HOUR / STEP;
const STEPS_IN_MINUTE = MINUTE / STEP;
/** Milliseconds until all money has landed: the longest gap between two look-ups of a notification, plus a minute for the sweep that sends its ticket. */
const LANDED_WITHIN = 11 * MINUTE;
/** The most writes of the breaker: one for each of eight calls that open it or are under way then, and one for a probe every 30 seconds. */
const MOST_BREAKER_WRITES = 8 + HOUR / (30 * 1_000);

const ALL_WAYS: readonly Away[] = ['hung', 'server_fault', 'refused', 'rate_limited'];
/** The seed chooses one of these ways, independently of the provider, because an hour takes half a minute to simulate. */
const WAYS = ALL_WAYS.filter((_, i) => i === Math.floor(Math.abs(SEED) / 3) % ALL_WAYS.length);

describeAtOneProvider('while %s is away for an hour', (provider) => {
  // The other providers work as usual.
  reconcileAt(...PROVIDERS);
  let hour: Awaited<ReturnType<typeof openProviderHour>>;
  beforeEach(async () => {
    hour = await openProviderHour(provider);
  });
  afterEach(() => hour.stop());

  /** Requests look-ups as merchants and payers do. They succeed at the other providers, and fail with a plain answer at the provider that is away. */
  const requestLookUps = async (unpaid: string): Promise<void> => {
    const { world, merchant } = hour;
    const page = payersPage({ deps: { ...world.deps, ...hour.changes() } });
    for (const name of hour.others) {
      const requeried = await hour.payUnnoticed(name);
      expect((await merchant.api.requery(requeried)).json.data).toMatchObject({ status: 'paid' });
      const reported = await hour.payUnnoticed(name);
      expect((await page.sent(page.linkOf(reported))).json).toMatchObject({ status: 'paid' });
    }
    expect([502, 503]).toContain((await merchant.apiWith(hour.changes()).requery(unpaid)).status);
    expect((await page.sent(page.linkOf(unpaid))).json).toMatchObject({ status: 'pending' });
  };

  /** Expects that everything at the other providers has landed. */
  const expectOthersToLand = async (): Promise<void> => {
    const { kept, credited } = await hour.moneyAt(...hour.others);
    expect(credited).toBe(kept);
  };

  /** Expects that no message was received twice, and that each notification is due again within ten minutes. */
  const expectWorkToWait = async (): Promise<void> => {
    const { world } = hour;
    expect([hour.receivedAgain(), hour.callsBeforeAnswers()]).toEqual([0, 0]);
    expect(await world.takeTickets(provider)).toEqual([]);
    const now = world.clock.now();
    const waiting = (await hour.notifications()).filter(({ dueAt }) => dueAt !== null);
    expect(waiting.length).toBeGreaterThanOrEqual(HOUR / MINUTE);
    for (const { dueAt } of waiting) expect(Number(dueAt) - now).toBeLessThanOrEqual(10 * MINUTE);
  };

  test.each(WAYS)(
    '(%s) money at the other providers lands at once, and its own money lands once, within eleven minutes after it is back',
    async (way) => {
      const { world, merchant } = hour;
      for (let i = 0; i < STEPS_IN_MINUTE; i++) await hour.step();
      // Both checkouts end during the hour. One was paid, but no notification came.
      const lost = await hour.payUnnoticed(provider, { expires_in: 1_800 });
      const unpaid = (await merchant.checkout(provider, { expires_in: 1_800 })).reference;

      hour.leave(way);
      const [requestsBefore, writesBefore] = [world.simulator.books.requests(provider), await hour.breakerWrites()];
      for (let i = 1; i <= STEPS_IN_HOUR; i++) {
        await hour.step(i % (STEPS_IN_HOUR / 3) === 0 ? () => requestLookUps(unpaid) : undefined);
        if (i % STEPS_IN_MINUTE === 0) await expectOthersToLand();
      }
      const calls = world.simulator.books.requests(provider) - requestsBefore;
      const writes = (await hour.breakerWrites()) - writesBefore;
      await expectWorkToWait();
      if (way !== 'rate_limited') expect(writes).toBeLessThanOrEqual(MOST_BREAKER_WRITES);
      for (const reference of [lost, unpaid])
        expect(await merchant.fetch(reference)).toMatchObject({ status: 'pending' });

      hour.comeBack();
      const lookUps = world.countLookUps(provider);
      const backAt = world.clock.now();
      let money = await hour.moneyAt(provider);
      const backlog = money.kept - money.credited;
      while (money.credited !== money.kept && world.clock.now() < backAt + LANDED_WITHIN) {
        await hour.step();
        money = await hour.moneyAt(provider);
      }
      const landedAfter = (world.clock.now() - backAt) / MINUTE;
      expect(money.credited).toBe(money.kept);

      // The unpaid checkout is looked up rarely by now.
      await world.minutesPass(40, 5);
      const figures = { provider, how: way, calls, writes, backlog, landedAfter, lookUps: lookUps() };
      process.stdout.write(`an hour away: ${JSON.stringify(figures)}\n`);
      expect(await hour.moneyAt(provider)).toEqual(money);
      expect(await merchant.statusOf(lost)).toBe('paid');
      expect(await merchant.statusOf(unpaid)).toBe('expired');
      expect((await hour.notifications()).filter(({ dueAt }) => dueAt !== null)).toEqual([]);
      expect(await world.deps.notifications.countStuck(10)).toBe(0);
      expect(hour.receivedAgain()).toBe(0);
      await world.expectBooksToAgree();
    },
    180_000,
  );
});
