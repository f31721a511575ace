import { countLandings, type LandedPayment } from '#shared/payments/domain/landed-times.ts';
import { HOUR, MINUTE, SECOND } from '#shared/platform/kernel/time.ts';
import { classifyLanding, markBusiness } from '#shared/providers/domain/health/counts.ts';
import { NOON } from '#test/unit/api/examples.ts';

const round = { from: NOON - 11 * MINUTE, to: NOON - MINUTE };
const landed = (id: string, recordedAt: number, took: number, more: Partial<LandedPayment> = {}) => ({
  landed: { id, businessId: 'biz_1', recordedAt, paidAt: recordedAt - took, ...more },
});
const countedOf = (...booked: Parameters<typeof countLandings>[0]) =>
  countLandings(booked, round, NOON)?.landings.reduce((sum, some) => sum + some, 0) ?? 0;

describe('how long payments took to land', () => {
  test('each payment of a page is counted by class, once, with the marks of their businesses', () => {
    const first = landed('pay_1', NOON - 5 * MINUTE, 8 * SECOND);
    const counted = countLandings(
      [first, first, landed('pay_2', NOON - 4 * MINUTE, 2 * MINUTE, { businessId: 'biz_2' }), {}],
      round,
      NOON,
    );
    expect(counted?.landings.flatMap((some, place) => (some > 0 ? [[place, some]] : []))).toEqual([
      [classifyLanding(8 * SECOND), 1],
      [classifyLanding(2 * MINUTE), 1],
    ]);
    expect(counted?.landedFor).toEqual([markBusiness('biz_1'), markBusiness('biz_2')]);
    expect(counted?.at).toBe(NOON);
  });

  test('a payment is counted in the first round that compares it, and in no other', () => {
    expect(countedOf(landed('pay_1', round.from - 1, SECOND))).toBe(0);
    expect(countedOf(landed('pay_1', round.from, SECOND))).toBe(1);
    expect(countedOf(landed('pay_1', round.to - 1, SECOND))).toBe(1);
    expect(countedOf(landed('pay_1', round.to, SECOND))).toBe(0);
    expect(countLandings([], round, NOON)).toBeUndefined();
  });

  test('nothing is counted of a payment without a time of its provider, of a rest, and of what was recorded half an hour ago', () => {
    expect(countedOf(landed('pay_1', NOON - 5 * MINUTE, 0))).toBe(0);
    expect(countedOf(landed('pay_1', NOON - 5 * MINUTE, SECOND, { restFrom: NOON - HOUR }))).toBe(0);
    const late = { from: NOON - 2 * HOUR, to: NOON };
    expect(countLandings([landed('pay_1', NOON - 31 * MINUTE, SECOND)], late, NOON)).toBeUndefined();
  });

  test('a payment took no time where the clock of a provider is ahead of ours', () => {
    expect(countLandings([landed('pay_1', NOON - 5 * MINUTE, -9 * SECOND)], round, NOON)?.landings[0]).toBe(1);
  });
});
