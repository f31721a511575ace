import { kobo, naira, parseAmount } from '#shared/pages/dashboard/client/parts/naira.ts';

test.each([
  ['8,500.75', '8500.75'],
  ['₦8,500', '8500'],
  ['₦ 1,208,500.5', '1208500.5'],
  [' ngn 8500 ', '8500'],
  ['8500.75', '8500.75'],
])('the typed amount %s is parsed as %s', (typed, amount) => {
  expect(parseAmount(typed)).toBe(amount);
});

test.each(['', '₦', '8,50.75', '8500.755', '85,00', 'ORDER-1042', '1042/2', '-5', '8 500', '12345678901'])(
  'the text “%s” is not parsed as an amount',
  (typed) => {
    expect(parseAmount(typed)).toBeUndefined();
  },
);

test('amounts are written in naira and summed in whole kobo', () => {
  expect(naira(8_500.75)).toBe('₦8,500.75');
  expect(kobo(8_500.75) - kobo(8_000.1)).toBe(50_065);
});
