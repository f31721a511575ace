import { MAX_REVERSED_AT_ONCE } from '#shared/checkouts/domain/cumulative-report.ts';
import { type DailyTotal, NOTHING_LANDED, withPayment } from '#shared/payments/domain/daily-total.ts';
import { getBookedAt, payment } from '#shared/payments/domain/payment.ts';
import { landMoney } from '#shared/payments/use-cases/land-money.ts';
import { sumByDay } from '#shared/payments/use-cases/sum-by-day.ts';
import { lagosDate } from '#shared/platform/kernel/lagos-day.ts';
import { DAY, HOUR, MINUTE } from '#shared/platform/kernel/time.ts';
import type { ReportedMoney } from '#shared/providers/domain/report.ts';
import { createRandom } from '#test/support/chaos/random.ts';
import { isLongRun, longerTest, longTest, testRows } from '#test/support/jest/long.ts';
import { SEED } from '#test/support/jest/seed.ts';
import { createApiClient } from '#test/support/worlds/api-client.ts';
import { merchant, openWorldForEachTest, world } from '#test/support/worlds/live-merchant.ts';
import { makeCumulativeReport, makeRejection, makeTransfer } from '#test/support/worlds/reports.ts';
import { UNUSED_URL } from '#test/support/worlds/world.ts';

openWorldForEachTest();

const FIRST_DAY = '2026-11-20';
const today = (): string => lagosDate(world.clock.now());
const tenant = () => ({ businessId: merchant.business.id, mode: 'live' }) as const;

const land = (provider: 'monnify' | 'paystack', money: ReportedMoney) =>
  landMoney(world.deps, provider, money, { askedAt: world.clock.now() });

/** Reads totals from the API, in kobo, without empty days. */
const readTotals = async (): Promise<Record<string, DailyTotal>> => {
  const { status, json } = await merchant.api.totals(undefined, {}, { from: FIRST_DAY, to: today() });
  expect(status).toBe(200);
  const days: ({ date: string } & DailyTotal)[] = json.data;
  const kobo = (naira: number) => Math.round(naira * 100);
  const entries = days.map(({ date, count, amount, rejected, reversed }): [string, DailyTotal] => [
    date,
    { count, amount: kobo(amount), rejected: kobo(rejected), reversed: kobo(reversed) },
  ]);
  return Object.fromEntries(entries.filter(([, total]) => Object.values(total).some((amount) => amount > 0)));
};

/** Computes the same totals from the payments themselves. */
const sumPayments = async (): Promise<Record<string, DailyTotal>> => {
  const days: Record<string, DailyTotal> = {};
  for (const item of await world.itemsOf('PAY')) {
    const recorded = payment.safeParse(item).data;
    if (!recorded || recorded.businessId !== merchant.business.id || recorded.mode !== 'live') continue;
    const date = lagosDate(getBookedAt(recorded));
    days[date] = withPayment(days[date] ?? NOTHING_LANDED, { ...recorded, remainder: recorded.kept ?? 0 });
  }
  return days;
};

const acceptedIn = (days: Record<string, DailyTotal>): number =>
  Object.values(days).reduce((sum, { amount }) => sum + amount, 0);

/** Lists the days with a stored sum. */
const storedDays = async (): Promise<string[]> =>
  (await world.itemsOf('20')).filter(({ total }) => total !== undefined).map(({ sk }) => String(sk));

const STEPS = isLongRun ? 400 : 20;

longerTest('totals equal the sums of the payments after random landings, reversals and races', async () => {
  const random = createRandom(SEED);
  const upTo = (most: number): number => Math.floor(random() * most);
  const pick = <T>(items: readonly T[]): T | undefined => items[upTo(items.length)];
  const owners = await Promise.all([merchant.checkout('monnify'), merchant.checkout('monnify')]);
  const cumulative = owners.map(({ reference }) => ({ reference, kept: 0, returned: 0 }));
  const transferOwners = [(await merchant.checkout('paystack')).reference, (await merchant.account('paystack')).id];
  const transfers: { owner: string; id: string; amount: number; accepted: boolean }[] = [];
  let ids = 0;
  const changeTotal = (): ReportedMoney => {
    const total = cumulative[upTo(cumulative.length)] ?? { reference: '', kept: 0, returned: 0 };
    const kept = random() < 0.6 ? total.kept + 1_000 * (1 + upTo(9)) : upTo(total.kept + 1);
    total.returned += Math.max(0, total.kept - kept);
    total.kept = kept;
    return makeCumulativeReport(total.reference, kept, total.returned);
  };
  const newTransfer = (): ReportedMoney => {
    const [owner, id, amount] = [pick(transferOwners) ?? '', `TRF-${++ids}`, 100 + upTo(10_000)];
    if (random() < 0.2) return makeRejection(owner, amount, id);
    transfers.push({ owner, id, amount, accepted: true });
    return makeTransfer(owner, amount, 'accepted', id);
  };
  const reversal = (): ReportedMoney => {
    const transfer = pick(transfers.filter(({ accepted }) => accepted));
    if (!transfer) return newTransfer();
    transfer.accepted = false;
    return makeTransfer(transfer.owner, transfer.amount, 'reversed', transfer.id);
  };
  for (let step = 0; step < STEPS; step++) {
    world.clock.advance(MINUTE + upTo(4 * HOUR));
    const money = random() < 0.4 ? changeTotal() : random() < 0.6 ? newTransfer() : reversal();
    const provider = money.kind === 'cumulative_report' ? 'monnify' : 'paystack';
    // A report comes several times at once, while the days are being summed.
    const reports = Array.from({ length: 1 + upTo(3) }, () => land(provider, money));
    await Promise.all([...reports, ...(random() < 0.4 ? [readTotals()] : [])]);
  }
  const expectAgreement = async () => {
    const days = await sumPayments();
    expect(await readTotals()).toEqual(days);
    const kept = cumulative.reduce((sum, total) => sum + total.kept, 0);
    const accepted = transfers.reduce((sum, transfer) => sum + (transfer.accepted ? transfer.amount : 0), 0);
    expect(acceptedIn(days)).toBe(kept + accepted);
  };
  await expectAgreement();
  // The last payment may be just after midnight. Its day must be over for long enough, so that its sum is stored.
  world.clock.advance(DAY + HOUR);
  await expectAgreement();
  // All sums are stored now.
  expect((await storedDays()).sort()).toEqual(Object.keys(await sumPayments()).sort());
  await expectAgreement();
  await land('paystack', reversal());
  await land('monnify', changeTotal());
  await expectAgreement();
  world.clock.advance(HOUR);
  await expectAgreement();
  await expectAgreement();
});

describe('a day that is over', () => {
  const landOnFirstDay = async () => {
    const { id } = await merchant.account('paystack');
    await land('paystack', makeTransfer(id, 5_000, 'accepted', 'TRF-1'));
    await land('paystack', makeTransfer(id, 700, 'accepted', 'TRF-2'));
    return id;
  };
  const reverse = (id: string) => land('paystack', makeTransfer(id, 700, 'reversed', 'TRF-2'));
  const BOTH = { [FIRST_DAY]: { count: 2, amount: 5_700, rejected: 0, reversed: 0 } };
  const ONE = { [FIRST_DAY]: { count: 1, amount: 5_000, rejected: 0, reversed: 700 } };

  test('has its sum computed once, while today is summed each time', async () => {
    await landOnFirstDay();
    expect(await readTotals()).toEqual(BOTH);
    expect(await storedDays()).toEqual([]);
    world.clock.advance(DAY);
    expect(await readTotals()).toEqual(BOTH);
    expect(await storedDays()).toEqual([FIRST_DAY]);
    const counting = countSums();
    expect(await sumByDay(counting.deps, tenant(), { from: FIRST_DAY, to: FIRST_DAY })).toMatchObject([
      { amount: 5_700 },
    ]);
    expect(counting.sums()).toBe(0);
  });

  test('changes with a reversal, and its sum is stored only when the index surely has the reversal', async () => {
    const id = await landOnFirstDay();
    world.clock.advance(3 * DAY);
    await readTotals();
    await reverse(id);
    expect(await storedDays()).not.toContain(FIRST_DAY);
    expect(await readTotals()).toEqual(ONE);
    world.clock.advance(9 * MINUTE);
    expect(await readTotals()).toEqual(ONE);
    expect(await storedDays()).not.toContain(FIRST_DAY);
    world.clock.advance(MINUTE);
    expect(await readTotals()).toEqual(ONE);
    expect(await storedDays()).toContain(FIRST_DAY);
  });

  testRows([false, true])(
    'stores no sum if a reversal comes while it is summed (after an earlier reversal: %s)',
    async (hasEarlierReversal) => {
      const id = await landOnFirstDay();
      if (hasEarlierReversal) {
        await land('paystack', makeTransfer(id, 90, 'accepted', 'TRF-3'));
        world.clock.advance(MINUTE);
        await land('paystack', makeTransfer(id, 90, 'reversed', 'TRF-3'));
      }
      world.clock.advance(2 * DAY);
      const { totals } = world.deps;
      const sum: typeof totals.sum = async (...args) => {
        const summed = await totals.sum(...args);
        await reverse(id);
        return summed;
      };
      const deps = { ...world.deps, totals: { ...totals, sum } };
      expect(await sumByDay(deps, tenant(), { from: FIRST_DAY, to: FIRST_DAY })).toMatchObject([{ amount: 5_700 }]);
      expect(await storedDays()).toEqual([]);
      expect((await readTotals())[FIRST_DAY]).toMatchObject({ amount: 5_000 });
    },
  );

  /** Wraps the totals so that they count how often a day is summed. */
  const countSums = () => {
    let sums = 0;
    const { totals } = world.deps;
    const sum: typeof totals.sum = (...args) => {
      sums += 1;
      return totals.sum(...args);
    };
    return { deps: { ...world.deps, totals: { ...totals, sum } }, sums: () => sums };
  };
});

longTest(
  'if a cumulative report falls and reverses as many payments as one transaction can, each of another day, all of these days change',
  async () => {
    // Five endpoints are the most: an event has a delivery for each, so this transaction is as large as it can be.
    for (let n = 2; n <= 5; n++) {
      expect((await merchant.api.createEndpoint({ url: `${UNUSED_URL}/${n}` })).status).toBe(201);
    }
    const { reference } = await merchant.checkout('monnify');
    const parts = MAX_REVERSED_AT_ONCE;
    for (let n = 1; n <= parts; n++) {
      await land('monnify', makeCumulativeReport(reference, n * 1_000));
      world.clock.advance(DAY);
    }
    expect(acceptedIn(await readTotals())).toBe(parts * 1_000);
    // The remainder of the oldest part is 400 kobo.
    expect(await land('monnify', makeCumulativeReport(reference, 400, parts * 1_000 - 400))).toBe('landed');
    const days = await sumPayments();
    expect(await readTotals()).toEqual(days);
    expect(Object.keys(days)).toHaveLength(parts);
    expect(days[FIRST_DAY]).toEqual({ count: 1, amount: 400, rejected: 0, reversed: 600 });
  },
);

test('days without payments are zero, and another business and the other mode have their own totals', async () => {
  const { id } = await merchant.account('paystack');
  await land('paystack', makeTransfer(id, 5_000, 'accepted', 'TRF-1'));
  const other = await world.addBusiness([], 'live');
  const query = { from: '2026-11-19', to: FIRST_DAY };
  const none = { count: 0, amount: 0, rejected: 0, reversed: 0 };
  expect((await merchant.api.totals(undefined, {}, query)).json.data).toEqual([
    { date: '2026-11-19', ...none },
    { date: FIRST_DAY, count: 1, amount: 50, rejected: 0, reversed: 0 },
  ]);
  for (const key of [other.keys.secret_live, merchant.business.keys.secret_test]) {
    const { data } = (await createApiClient(world, key).totals(undefined, {}, query)).json;
    expect(data).toEqual([
      { date: '2026-11-19', ...none },
      { date: FIRST_DAY, ...none },
    ]);
  }
});

test.each([
  [{}, ['from', 'to']],
  [{ from: FIRST_DAY, to: '2026-11-19' }, ['to']],
  [{ from: '2026-01-01', to: '2026-04-03' }, ['to']],
  [{ from: '2026-02-30', to: '2026-03-01' }, ['from']],
  [{ from: '20 November', to: FIRST_DAY }, ['from']],
])('the invalid period %j gets a 422', async (query, fields) => {
  const { status, json } = await merchant.api.totals(undefined, {}, query as Record<string, string>);
  expect([status, json.errors.map(({ field }: { field: string }) => field)]).toEqual([422, fields]);
});

test('a sum that takes too long gets an error, and the days summed until then are stored', async () => {
  const { id } = await merchant.account('paystack');
  await land('paystack', makeTransfer(id, 5_000, 'accepted', 'TRF-1'));
  world.clock.advance(10 * DAY);
  const { totals } = world.deps;
  const sum: typeof totals.sum = (owner, date, isLate) => {
    world.clock.advance(2_000);
    return totals.sum(owner, date, isLate);
  };
  const deps = { ...world.deps, totals: { ...totals, sum } };
  const summing = sumByDay(deps, tenant(), { from: FIRST_DAY, to: today() });
  await expect(summing).rejects.toMatchObject({ code: 'service_unavailable', details: { retryAfterSeconds: 1 } });
  expect(await storedDays()).toContain(FIRST_DAY);
});
