import { MINUTE, SECOND } from '#shared/domain/kernel/time.ts';
import { creationAllowance, windowOf } from '#shared/domain/providers/allowance.ts';
import {
  isProviderAway,
  isProviderFailure,
  nextProviderRetry,
  OutcomeUnknown,
  ProviderBusy,
  ProviderRefusal,
  ProviderUnavailable,
} from '#shared/domain/providers/errors.ts';
import { NOON } from '#test/unit/http/examples.ts';

describe('a busy provider', () => {
  const busy = new ProviderBusy('The provider limits our requests.', 9_001);

  test('did nothing, and has not failed', () => {
    expect([isProviderAway(busy), isProviderFailure(busy)]).toEqual([true, false]);
    for (const failure of [new OutcomeUnknown(), new ProviderUnavailable()])
      expect(isProviderFailure(failure)).toBe(true);
    for (const other of [new ProviderRefusal(), new Error('a bug of ours')])
      expect(isProviderFailure(other)).toBe(false);
  });

  test.each([
    [9_001, 10],
    [SECOND, 1],
    [0, 1],
  ])('that takes requests in %p ms says %p seconds', (waitMs, seconds) =>
    expect(new ProviderBusy('', waitMs).retryAfterSeconds).toBe(seconds),
  );

  test('is not asked before it takes requests again', () => {
    const limited = new ProviderBusy('', MINUTE);
    expect(nextProviderRetry(NOON, NOON, SECOND, limited)).toBe(NOON + MINUTE);
    expect(nextProviderRetry(NOON - 5 * MINUTE, NOON, SECOND, limited)).toBe(NOON + 5 * MINUTE);
    expect(nextProviderRetry(NOON, NOON, SECOND, new ProviderUnavailable())).toBe(NOON + SECOND);
  });
});

describe('the windows of an allowance', () => {
  const allowance = { creations: 10, seconds: 10 };

  test('follow each other on the clock', () => {
    const first = windowOf(allowance, NOON);
    expect(first.endsAt).toBe(NOON + 10 * SECOND);
    expect(windowOf(allowance, NOON + 10 * SECOND - 1)).toEqual(first);
    expect(windowOf(allowance, NOON + 10 * SECOND)).toEqual({ number: first.number + 1, endsAt: NOON + 20 * SECOND });
  });

  test.each([
    [{ creations: -1, seconds: 10 }],
    [{ creations: 1.5, seconds: 10 }],
    [{ creations: 10, seconds: 0 }],
    [{ creations: 10, seconds: 61 }],
  ])('are refused as %p', (wrong) => expect(creationAllowance.safeParse(wrong).success).toBe(false));
});
