import fc from 'fast-check';
import {
  addKobo,
  type Kobo,
  kobo,
  koboFromNaira,
  largerKobo,
  MAX_KOBO,
  nairaDifference,
  nairaFromKobo,
  subtractDownToZero,
  subtractKobo,
} from '#shared/platform/kernel/money.ts';
import { longerTest, setRuns } from '#test/support/jest/long.ts';

const amounts = fc.integer({ min: 0, max: MAX_KOBO }).map((value) => kobo.parse(value));

describe('money', () => {
  longerTest('keeps every amount exact as naira in JSON', () => {
    fc.assert(
      fc.property(amounts, (amount) => {
        expect(koboFromNaira(JSON.parse(JSON.stringify(nairaFromKobo(amount))))).toBe(amount);
      }),
      setRuns(20_000),
    );
  });

  longerTest('never has more than two decimals in naira', () => {
    fc.assert(
      fc.property(amounts, (amount) => {
        expect(JSON.stringify(nairaFromKobo(amount))).toMatch(/^\d+(\.\d{1,2})?$/);
      }),
      setRuns(20_000),
    );
  });

  test('has exact sums, and refuses to leave the exact range', () => {
    fc.assert(
      fc.property(amounts, amounts, (a, b) => {
        if (a + b > MAX_KOBO) expect(() => addKobo(a, b)).toThrow();
        else expect(BigInt(addKobo(a, b))).toBe(BigInt(a) + BigInt(b));
      }),
    );
  });

  test.each([
    [0.1 + 0.2, undefined],
    [0.001, undefined],
    [1.005, undefined],
    [-1, undefined],
    [1e21, undefined],
    [Number.NaN, undefined],
    [Number.POSITIVE_INFINITY, undefined],
    [0, 0],
    [0.3, 30],
    [1.1, 110],
    [4.35, 435],
    [8_500.75, 850_075],
    [100_000_000, 10_000_000_000],
    [9_999_999_999_999.99, MAX_KOBO],
    [10_000_000_000_000, undefined],
  ])('becomes kobo: %p naira is %p kobo', (naira, expected) => {
    expect(koboFromNaira(naira)).toBe(expected as Kobo | undefined);
  });

  test.each([
    [7, 3, { larger: 7, difference: 4 }],
    [3, 7, { larger: 7, difference: 0 }],
    [5, 5, { larger: 5, difference: 0 }],
    [0, 0, { larger: 0, difference: 0 }],
  ])(
    'has a larger amount and a difference of at least zero: %i and %i kobo, %p',
    (first, second, { larger, difference }) => {
      const [a, b] = [kobo.parse(first), kobo.parse(second)];
      expect(largerKobo(a, b)).toBe(larger);
      expect(subtractDownToZero(a, b)).toBe(difference);
    },
  );

  test('has an exact difference in naira, which is negative if the second amount is larger', () => {
    fc.assert(
      fc.property(amounts, amounts, (a, b) => {
        const difference = nairaDifference(a, b);
        expect(
          Object.is(difference, a < b ? -nairaFromKobo(subtractKobo(b, a)) : nairaFromKobo(subtractKobo(a, b))),
        ).toBe(true);
      }),
    );
  });

  test('can be subtracted down to zero, but not below', () => {
    expect(subtractKobo(kobo.parse(7), kobo.parse(3))).toBe(4);
    expect(subtractKobo(kobo.parse(7), kobo.parse(7))).toBe(0);
    expect(() => subtractKobo(kobo.parse(7), kobo.parse(8))).toThrow();
  });
});
