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
const of = (amount: number): Kobo => kobo.parse(amount);
/** A total of parts of these amounts, newest first, each with a fee of one kobo. */
const totalOf = (...amounts: number[]): CumulativeReportState => ({
  ...EMPTY_TOTAL,
  observedAt: NOON,
  credits: amounts.map((amount, n) => ({
    paymentId: id('pay', n),
    reached: of(amount),
    falls: 0,
    amount: of(amount),
    fee: of(1),
  })),
});

describe('a cumulative report', () => {
  test('begins with nothing', () => {
    expect(EMPTY_TOTAL).toEqual({ kept: 0, returned: 0, falls: 0, observedAt: 0, credits: [] });
  });

  test('is stored and read back', () => {
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
  ])('of parts of %p has %i kobo that count; of a fee of %i the next part has %i', (amounts, credited, fee, next) => {
    expect(sumCredits(totalOf(...amounts))).toBe(credited);
    expect(nextFee(totalOf(...amounts), of(fee))).toBe(next);
  });

  test('has neither a fall nor refunds where none was seen', () => {
    expect(withReport(undefined, { kept: of(5) }, undefined)).toStrictEqual({ kept: 5 });
  });

  test('gets its parts from payments, the newest first', () => {
    const total = { ...totalOf(7), kept: of(12), falls: 2 };
    const origin = { kind: 'part', reference: REFERENCE, reached: 12, falls: 2 };
    expect(nextOrigin(REFERENCE, total)).toEqual(origin);
    const after = withCredit(total, paymentOf({ id: id('pay', 9), amount: of(5), fee: of(3) }));
    const credit = { paymentId: id('pay', 9), reached: 12, falls: 2, amount: 5, fee: 3 };
    expect(after).toEqual({ ...total, credits: [credit, ...total.credits] });
    expect(after.credits.map((one) => originOfCredit(REFERENCE, one))[0]).toEqual(origin);
  });

  test.each<[string, number[], number, number, number, number]>([
    ['nothing', [5, 7], 0, 0, 0, 0],
    ['less than the newest part', [5, 7], 3, 1, 3, 2],
    ['the newest part', [5, 7], 5, 1, 5, 0],
    ['a little more', [5, 7], 6, 2, 6, 6],
    ['all', [5, 7], 12, 2, 12, 0],
    ['more than there is', [5, 7], 13, 2, 12, 0],
    ['something of nothing', [], 1, 0, 0, 0],
  ])('is withdrawn from, the newest part first: %s', (_, amounts, wanted, parts, amount, remainder) => {
    const total = totalOf(...amounts);
    expect(withdraw(total, of(wanted))).toEqual({
      taken: total.credits.slice(0, parts),
      left: total.credits.slice(parts),
      amount,
      remainder,
    });
  });

  test('is withdrawn from by forty parts at once', () => {
    const total = totalOf(...Array.from({ length: 51 }, () => 2));
    expect(MAX_REVERSED_AT_ONCE).toBe(40);
    expect(withdraw(total, of(102))).toEqual({
      taken: total.credits.slice(0, MAX_REVERSED_AT_ONCE),
      left: total.credits.slice(MAX_REVERSED_AT_ONCE),
      amount: 80,
      remainder: 0,
    });
  });
});
