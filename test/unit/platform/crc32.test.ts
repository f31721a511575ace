import { crc32 as expected } from 'node:zlib';
import fc from 'fast-check';
import { crc32 } from '#shared/platform/kernel/crc32.ts';

test('the CRC-32 of any text is the one of zlib', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
      expect(crc32(text)).toBe(expected(text));
    }),
  );
});

test.each([
  ['', 0],
  ['123456789', 0xcbf43926],
])('the CRC-32 of %j is right', (text, sum) => {
  expect(crc32(text)).toBe(sum);
});
