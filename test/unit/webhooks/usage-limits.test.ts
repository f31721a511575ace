import {
  memberUsageId,
  recoveryUnderWay,
  searchUsageId,
  usageLimitReached,
  usageWindow,
  usageWindowLength,
} from '#shared/businesses/domain/usage-limits.ts';
import { HOUR, MINUTE, SECOND } from '#shared/platform/kernel/time.ts';

test('limits count by the minute, or by the hour for changes that owners are mailed about', () => {
  expect(usageWindowLength('send')).toBe(MINUTE);
  for (const kind of ['key_change', 'members_change', 'member_change'] as const) {
    expect(usageWindowLength(kind)).toBe(HOUR);
  }
  expect([0, MINUTE - 1, MINUTE, 3 * MINUTE].map((now) => usageWindow('send', now))).toEqual([0, 0, 1, 3]);
  expect([HOUR - 1, HOUR].map((now) => usageWindow('key_change', now))).toEqual([0, 1]);
});

test('searches are counted for a business in one mode, and changes for one member of the business', () => {
  expect(searchUsageId({ businessId: 'biz_1', mode: 'live' })).toBe('biz_1#live');
  expect(memberUsageId('biz_1', 'usr_1')).toBe('biz_1#usr_1');
});

test('the error for a used-up limit names the limit, the time to wait and the endpoints', () => {
  const error = usageLimitReached('send', ['whe_1', 'whe_2'], 3 * MINUTE + 20 * SECOND);
  expect(error.code).toBe('rate_limited');
  expect(error.details).toEqual({
    message: 'A webhook endpoint takes at most 60 test events and redeliveries a minute. Try again in 40 s.',
    retryAfterSeconds: 40,
    errors: [
      { field: 'endpoint_id', message: 'whe_1 has reached its limit.' },
      { field: 'endpoint_id', message: 'whe_2 has reached its limit.' },
    ],
  });
  expect(usageLimitReached('search', ['biz_1'], 0).details.errors).toBeUndefined();
});

test.each([
  ...(['send', 'recovery', 'recovered_delivery', 'url', 'key_change', 'members_change'] as const),
  ...(['member_change', 'page_simulation', 'search', 'export'] as const),
])('the error for the used-up limit %p names its size and its period', (kind) => {
  const { message } = usageLimitReached(kind, ['biz_1'], 0).details;
  expect(message).toMatch(/ at most [\d,]+ .*(minute|hour)/);
});

test('the error for a second recovery at the same time says when to try again', () => {
  const error = recoveryUnderWay('whe_1');
  expect(error.code).toBe('rate_limited');
  expect(error.details).toEqual({
    message: 'A recovery of this webhook endpoint is under way. Try again in 30 s.',
    retryAfterSeconds: 30,
    errors: [{ field: 'id', message: 'whe_1 is being recovered.' }],
  });
});

test.each([
  ['send', 'endpoint_id'],
  ['recovery', 'endpoint_id'],
  ['recovered_delivery', 'endpoint_id'],
  ['url', 'url'],
] as const)('the error for the used-up limit %s names the field %s of the request', (kind, field) => {
  expect(usageLimitReached(kind, ['whe_1'], 0).details.errors).toMatchObject([{ field }]);
});
