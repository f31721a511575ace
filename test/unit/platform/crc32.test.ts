import { crc32 as expected } from 'node:zlib';
import fc from 'fast-check';
import { crc32 } from '#shared/platform/kernel/crc32.ts';

test('sums texts up as zlib does', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
      expect(crc32(text)).toBe(expected(text));
    }),
  );
});

test.each([
  ['', 0],
  ['123456789', 0xcbf43926],
])('sums %j up', (text, sum) => {
  expect(crc32(text)).toBe(sum);
});
