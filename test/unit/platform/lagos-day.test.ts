import { isFinal, NOTHING_LANDED, withPayment } from '#shared/payments/domain/daily-total.ts';
import { endOfLagosDay, lagosDate, lagosDates, startOfLagosDay } from '#shared/platform/kernel/lagos-day.ts';

const at = (text: string): number => Date.parse(text);

test.each([
  ['2026-11-20T22:59:59.999Z', '2026-11-20'],
  ['2026-11-20T23:00:00.000Z', '2026-11-21'],
  ['2026-12-31T23:00:00.000Z', '2027-01-01'],
])('%s is on %s in Lagos', (time, date) => {
  expect(lagosDate(at(time))).toBe(date);
});

test('a day in Lagos begins at 23:00 UTC, and ends when the next day begins', () => {
  expect(startOfLagosDay('2026-11-20')).toBe(at('2026-11-19T23:00:00Z'));
  expect(endOfLagosDay('2026-11-20')).toBe(startOfLagosDay('2026-11-21'));
});

test('the days from one day to another include both days', () => {
  expect(lagosDates('2028-02-28', '2028-03-01')).toEqual(['2028-02-28', '2028-02-29', '2028-03-01']);
  expect(lagosDates('2026-11-20', '2026-11-20')).toEqual(['2026-11-20']);
  expect(lagosDates('2026-11-20', '2026-11-19')).toEqual([]);
});

test('a daily total counts each payment under its outcome, but only the reversed part of a partial reversal', () => {
  const payments = [
    { outcome: 'accepted', amount: 500, remainder: 0 },
    { outcome: 'accepted', amount: 60, remainder: 0 },
    { outcome: 'reversed', amount: 100, remainder: 60 },
    { outcome: 'reversed', amount: 7, remainder: 0 },
    { outcome: 'rejected', amount: 3, remainder: 0 },
  ] as const;
  expect(payments.reduce(withPayment, NOTHING_LANDED)).toEqual({ count: 2, amount: 560, rejected: 3, reversed: 47 });
});

test.each([
  ['2026-11-20T23:09:59Z', null, false],
  ['2026-11-20T23:10:00Z', null, true],
  ['2026-11-25T12:09:59Z', '2026-11-25T12:00:00Z', false],
  ['2026-11-25T12:10:00Z', '2026-11-25T12:00:00Z', true],
])(
  'a daily total of 2026-11-20 whose summing began at %s, with the last reversal at %s, is final: %s',
  (began, reversed, final) => {
    expect(isFinal('2026-11-20', reversed === null ? null : at(reversed), at(began))).toBe(final);
  },
);
