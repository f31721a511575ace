import { type LandingOutcome, landMoney } from '#shared/payments/use-cases/land-money.ts';
import type { Kobo } from '#shared/platform/kernel/money.ts';
import { MINUTE } from '#shared/platform/kernel/time.ts';
import type { ReportedMoney } from '#shared/providers/domain/report.ts';
import { ASKED, merchant, openWorldForEachTest, world } from '#test/support/worlds/live-merchant.ts';
import { makeTransfer } from '#test/support/worlds/reports.ts';

/* A provider refunds a transfer of ₦8,500, and later reports that it kept it. Or it reports a returned transfer as kept, and later refunds it. */

openWorldForEachTest();

const PART = 250_000;

const kept = async (): Promise<number> =>
  (await world.recorded()).reduce((sum, { amount, outcome }) => (outcome === 'accepted' ? sum + amount : sum), 0);

/** Lets two minutes pass, and lands a report that was asked for then. */
const land = (money: ReportedMoney, refund?: { id: string; amount: number }): Promise<LandingOutcome> => {
  world.clock.advance(2 * MINUTE);
  const reported = refund && { id: refund.id, amount: refund.amount as Kobo };
  return landMoney(world.deps, 'paystack', money, {
    askedAt: world.clock.now(),
    ...(reported && { refund: reported }),
  });
};

const KINDS = ['checkout', 'account'] as const;

/** Opens a checkout or a virtual account, and builds look-ups of a transfer to it. */
const transferTo = async (kind: (typeof KINDS)[number]) => {
  const to =
    kind === 'checkout' ? (await merchant.checkout('paystack')).reference : (await merchant.account('paystack')).id;
  return { to, whole: makeTransfer(to, ASKED), returned: makeTransfer(to, ASKED, 'reversed') };
};

const WHOLE_REFUND = { id: 'rfd-1', amount: ASKED };
const PART_REFUND = { id: 'rfd-1', amount: PART };

describe.each(KINDS)('a refunded transfer to a %s that its provider keeps after all', (kind) => {
  const expectReinstated = async (): Promise<void> => {
    expect(await kept()).toBe(0);
    expect(await world.unmatched()).toMatchObject([{ source: { kind: 'transfer', reinstatements: 1 } }]);
  };

  test.each([WHOLE_REFUND, PART_REFUND])(
    'becomes unmatched if a look-up showed the return after the refund (%j)',
    async (refund) => {
      const { whole, returned } = await transferTo(kind);
      await land(whole);
      await land(whole, refund);
      await land(returned);
      expect(await land(whole)).toBe('unmatched');
      await expectReinstated();
    },
  );

  test('becomes unmatched if a look-up showed the return before the refund', async () => {
    const { whole, returned } = await transferTo(kind);
    await land(whole);
    await land(returned);
    await land(returned, WHOLE_REFUND);
    expect(await land(whole)).toBe('unmatched');
    await expectReinstated();
  });

  test('becomes unmatched if it never counted', async () => {
    const { whole, returned } = await transferTo(kind);
    await land(returned);
    await land(returned, WHOLE_REFUND);
    expect(await land(whole)).toBe('unmatched');
    await expectReinstated();
  });

  test('stays reversed if no look-up ever shows the refund', async () => {
    const { whole } = await transferTo(kind);
    await land(whole);
    await land(whole, WHOLE_REFUND);
    expect(await land(whole)).toBe('landed');
    expect([await kept(), await world.unmatched()]).toEqual([0, []]);
  });
});

test.each(KINDS)(
  'a refund after the reinstated transfer was assigned is taken out of the new payment (%s)',
  async (kind) => {
    const { to, whole, returned } = await transferTo(kind);
    await land(whole);
    await land(returned);
    await land(whole);
    const [entry] = await world.unmatched();
    const answers = world.scripted('paystack', () => ({ lookUp: async () => ({ money: [whole], state: 'open' }) }));
    await world.assign(entry?.id ?? '', to, answers);
    expect(await kept()).toBe(ASKED);
    for (const refund of [PART_REFUND, PART_REFUND, undefined, { id: 'rfd-2', amount: PART }])
      await land(whole, refund);
    expect(await kept()).toBe(ASKED - 2 * PART);
    await land(returned);
    expect([await kept(), await world.unmatched()]).toEqual([0, []]);
  },
);

describe.each(KINDS)('look-ups that show a transfer to a %s without its refunded part', (kind) => {
  /**
   * Lands reports that a transfer was refunded in part, returned, and kept after all; then assigns it. `isReported`: its first
   * payment and the refund were reported, too.
   */
  const reinstate = async (isReported: boolean) => {
    const { to, whole, returned } = await transferTo(kind);
    const reduced = (parts: number) => ({
      ...makeTransfer(to, ASKED - parts * PART),
      leftOut: (parts * PART) as Kobo,
    });
    if (isReported) await land(whole);
    await land(reduced(1), isReported ? PART_REFUND : undefined);
    await land(returned);
    await land(reduced(1));
    const [entry] = await world.unmatched();
    const answers = world.scripted('paystack', () => ({
      lookUp: async () => ({ money: [reduced(1)], state: 'open' }),
    }));
    await world.assign(entry?.id ?? '', to, answers);
    expect(await kept()).toBe(ASKED - PART);
    return reduced;
  };

  test.each([true, false])(
    'subtract an earlier refund no second time, and a later one once (the earlier one was reported: %s)',
    async (isReported) => {
      const reduced = await reinstate(isReported);
      await land(reduced(1), PART_REFUND);
      expect(await kept()).toBe(ASKED - PART);
      for (let i = 0; i < 2; i += 1) await land(reduced(2), { id: 'rfd-2', amount: PART });
      expect(await kept()).toBe(ASKED - 2 * PART);
    },
  );
});
