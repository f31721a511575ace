import fc from 'fast-check';

test('fast-check generates lists of more than two thirds of the greatest length that an arbitrary allows', () => {
  const lengths = fc.sample(fc.array(fc.nat(), { maxLength: 60 }), 100).map((list) => list.length);
  expect(Math.max(...lengths)).toBeGreaterThan(40);
});
