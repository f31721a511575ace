import { findMovements, isStale, type Movement } from '#shared/payments/domain/landing/total-movements.ts';
import { kobo } from '#shared/platform/kernel/money.ts';
import { SECOND } from '#shared/platform/kernel/time.ts';
import { NOON } from '#test/unit/api/examples.ts';

const at = (kept: number, returned: number) => ({ kept: kobo.parse(kept), returned: kobo.parse(returned) });

describe('the movements between two positions', () => {
  type Row = readonly [string, [number, number] | undefined, [number, number], string];
  const ROWS: readonly Row[] = [
    ['an empty first total', undefined, [0, 0], ''],
    ['a first total', undefined, [5, 0], 'credited 5'],
    ['a total that grew', [5, 0], [8, 0], 'credited 3'],
    ['the same total', [5, 2], [5, 2], ''],
    ['a total that fell', [8, 0], [5, 3], 'reversed 3'],
    ['a total that fell without a reported return', [8, 0], [5, 0], 'reversed 3'],
    ['a total that fell by less than was returned', [8, 1], [5, 6], 'reversed 3, rejected 2'],
    ['a total that grew while some money was returned', [5, 0], [8, 2], 'credited 3, rejected 2'],
    ['a total that grew after it fell', [5, 3], [8, 3], 'credited 3'],
    ['a total with less returned than recorded', [5, 3], [5, 1], ''],
    ['a total that was returned completely', [8, 0], [0, 8], 'reversed 8'],
    ['a total that was returned completely, with more money that never counted', [8, 1], [0, 20], 'reversed 8'],
    ['a total that never counted', undefined, [0, 8], 'rejected 8'],
    ['more of a total that never counted', [0, 8], [0, 9], 'rejected 1'],
    ['a first total with some money returned', undefined, [5, 3], 'credited 5, rejected 3'],
  ];
  test.each(ROWS)('are found for %s', (_, before, now, expected) => {
    const movements = findMovements(before && at(...before), at(...now));
    expect(movements.map(({ kind, amount }: Movement) => `${kind} ${amount}`).join(', ')).toBe(expected);
  });
});

describe('a cumulative report', () => {
  const MARGIN = 30 * SECOND;
  test.each([
    ['the same sum, however old', 5, 0, -SECOND, false],
    ['a larger sum, asked for before the recorded one', 6, 0, -1, true],
    ['a larger sum, asked for at the same time as the recorded one', 6, 0, 0, false],
    ['a larger sum after a fall, asked for within the margin', 6, 2, MARGIN - 1, true],
    ['a larger sum after a fall, asked for after the margin', 6, 2, MARGIN, false],
    ['a smaller sum, asked for within the margin', 4, 0, MARGIN - 1, true],
    ['a smaller sum, asked for after the margin', 4, 0, MARGIN, false],
    ['a smaller sum, at an unknown time', 4, 0, -NOON, true],
  ])('is stale, or not: %s', (_name, kept, falls, after, expected) => {
    const before = { kept: kobo.parse(5), falls, observedAt: NOON };
    expect(isStale(before, { kept: kobo.parse(kept), askedAt: NOON + after })).toBe(expected);
  });
});
