import fc from 'fast-check';
import { DAY, HOUR, MINUTE, SECOND } from '#shared/domain/kernel/time.ts';
import {
  afterDrainStep,
  afterEmptyLook,
  afterFailure,
  afterSuccess,
  atRest,
  type Breaker,
  breaker as breakerSchema,
  DISABLES_AFTER,
  DRAIN_EVERY,
  disableReason,
  drainNow,
  hasProbed,
  isSlow,
  LAST_DRAIN,
  OPENS_AFTER,
  OPENS_AFTER_REFUSALS,
  resetBreaker,
  type Seen,
  watchCanary,
  wellBreaker,
  withCanary,
  withNewUrl,
} from '#shared/domain/webhooks/breaker.ts';
import { id, NOON } from '#test/unit/http/examples.ts';

const ENDPOINT = id('whe');
const [ADIRE, BATIK, CHIFFON] = [id('evt', 1), id('evt', 2), id('evt', 3)];
/** Events of their own, for failures in a row. */
const event = (n: number): string => id('evt', 10 + n);
const SOON = NOON + 30 * SECOND;

/** A quick attempt to deliver `ADIRE` that ended at noon with 503. */
const seen = (of: Partial<Seen> = {}): Seen => ({
  eventId: ADIRE,
  endedAt: NOON,
  durationMs: 120,
  statusCode: 503,
  isRetry: false,
  ...of,
});
const succeeded = (of: Partial<Seen> = {}): Seen => seen({ statusCode: 200, ...of });

const well = wellBreaker(ENDPOINT);
/** The breaker after failures in a row, each of another event and the last one of `ADIRE`, a second apart from noon on. */
const failing = (times: number, before = well): Breaker =>
  Array.from({ length: times }, (_, n) => n).reduce(
    (state, n) =>
      afterFailure(state, seen({ eventId: n === times - 1 ? ADIRE : event(n), endedAt: NOON + n * SECOND }), SOON),
    before,
  );
/** What a row of failures leaves beside their number. */
const lastFailed = (times: number, eventId = ADIRE) => ({
  lastFailed: eventId,
  lastFailedAt: NOON + (times - 1) * SECOND,
});
const must = (state: Breaker | undefined): Breaker => {
  if (!state) throw new Error('Nothing was to be written.');
  return state;
};

const open = failing(5);
const emptied = (before: Breaker): Breaker => afterDrainStep(afterDrainStep(before, null, NOON), null, NOON);
const draining = must(afterSuccess(open, succeeded({ endedAt: NOON + HOUR })));

describe('the breaker of an endpoint', () => {
  test('that has none is closed, knows nothing and was never written', () => {
    expect(well).toEqual({
      endpointId: ENDPOINT,
      state: 'closed',
      failures: 0,
      refusals: 0,
      failingSince: null,
      lastFailed: null,
      lastFailedAt: 0,
      goneSince: null,
      slowUntil: 0,
      canary: null,
      probes: 0,
      drain: 0,
      drained: null,
      emptyLooks: 0,
      dueAt: null,
      version: 0,
    });
    expect(breakerSchema.parse(well)).toEqual(well);
    expect(disableReason(well, seen())).toBeUndefined();
    expect(isSlow(well, NOON)).toBe(false);
  });

  test('as it was written before canaries took turns is read as one that has not probed', () => {
    const {
      lastFailed: _,
      lastFailedAt: __,
      probes: ___,
      emptyLooks: ____,
      drained: _____,
      refusals: ______,
      ...old
    } = failing(3);
    expect(breakerSchema.parse(old)).toEqual({ ...failing(3), lastFailed: null, lastFailedAt: 0 });
  });

  test.each([1, 2, 3, 4])('stays closed after %i failures in a row: nobody probes and nothing is due', (times) => {
    expect(failing(times)).toEqual({
      ...well,
      failures: times,
      failingSince: NOON,
      ...lastFailed(times),
      version: times,
    });
  });

  test('counts the tries of one delivery that follow each other once: what refuses one event may take the others', () => {
    const tries = Array.from({ length: 30 }, (_, n) => n).reduce(
      (state, n) => afterFailure(state, seen({ endedAt: NOON + n * HOUR }), NOON + (n + 1) * HOUR),
      well,
    );
    expect(tries).toMatchObject({ state: 'closed', failures: 1, failingSince: NOON, version: 30 });
    expect(afterFailure(afterFailure(tries, seen({ eventId: BATIK }), SOON), seen(), SOON).failures).toBe(3);
  });

  test.each([400, 401, 403, 404, 413, 422, 451])(
    'takes a %i for a refusal of one event, and opens at the hundredth',
    (statusCode) => {
      expect(OPENS_AFTER_REFUSALS).toBe(100);
      const refusing = (times: number): Breaker =>
        Array.from({ length: times }, (_, n) => n).reduce(
          (state, n) => afterFailure(state, seen({ eventId: event(n), statusCode }), SOON),
          well,
        );
      expect(refusing(99)).toMatchObject({
        state: 'closed',
        failures: 0,
        refusals: 99,
        failingSince: NOON,
        dueAt: null,
      });
      expect(refusing(100)).toMatchObject({ state: 'open', refusals: 100, canary: event(99), probes: 1 });
      const again = seen({ eventId: event(3), statusCode, isRetry: true });
      expect(afterFailure(refusing(99), again, SOON)).toMatchObject({
        state: 'closed',
        refusals: 99,
        lastFailed: event(3),
      });
      expect(afterSuccess(refusing(99), succeeded())).toMatchObject({ refusals: 0, failingSince: null });
    },
  );

  test.each([408, 410, 425, 429, 500, 302, null])(
    'takes %s for a failure of the endpoint, at every try',
    (statusCode) => {
      expect(afterFailure(well, seen({ statusCode, isRetry: true }), SOON)).toMatchObject({ failures: 1, refusals: 0 });
    },
  );

  test('forgets with a success that something was refused again', () => {
    const again = afterFailure(well, seen({ statusCode: 404, isRetry: true }), SOON);
    expect(again).toMatchObject({ failures: 0, refusals: 0, failingSince: NOON, lastFailed: ADIRE });
    expect(afterSuccess(again, succeeded())).toMatchObject({ failingSince: null, lastFailed: null });
  });

  test('opens at the fifth failure in a row; its delivery is the canary, looked for 5 min after its time', () => {
    expect(OPENS_AFTER).toBe(5);
    expect(open).toEqual({
      ...well,
      state: 'open',
      failures: 5,
      failingSince: NOON,
      ...lastFailed(5),
      canary: ADIRE,
      probes: 1,
      dueAt: SOON + 5 * MINUTE,
      version: 5,
    });
  });

  test('opens without a canary when the fifth failure exhausts its delivery, and is looked at at once', () => {
    const endedAt = NOON + HOUR;
    expect(afterFailure(failing(4), seen({ eventId: BATIK, endedAt }), null)).toMatchObject({
      state: 'open',
      failures: 5,
      canary: null,
      dueAt: endedAt,
    });
  });

  test.each([1, 2, 3, 4])('needs five failures anew when a success follows %i of them', (times) => {
    const healed = must(afterSuccess(failing(times), succeeded({ endedAt: NOON + MINUTE })));
    expect(healed).toEqual({ ...well, lastFailedAt: NOON + (times - 1) * SECOND, version: times + 1 });
    expect(failing(4, healed).state).toBe('closed');
    expect(failing(5, healed).state).toBe('open');
  });

  test.each([500, 503, 429, 410, 301, 200, null])('opens at five failures with status %p', (statusCode) => {
    const state = Array.from({ length: 5 }, (_, n) => n).reduce<Breaker>(
      (before, n) => afterFailure(before, seen({ statusCode, eventId: event(n) }), SOON),
      well,
    );
    expect(state).toMatchObject({ state: 'open', failures: 5 });
  });
});

describe('an open breaker', () => {
  test('keeps its canary when another delivery fails, and when it is looked for', () => {
    const other = afterFailure(open, seen({ eventId: BATIK, endedAt: NOON + MINUTE }), NOON + HOUR);
    const told = { failures: 6, lastFailed: BATIK, lastFailedAt: NOON + MINUTE, version: 6 };
    expect(other).toEqual({ ...open, ...told });
    expect(afterFailure(open, seen({ eventId: BATIK, endedAt: NOON + MINUTE }), null)).toEqual(other);
    expect([hasProbed(open), hasProbed(other)]).toEqual([true, false]);
  });

  test('follows its canary to its next attempt, and counts its probes', () => {
    const probed = afterFailure(open, seen({ endedAt: NOON + MINUTE }), NOON + HOUR);
    expect(probed).toEqual({
      ...open,
      lastFailedAt: NOON + MINUTE,
      probes: 2,
      dueAt: NOON + HOUR + 5 * MINUTE,
      version: 6,
    });
    expect(hasProbed(probed)).toBe(true);
  });

  test('loses a canary that is exhausted and is looked at at once, so that another one is chosen', () => {
    const lost = afterFailure(open, seen({ endedAt: NOON + MINUTE }), null);
    expect(lost).toEqual({
      ...open,
      lastFailedAt: NOON + MINUTE,
      probes: 2,
      canary: null,
      dueAt: NOON + MINUTE,
      version: 6,
    });
    expect(hasProbed(lost)).toBe(true);
  });

  test('is probed at once for another URL, and forgets what the old one did', () => {
    const hours = afterFailure(open, seen({ endedAt: NOON + MINUTE, statusCode: 410 }), NOON + HOUR);
    const moved = withNewUrl({ ...hours, slowUntil: NOON + HOUR }, NOON + 2 * MINUTE);
    const kept = { state: 'open', canary: ADIRE, lastFailedAt: NOON + MINUTE };
    expect(moved).toEqual({ ...well, ...kept, dueAt: NOON + 2 * MINUTE, version: 7 });
    const late = seen({ statusCode: 410, endedAt: NOON + 6 * DAY });
    expect(disableReason(afterFailure(moved, late, SOON), late)).toBeUndefined();
  });

  test('is at rest while its endpoint is off', () => {
    expect(atRest(open)).toEqual({ ...open, canary: null, dueAt: null, version: 6 });
  });

  test('without a canary gets none from a failure', () => {
    const alone = atRest(open);
    expect(afterFailure(alone, seen({ eventId: BATIK }), SOON)).toMatchObject({ canary: null, dueAt: null });
  });

  test.each([
    ['its canary', ADIRE],
    ['another delivery', CHIFFON],
  ])('drains from the moment at which %s succeeds', (_, eventId) => {
    const endedAt = NOON + HOUR;
    expect(afterSuccess(open, succeeded({ eventId, endedAt }))).toEqual({
      ...well,
      lastFailedAt: open.lastFailedAt,
      state: 'draining',
      drain: 60,
      dueAt: endedAt,
      version: 6,
    });
  });

  test('whose next canary is chosen is looked for 5 min after its time', () => {
    expect(withCanary(open, BATIK, SOON)).toEqual({ ...open, canary: BATIK, dueAt: SOON + 5 * MINUTE, version: 6 });
  });

  test('that finds none to probe looks once more with the next sweep, and then waits for what comes', () => {
    const once = afterEmptyLook(open, NOON);
    expect(once).toEqual({ ...open, canary: null, emptyLooks: 1, dueAt: NOON + 30 * SECOND, version: 6 });
    expect(afterEmptyLook(once, NOON)).toEqual({ ...open, canary: null, emptyLooks: 0, dueAt: null, version: 7 });
    expect(withCanary(once, BATIK, NOON).emptyLooks).toBe(0);
  });

  test('whose canary lives is looked at again 5 min after its next attempt', () => {
    expect(watchCanary(open, NOON + HOUR)).toEqual({ ...open, dueAt: NOON + HOUR + 5 * MINUTE, version: 6 });
  });
});

describe('a success', () => {
  test.each([
    ['well', well],
    ['draining', draining],
    ['well again after an outage', emptied(draining)],
    ['slow, and quick again', must(afterSuccess(well, succeeded({ durationMs: 6_000 })))],
  ])('writes nothing for an endpoint that is %s', (_, state) => {
    expect(afterSuccess(state, succeeded())).toBeUndefined();
    expect(afterSuccess(state, succeeded({ eventId: BATIK, statusCode: 204, durationMs: 5_000 }))).toBeUndefined();
  });

  test('ends a row of failures while draining and lets the drain go on as it was', () => {
    const shaky = afterFailure(draining, seen(), SOON);
    expect(afterSuccess(shaky, succeeded())).toEqual({
      ...draining,
      lastFailedAt: NOON,
      version: draining.version + 2,
    });
  });
});

describe('a draining breaker', () => {
  test('lets 60 go in the first step and twice as many in each next one, a sweep apart, at most 6,000', () => {
    const steps: number[] = [];
    let state = draining;
    for (let step = 1; step <= 10; step++) {
      steps.push(state.drain);
      const now = NOON + step * MINUTE;
      const after = afterDrainStep(state, ADIRE, now);
      expect(after).toEqual({
        ...state,
        drain: Math.min(2 * state.drain, 6_000),
        drained: ADIRE,
        dueAt: now + 30 * SECOND,
        version: state.version + 1,
      });
      state = after;
    }
    expect(steps).toEqual([60, 120, 240, 480, 960, 1_920, 3_840, 6_000, 6_000, 6_000]);
    expect([DRAIN_EVERY, LAST_DRAIN]).toEqual([MINUTE, 6_000]);
  });

  test('is over when two sweeps find the lot empty: closed, with nothing due', () => {
    const once = afterDrainStep(draining, null, NOON);
    expect(once).toEqual({ ...draining, emptyLooks: 1, dueAt: NOON + 30 * SECOND, version: draining.version + 1 });
    expect(afterDrainStep(once, null, NOON)).toEqual({
      ...well,
      lastFailedAt: draining.lastFailedAt,
      version: draining.version + 2,
    });
    expect(afterDrainStep(once, ADIRE, NOON)).toMatchObject({ state: 'draining', emptyLooks: 0 });
  });

  test('keeps its row of failures when it is over, so that the fifth one still opens it', () => {
    const over = emptied(failing(4, draining));
    expect(over).toMatchObject({ state: 'closed', failures: 4 });
    expect(afterFailure(over, seen({ eventId: BATIK }), SOON).state).toBe('open');
  });

  test('opens again at the fifth failure in a row and not before, and stops draining', () => {
    expect(failing(4, draining)).toMatchObject({ state: 'draining', drain: 60, dueAt: draining.dueAt, canary: null });
    expect(failing(5, draining)).toMatchObject({ state: 'open', drain: 0, dueAt: SOON + 5 * MINUTE, canary: ADIRE });
  });

  test('that opened again begins with 60 when it recovers once more', () => {
    const fast = afterDrainStep(draining, ADIRE, NOON);
    expect(fast.drain).toBe(120);
    expect(afterSuccess(failing(5, fast), succeeded())).toMatchObject({ state: 'draining', drain: 60, drained: ADIRE });
  });

  test.each([
    ['well', well],
    ['failing', failing(3)],
    ['open', open],
    ['draining at a higher rate', { ...draining, drain: 960 }],
  ])('comes from one that is %s when the merchant asks for it, and forgets the failures', (_, before) => {
    expect(drainNow({ ...before, slowUntil: NOON }, NOON + HOUR)).toEqual({
      ...well,
      lastFailedAt: before.lastFailedAt,
      state: 'draining',
      drain: 60,
      dueAt: NOON + HOUR,
      slowUntil: NOON,
      version: before.version + 1,
    });
  });

  test('goes on as it was for another URL, which begins without failures', () => {
    expect(withNewUrl(failing(3, draining), NOON)).toEqual({
      ...draining,
      lastFailedAt: NOON + 2 * SECOND,
      version: draining.version + 4,
    });
  });

  test('forgets an earlier 410 and the days of failures when the merchant asks for it', () => {
    const gone = afterFailure(well, seen({ statusCode: 410 }), SOON);
    const late = seen({ statusCode: 410, endedAt: NOON + 6 * DAY });
    expect(disableReason(drainNow(gone, NOON + HOUR), late)).toBeUndefined();
  });
});

describe('a breaker that begins anew', () => {
  test.each([
    ['failing', failing(3)],
    ['open', open],
    ['draining', draining],
    ['gone', afterFailure(well, seen({ statusCode: 410 }), SOON)],
  ])('is as for an endpoint that is well, but for its slowness, when it was %s', (_, before) => {
    expect(resetBreaker({ ...before, slowUntil: NOON })).toEqual({
      ...well,
      slowUntil: NOON,
      version: before.version + 1,
    });
  });
});

describe('410 Gone', () => {
  const GONE = /410/;
  type Answer = readonly [status: number | null, at: number];
  /** The breaker after these answers, and why the endpoint is then switched off. */
  const answered = (answers: readonly Answer[]) => {
    let state = well;
    for (const [statusCode, endedAt] of answers) {
      const attempt = seen({ statusCode, endedAt });
      state = statusCode === 200 ? (afterSuccess(state, attempt) ?? state) : afterFailure(state, attempt, SOON);
    }
    const [statusCode = null, endedAt = NOON] = answers.at(-1) ?? [];
    return disableReason(state, seen({ statusCode, endedAt }));
  };

  test.each<[string, readonly Answer[]]>([
    [
      'twice, exactly an hour apart',
      [
        [410, 0],
        [410, HOUR],
      ],
    ],
    [
      'twice, a day apart',
      [
        [410, 0],
        [410, DAY],
      ],
    ],
    [
      'three times within more than an hour',
      [
        [410, 0],
        [410, MINUTE],
        [410, HOUR + 1],
      ],
    ],
    [
      'after other failures and successes',
      [
        [503, 0],
        [410, MINUTE],
        [200, HOUR],
        [410, 2 * HOUR],
        [410, 3 * HOUR],
      ],
    ],
    [
      'twice with a 503 between',
      [
        [410, 0],
        [503, MINUTE],
        [410, HOUR],
      ],
    ],
    [
      'twice with a 404 between',
      [
        [410, 0],
        [404, MINUTE],
        [410, HOUR],
      ],
    ],
    [
      'twice with a time-out between',
      [
        [410, 0],
        [null, MINUTE],
        [410, HOUR],
      ],
    ],
    [
      'twice with a redirect between',
      [
        [410, 0],
        [301, MINUTE],
        [410, HOUR],
      ],
    ],
  ])('%s switches the endpoint off', (_, answers) => {
    expect(answered(answers)).toMatch(GONE);
  });

  test.each<[string, readonly Answer[]]>([
    ['once', [[410, 0]]],
    [
      'twice, a millisecond less than an hour apart',
      [
        [410, 0],
        [410, HOUR - 1],
      ],
    ],
    [
      'many times within an hour',
      [
        [410, 0],
        [410, 1],
        [410, MINUTE],
        [410, 59 * MINUTE],
      ],
    ],
    [
      'twice with a success between',
      [
        [410, 0],
        [200, MINUTE],
        [410, HOUR],
      ],
    ],
    [
      'twice, and then something else',
      [
        [410, 0],
        [410, MINUTE],
        [500, 2 * HOUR],
      ],
    ],
    [
      'never, but 404 for a day',
      [
        [404, 0],
        [404, DAY],
      ],
    ],
  ])('%s does not', (_, answers) => {
    expect(answered(answers)).toBeUndefined();
  });

  test('that comes from several deliveries counts together', () => {
    const first = afterFailure(well, seen({ statusCode: 410, eventId: ADIRE }), SOON);
    const second = afterFailure(first, seen({ statusCode: 410, eventId: BATIK, endedAt: NOON + HOUR }), null);
    expect(disableReason(second, seen({ statusCode: 410, endedAt: NOON + HOUR }))).toMatch(GONE);
  });
});

describe('an endpoint that only fails', () => {
  /** The breaker after failures twice a day, from the first to the last, and why it is switched off then. */
  const failsFor = (days: number, before: Breaker, from: number) => {
    let state = before;
    for (let at = from; at < from + days; at += DAY / 2) state = afterFailure(state, seen({ endedAt: at }), SOON);
    const last = seen({ endedAt: from + days });
    return disableReason(afterFailure(state, last, null), last);
  };

  test.each([
    ['a millisecond less than five days', 5 * DAY - 1, false],
    ['five days', 5 * DAY, true],
    ['six days', 6 * DAY, true],
  ])('for %s: is it switched off?', (_, days, off) => {
    expect(DISABLES_AFTER).toBe(5 * DAY);
    const reason = failsFor(days, well, NOON);
    expect(reason !== undefined).toBe(off);
    if (off) expect(reason).toMatch(/five days/);
  });

  test('counts its five days anew after one success', () => {
    const healed = must(afterSuccess(open, succeeded({ endedAt: NOON + 4 * DAY })));
    expect(failsFor(5 * DAY - 1, healed, NOON + 4 * DAY + HOUR)).toBeUndefined();
    expect(failsFor(5 * DAY, healed, NOON + 4 * DAY + HOUR)).toMatch(/five days/);
  });

  test('counts them anew after more than a day in which nothing was tried', () => {
    const later = (pause: number) => {
      const last = seen({ eventId: BATIK, endedAt: open.lastFailedAt + pause });
      return afterFailure(open, last, SOON).failingSince;
    };
    expect(later(DAY)).toBe(NOON);
    expect(later(DAY + 1)).toBe(open.lastFailedAt + DAY + 1);
  });
});

describe('a slow endpoint', () => {
  test.each([
    ['a failure of 5 s', 5_000, false],
    ['a failure of 5.001 s', 5_001, true],
    ['a failure of 15 s', 15_000, true],
  ])('is marked by %s for 10 minutes from its end: %i ms', (_, durationMs, slow) => {
    const state = afterFailure(well, seen({ durationMs }), SOON);
    expect(isSlow(state, NOON)).toBe(slow);
    expect(isSlow(state, NOON + 10 * MINUTE - 1)).toBe(slow);
    expect(isSlow(state, NOON + 10 * MINUTE)).toBe(false);
  });

  test('is marked by a success as well, which is all that the success writes', () => {
    const state = must(afterSuccess(well, succeeded({ durationMs: 5_001 })));
    expect(state).toEqual({ ...well, slowUntil: NOON + 10 * MINUTE, version: 1 });
  });

  test('stays marked through a quick attempt, and longer through another slow one', () => {
    const slow = afterFailure(well, seen({ durationMs: 6_000 }), SOON);
    const later = NOON + 5 * MINUTE;
    expect(afterFailure(slow, seen({ endedAt: later }), SOON).slowUntil).toBe(NOON + 10 * MINUTE);
    expect(afterSuccess(slow, succeeded({ endedAt: later }))?.slowUntil).toBe(NOON + 10 * MINUTE);
    expect(afterSuccess(slow, succeeded({ endedAt: later, durationMs: 6_000 }))?.slowUntil).toBe(later + 10 * MINUTE);
  });

  test('is marked anew a minute later, and not by every success', () => {
    const slow = must(afterSuccess(well, succeeded({ durationMs: 6_000 })));
    const again = (after: number) => afterSuccess(slow, succeeded({ durationMs: 6_000, endedAt: NOON + after }));
    expect(again(MINUTE - 1)).toBeUndefined();
    expect(again(MINUTE)?.slowUntil).toBe(NOON + 11 * MINUTE);
  });

  test('that is slow and draining goes on draining', () => {
    expect(afterSuccess(draining, succeeded({ durationMs: 6_000 }))).toEqual({
      ...draining,
      slowUntil: NOON + 10 * MINUTE,
      version: draining.version + 1,
    });
  });
});

/* The model: it keeps what happened and answers from that; only the phase, the canary and the rate are carried along. */

type Happened = Seen & { readonly ok: boolean };
interface Model {
  /** Since the row of failures was last forgotten by hand. */
  readonly answers: readonly Happened[];
  readonly slowEnds: readonly number[];
  readonly phase: 'closed' | 'open' | 'draining';
  readonly canary: string | null;
  readonly probes: number;
  readonly drain: number;
  readonly drained: string | null;
  readonly emptyLooks: number;
  readonly dueAt: number | null;
  readonly lastFailedAt: number;
}

const NOTHING_DUE = { canary: null, probes: 0, drain: 0, emptyLooks: 0, dueAt: null };
const NEW_MODEL: Model = {
  answers: [],
  slowEnds: [],
  phase: 'closed',
  ...NOTHING_DUE,
  drained: null,
  lastFailedAt: 0,
};

/** The answers at the end that all are of a kind. */
const tail = (answers: readonly Happened[], kind: (answer: Happened) => boolean): readonly Happened[] =>
  answers.slice(answers.findLastIndex((answer) => !kind(answer)) + 1);

const rowOf = ({ answers }: Model) => tail(answers, ({ ok }) => !ok);
const gonesOf = (model: Model) => rowOf(model).filter(({ statusCode }) => statusCode === 410);
/** Those that are no repetition of the one before. */
const newIn = (model: Model) => rowOf(model).filter(({ eventId }, i, row) => eventId !== row[i - 1]?.eventId);
const failuresOf = (model: Model): number => newIn(model).filter(({ statusCode }) => statusCode !== 404).length;
const refusalsOf = (model: Model): number =>
  newIn(model).filter(({ statusCode, isRetry }) => statusCode === 404 && !isRetry).length;
/** The part of the row that no day without a failure precedes. */
const outageOf = (model: Model) => {
  const row = rowOf(model);
  return row.slice(
    Math.max(
      0,
      row.findLastIndex(({ endedAt }, i) => endedAt - (row[i - 1]?.endedAt ?? endedAt) > 86_400_000),
    ),
  );
};

const modelled = (model: Model): Omit<Breaker, 'version'> => ({
  endpointId: ENDPOINT,
  state: model.phase,
  failures: failuresOf(model),
  refusals: refusalsOf(model),
  failingSince: outageOf(model)[0]?.endedAt ?? null,
  lastFailed: rowOf(model).at(-1)?.eventId ?? null,
  lastFailedAt: model.lastFailedAt,
  goneSince: gonesOf(model)[0]?.endedAt ?? null,
  slowUntil: (model.slowEnds.at(-1) ?? -10 * MINUTE) + 10 * MINUTE,
  canary: model.canary,
  probes: model.probes,
  drain: model.drain,
  drained: model.drained,
  emptyLooks: model.emptyLooks,
  dueAt: model.dueAt,
});

/** Why the endpoint goes off right after its latest answer. */
const modelledReason = (model: Model): 'gone' | 'days' | undefined => {
  const [gones, outage] = [gonesOf(model), outageOf(model)];
  const last = model.answers.at(-1);
  const since = (of: readonly Happened[]) => (last?.endedAt ?? 0) - (of[0]?.endedAt ?? last?.endedAt ?? 0);
  if (!last?.ok && last?.statusCode === 410 && since(gones) >= 3_600_000) return 'gone';
  return since(outage) >= 5 * 86_400_000 ? 'days' : undefined;
};

const modelAnswer = (model: Model, answer: Happened, nextAttemptAt: number | null): Model => {
  const told: Model = {
    ...model,
    answers: [...model.answers, answer],
    slowEnds:
      answer.durationMs > 5_000 && answer.endedAt - (model.slowEnds.at(-1) ?? 0) >= 60_000
        ? [...model.slowEnds, answer.endedAt]
        : model.slowEnds,
    lastFailedAt: answer.ok ? model.lastFailedAt : answer.endedAt,
  };
  if (answer.ok) {
    if (model.phase !== 'open') return told;
    return { ...told, ...NOTHING_DUE, phase: 'draining', drain: 60, dueAt: answer.endedAt };
  }
  const opens = model.phase !== 'open' && (failuresOf(told) >= 5 || refusalsOf(told) >= 100);
  const isCanary = model.phase === 'open' && model.canary === answer.eventId;
  if (!opens && !isCanary) return told;
  const probed = { ...told, ...NOTHING_DUE, phase: 'open' as const, probes: opens ? 1 : model.probes + 1 };
  return nextAttemptAt === null
    ? { ...probed, dueAt: answer.endedAt }
    : { ...probed, canary: answer.eventId, dueAt: nextAttemptAt + 300_000 };
};

const answersArbitrary = {
  eventId: fc.constantFrom(ADIRE, BATIK, CHIFFON),
  durationMs: fc.constantFrom(0, 120, 5_000, 5_001, 15_000),
  nextIn: fc.constantFrom(null, 4 * SECOND, 30 * SECOND, HOUR),
};
const waits = fc.constantFrom(0, 1, SECOND, MINUTE, 59 * MINUTE, HOUR, DAY, DAY, DAY, DAY, DAY + 1, 5 * DAY);
const failureStep = fc.record({
  what: fc.constant('failure' as const),
  ...answersArbitrary,
  statusCode: fc.constantFrom(410, 410, 410, 503, 404, 429, null),
  isRetry: fc.boolean(),
  wait: waits,
});
const successStep = fc.record({ what: fc.constant('success' as const), ...answersArbitrary, wait: waits });
const tendStep = fc.record({
  what: fc.constant('tend' as const),
  // What the sweeper finds: parked deliveries while draining, a living canary or another one while open.
  full: fc.boolean(),
  canary: fc.constantFrom('lives' as const, null, ADIRE, BATIK),
  wait: waits,
});
const drainNowStep = fc.record({ what: fc.constant('drain now' as const), wait: waits });
const anewStep = fc.record({ what: fc.constant('begin anew' as const), wait: waits });
const steps = fc.array(
  fc.oneof(
    { weight: 12, arbitrary: failureStep },
    { weight: 2, arbitrary: successStep },
    { weight: 3, arbitrary: tendStep },
    { weight: 1, arbitrary: drainNowStep },
    { weight: 1, arbitrary: anewStep },
  ),
  { maxLength: 60, size: 'max' },
);
type Step = typeof steps extends fc.Arbitrary<(infer S)[]> ? S : never;

/** What the step writes, if anything, and what the model makes of it. */
const take = (step: Step, before: Breaker, model: Model, now: number): [Breaker | undefined, Model] => {
  if (step.what === 'failure' || step.what === 'success') {
    const ok = step.what === 'success';
    const attempt = seen({ ...step, statusCode: ok ? 200 : step.statusCode, endedAt: now });
    const nextAttemptAt = step.nextIn === null ? null : now + step.nextIn;
    const after = ok ? afterSuccess(before, attempt) : afterFailure(before, attempt, nextAttemptAt);
    return [after, modelAnswer(model, { ...attempt, ok }, nextAttemptAt)];
  }
  if (step.what === 'drain now') {
    const drained: Model = {
      ...model,
      ...NOTHING_DUE,
      answers: [],
      phase: 'draining',
      drain: 60,
      drained: null,
      dueAt: now,
    };
    return [drainNow(before, now), drained];
  }
  if (step.what !== 'tend') return [resetBreaker(before), { ...NEW_MODEL, slowEnds: model.slowEnds }];
  /** The first time that nothing is found; the second time it is believed. */
  const looksAgain = { emptyLooks: 1, dueAt: now + 30_000 };
  if (model.phase === 'draining') {
    const after = afterDrainStep(before, step.full ? BATIK : null, now);
    if (step.full) {
      const drain = Math.min(6_000, model.drain + model.drain);
      return [after, { ...model, drain, drained: BATIK, emptyLooks: 0, dueAt: now + 30_000 }];
    }
    const isOver = { ...NOTHING_DUE, drained: null, phase: 'closed' as const };
    return [after, { ...model, ...(model.emptyLooks === 0 ? looksAgain : isOver) }];
  }
  if (model.phase === 'closed') return [undefined, model];
  if (step.canary === 'lives') return [watchCanary(before, now + HOUR), { ...model, dueAt: now + HOUR + 300_000 }];
  if (step.canary === null) {
    const found = model.emptyLooks === 0 ? looksAgain : { emptyLooks: 0, dueAt: null, drained: null };
    return [afterEmptyLook(before, now), { ...model, canary: null, ...found }];
  }
  return [withCanary(before, step.canary, now), { ...model, canary: step.canary, emptyLooks: 0, dueAt: now + 300_000 }];
};

describe('whatever happens to an endpoint', () => {
  test('its breaker says what a look at the whole history says', () => {
    const reached = new Set<string>();
    fc.assert(
      fc.property(steps, (sequence) => {
        let [state, model, now] = [well, NEW_MODEL, NOON];
        for (const step of sequence) {
          now += step.wait;
          const [before, modelBefore] = [state, model];
          const [written, modelAfter] = take(step, before, modelBefore, now);
          const changed = JSON.stringify(modelled(modelAfter)) !== JSON.stringify(modelled(modelBefore));
          state = written ?? before;
          model = modelAfter;

          const { version, ...told } = state;
          expect(told).toEqual(modelled(model));
          // A success is written when it changes something and only then; everything else always.
          if (step.what === 'success') expect(written !== undefined).toBe(changed);
          if (step.what === 'failure') expect(written).toBeDefined();
          expect(version).toBe(before.version + (written ? 1 : 0));
          expect(breakerSchema.safeParse(state).success).toBe(true);
          if (step.what === 'failure' || (step.what === 'success' && written)) {
            const reason = disableReason(
              state,
              seen({ ...step, statusCode: step.what === 'failure' ? step.statusCode : 200, endedAt: now }),
            );
            expect(reason && (reason.includes('410') ? 'gone' : 'days')).toBe(modelledReason(model));
            reached.add(`disabled: ${reason}`);
          }
          reached.add(`${before.state} → ${state.state} by ${step.what}`);
        }
      }),
      { numRuns: 300 },
    );
    // The runs were worth something: they went through every change of state, and both reasons.
    expect([...reached]).toEqual(
      expect.arrayContaining([
        'closed → open by failure',
        'open → open by failure',
        'open → draining by success',
        'draining → draining by success',
        'draining → draining by tend',
        'draining → closed by tend',
        'draining → open by failure',
        'disabled: It answered 410 Gone twice.',
        'disabled: Nothing was delivered to it for five days.',
      ]),
    );
  });

  test('it is open exactly from its fifth failure in a row to its next success', () => {
    const outcomes = fc.array(fc.record({ ok: fc.nat(6).map((n) => n === 0), eventId: answersArbitrary.eventId }), {
      maxLength: 60,
      size: 'max',
    });
    fc.assert(
      fc.property(outcomes, (sequence) => {
        let [state, row, last] = [well, 0, ''];
        for (const [n, { ok, eventId }] of sequence.entries()) {
          const attempt = seen({ eventId, endedAt: NOON + n, statusCode: ok ? 200 : 500 });
          state = ok ? (afterSuccess(state, attempt) ?? state) : afterFailure(state, attempt, NOON + n + SECOND);
          // The tries of one delivery that follow each other count once.
          row = ok ? 0 : row + (eventId === last ? 0 : 1);
          last = ok ? '' : eventId;
          expect(state.state === 'open').toBe(row >= 5);
          expect(state.canary !== null).toBe(row >= 5);
        }
      }),
      { numRuns: 300 },
    );
  });
});
