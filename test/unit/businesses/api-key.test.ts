import { createHash, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { hashKey, isUsable, isWellFormedKey, keyPrefix, newApiKey } from '#shared/businesses/domain/api-key.ts';
import { longerTest, setRuns } from '#test/support/jest/long.ts';
import { NOON, storedKey } from '#test/unit/api/examples.ts';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const VISIBLE = Array.from({ length: 94 }, (_, i) => String.fromCharCode(0x21 + i));

/** Computes CRC-32 bit by bit (reflected polynomial EDB88320), independently of the code. */
const crc32 = (text: string): bigint => {
  let crc = 0xffffffff;
  for (const byte of Buffer.from(text)) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return BigInt((crc ^ 0xffffffff) >>> 0);
};

const base62 = (value: bigint, length: number): string =>
  Array.from({ length }, (_, i) => BASE62[Number((value / 62n ** BigInt(length - 1 - i)) % 62n)]).join('');

const withChecksum = (body: string): string => body + base62(crc32(body), 6);

const prefixes = fc.constantFrom('sk_live_', 'sk_test_', 'pk_live_', 'pk_test_');
const base62Text = (length: number) =>
  fc.string({ unit: fc.constantFrom(...BASE62), minLength: length, maxLength: length });
const keys = fc.tuple(prefixes, base62Text(32)).map(([prefix, random]) => withChecksum(prefix + random));

describe('an API key', () => {
  test('can be checked with this file’s own CRC-32, which has the published check value of 123456789', () => {
    expect(crc32('123456789')).toBe(0xcbf43926n);
    expect(base62(61n * 62n + 10n, 6)).toBe('0000zA');
  });

  test.each([
    ['secret', 'live', 'sk_live_'],
    ['secret', 'test', 'sk_test_'],
    ['public', 'live', 'pk_live_'],
    ['public', 'test', 'pk_test_'],
  ] as const)(
    'has a prefix, 32 random base62 characters and 6 of checksum: %s key in %s mode with %s',
    (kind, mode, prefix) => {
      const key = newApiKey(kind, mode, randomBytes);
      expect(keyPrefix(kind, mode)).toBe(prefix);
      expect(key).toMatch(new RegExp(`^${prefix}[0-9A-Za-z]{38}$`));
      expect(key).toBe(withChecksum(key.slice(0, -6)));
      expect(isWellFormedKey(key)).toBe(true);
    },
  );

  test('differs every time, and uses the whole alphabet evenly', () => {
    const issued = Array.from({ length: 2_000 }, () => newApiKey('secret', 'live', randomBytes).slice(8, 40));
    expect(new Set(issued).size).toBe(issued.length);
    const counts = new Map<string, number>();
    for (const char of issued.join('')) counts.set(char, (counts.get(char) ?? 0) + 1);
    expect([...counts.keys()].sort()).toEqual([...BASE62].sort());
    // 64,000 characters over 62: 1,032 each; six standard deviations are 191.
    for (const count of counts.values()) expect(Math.abs(count - 64_000 / 62)).toBeLessThan(191);
  });

  test('has no bias: bytes above the last whole multiple of 62 are thrown away', () => {
    const bytes = [248, 255, 0, 61, 62, 247];
    let next = 0;
    const key = newApiKey('secret', 'test', (length) =>
      Uint8Array.from({ length }, () => bytes[next++ % bytes.length] ?? 0),
    );
    expect(key.slice(8, 40)).toBe('0z0z'.repeat(8));
  });

  test('has a valid form if prefix, characters and checksum are right', () => {
    fc.assert(fc.property(keys, (key) => isWellFormedKey(key)));
  });

  longerTest('has no valid form with any one character replaced by any other', () => {
    fc.assert(
      fc.property(keys, fc.nat(45), (key, at) => {
        for (const char of VISIBLE) {
          if (char === key[at]) continue;
          expect(isWellFormedKey(key.slice(0, at) + char + key.slice(at + 1))).toBe(false);
        }
      }),
      setRuns(500),
    );
  });

  test('has no valid form with two neighbouring characters swapped', () => {
    fc.assert(
      fc.property(keys, (key) => {
        for (let at = 0; at < key.length - 1; at++) {
          if (key[at] === key[at + 1]) continue;
          const swapped = key.slice(0, at) + key[at + 1] + key[at] + key.slice(at + 2);
          expect(isWellFormedKey(swapped)).toBe(false);
        }
      }),
    );
  });

  test('has no valid form with one character missing or doubled', () => {
    fc.assert(
      fc.property(keys, fc.nat(45), (key, at) => {
        expect(isWellFormedKey(key.slice(0, at) + key.slice(at + 1))).toBe(false);
        expect(isWellFormedKey(key.slice(0, at) + key[at] + key.slice(at))).toBe(false);
      }),
    );
  });

  const random = 'Zx81Qm3LkP0aYt7RbN5cVd2FgH9jW4eU';
  test.each([
    ['an empty text', ''],
    ['a prefix alone', 'sk_test_'],
    ['a key of another service', withChecksum(`rk_test_${random}`)],
    ['an unknown mode', withChecksum(`sk_prod_${random}`)],
    ['a prefix in capitals', withChecksum(`SK_TEST_${random}`)],
    ['no underscore', withChecksum(`sktest__${random}`)],
    ['31 random characters', withChecksum(`sk_test_${random.slice(1)}`)],
    ['33 random characters', withChecksum(`sk_test_${random}A`)],
    ['no checksum', `sk_test_${random}`],
    ['a checksum of zeros', `sk_test_${random}000000`],
    ['a character outside base62', withChecksum(`sk_test_${random.slice(1)}-`)],
    ['a letter that only looks Latin', withChecksum(`sk_test_${random.slice(1)}а`)],
    ['a space in front', ` ${withChecksum(`sk_test_${random}`)}`],
    ['a line break behind', `${withChecksum(`sk_test_${random}`)}\n`],
    ['two keys', withChecksum(`sk_test_${random}`).repeat(2)],
  ])('has no valid form as %s', (_, key) => {
    expect(isWellFormedKey(key)).toBe(false);
  });

  test('has its SHA-256 in hex as its stored hash', () => {
    const key = withChecksum(`sk_test_${random}`);
    expect(hashKey(key)).toBe(createHash('sha256').update(key, 'ascii').digest('hex'));
  });
});

describe('a stored key', () => {
  test.each([
    ['that has not ended', {}, true],
    ['that was revoked', { revokedAt: NOON - 1 }, false],
    ['that was revoked at this very moment', { revokedAt: NOON }, false],
    ['of a suspended business', { businessSuspended: true }, false],
    ['a millisecond before its grace ends', { expiresAt: NOON + 1 }, true],
    ['at the moment its grace ends', { expiresAt: NOON }, false],
    ['after its grace', { expiresAt: NOON - 1 }, false],
    ['within its grace, of a suspended business', { expiresAt: NOON + 1, businessSuspended: true }, false],
    ['within its grace, but revoked', { expiresAt: NOON + 1, revokedAt: NOON - 1 }, false],
  ])('%s is accepted: %p → %p', (_, fields, usable) => {
    expect(isUsable(storedKey(fields), NOON)).toBe(usable);
  });
});
