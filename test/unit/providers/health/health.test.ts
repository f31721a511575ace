import { DAY, MINUTE, SECOND } from '#shared/platform/kernel/time.ts';
import { classifyLanding, findSeconds, LANDING_CLASSES, markBusiness } from '#shared/providers/domain/health/counts.ts';
import { judgeAll, providerHealth, unknownHealth } from '#shared/providers/domain/health/health.ts';
import { NOON } from '#test/unit/api/examples.ts';
import { firstIn, judgedThrough, minuteAt } from './counted.ts';

const minutes = (from: number, to: number, counts: Parameters<typeof minuteAt>[1]) =>
  Array.from({ length: to - from }, (_, i) => minuteAt(from + i, counts));
const landings = (seconds: number, times: number): number[] =>
  LANDING_CLASSES.map((_, place) => (place === classifyLanding(seconds * SECOND) ? times : 0));
const before = unknownHealth('korapay', NOON - DAY);

describe('the health of a provider', () => {
  test('a provider is healthy while nothing is counted', () => {
    const [health] = judgeAll([{ before, minutes: [] }], NOON);
    expect(providerHealth.parse(health)).toEqual(before);
  });

  test('a provider is failing within ten minutes when nothing lands any more, after half an hour in which all landed', () => {
    const states = judgedThrough(
      [
        ...minutes(-30, 0, { sentLanded: [1, 2, 3] }),
        // The first look is five minutes after the first report that does not land.
        ...minutes(0, 5, { sentLanded: [1, 2, 3] }),
        ...minutes(5, 30, { sentLost: [1, 2, 3] }),
      ],
      30,
    );
    expect(firstIn(states, 'failing')).toBeLessThanOrEqual(9);
    expect(states.at(-1)).toMatchObject({ state: 'failing', cause: 'sent_not_landed' });
  });

  test.each([
    ['nine samples', minutes(0, 3, { sentLost: [1, 2, 3] })],
    ['samples of two businesses', minutes(0, 30, { sentLost: [1, 2] })],
    [
      'many lost samples of two businesses beside some landed ones',
      [...minutes(0, 30, { sentLost: [1, 2] }), ...minutes(0, 6, { sentLanded: [3] })],
    ],
    ['three lost samples of ten', minutes(0, 10, { sentLanded: [1, 2, 3, 4, 5, 6, 7], sentLost: [8, 9, 10] })],
    ['failed creations of two businesses', minutes(0, 30, { failed: 40, failedFor: [1, 2] })],
    ['a fifth of creations that fail', minutes(0, 30, { opened: 8, failed: 2, failedFor: [1, 2, 3] })],
  ])('a provider stays healthy after %s', (_, counted) => {
    expect(firstIn(judgedThrough(counted, 30), 'failing')).toBe(-1);
  });

  test('a provider is failing when more than a fifth of creations fail, of three businesses', () => {
    const states = judgedThrough(minutes(0, 5, { opened: 7, failed: 2, failedFor: [1, 2, 3] }), 5);
    expect(states.at(-1)).toMatchObject({ state: 'failing', cause: 'creations_fail' });
  });

  test('one business counts no more than five times, with its newest samples', () => {
    const stranger = minutes(0, 30, { sentLost: [1] });
    const others = minutes(0, 30, { sentLanded: [2, 3, 4] });
    // Two of the others lose one each, as happens every day.
    const usual = [minuteAt(10, { sentLost: [5] }), minuteAt(20, { sentLost: [6] })];
    expect(firstIn(judgedThrough([...stranger, ...others, ...usual], 30), 'failing')).toBe(-1);
  });

  test('a failing provider comes back after three samples, when most of them land', () => {
    const failing = minutes(0, 10, { sentLost: [1, 2, 3] });
    const trials = [minuteAt(12, { sentLost: [1] }), ...minutes(20, 24, { sentLanded: [2] })];
    const states = judgedThrough([...failing, ...trials], 40);
    expect(states[19]).toMatchObject({ state: 'failing' });
    expect(states[23]).toMatchObject({ state: 'healthy', cause: null, since: NOON + 22 * MINUTE + 30_000 });
    // Money that was lost before it came back counts no more.
    expect(states.at(-1)).toMatchObject({ state: 'healthy' });
  });

  test('a failing provider stays so while trials fail, and comes back to be tried after half an hour without any', () => {
    const states = judgedThrough(
      [...minutes(0, 10, { sentLost: [1, 2, 3] }), ...minutes(10, 60, { sentLost: [4] })],
      100,
    );
    const left = firstIn(states, 'failing');
    expect(states.slice(left, 60).every(({ state }) => state === 'failing')).toBe(true);
    expect(states.at(-1)).toMatchObject({ state: 'healthy' });
  });

  test('a failing provider comes back ten minutes after the last creation that failed', () => {
    const states = judgedThrough(minutes(0, 5, { failed: 3, failedFor: [1, 2, 3] }), 40);
    expect(firstIn(states, 'failing')).toBe(3);
    const back = states.findIndex(({ state }, after) => after > 5 && state === 'healthy');
    expect(back).toBeGreaterThanOrEqual(13);
    expect(back).toBeLessThanOrEqual(35);
  });

  test('a provider is judged against its own last week: where every third report was lost, four of ten are no failure', () => {
    const day = { day: NOON - DAY, landings: [], creations: { good: 0, bad: 0 } };
    const week = [{ ...day, sent: { good: 60, bad: 30 } }];
    const counted = minutes(0, 10, { sentLanded: [1, 2, 3, 4, 5, 6], sentLost: [7, 8, 9, 10] });
    expect(firstIn(judgedThrough(counted, 10), 'failing')).not.toBe(-1);
    expect(firstIn(judgedThrough(counted, 10, { ...before, week }), 'failing')).toBe(-1);
  });

  test('a provider sums up its week, without the minutes in which it was failing', () => {
    const counted = [...minutes(0, 5, { sentLanded: [1, 2] }), ...minutes(5, 40, { sentLost: [1, 2, 3] })];
    const states = judgedThrough(counted, 45);
    expect(firstIn(states, 'failing')).toBe(6);
    expect(states.at(-1)?.week).toEqual([expect.objectContaining({ sent: { good: 10, bad: 0 } })]);
    expect(providerHealth.parse(states.at(-1))).toEqual(states.at(-1));
  });

  test('a provider tells how long landings take, from ten of three businesses on', () => {
    const few = minuteAt(0, { landings: landings(8, 9), landedFor: [1, 2, 3] });
    expect(judgeAll([{ before, minutes: [few] }], NOON)[0]?.landing).toBeNull();
    const slowOnes = minuteAt(-1, { landings: landings(100, 2), landedFor: [1] });
    expect(judgeAll([{ before, minutes: [few, slowOnes] }], NOON)[0]?.landing).toEqual({ p50: 10, p95: 120 });
  });

  test('a provider is slow above a minute, when that is twice its own week and twice the fastest other', () => {
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

describe('what is counted of a provider', () => {
  test('a landing is put into the class that holds it, and the longest into the last', () => {
    expect([0, 5_000, 5_001, 3_600_000, 9_999_999].map(classifyLanding)).toEqual([0, 0, 1, 13, 13]);
  });

  test('a share of the landings is found by the end of its class', () => {
    expect(findSeconds([], 0.5)).toBeNull();
    const counted = landings(5, 94).map((count, i) => count + (landings(60, 6)[i] ?? 0));
    expect([0.5, 0.94, 0.95, 1].map((share) => findSeconds(counted, share))).toEqual([5, 5, 60, 60]);
  });

  test('a business is marked by a small number, the same each time', () => {
    const marks = new Set(Array.from({ length: 500 }, (_, i) => markBusiness(`biz_${i}`)));
    expect(Math.max(...marks)).toBeLessThan(1_024);
    expect(marks.size).toBeGreaterThan(350);
    expect(markBusiness('biz_1')).toBe(markBusiness('biz_1'));
  });
});
