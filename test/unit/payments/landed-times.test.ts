import { countLandings, type LandedPayment } from '#shared/payments/domain/landed-times.ts';
import { HOUR, MINUTE, SECOND } from '#shared/platform/kernel/time.ts';
import { classifyLanding, markBusiness } from '#shared/providers/domain/health/counts.ts';
import { NOON } from '#test/unit/api/examples.ts';

const round = { from: NOON - 11 * MINUTE, to: NOON - MINUTE };
const landed = (id: string, recordedAt: number, took: number, more: Partial<LandedPayment> = {}) => ({
  landed: { id, businessId: 'biz_1', recordedAt, paidAt: recordedAt - took, ...more },
});
const countPayments = (...booked: Parameters<typeof countLandings>[0]) =>
  countLandings(booked, round, NOON)?.landings.reduce((sum, number) => sum + number, 0) ?? 0;

describe('landing times of payments', () => {
  test('count once for each payment of a list page, by class, with the marks of the businesses', () => {
    const first = landed('pay_1', NOON - 5 * MINUTE, 8 * SECOND);
    const counted = countLandings(
      [first, first, landed('pay_2', NOON - 4 * MINUTE, 2 * MINUTE, { businessId: 'biz_2' }), {}],
      round,
      NOON,
    );
    expect(counted?.landings.flatMap((number, place) => (number > 0 ? [[place, number]] : []))).toEqual([
      [classifyLanding(8 * SECOND), 1],
      [classifyLanding(2 * MINUTE), 1],
    ]);
    expect(counted?.landedFor).toEqual([markBusiness('biz_1'), markBusiness('biz_2')]);
    expect(counted?.at).toBe(NOON);
  });

  test('count only in the first round that compares the payment', () => {
    expect(countPayments(landed('pay_1', round.from - 1, SECOND))).toBe(0);
    expect(countPayments(landed('pay_1', round.from, SECOND))).toBe(1);
    expect(countPayments(landed('pay_1', round.to - 1, SECOND))).toBe(1);
    expect(countPayments(landed('pay_1', round.to, SECOND))).toBe(0);
    expect(countLandings([], round, NOON)).toBeUndefined();
  });

  test('do not count for a payment without a provider’s time, a remainder, or a payment recorded over half an hour ago', () => {
    expect(countPayments(landed('pay_1', NOON - 5 * MINUTE, 0))).toBe(0);
    expect(countPayments(landed('pay_1', NOON - 5 * MINUTE, SECOND, { restFrom: NOON - HOUR }))).toBe(0);
    const late = { from: NOON - 2 * HOUR, to: NOON };
    expect(countLandings([landed('pay_1', NOON - 31 * MINUTE, SECOND)], late, NOON)).toBeUndefined();
  });

  test('become zero if a provider’s clock is ahead of ours', () => {
    expect(countLandings([landed('pay_1', NOON - 5 * MINUTE, -9 * SECOND)], round, NOON)?.landings[0]).toBe(1);
  });
});
