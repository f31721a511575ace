import fc from 'fast-check';
import { isWhitelistEntry, isWhitelisted } from '#shared/businesses/domain/ip-whitelist.ts';

const hex = (value: number): string => value.toString(16);
const words = (value: bigint): number[] =>
  Array.from({ length: 8 }, (_, i) => Number((value >> BigInt(112 - 16 * i)) & 0xffffn));
const dotted = (value: bigint): string => [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 255n).join('.');
const colons = (value: bigint): string => words(value).map(hex).join(':');

const ipv4 = fc.bigInt({ min: 0n, max: 2n ** 32n - 1n });
/** Addresses of the global unicast block, which real callers have. */
const ipv6 = fc.bigInt({ min: 0x2000n << 112n, max: (0x4000n << 112n) - 1n });

/** Checks whether two numbers of `bits` bits agree in their first `prefix` bits. */
const agree = (a: bigint, b: bigint, prefix: number, bits: number): boolean =>
  a >> BigInt(bits - prefix) === b >> BigInt(bits - prefix);

/** Lists all spellings of an IPv4 address as an IPv4-mapped IPv6 address. */
const mappedSpellings = (value: bigint): string[] => {
  const [high, low] = [Number(value >> 16n), Number(value & 0xffffn)];
  const padded = [high, low].map((word) => hex(word).padStart(4, '0')).join(':');
  return [
    `::ffff:${dotted(value)}`,
    `::FFFF:${dotted(value)}`,
    `0:0:0:0:0:ffff:${dotted(value)}`,
    `0000:0000:0000:0000:0000:ffff:${dotted(value)}`,
    `0::ffff:${dotted(value)}`,
    `::ffff:${hex(high)}:${hex(low)}`,
    `::FfFf:${hex(high).toUpperCase()}:${hex(low)}`,
    `0:0:0:0:0:ffff:${hex(high)}:${hex(low)}`,
    `0000:0000:0000:0000:0000:FFFF:${padded}`,
    `::0:ffff:${padded}`,
  ];
};

describe('the IP whitelist of a secret key', () => {
  test('restricts nothing if it is empty', () => {
    expect(isWhitelisted([], '102.89.23.17')).toBe(true);
    expect(isWhitelisted([], '2c0f:f5c0:600:4e1::9')).toBe(true);
  });

  test.each([
    ['the address itself', ['102.89.23.17'], '102.89.23.17', true],
    ['the next address', ['102.89.23.17'], '102.89.23.18', false],
    ['one of several', ['41.58.0.9', '102.89.23.17'], '102.89.23.17', true],
    ['the first address of a range', ['102.89.16.0/20'], '102.89.16.0', true],
    ['the last address of a range', ['102.89.16.0/20'], '102.89.31.255', true],
    ['one past a range', ['102.89.16.0/20'], '102.89.32.0', false],
    ['one before a range', ['102.89.16.0/20'], '102.89.15.255', false],
    ['a range given by an address inside it', ['102.89.23.17/20'], '102.89.16.1', true],
    ['a /32', ['102.89.23.17/32'], '102.89.23.17', true],
    ['the neighbour of a /32', ['102.89.23.17/32'], '102.89.23.16', false],
    ['a /31', ['102.89.23.17/31'], '102.89.23.16', true],
    ['any IPv4 address under 0.0.0.0/0', ['0.0.0.0/0'], '255.255.255.255', true],
    ['an IPv6 address under 0.0.0.0/0', ['0.0.0.0/0'], '2c0f:f5c0::1', false],
    ['an IPv6 address', ['2c0f:f5c0:600:4e1::9'], '2c0f:f5c0:600:4e1::9', true],
    ['an IPv6 address in another spelling', ['2C0F:F5C0:0600:04E1:0:0:0:9'], '2c0f:f5c0:600:4e1::9', true],
    ['a /128', ['2c0f:f5c0:600:4e1::9/128'], '2c0f:f5c0:600:4e1::9', true],
    ['the neighbour of a /128', ['2c0f:f5c0:600:4e1::9/128'], '2c0f:f5c0:600:4e1::8', false],
    ['the end of a /48', ['2c0f:f5c0:600::/48'], '2c0f:f5c0:600:ffff:ffff:ffff:ffff:ffff', true],
    ['one past a /48', ['2c0f:f5c0:600::/48'], '2c0f:f5c0:601::', false],
    ['any IPv6 address under ::/0', ['::/0'], '2c0f:f5c0::1', true],
    ['an IPv4 address among IPv6 ranges', ['2c0f:f5c0:600::/48'], '102.89.23.17', false],
    ['an IPv4-compatible address (not mapped)', ['102.89.23.17'], '::102.89.23.17', false],
    ['an IPv4-translated address (not mapped)', ['102.89.23.17'], '::ffff:0:102.89.23.17', false],
    ['a NAT64 address (not mapped)', ['102.89.23.17'], '64:ff9b::102.89.23.17', false],
  ])('decides on %s: %j and %s → %p', (_, whitelist, sourceIp, allowed) => {
    expect(isWhitelisted(whitelist, sourceIp)).toBe(allowed);
  });

  test.each(['::/0', '::/64', '::/80'])('does not admit an IPv4 address by the IPv6 range %s', (range) => {
    expect(isWhitelistEntry(range)).toBe(true);
    expect(isWhitelisted([range], '102.89.23.17')).toBe(false);
    expect(isWhitelisted([range], '::ffff:102.89.23.17')).toBe(false);
  });

  test('counts an IPv4-mapped address as IPv4, in every spelling and in both directions', () => {
    fc.assert(
      fc.property(ipv4, ipv4, (value, other) => {
        for (const spelling of mappedSpellings(value)) {
          expect(isWhitelistEntry(spelling)).toBe(true);
          expect(isWhitelisted([dotted(value)], spelling)).toBe(true);
          expect(isWhitelisted([spelling], dotted(value))).toBe(true);
          expect(isWhitelisted([spelling], dotted(other))).toBe(value === other);
          expect(isWhitelisted([dotted(other)], spelling)).toBe(value === other);
        }
      }),
    );
  });

  test('agrees with the arithmetic of every IPv4 range, plain and mapped', () => {
    fc.assert(
      fc.property(
        ipv4,
        ipv4,
        fc.integer({ min: 0, max: 32 }),
        fc.integer({ min: 0, max: 32 }),
        (base, noise, prefix, shared) => {
          const address = shared === 32 ? base : base ^ (noise >> BigInt(shared));
          const inside = agree(base, address, prefix, 32);
          const plain = `${dotted(base)}/${prefix}`;
          const mapped = `::ffff:${dotted(base)}/${prefix + 96}`;
          for (const entry of [plain, mapped]) {
            expect(isWhitelistEntry(entry)).toBe(true);
            expect(isWhitelisted([entry], dotted(address))).toBe(inside);
            expect(isWhitelisted([entry], `::ffff:${dotted(address)}`)).toBe(inside);
          }
        },
      ),
      { numRuns: 500 },
    );
  });

  test('agrees with the arithmetic of every IPv6 range', () => {
    fc.assert(
      fc.property(
        ipv6,
        ipv6,
        fc.integer({ min: 0, max: 128 }),
        fc.integer({ min: 3, max: 128 }),
        (base, noise, prefix, shared) => {
          const address = base ^ ((noise & ((1n << 125n) - 1n)) >> BigInt(shared - 3));
          const entry = `${colons(base)}/${prefix}`;
          expect(isWhitelistEntry(entry)).toBe(true);
          expect(isWhitelisted([entry], colons(address))).toBe(agree(base, address, prefix, 128));
        },
      ),
      { numRuns: 500 },
    );
  });

  test.each([
    ['::ffff:10.0.0.0/104', '10.255.0.1', true],
    ['::ffff:10.0.0.0/104', '11.0.0.1', false],
    ['::ffff:10.0.0.0/104', '::ffff:a63:101', true],
    ['::FFFF:A00:0/104', '10.1.2.3', true],
    ['::ffff:0:0/96', '102.89.23.17', true],
    ['::ffff:0:0/96', '2c0f:f5c0::1', false],
    ['::ffff:102.89.23.17/128', '102.89.23.17', true],
    ['::ffff:102.89.23.17/128', '102.89.23.16', false],
  ])('takes a mapped range as the IPv4 range 96 bits shorter: %s and %s → %p', (entry, sourceIp, allowed) => {
    expect(isWhitelistEntry(entry)).toBe(true);
    expect(isWhitelisted([entry], sourceIp)).toBe(allowed);
  });

  test.each([
    [''],
    ['/'],
    ['/8'],
    ['localhost'],
    ['api.example.com'],
    ['*'],
    ['102.89.23'],
    ['102.89'],
    ['10.1'],
    ['1717376785'],
    ['0x66.89.23.17'],
    ['010.0.0.1'],
    ['102.089.23.17'],
    ['102.89.23.256'],
    ['102.89.23.17.1'],
    ['102.89.23.-1'],
    ['102.89.23.17 '],
    [' 102.89.23.17'],
    ['102.89.23.17\n'],
    ['102.89.23.17,41.58.0.9'],
    ['102.89.23.17-102.89.23.20'],
    ['102.89.23.17:443'],
    ['102.89.16.0/'],
    ['102.89.16.0/33'],
    ['102.89.16.0/-1'],
    ['102.89.16.0/+20'],
    ['102.89.16.0/020'],
    ['102.89.16.0/20.0'],
    ['102.89.16.0/2e1'],
    ['102.89.16.0/255.255.240.0'],
    ['102.89.16.0/20/20'],
    ['2c0f:f5c0::/129'],
    ['2c0f:f5c0'],
    ['2c0f::f5c0::1'],
    ['[2c0f:f5c0::1]'],
    ['::ffff:102.89.23'],
    ['::ffff:102.089.23.17'],
    ['::ffff:10.0.0.0/95'],
    ['::ffff:10.0.0.0/129'],
    ['fe80::1%eth0'],
    ['fe80::1%eth0/64'],
    ['fe80::%25eth0'],
    ['102.89.23.17%eth0'],
  ])('refuses the entry %p', (entry) => {
    expect(isWhitelistEntry(entry)).toBe(false);
  });

  test.each(['', 'unknown', 'localhost', '102.89.23', '010.0.0.1', '102.89.23.17:51234', '102.89.23.17, 10.0.0.1'])(
    'does not admit an unreadable source address: %p',
    (sourceIp) => {
      expect(isWhitelisted(['0.0.0.0/0', '::/0'], sourceIp)).toBe(false);
    },
  );

  test('admits nobody, rather than everybody, if it has only unreadable entries', () => {
    expect(isWhitelisted(['garbage', '10.1'], '102.89.23.17')).toBe(false);
  });

  test('never throws, for any input', () => {
    const texts = fc.oneof(fc.string(), fc.ipV4(), fc.ipV6(), fc.stringMatching(/^[0-9a-f:./%]{0,30}$/));
    fc.assert(
      fc.property(fc.array(texts, { maxLength: 3 }), texts, (whitelist, sourceIp) => {
        expect(typeof isWhitelisted(whitelist, sourceIp)).toBe('boolean');
      }),
      { numRuns: 2_000 },
    );
  });
});
