import fc from 'fast-check';
import { parseRetryAfter } from '#shared/platform/kernel/retry-after.ts';
import { DAY, HOUR, MINUTE, SECOND } from '#shared/platform/kernel/time.ts';
import {
  DEFAULT_SCHEDULE,
  type FailedTry,
  nextProbeAt,
  nextTryAt,
  type RetrySchedule,
  retrySchedule,
} from '#shared/webhooks/domain/retry-schedule.ts';
import { longerTest, setRuns } from '#test/support/jest/long.ts';
import { NOON } from '#test/unit/api/examples.ts';

const ALMOST_ONE = 1 - Number.EPSILON / 2;
const END = NOON + 72 * HOUR;

/** Returns a first try that failed at `NOON` and asked for no wait. */
const failedTry = (changes: Partial<FailedTry> = {}): FailedTry => ({
  tries: 1,
  firstAttemptAt: NOON,
  endedAt: NOON,
  retryAfter: null,
  ...changes,
});
const next = (changes: Partial<FailedTry>, draw = 0.5): number | undefined =>
  nextTryAt(DEFAULT_SCHEDULE, failedTry(changes), draw);

/** Returns the times of all attempts of a schedule if each attempt takes `duration` and fails. */
const listAttemptTimes = (draw: number, { duration = 0, retryAfter = null as number | null } = {}): number[] => {
  const moments = [NOON];
  for (let tries = 1; ; tries++) {
    const endedAt = (moments.at(-1) ?? NOON) + duration;
    const at = next({ tries, endedAt, retryAfter }, draw);
    if (at === undefined || tries > 1_000) return moments;
    moments.push(at);
  }
};

const draws = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

describe('the default retry schedule', () => {
  test('passes the check of a stage’s settings', () => {
    expect(retrySchedule.parse(JSON.parse(JSON.stringify(DEFAULT_SCHEDULE)))).toEqual(DEFAULT_SCHEDULE);
  });

  test.each([
    [1, 5 * SECOND],
    [2, 30 * SECOND],
    [3, 2 * MINUTE],
    [4, 10 * MINUTE],
    [5, 30 * MINUTE],
    [6, HOUR],
    [7, HOUR],
    [8, HOUR],
    [40, HOUR],
    [76, HOUR],
  ])('waits from the end of failed try %i for %i ms, varied by 20 %% either way', (tries, gap) => {
    const endedAt = NOON + 12_345;
    expect(next({ tries, endedAt }, 0)).toBe(endedAt + gap * 0.8);
    expect(next({ tries, endedAt }, 0.5)).toBe(endedAt + gap);
    expect(next({ tries, endedAt }, ALMOST_ONE)).toBe(endedAt + gap * 1.2);
  });

  test('makes 77 attempts without variation', () => {
    expect(listAttemptTimes(0.5)).toHaveLength(77);
  });

  test.each([
    ['the shortest', 0, 95],
    ['average', 0.5, 77],
    ['the longest', ALMOST_ONE, 65],
  ])('uses its 72 h up and never exceeds them with %s gaps', (_, draw, attempts) => {
    const moments = listAttemptTimes(draw);
    const last = moments.at(-1) ?? Number.NaN;
    expect(moments).toHaveLength(attempts);
    expect(last).toBeLessThanOrEqual(END);
    expect(last).toBeGreaterThan(END - 1.2 * HOUR);
  });

  test('counts its 72 h from the first attempt, however long the attempts take', () => {
    const moments = listAttemptTimes(0.5, { duration: 15 * SECOND });
    expect(moments.at(-1)).toBeLessThanOrEqual(END);
    expect(moments.slice(0, 3)).toEqual([NOON, NOON + 20 * SECOND, NOON + 65 * SECOND]);
    expect(moments).toHaveLength(76);
  });

  test('makes an attempt at the last moment of the 72 h and none a millisecond later', () => {
    expect(next({ tries: 70, endedAt: END - HOUR })).toBe(END);
    expect(next({ tries: 70, endedAt: END - HOUR + 1 })).toBeUndefined();
    expect(next({ tries: 70, endedAt: END + DAY })).toBeUndefined();
  });

  test.each([0, 0.25, 0.5, 0.75, ALMOST_ONE])(
    'ends by the varied gap, not by the gap of the schedule (draw %d)',
    (draw) => {
      const gap = HOUR * (0.8 + 0.4 * draw);
      expect(next({ tries: 70, endedAt: END - gap }, draw)).toBe(END);
      expect(next({ tries: 70, endedAt: END - gap + 1 }, draw)).toBeUndefined();
    },
  );

  test('makes an attempt sooner than the gap for a draw below one half, and later for a draw above it', () => {
    fc.assert(
      fc.property(draws, fc.integer({ min: 1, max: 76 }), (draw, tries) => {
        const at = next({ tries }, draw) ?? Number.NaN;
        const middle = next({ tries }, 0.5) ?? Number.NaN;
        expect(Number.isInteger(at)).toBe(true);
        if (draw < 0.49) expect(at).toBeLessThan(middle);
        if (draw > 0.51) expect(at).toBeGreaterThan(middle);
      }),
    );
  });
});

describe('a wait that the endpoint asked for', () => {
  test.each([
    ['changes nothing if it is shorter than the gap', 2, 10 * SECOND, 30 * SECOND],
    ['changes nothing if it is zero', 2, 0, 30 * SECOND],
    ['changes nothing if it is as long as the gap', 2, 30 * SECOND, 30 * SECOND],
    ['counts if it is longer than the gap', 2, 31 * SECOND, 31 * SECOND],
    ['counts if it is longer than every gap', 70, 2 * HOUR, 2 * HOUR],
    ['counts up to six hours', 1, 6 * HOUR, 6 * HOUR],
  ])('%s', (_, tries, retryAfter, wait) => {
    expect(next({ tries, retryAfter })).toBe(NOON + wait);
  });

  test('does not vary, and does not shorten a gap that is longer by variation', () => {
    for (const draw of [0, 0.5, ALMOST_ONE]) expect(next({ retryAfter: HOUR }, draw)).toBe(NOON + HOUR);
    expect(next({ tries: 6, retryAfter: HOUR }, ALMOST_ONE)).toBe(NOON + 1.2 * HOUR);
  });

  test.each([
    ['is a millisecond longer than the rest of the 72 h', 2 * HOUR + 1],
    ['is six hours', 6 * HOUR],
  ])('moves the next attempt to the last moment of the 72 h if it %s', (_, retryAfter) => {
    expect(next({ tries: 70, endedAt: END - 2 * HOUR, retryAfter })).toBe(END);
  });

  test('does not prolong the 72 h', () => {
    expect(next({ tries: 70, endedAt: END, retryAfter: 0 })).toBeUndefined();
    expect(next({ tries: 70, endedAt: END - MINUTE, retryAfter: SECOND })).toBeUndefined();
    expect(next({ tries: 70, endedAt: END - MINUTE, retryAfter: 6 * HOUR })).toBeUndefined();
  });

  test('leaves 13 attempts, the last at the last moment, if it is six hours each time', () => {
    const moments = listAttemptTimes(0.5, { retryAfter: 6 * HOUR });
    expect(moments).toHaveLength(13);
    expect(moments.at(-1)).toBe(END);
  });
});

describe('the next attempt', () => {
  // 80 % of a multiple of 5 ms is a whole number of milliseconds.
  const gaps = fc.integer({ min: 1, max: 5_000_000 }).map((n) => n * 5);
  const schedules: fc.Arbitrary<RetrySchedule> = fc.oneof(
    fc.constant(DEFAULT_SCHEDULE),
    fc.record({
      gaps: fc.array(gaps, { minLength: 1, maxLength: 20 }),
      afterwards: gaps,
      until: fc.integer({ min: 1, max: 100 * HOUR }),
    }),
  );

  longerTest(
    'comes no earlier than 80 % of the gap and the requested wait, and no later than the end of the schedule',
    () => {
      const tries = fc.integer({ min: 1, max: 100 });
      const elapsed = fc.oneof(fc.nat(MINUTE), fc.nat(72 * HOUR));
      const requestedWait = fc.option(fc.oneof(fc.nat(MINUTE), fc.nat(6 * HOUR)));
      fc.assert(
        fc.property(schedules, tries, elapsed, requestedWait, draws, (schedule, count, passed, retryAfter, draw) => {
          const endedAt = NOON + passed;
          const at = nextTryAt(schedule, failedTry({ tries: count, endedAt, retryAfter }), draw);
          const gap = schedule.gaps[count - 1] ?? schedule.afterwards;
          const end = NOON + schedule.until;
          const requestedMs = retryAfter ?? 0;
          if (at === undefined) {
            expect(endedAt + gap * 1.2).toBeGreaterThan(end);
            return;
          }
          expect(Number.isInteger(at)).toBe(true);
          expect(at).toBeGreaterThanOrEqual(endedAt + (gap / 5) * 4);
          expect(at).toBeGreaterThanOrEqual(Math.min(endedAt + requestedMs, end));
          expect(at).toBeLessThanOrEqual(endedAt + Math.max((gap / 5) * 6, requestedMs));
          expect(at).toBeLessThanOrEqual(end);
        }),
        setRuns(5_000),
      );
    },
  );

  longerTest('is missing only if the varied gap itself exceeds the schedule, whatever wait was requested', () => {
    fc.assert(
      fc.property(fc.nat(3 * HOUR), fc.option(fc.nat(6 * HOUR)), draws, (left, retryAfter, draw) => {
        const spare = left - HOUR * (0.8 + 0.4 * draw);
        const at = next({ tries: 70, endedAt: END - left, retryAfter }, draw);
        if (Math.abs(spare) >= 1) expect(at !== undefined).toBe(spare > 0);
      }),
      setRuns(5_000),
    );
  });
});

describe('a Retry-After header', () => {
  test.each([
    ['0', 0],
    ['1', SECOND],
    ['007', 7 * SECOND],
    ['120', 2 * MINUTE],
    [' 120 ', 2 * MINUTE],
    ['3600', HOUR],
    ['21600', 6 * HOUR],
  ])('asks for as many seconds as it says: %p', (header, wait) => {
    expect(parseRetryAfter(429, header, NOON)).toBe(wait);
    expect(parseRetryAfter(503, header, NOON)).toBe(wait);
  });

  test.each([
    ['21601', '21601'],
    ['a day', '86400'],
    ['9 digits', '9'.repeat(9)],
    ['10 digits', '9'.repeat(10)],
    ['20 digits', '9'.repeat(20)],
    ['400 digits', '9'.repeat(400)],
    ['a date a second past six hours', 'Fri, 20 Nov 2026 18:00:01 GMT'],
    ['a date tomorrow', 'Sat, 21 Nov 2026 12:00:00 GMT'],
    ['a date in the last year of four digits', 'Fri, 31 Dec 9999 23:59:59 GMT'],
  ])('counts as six hours if it asks for more: %s', (_, header) => {
    for (const status of [429, 503]) {
      const retryAfter = parseRetryAfter(status, header, NOON);
      expect(next({ retryAfter })).toBe(NOON + 6 * HOUR);
      expect(next({ tries: 70, endedAt: END - 2 * HOUR, retryAfter })).toBe(END);
    }
  });

  test.each([
    ['the form that servers send', 'Fri, 20 Nov 2026 13:00:00 GMT', HOUR],
    ['the present moment', 'Fri, 20 Nov 2026 12:00:00 GMT', 0],
    ['a second ago', 'Fri, 20 Nov 2026 11:59:59 GMT', 0],
    ['long ago', 'Sun, 06 Nov 1994 08:49:37 GMT', 0],
    ['six hours ahead', 'Fri, 20 Nov 2026 18:00:00 GMT', 6 * HOUR],
    ['the form of RFC 850', 'Friday, 20-Nov-26 13:00:00 GMT', HOUR],
    ['the form of RFC 850 with the longest day name', 'Wednesday, 25-Nov-26 12:00:00 GMT', 5 * DAY],
    ['the form of asctime', 'Fri Nov 20 13:00:00 2026', HOUR],
    ['the form of asctime with a day of one digit', 'Sun Dec  6 12:00:00 2026', 16 * DAY],
  ])('asks to wait until its date: %s, %p', (_, header, wait) => {
    expect(parseRetryAfter(429, header, NOON)).toBe(wait);
    expect(parseRetryAfter(503, header, NOON)).toBe(wait);
  });

  test('counts the wait until its date from the millisecond at which the answer came', () => {
    expect(parseRetryAfter(503, 'Fri, 20 Nov 2026 12:00:10 GMT', NOON + 250)).toBe(10 * SECOND - 250);
  });

  test('keeps a wait to the second if it is written as an HTTP date', () => {
    fc.assert(
      fc.property(fc.nat(6 * HOUR), (wait) => {
        const header = new Date(NOON + wait).toUTCString();
        expect(parseRetryAfter(429, header, NOON)).toBe(wait - (wait % SECOND));
      }),
    );
  });

  test.each([null, 100, 200, 204, 301, 302, 400, 404, 408, 410, 425, 428, 430, 500, 502, 504, 599])(
    'does not count with the status %p',
    (status) => {
      expect(parseRetryAfter(status, '120', NOON)).toBeNull();
      expect(parseRetryAfter(status, 'Fri, 20 Nov 2026 13:00:00 GMT', NOON)).toBeNull();
    },
  );

  test.each([429, 503])('asks for no wait if it is missing or empty: status %i', (status) => {
    for (const header of [null, '', ' ', '\t']) expect(parseRetryAfter(status, header, NOON)).toBeNull();
  });

  test.each([
    ...['soon', 'soon 2099', 'after 12/31/2030', 'in 10 minutes', '3600s', '10 minutes', 'PT1H', '1e9', '0x10'],
    ...['Infinity', 'NaN', '60, 120', '60,', '1.5', '120.5', '+60', '٣٠', 'null', '[object Object]'],
    ...['-1', '-5', '-60', '-3600', '-86400', '- 5'],
    ...['Fri, 32 Nov 2026 13:00:00 GMT', 'Fri, 20 Nov 2026', '1/1/2099'],
    ...['at Fri, 20 Nov 2026 13:00:00 GMT', 'Fri, 20 Nov 2026 13:00:00 GMT (Lagos)'],
    ...['at Friday, 20-Nov-26 13:00:00 GMT', 'Friday, 20-Nov-26 13:00:00 GMT (Lagos)'],
    ...['at Fri Nov 20 13:00:00 2026', 'Fri Nov 20 13:00:00 2026 (Lagos)'],
  ])('asks for no wait if it is neither whole seconds nor an HTTP date: %p', (header) => {
    expect(next({ retryAfter: parseRetryAfter(429, header, NOON) })).toBe(NOON + 5 * SECOND);
    expect(next({ retryAfter: parseRetryAfter(503, header, NOON) })).toBe(NOON + 5 * SECOND);
  });

  test('never asks for a negative wait or for NaN, whatever it says', () => {
    const words = fc.constantFrom('-', ' ', '1', '99', '2099', 'Nov', 'GMT', ',', ':', '.', 'soon', '/', '+');
    const headers = fc.oneof(fc.string(), fc.string({ unit: words }));
    fc.assert(
      fc.property(headers, fc.constantFrom(429, 503), (header, status) => {
        const wait = parseRetryAfter(status, header, NOON);
        if (wait === null) return;
        expect(Number.isNaN(wait)).toBe(false);
        expect(wait).toBeGreaterThanOrEqual(0);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('the setting of a schedule', () => {
  test.each([
    ['no gaps', { gaps: [] }],
    ['more than 20 gaps', { gaps: Array.from({ length: 21 }, () => SECOND) }],
    ['a gap of zero', { gaps: [0] }],
    ['a negative gap', { gaps: [-SECOND] }],
    ['half a millisecond', { gaps: [0.5] }],
    ['zero afterwards', { afterwards: 0 }],
    ['a length of zero', { until: 0 }],
  ])('cannot have %s', (_, wrong) => {
    expect(retrySchedule.safeParse({ ...DEFAULT_SCHEDULE, ...wrong }).success).toBe(false);
  });
});

describe('the next probe of an endpoint', () => {
  const probe = (probes: number, outage: number, retryAfter: number | null = null): number =>
    nextProbeAt(DEFAULT_SCHEDULE, { probes, endedAt: NOON, retryAfter, failingSince: NOON - outage }, 0.5) - NOON;

  test.each([
    [1, 5 * SECOND],
    [2, 30 * SECOND],
    [3, 2 * MINUTE],
    [4, 10 * MINUTE],
    [5, 30 * MINUTE],
    [6, HOUR],
    [70, HOUR],
  ])('follows the gaps of the schedule in a long outage: after probe %i comes a gap of %i ms', (probes, gap) => {
    expect(probe(probes, 2 * DAY)).toBe(gap);
  });

  test.each([
    [0, MINUTE],
    [59 * SECOND, MINUTE],
    [8 * MINUTE, 8 * MINUTE],
    [59 * MINUTE, 59 * MINUTE],
    [2 * HOUR, HOUR],
  ])('waits no longer than the outage has lasted, but at least a minute: an outage of %i ms', (outage, gap) => {
    expect(probe(40, outage)).toBe(gap);
  });

  test('waits as long as the endpoint asks, up to six hours, however short the outage is', () => {
    expect(probe(1, 0, 20 * MINUTE)).toBe(20 * MINUTE);
    expect(probe(1, 0, 7 * HOUR)).toBe(6 * HOUR);
    expect(probe(6, 2 * DAY, MINUTE)).toBe(HOUR);
  });
});
