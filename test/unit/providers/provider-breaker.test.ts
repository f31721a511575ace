import { MINUTE, SECOND } from '#shared/platform/kernel/time.ts';
import {
  admission,
  beginProbe,
  clampRetryAfter,
  computeLimitLeft,
  countsTowardsOutage,
  healthyProvider,
  OUTAGE_AFTER,
  PROBE_INTERVAL,
  type ProviderBreaker,
  providerBreaker,
  recordAnswer,
  recordFailure,
  recordLimit,
} from '#shared/providers/domain/breaker.ts';
import { NOON } from '#test/unit/api/examples.ts';

const healthy = healthyProvider('korapay', 'look_ups');
/** Builds the breaker after `times` failures with `gap` milliseconds between them. */
const breakerAfter = (times: number, gap = SECOND): ProviderBreaker => {
  let row = healthy;
  for (let i = 0; i < times; i++) row = recordFailure(row, NOON + i * gap) ?? row;
  return row;
};
const openBreaker = breakerAfter(OUTAGE_AFTER, 0);

describe('the breaker of a provider', () => {
  test('admits every call and writes nothing while the provider is healthy', () => {
    expect(admission(healthy, NOON)).toBe('call');
    expect(recordAnswer(healthy, NOON)).toBeUndefined();
  });

  test('opens at the fifth failure in a row', () => {
    expect(OUTAGE_AFTER).toBe(5);
    for (let times = 1; times < OUTAGE_AFTER; times++) expect(breakerAfter(times)).toMatchObject({ openUntil: null });
    expect(providerBreaker.parse(openBreaker)).toEqual({
      provider: 'korapay',
      calls: 'look_ups',
      failures: 5,
      lastFailureAt: NOON,
      openUntil: NOON + PROBE_INTERVAL,
      limitedUntil: null,
      version: 5,
    });
  });

  test.each([
    ['the first', true, 0, 1],
    ['the first after an answer', false, NOON, 1],
    ['the second after an answer', false, NOON, 2],
    ['the third after an answer', true, NOON, 3],
    ['the first a minute after an answer', false, NOON - MINUTE, 1],
    ['the first more than a minute after an answer', true, NOON - MINUTE - 1, 1],
  ])('counts a container’s failures: %s → %s', (_, counts, answeredAt, failures) => {
    expect(countsTowardsOutage({ answeredAt, failures }, NOON)).toBe(counts);
  });

  test('does not add up failures with more than a minute between them', () => {
    expect(breakerAfter(50, MINUTE + 1)).toMatchObject({ failures: 1, openUntil: null });
    expect(breakerAfter(5, MINUTE).openUntil).not.toBeNull();
  });

  test('resets its failures after an answer, and writes the reset only while the failures count', () => {
    const once = breakerAfter(1);
    expect(recordAnswer(once, NOON + MINUTE)).toEqual({ ...once, failures: 0, version: 2 });
    expect(recordAnswer(once, NOON + MINUTE + 1)).toBeUndefined();
  });

  test('admits no call for 30 seconds, then a probe, and another probe after 30 more seconds', () => {
    expect(admission(openBreaker, NOON + PROBE_INTERVAL - 1)).toBe('wait');
    expect(admission(openBreaker, NOON + PROBE_INTERVAL)).toBe('probe');
    const probed = beginProbe(openBreaker, NOON + PROBE_INTERVAL);
    expect(admission(probed, NOON + 2 * PROBE_INTERVAL - 1)).toBe('wait');
    expect(admission(probed, NOON + 2 * PROBE_INTERVAL)).toBe('probe');
    // Failures in the meantime change nothing, the probe's included.
    expect(recordFailure(probed, NOON + PROBE_INTERVAL + SECOND)).toBeUndefined();
  });

  test('admits all calls after the first answer, however long the outage was', () => {
    const recovered = recordAnswer(beginProbe(openBreaker, NOON + 60 * MINUTE), NOON + 60 * MINUTE + SECOND);
    expect(recovered).toEqual({ ...openBreaker, failures: 0, openUntil: null, version: 7 });
    expect(recovered && admission(recovered, NOON + 60 * MINUTE)).toBe('call');
  });
});

describe('a limit of the provider', () => {
  test.each([
    [undefined, 5 * SECOND],
    [0, SECOND],
    [7 * SECOND, 7 * SECOND],
    [3_600 * SECOND, MINUTE],
  ])('a Retry-After of %p milliseconds lasts %p', (retryAfter, delay) =>
    expect(clampRetryAfter(retryAfter)).toBe(delay),
  );

  test('a limit is recorded once, and again only if it lasts a second longer', () => {
    const limited = recordLimit(healthy, NOON, 10 * SECOND);
    if (!limited) throw new Error('The limit was not recorded.');
    expect(limited).toEqual({ ...healthy, limitedUntil: NOON + 10 * SECOND, version: 1 });
    expect(recordLimit(limited, NOON, 10 * SECOND)).toBeUndefined();
    expect(recordLimit(limited, NOON + 500, 10 * SECOND)).toBeUndefined();
    expect(recordLimit(limited, NOON + SECOND, 10 * SECOND)).toMatchObject({ version: 2 });
    expect([
      computeLimitLeft(healthy, NOON),
      computeLimitLeft(limited, NOON + 1),
      computeLimitLeft(limited, NOON + MINUTE),
    ]).toEqual([0, 10 * SECOND - 1, 0]);
  });

  test('a limit neither opens the breaker nor ends an outage nor counts as a failure', () => {
    expect(admission(recordLimit(healthy, NOON, MINUTE) ?? openBreaker, NOON)).toBe('call');
    expect(recordLimit(openBreaker, NOON, MINUTE)).toMatchObject({ failures: 5, openUntil: NOON + PROBE_INTERVAL });
    expect(recordFailure(recordLimit(healthy, NOON, MINUTE) ?? healthy, NOON)).toMatchObject({ failures: 1 });
  });
});
