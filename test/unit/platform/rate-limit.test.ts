import fc from 'fast-check';
import { rateLimitHeaders } from '#shared/api/http/rate-limit-headers.ts';
import { addressBlock } from '#shared/platform/requests/address-block.ts';
import { isOver, listRateLimits, mayReportLater, type RateLimitUse } from '#shared/platform/requests/rate-limit.ts';

const NOON = Date.UTC(2026, 10, 20, 12);
const LIMITS = { live: 100, test: 25, publicAddress: 10 };
const request = {
  keyHash: 'hash',
  kind: 'public',
  mode: 'live',
  ownRateLimit: false,
  sourceIp: '102.89.23.17',
} as const;

test('a request with a public key counts first for its address and then for its key, and one with a secret key only for its key', () => {
  expect(listRateLimits(LIMITS, request)).toEqual([
    { name: 'address', bucket: 'hash#102.89.23.17', quota: 10 },
    { name: 'key', bucket: 'hash', quota: 100 },
  ]);
  expect(listRateLimits(LIMITS, { ...request, kind: 'secret', mode: 'test', ownRateLimit: true })).toEqual([
    { name: 'verify', bucket: 'hash#verify', quota: 25 },
  ]);
  expect(listRateLimits({ ...LIMITS, publicAddress: 0 }, request)).toMatchObject([{ name: 'key' }]);
});

test('containers that report their counts in blocks refuse no request within the quota, and each admits at most four more', () => {
  const requests = fc.array(fc.nat({ max: 4 }), { maxLength: 300 });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 60 }), requests, (quota, sent) => {
      const rateLimit = { name: 'key', bucket: 'hash', quota } as const;
      const containers = Array.from({ length: 5 }, () => ({ seen: undefined as number | undefined, unreported: 0 }));
      let [reported, answered] = [0, 0];
      for (const container of sent.map((i) => containers[i])) {
        if (!container || (container.seen ?? 0) > quota) continue;
        container.unreported += 1;
        if (!mayReportLater(container.seen, container.unreported, rateLimit)) {
          reported += container.unreported;
          Object.assign(container, { seen: reported, unreported: 0 });
          if (isOver({ rateLimit, count: reported, countedBy: 'all' })) {
            expect(answered).toBeGreaterThanOrEqual(quota);
            continue;
          }
        }
        answered += 1;
      }
      expect(answered).toBeLessThanOrEqual(quota + 4 * containers.length);
    }),
  );
});

test.each<[string, readonly string[], string]>([
  ['IPv4', ['102.89.23.17'], '102.89.23.17'],
  ['IPv4-mapped', ['::ffff:102.89.23.17', '::FFFF:6659:1711', '0:0:0:0:0:ffff:102.89.23.17'], '102.89.23.17'],
  ['one /64', ['2c0f:f8f0:1:2::1', '2C0F:F8F0:0001:0002:dead:beef:0:1', '2c0f:f8f0:1:2::'], '2c0f:f8f0:1:2::/64'],
  ['the next /64', ['2c0f:f8f0:1:3::1'], '2c0f:f8f0:1:3::/64'],
  ['with zeros within', ['2c0f::1', '2c0f:0:0:0:1::'], '2c0f:0:0:0::/64'],
  ['loopback', ['::1'], '0:0:0:0::/64'],
  ['with a zone', ['fe80::1%eth0'], 'fe80:0:0:0::/64'],
])('%s: the addresses of one subscriber have one block', (_, addresses, block) => {
  for (const address of addresses) expect(addressBlock(address)).toBe(block);
});

test('a host’s own half of an IPv6 address does not change its block', () => {
  fc.assert(
    fc.property(
      fc.ipV6(),
      fc.array(fc.integer({ min: 0, max: 0xffff }), { minLength: 4, maxLength: 4 }),
      (address, hostGroups) => {
        const block = addressBlock(address);
        fc.pre(block.endsWith('::/64'));
        // This network contains the IPv4-mapped addresses. Each of them is an IPv4 address with a block of its own.
        fc.pre(block !== '0:0:0:0::/64');
        const host = hostGroups.map((group) => group.toString(16)).join(':');
        expect(addressBlock(`${block.slice(0, -'::/64'.length)}:${host}`)).toBe(block);
      },
    ),
  );
});

const makeUse = (count: number, quota: number, countedBy: RateLimitUse['countedBy'] = 'all'): RateLimitUse => ({
  rateLimit: { name: 'key', bucket: 'hash', quota },
  count,
  countedBy,
});

test('a container without the common count admits a tenth of the quota, and at least one request', () => {
  expect([25, 26].map((count) => isOver(makeUse(count, 25)))).toEqual([false, true]);
  expect([2, 3].map((count) => isOver(makeUse(count, 25, 'this container')))).toEqual([false, true]);
  expect([1, 2].map((count) => isOver(makeUse(count, 5, 'this container')))).toEqual([false, true]);
  expect([10, 11].map((count) => isOver(makeUse(count, 100, 'this container')))).toEqual([false, true]);
});

test('the headers show only counts of all containers', () => {
  expect(rateLimitHeaders([makeUse(7, 25)], NOON)).toEqual({
    'ratelimit-policy': '"key";q=25;w=1',
    ratelimit: '"key";r=18;t=1',
  });
  expect(rateLimitHeaders([makeUse(7, 25, 'this container')], NOON)).toEqual({});
});
