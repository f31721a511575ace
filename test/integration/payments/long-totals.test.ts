import { MAX_EMBEDDED_PAYMENTS } from '#shared/checkouts/domain/checkout.ts';
import { MAX_REVERSED_AT_ONCE } from '#shared/checkouts/domain/cumulative-report.ts';
import { landMoney } from '#shared/payments/use-cases/land-money.ts';
import { MINUTE } from '#shared/platform/kernel/time.ts';
import type { CumulativeReport, ReportedRejection } from '#shared/providers/domain/report.ts';
import { longTest } from '#test/support/jest/long.ts';
import { merchant, openWorldForEachTest, world } from '#test/support/worlds/live-merchant.ts';
import { makeCumulativeReport, makeRejection } from '#test/support/worlds/reports.ts';

openWorldForEachTest();

/* Cumulative reports may have more payments than a checkout shows, or than one transaction can reverse. */

const provider = 'monnify';

const land = (money: CumulativeReport | ReportedRejection, deps = world.deps) => {
  world.clock.advance(MINUTE);
  return landMoney(deps, provider, money, { askedAt: world.clock.now() });
};

test('an accepted part behind twenty rejections is still reversed when the total falls to zero', async () => {
  const { reference } = await merchant.checkout(provider);
  await land(makeCumulativeReport(reference, 100_000));
  for (let n = 0; n < MAX_EMBEDDED_PAYMENTS; n += 1) {
    await land(makeRejection(reference, 50_000, `session-${n}`));
  }
  expect(await land(makeCumulativeReport(reference, 0, 100_000))).toBe('landed');
  await world.expectCheckoutSum(reference, 0);
  expect((await world.recorded()).map(({ outcome }) => outcome).toSorted()).toEqual([
    ...Array.from({ length: MAX_EMBEDDED_PAYMENTS }, () => 'rejected'),
    'reversed',
  ]);
  expect(await merchant.fetch(reference)).toMatchObject({ status: 'pending', paid_amount: 0 });
});

longTest(
  'a total with more parts than one transaction can reverse falls in steps, and a crash between them loses nothing',
  async () => {
    const { reference } = await merchant.checkout(provider);
    const parts = MAX_REVERSED_AT_ONCE + 5;
    for (let n = 1; n <= parts; n += 1) await land(makeCumulativeReport(reference, n * 1_000));
    let records = 0;
    const record: typeof world.deps.ledger.record = async (entry) => {
      records += 1;
      if (records > 1) throw new Error('The process is gone.');
      return world.deps.ledger.record(entry);
    };
    const crashing = { ...world.deps, ledger: { ...world.deps.ledger, record } };
    const returned = makeCumulativeReport(reference, 0, parts * 1_000);
    await expect(land(returned, crashing)).rejects.toThrow('The process is gone.');
    await world.expectCheckoutSum(reference, 5_000);
    expect(await land(returned)).toBe('landed');
    await world.expectCheckoutSum(reference, 0);
    const reversed = (await world.eventsOf(reference)).filter((type) => type === 'checkout.payment_reversed');
    expect(reversed).toHaveLength(2);
    // A repeated report changes nothing.
    expect(await land(returned)).toBe('landed');
    expect(await world.eventsOf(reference)).toHaveLength(parts + 2);
  },
);
