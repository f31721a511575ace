import { landMoney } from '#shared/payments/use-cases/land-money.ts';
import type { Kobo } from '#shared/platform/kernel/money.ts';
import { PROVIDERS } from '#shared/providers/domain/names.ts';
import {
  buildPaymentQuery,
  type CumulativeReport,
  type ReportedMoney,
  type ReportedTransfer,
  toSourceId,
} from '#shared/providers/domain/report.ts';
import type { LiveProvider } from '#shared/providers/ports.ts';
import { longTest, testRows } from '#test/support/jest/long.ts';
import { merchant, openWorldForEachTest, world } from '#test/support/worlds/live-merchant.ts';

/* A provider may return money or report more of it long after it landed, or after an operator assigned it. */

openWorldForEachTest();

describe('transfers that change late', () => {
  /** Korapay's answers to look-ups, by the value of the look-up. */
  let answers: Map<string, ReportedMoney>;
  beforeEach(() => {
    answers = new Map();
  });

  testRows(PROVIDERS)(
    'money that %s returns five hours later, without a notification, is reversed within a day',
    async (provider) => {
      const { reference, transferId } = await merchant.paidCheckout(provider);
      expect(await merchant.fetch(reference)).toMatchObject({ status: 'paid', paid_amount: 8_500 });
      await world.minutesPass(5 * 60, 60);
      world.simulator.notifyAt(provider, null);
      await world.simulator.reverse(provider, transferId);
      await world.minutesPass(25 * 60, 6 * 60);
      expect(await merchant.fetch(reference)).toMatchObject({ paid_amount: 0, payments: [{ outcome: 'reversed' }] });
    },
    60_000,
  );

  const report = (change: Partial<ReportedTransfer> | Partial<CumulativeReport>) => {
    const money = {
      kind: 'transfer',
      transferId: 'KPY-LOST-1',
      payee: { by: 'account_number', accountNumber: '7799999999' },
      outcome: 'accepted',
      providerReference: 'KPY-LOST-1',
      amount: 850_000 as Kobo,
      fee: 0 as Kobo,
      paidAt: null,
      senderName: 'Chidi Eze',
      senderBank: 'Access Bank',
      ...change,
    } as ReportedMoney;
    answers.set(buildPaymentQuery(toSourceId(money), money.providerReference).value, money);
    return landMoney(world.deps, 'korapay', money);
  };
  const assign = (paymentId: string, to: string) => {
    const lookUp: LiveProvider['lookUp'] = async ({ value }) => {
      const money = answers.get(value);
      return money ? { money: [money], state: 'open' } : 'unknown';
    };
    const scripted = world.scripted('korapay', () => ({ lookUp }));
    return world.assign(paymentId, to, scripted);
  };
  const assignAll = async (to: string): Promise<void> => {
    for (const { id } of await world.deps.unmatched.oldest(200)) await assign(id, to);
  };

  test('assigned money that is returned is reversed on its assigned checkout', async () => {
    const { reference } = await merchant.checkout('korapay');
    await report({});
    await assignAll(reference);
    expect(await merchant.fetch(reference)).toMatchObject({ status: 'paid', paid_amount: 8_500 });
    expect(await report({ outcome: 'reversed' })).toBe('landed');
    const reversed = { status: 'pending', paid_amount: 0, payments: [{ outcome: 'reversed' }] };
    expect(await merchant.fetch(reference)).toMatchObject(reversed);
  });

  test('money that was returned before it is reported lands as rejected on its virtual account, and an older report changes nothing', async () => {
    const { id } = await merchant.account('korapay');
    const payee = { by: 'our_reference', reference: id } as const;
    for (const outcome of ['reversed', 'accepted'] as const) expect(await report({ payee, outcome })).toBe('landed');
    expect((await merchant.api.listPayments(id)).json.data).toMatchObject([{ amount: 8_500, outcome: 'rejected' }]);
    expect(await world.itemsOf('EVT')).toEqual([]);
  });

  test('an unmatched cumulative report that grew counts once when it is assigned', async () => {
    const { reference } = await merchant.checkout('korapay');
    const total = {
      kind: 'cumulative_report',
      payee: { by: 'our_reference', reference: 'PAY-NOBODYKNOWSTHISONE00' },
      returned: 0 as Kobo,
    } as const;
    await report({ ...total, kept: 500_000 as Kobo });
    await report({ ...total, kept: 850_000 as Kobo });
    expect(await world.deps.unmatched.oldest(10)).toHaveLength(1);
    await assignAll(reference);
    expect(await merchant.fetch(reference)).toMatchObject({ status: 'paid', paid_amount: 8_500 });
    expect(await world.deps.unmatched.oldest(10)).toEqual([]);
  });

  longTest(
    'more unmatched payments than one read returns are listed oldest first, and the last can be assigned',
    async () => {
      for (let i = 0; i < 130; i++) {
        await report({ transferId: `KPY-H-${i}`, providerReference: `KPY-H-${i}`, amount: 100 as Kobo });
        world.clock.advance(1_000);
      }
      const listed = await world.deps.unmatched.oldest(1_000);
      expect(listed.map(({ source }) => source)).toEqual(
        Array.from({ length: 130 }, (_, i) => ({ kind: 'transfer', transferId: `KPY-H-${i}` })),
      );
      const { reference } = await merchant.checkout('korapay');
      await assign(listed[129]?.id ?? '', reference);
      expect(await merchant.fetch(reference)).toMatchObject({ paid_amount: 1 });
    },
  );
});
