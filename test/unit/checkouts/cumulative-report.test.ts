import {
  type CumulativeReportState,
  cumulativeReportState,
  EMPTY_TOTAL,
  MAX_REVERSED_AT_ONCE,
  nextFee,
  nextOrigin,
  originOfCredit,
  sumCredits,
  withCredit,
  withdraw,
  withReport,
} from '#shared/checkouts/domain/cumulative-report.ts';
import { type Kobo, kobo } from '#shared/platform/kernel/money.ts';
import { id, NOON, paymentOf } from '#test/unit/api/examples.ts';
import { expectEveryFieldRequired } from '#test/unit/every-field.ts';

const REFERENCE = 'PAY-7H2KQ9XW4M1ZB8T5RC3N';
const toKobo = (amount: number): Kobo => kobo.parse(amount);
/** Makes a cumulative report with parts of these amounts in kobo, newest first, each with a fee of one kobo. */
const totalOf = (...amounts: number[]): CumulativeReportState => ({
  ...EMPTY_TOTAL,
  observedAt: NOON,
  credits: amounts.map((amount, n) => ({
    paymentId: id('pay', n),
    reached: toKobo(amount),
    falls: 0,
    amount: toKobo(amount),
    fee: toKobo(1),
  })),
});

describe('a cumulative report', () => {
  test('starts empty', () => {
    expect(EMPTY_TOTAL).toEqual({ kept: 0, returned: 0, falls: 0, observedAt: 0, credits: [] });
  });

  test('survives storing and reading', () => {
    const total = totalOf(5, 7);
    expectEveryFieldRequired(cumulativeReportState, total);
    for (const credit of total.credits) {
      expectEveryFieldRequired(cumulativeReportState, { ...total, credits: [credit] });
      for (const field of Object.keys(credit)) {
        const broken = { ...credit, [field]: undefined };
        expect(cumulativeReportState.safeParse({ ...total, credits: [broken] }).success).toBe(false);
      }
    }
  });

  test.each<[number[], number, number, number]>([
    [[], 0, 10, 10],
    [[5], 5, 10, 9],
    [[5, 7], 12, 10, 8],
    [[5, 7], 12, 2, 0],
    [[5, 7], 12, 1, 0],
  ])(
    'counts with parts of %p kobo %i kobo; if the fee of the sum is %i kobo, the next part has a fee of %i kobo',
    (amounts, credited, fee, next) => {
      expect(sumCredits(totalOf(...amounts))).toBe(credited);
      expect(nextFee(totalOf(...amounts), toKobo(fee))).toBe(next);
    },
  );

  test('stores neither a fall nor refunds if none was reported', () => {
    expect(withReport(undefined, { kept: toKobo(5) }, undefined)).toStrictEqual({ kept: 5 });
  });

  test('lists its parts from payments, newest first', () => {
    const total = { ...totalOf(7), kept: toKobo(12), falls: 2 };
    const origin = { kind: 'part', reference: REFERENCE, reached: 12, falls: 2 };
    expect(nextOrigin(REFERENCE, total)).toEqual(origin);
    const after = withCredit(total, paymentOf({ id: id('pay', 9), amount: toKobo(5), fee: toKobo(3) }));
    const credit = { paymentId: id('pay', 9), reached: 12, falls: 2, amount: 5, fee: 3 };
    expect(after).toEqual({ ...total, credits: [credit, ...total.credits] });
    expect(after.credits.map((part) => originOfCredit(REFERENCE, part))[0]).toEqual(origin);
  });

  test.each<[string, number[], number, number, number, number]>([
    ['nothing', [5, 7], 0, 0, 0, 0],
    ['less than the newest part', [5, 7], 3, 1, 3, 2],
    ['the newest part', [5, 7], 5, 1, 5, 0],
    ['a little more', [5, 7], 6, 2, 6, 6],
    ['all', [5, 7], 12, 2, 12, 0],
    ['more than there is', [5, 7], 13, 2, 12, 0],
    ['something, although it has no parts', [], 1, 0, 0, 0],
  ])('loses its newest parts first when an amount is withdrawn: %s', (_, amounts, target, parts, amount, remainder) => {
    const total = totalOf(...amounts);
    expect(withdraw(total, toKobo(target))).toEqual({
      taken: total.credits.slice(0, parts),
      left: total.credits.slice(parts),
      amount,
      remainder,
    });
  });

  test('loses at most forty parts in one withdrawal', () => {
    const total = totalOf(...Array.from({ length: 51 }, () => 2));
    expect(MAX_REVERSED_AT_ONCE).toBe(40);
    expect(withdraw(total, toKobo(102))).toEqual({
      taken: total.credits.slice(0, MAX_REVERSED_AT_ONCE),
      left: total.credits.slice(MAX_REVERSED_AT_ONCE),
      amount: 80,
      remainder: 0,
    });
  });
});
