import { DAY, MINUTE, SECOND } from '#shared/platform/kernel/time.ts';
import { classifyLanding, findSeconds, LANDING_CLASSES, markBusiness } from '#shared/providers/domain/health/counts.ts';
import { judgeAll, providerHealth, unknownHealth } from '#shared/providers/domain/health/health.ts';
import { NOON } from '#test/unit/api/examples.ts';
import { findFirstMinute, judgeEachMinute, minuteAt } from './counted.ts';

const minutes = (from: number, to: number, counts: Parameters<typeof minuteAt>[1]) =>
  Array.from({ length: to - from }, (_, i) => minuteAt(from + i, counts));
const landings = (seconds: number, times: number): number[] =>
  LANDING_CLASSES.map((_, place) => (place === classifyLanding(seconds * SECOND) ? times : 0));
const before = unknownHealth('korapay', NOON - DAY);

describe('provider health', () => {
  test('a provider without counts is healthy', () => {
    const [health] = judgeAll([{ before, minutes: [] }], NOON);
    expect(providerHealth.parse(health)).toEqual(before);
  });

  test('a provider is failing within ten minutes after its money stops landing', () => {
    const states = judgeEachMinute(
      [
        ...minutes(-30, 0, { sentLanded: [1, 2, 3] }),
        // A payer's report is judged five minutes later.
        ...minutes(0, 5, { sentLanded: [1, 2, 3] }),
        ...minutes(5, 30, { sentLost: [1, 2, 3] }),
      ],
      30,
    );
    expect(findFirstMinute(states, 'failing')).toBeLessThanOrEqual(9);
    expect(states.at(-1)).toMatchObject({ state: 'failing', cause: 'sent_not_landed' });
  });

  test.each([
    ['nine samples', minutes(0, 3, { sentLost: [1, 2, 3] })],
    ['samples of two businesses', minutes(0, 30, { sentLost: [1, 2] })],
    [
      'many lost samples of two businesses and some landed ones',
      [...minutes(0, 30, { sentLost: [1, 2] }), ...minutes(0, 6, { sentLanded: [3] })],
    ],
    ['three lost samples of ten', minutes(0, 10, { sentLanded: [1, 2, 3, 4, 5, 6, 7], sentLost: [8, 9, 10] })],
    ['failed creations of two businesses', minutes(0, 30, { failed: 40, failedFor: [1, 2] })],
    ['a fifth of creations that fail', minutes(0, 30, { opened: 8, failed: 2, failedFor: [1, 2, 3] })],
  ])('a provider stays healthy after %s', (_, counted) => {
    expect(findFirstMinute(judgeEachMinute(counted, 30), 'failing')).toBe(-1);
  });

  test('a provider is failing if more than a fifth of the creations of three businesses fail', () => {
    const states = judgeEachMinute(minutes(0, 5, { opened: 7, failed: 2, failedFor: [1, 2, 3] }), 5);
    expect(states.at(-1)).toMatchObject({ state: 'failing', cause: 'creations_fail' });
  });

  test('a business counts with its five newest samples only', () => {
    const stranger = minutes(0, 30, { sentLost: [1] });
    const others = minutes(0, 30, { sentLanded: [2, 3, 4] });
    // Two other businesses have one lost payment each, as on any day.
    const usual = [minuteAt(10, { sentLost: [5] }), minuteAt(20, { sentLost: [6] })];
    expect(findFirstMinute(judgeEachMinute([...stranger, ...others, ...usual], 30), 'failing')).toBe(-1);
  });

  test('a failing provider recovers after three samples if most of them landed', () => {
    const failing = minutes(0, 10, { sentLost: [1, 2, 3] });
    const trials = [minuteAt(12, { sentLost: [1] }), ...minutes(20, 24, { sentLanded: [2] })];
    const states = judgeEachMinute([...failing, ...trials], 40);
    expect(states[19]).toMatchObject({ state: 'failing' });
    expect(states[23]).toMatchObject({ state: 'healthy', cause: null, since: NOON + 22 * MINUTE + 30_000 });
    // Money that was lost before the recovery no longer counts.
    expect(states.at(-1)).toMatchObject({ state: 'healthy' });
  });

  test('a failing provider keeps its state while trials fail, and recovers after half an hour without a trial', () => {
    const states = judgeEachMinute(
      [...minutes(0, 10, { sentLost: [1, 2, 3] }), ...minutes(10, 60, { sentLost: [4] })],
      100,
    );
    const failingFrom = findFirstMinute(states, 'failing');
    expect(states.slice(failingFrom, 60).every(({ state }) => state === 'failing')).toBe(true);
    expect(states.at(-1)).toMatchObject({ state: 'healthy' });
  });

  test('a failing provider recovers ten minutes after the last failed creation', () => {
    const states = judgeEachMinute(minutes(0, 5, { failed: 3, failedFor: [1, 2, 3] }), 40);
    expect(findFirstMinute(states, 'failing')).toBe(3);
    const back = states.findIndex(({ state }, after) => after > 5 && state === 'healthy');
    expect(back).toBeGreaterThanOrEqual(13);
    expect(back).toBeLessThanOrEqual(35);
  });

  test('a provider is judged against its own last week: four of ten lost reports are no failure if every third is usual', () => {
    const day = { day: NOON - DAY, landings: [], creations: { good: 0, bad: 0 } };
    const week = [{ ...day, sent: { good: 60, bad: 30 } }];
    const counted = minutes(0, 10, { sentLanded: [1, 2, 3, 4, 5, 6], sentLost: [7, 8, 9, 10] });
    expect(findFirstMinute(judgeEachMinute(counted, 10), 'failing')).not.toBe(-1);
    expect(findFirstMinute(judgeEachMinute(counted, 10, { ...before, week }), 'failing')).toBe(-1);
  });

  test('a provider’s week does not include the minutes in which it was failing', () => {
    const counted = [...minutes(0, 5, { sentLanded: [1, 2] }), ...minutes(5, 40, { sentLost: [1, 2, 3] })];
    const states = judgeEachMinute(counted, 45);
    expect(findFirstMinute(states, 'failing')).toBe(6);
    expect(states.at(-1)?.week).toEqual([expect.objectContaining({ sent: { good: 10, bad: 0 } })]);
    expect(providerHealth.parse(states.at(-1))).toEqual(states.at(-1));
  });

  test('a provider shows its landing times if it has ten landings of three businesses', () => {
    const few = minuteAt(0, { landings: landings(8, 9), landedFor: [1, 2, 3] });
    expect(judgeAll([{ before, minutes: [few] }], NOON)[0]?.landing).toBeNull();
    const slowOnes = minuteAt(-1, { landings: landings(100, 2), landedFor: [1] });
    expect(judgeAll([{ before, minutes: [few, slowOnes] }], NOON)[0]?.landing).toEqual({ p50: 10, p95: 120 });
  });

  test('a provider is slow if its median landing takes over a minute, and twice as long as in its own week and at the fastest other provider', () => {
    const at = (seconds: number, times = 20) =>
      minuteAt(0, { landings: landings(seconds, times), landedFor: [1, 2, 3] });
    const other = unknownHealth('paystack', NOON - DAY);
    const stateBeside = (seconds: number, others: number, usual: number) => {
      const week = [
        { day: NOON - DAY, landings: landings(usual, 100), creations: { good: 0, bad: 0 }, sent: { good: 0, bad: 0 } },
      ];
      const provider = { before: { ...before, week }, minutes: [at(seconds)] };
      return judgeAll([provider, { before: other, minutes: [at(others)] }], NOON)[0]?.state;
    };
    expect(stateBeside(120, 15, 15)).toBe('slow');
    expect(stateBeside(45, 5, 5)).toBe('healthy');
    expect(stateBeside(120, 90, 15)).toBe('healthy');
    expect(stateBeside(120, 15, 90)).toBe('healthy');
  });
});

describe('the counts of a provider', () => {
  test('a landing is counted in the class of its time, and a very long one in the last class', () => {
    expect([0, 5_000, 5_001, 3_600_000, 9_999_999].map(classifyLanding)).toEqual([0, 0, 1, 13, 13]);
  });

  test('the time within which a share of the landings came is the end of a class', () => {
    expect(findSeconds([], 0.5)).toBeNull();
    const counted = landings(5, 94).map((count, i) => count + (landings(60, 6)[i] ?? 0));
    expect([0.5, 0.94, 0.95, 1].map((share) => findSeconds(counted, share))).toEqual([5, 5, 60, 60]);
  });

  test('a business always has the same mark, a small number', () => {
    const marks = new Set(Array.from({ length: 500 }, (_, i) => markBusiness(`biz_${i}`)));
    expect(Math.max(...marks)).toBeLessThan(1_024);
    expect(marks.size).toBeGreaterThan(350);
    expect(markBusiness('biz_1')).toBe(markBusiness('biz_1'));
  });
});
