import { landMoney } from '#shared/payments/use-cases/land-money.ts';
import { landRefund } from '#shared/payments/use-cases/land-refund.ts';
import type { Kobo } from '#shared/platform/kernel/money.ts';
import { MINUTE } from '#shared/platform/kernel/time.ts';
import type { CumulativeReport } from '#shared/providers/domain/report.ts';
import type { LiveProvider } from '#shared/providers/ports.ts';
import { testRows } from '#test/support/jest/long.ts';
import { ASKED, merchant, openWorldForEachTest, world } from '#test/support/worlds/live-merchant.ts';
import { makeCumulativeReport } from '#test/support/worlds/reports.ts';

openWorldForEachTest();

/*
 * A merchant refunds a part of a cumulative report, and the payer pays that part again. The total reaches the same sum a second time, and the new part
 * must have its own key in the table.
 */

const PROVIDER = 'korapay';
const PART = 150_000 as Kobo;

/** An answer of the provider, and when we asked for it. */
interface Report {
  readonly money: CumulativeReport;
  readonly askedAt: number;
  readonly refund?: { readonly id: string; readonly amount: Kobo };
}

/** Opens a checkout. Returns builders of the provider's answers, each asked for a minute after the one before. */
const begin = async () => {
  const { reference } = await merchant.checkout(PROVIDER);
  const answer = (money: CumulativeReport, refund?: Report['refund']): Report => {
    world.clock.advance(MINUTE);
    return { money, askedAt: world.clock.now(), ...(refund && { refund }) };
  };
  return {
    reference,
    paid: () => answer(makeCumulativeReport(reference, ASKED)),
    /** Answers after the notification of a refund, which the look-up does not show yet. */
    refunded: (id: string) => answer(makeCumulativeReport(reference, ASKED), { id, amount: PART }),
    /** Answers with the sum after the refund. */
    shown: () => answer(makeCumulativeReport(reference, ASKED - PART)),
    /** Answers after the payer paid the part again. The reported sum leaves `times` refunds out. */
    paidAgain: (times: number) =>
      answer({ ...makeCumulativeReport(reference, ASKED), leftOut: (times * PART) as Kobo }),
  };
};

const land = ({ money, ...answer }: Report) => landMoney(world.deps, PROVIDER, money, answer);

const expectPaidAgain = async (reference: string, times: number): Promise<void> => {
  expect(await merchant.fetch(reference)).toMatchObject({ status: 'paid', paid_amount: ASKED / 100 });
  await world.expectCheckoutSum(reference, ASKED);
  const types = await world.eventsOf(reference);
  expect(types.filter((type) => type === 'checkout.payment_reversed')).toHaveLength(times);
  expect(types).toHaveLength(1 + 2 * times);
};

describe('a part of a cumulative report that is refunded and paid again', () => {
  testRows([
    ['a look-up showed the refund in between', true],
    ['no look-up showed the refund in between', false],
  ])('counts once if each report comes twice; %s', async (_, isShown) => {
    const { reference, paid, refunded, shown, paidAgain } = await begin();
    const reports = [paid(), refunded('rfd-1'), ...(isShown ? [shown()] : []), paidAgain(1)];
    for (const report of reports) for (const twice of [report, report]) await land(twice);
    await expectPaidAgain(reference, 1);
  });

  testRows([
    ['a look-up showed the refund in between', true],
    ['no look-up showed the refund in between', false],
  ])('counts once if each older report comes again after each newer one; %s', async (_, isShown) => {
    const { reference, paid, refunded, shown, paidAgain } = await begin();
    const reports: Report[] = [];
    for (const report of [paid, () => refunded('rfd-1'), ...(isShown ? [shown] : []), () => paidAgain(1)]) {
      reports.push(report());
      for (const late of reports.toReversed()) await land(late);
    }
    await expectPaidAgain(reference, 1);
  });

  test('counts once each time it is refunded and paid again', async () => {
    const { reference, paid, refunded, shown, paidAgain } = await begin();
    await land(paid());
    for (const times of [1, 2, 3]) {
      const refund = refunded(`rfd-${times}`);
      const before = { ...refund, money: { ...refund.money, leftOut: ((times - 1) * PART) as Kobo } };
      const lower = shown();
      const between = { ...lower, money: { ...lower.money, leftOut: (times * PART) as Kobo } };
      for (const report of [before, between, paidAgain(times)]) await land(report);
      await expectPaidAgain(reference, times);
    }
  });
});

describe('notifications of a payment, of a partial refund, and of that part paid again', () => {
  /** The notifications that come before the part is paid again, and those after it. */
  const ORDERS = [
    [['refund'], ['payment', 'refund']],
    [['payment', 'refund'], ['payment']],
    [
      ['payment', 'payment', 'refund', 'refund'],
      ['payment', 'refund', 'payment'],
    ],
    [
      ['refund', 'payment'],
      ['refund', 'payment'],
    ],
    [['payment'], ['payment', 'refund', 'refund']],
    [[], ['refund', 'payment', 'refund']],
  ] as const;
  const READINGS = ['shows at once', 'shows later'] as const;

  testRows(READINGS.flatMap((reading) => ORDERS.map(([before, after]) => [reading, before, after] as const)))(
    'leave the sum that the provider keeps if the look-up %s the refund; before the second payment %j, then %j',
    async (reading, before, after) => {
      const { reference } = await merchant.checkout(PROVIDER);
      let shown = makeCumulativeReport(reference, ASKED);
      const real = world.provider(PROVIDER);
      const lookUp = async (): ReturnType<LiveProvider['lookUp']> => ({ money: [shown], state: 'complete' });
      const query = { by: 'our_reference', value: reference } as const;
      const scripted = world.scripted(PROVIDER, () => ({ lookUp }));
      /** Handles a notification: looks the money up. */
      const arrive = async (kind: 'payment' | 'refund'): Promise<void> => {
        world.clock.advance(MINUTE);
        if (kind === 'payment') await world.lookUp(PROVIDER, reference, scripted);
        else
          await landRefund(world.deps, PROVIDER, { ...real, lookUp }, { query, refund: { id: 'rfd-1', amount: PART } });
      };
      const lower = { ...makeCumulativeReport(reference, ASKED - PART), leftOut: PART };
      if (reading === 'shows at once') shown = lower;
      for (const kind of before) await arrive(kind);
      shown = lower;
      await arrive('payment');
      expect(await merchant.fetch(reference)).toMatchObject({ paid_amount: (ASKED - PART) / 100 });
      shown = { ...makeCumulativeReport(reference, ASKED), leftOut: PART };
      for (const kind of after) await arrive(kind);
      expect(await merchant.fetch(reference)).toMatchObject({ status: 'paid', paid_amount: ASKED / 100 });
      await world.expectCheckoutSum(reference, ASKED);
    },
  );
});
