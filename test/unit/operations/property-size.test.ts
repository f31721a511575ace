import fc from 'fast-check';

test('a property is tested up to the length in its arbitrary', () => {
  const lengths = fc.sample(fc.array(fc.nat(), { maxLength: 60 }), 100).map((list) => list.length);
  expect(Math.max(...lengths)).toBeGreaterThan(40);
});
