import { MINUTE, SECOND } from '#shared/platform/kernel/time.ts';
import {
  isProviderFailure,
  isUnanswered,
  nextProviderRetry,
  OutcomeUnknown,
  ProviderBusy,
  ProviderError,
  ProviderUnavailable,
} from '#shared/providers/domain/errors.ts';
import { findWindow, listShares, providerQuota } from '#shared/providers/domain/quota.ts';
import { NOON, SHOP } from '#test/unit/api/examples.ts';

describe('a busy provider', () => {
  const busy = new ProviderBusy('The provider limits our requests.', 9_001);

  test('a busy provider did nothing and has not failed', () => {
    expect([isUnanswered(busy), isProviderFailure(busy)]).toEqual([true, false]);
    for (const failure of [new OutcomeUnknown(), new ProviderUnavailable()])
      expect(isProviderFailure(failure)).toBe(true);
    for (const other of [new ProviderError(), new Error('a bug of ours')]) expect(isProviderFailure(other)).toBe(false);
  });

  test.each([
    [9_001, 10],
    [SECOND, 1],
    [0, 1],
  ])('a wait of %p ms is reported as %p seconds', (waitMs, seconds) =>
    expect(new ProviderBusy('', waitMs).retryAfterSeconds).toBe(seconds),
  );

  test('a busy provider is not asked before its limit ends', () => {
    const limited = new ProviderBusy('', MINUTE);
    expect(nextProviderRetry(NOON, NOON, SECOND, limited)).toBe(NOON + MINUTE);
    expect(nextProviderRetry(NOON - 5 * MINUTE, NOON, SECOND, limited)).toBe(NOON + 5 * MINUTE);
    expect(nextProviderRetry(NOON, NOON, SECOND, new ProviderUnavailable())).toBe(NOON + SECOND);
  });
});

describe('the windows of a quota', () => {
  const quota = { creations: 10, publicCreations: 8, addressCreations: 2, seconds: 10 };

  test('the windows follow each other without a gap', () => {
    const first = findWindow(quota, NOON);
    expect(first.endsAt).toBe(NOON + 10 * SECOND);
    expect(findWindow(quota, NOON + 10 * SECOND - 1)).toEqual(first);
    expect(findWindow(quota, NOON + 10 * SECOND)).toEqual({ number: first.number + 1, endsAt: NOON + 20 * SECOND });
  });

  test.each([
    [{ creations: -1 }],
    [{ creations: 1.5 }],
    [{ publicCreations: -1 }],
    [{ addressCreations: undefined }],
    [{ seconds: 0 }],
    [{ seconds: 61 }],
  ])('a quota with %p is invalid', (wrong) =>
    expect(providerQuota.safeParse({ ...quota, ...wrong }).success).toBe(false),
  );
});

describe('the shares of a quota', () => {
  const quota = { creations: 10, publicCreations: 8, addressCreations: 2, seconds: 10 };
  const asker = (kind: 'secret' | 'public', mode: 'live' | 'test' = 'live') => ({
    businessId: SHOP,
    mode,
    kind,
    addressBlock: '198.51.100.7',
  });

  test('servers and browsers have separate shares, and the share of one address is counted before that of all browsers', () => {
    expect(listShares(quota, asker('secret'))).toEqual([{ name: 'secret', bucket: 'secret', quota: 10 }]);
    expect(listShares(quota, asker('public'))).toEqual([
      { name: 'address', bucket: 'public#198.51.100.7', quota: 2 },
      { name: 'address_at_all', bucket: 'public#198.51.100.7', quota: 20, isShared: true },
      { name: 'public', bucket: 'public', quota: 8 },
    ]);
  });

  test('test mode has separate shares, which are larger for browsers', () => {
    expect(listShares(quota, asker('secret', 'test'))).toEqual([{ name: 'secret', bucket: 'test#secret', quota: 10 }]);
    expect(listShares(quota, asker('public', 'test'))).toEqual([
      { name: 'address', bucket: 'test#public#198.51.100.7', quota: 10 },
      { name: 'address_at_all', bucket: 'test#public#198.51.100.7', quota: 100, isShared: true },
      { name: 'public', bucket: 'test#public', quota: 40 },
    ]);
  });

  test('a share without a limit is not counted', () => {
    expect(listShares({ ...quota, creations: 0 }, asker('secret'))).toEqual([]);
    expect(listShares({ ...quota, addressCreations: 0 }, asker('public')).map(({ name }) => name)).toEqual(['public']);
  });
});
