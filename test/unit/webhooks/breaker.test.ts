import fc from 'fast-check';
import { DAY, HOUR, MINUTE, SECOND } from '#shared/platform/kernel/time.ts';
import {
  type Breaker,
  type BreakerAttempt,
  breakerDueAt,
  breaker as breakerSchema,
  DISABLES_AFTER,
  type Draining,
  disableCause,
  healthyBreaker,
  isSlow,
  needsCanary,
  type Open,
} from '#shared/webhooks/domain/breaker.ts';
import {
  type BreakerEvent,
  DRAIN_STEP_EVERY,
  LAST_STEP_SIZE,
  nextBreaker,
  OPENS_AFTER_FAILURES,
  OPENS_AFTER_REJECTIONS,
} from '#shared/webhooks/domain/breaker-transitions.ts';
import { longerTest, longTest, runsOf } from '#test/support/jest/long.ts';
import { id, NOON } from '#test/unit/api/examples.ts';

const ENDPOINT = id('whe');
const [ADIRE, BATIK, CHIFFON] = [id('evt', 1), id('evt', 2), id('evt', 3)];
/** Events of their own, for failures in a row. */
const event = (n: number): string => id('evt', 10 + n);
const SOON = NOON + 30 * SECOND;

/** A quick attempt to deliver `ADIRE` that ended at noon with 503. */
const attempt = (of: Partial<BreakerAttempt> = {}): BreakerAttempt => ({
  eventId: ADIRE,
  endedAt: NOON,
  durationMs: 120,
  statusCode: 503,
  isRetry: false,
  ...of,
});

const must = (after: Breaker | undefined): Breaker => {
  if (!after) throw new Error('The event changed nothing.');
  return after;
};
/** Asserts the state of a breaker, for the fields that only this state has. */
const as = <S extends Breaker['state']>(state: S, of: Breaker | undefined): Extract<Breaker, { state: S }> => {
  expect(of?.state).toBe(state);
  return of as Extract<Breaker, { state: S }>;
};
const fail = (before: Breaker, of: Partial<BreakerAttempt> = {}, nextAttemptAt: number | null = SOON): Breaker =>
  must(nextBreaker(before, { kind: 'attempt_failed', attempt: attempt(of), nextAttemptAt }));
const succeed = (before: Breaker, of: Partial<BreakerAttempt> = {}): Breaker | undefined =>
  nextBreaker(before, { kind: 'attempt_succeeded', attempt: attempt({ statusCode: 200, ...of }) });
const recover = (before: Breaker, from: number): Breaker =>
  must(nextBreaker(before, { kind: 'recovery_requested', from }));
/** A poll of the breaker that is due: what it released last, or null where nothing was parked. */
const poll = (before: Open | Draining, lastEventId: string | null, now: number): Breaker | undefined => {
  const dueAt = before.dueAt ?? 0;
  return nextBreaker(
    before,
    lastEventId === null ? { kind: 'nothing_parked', dueAt, now } : { kind: 'batch_released', lastEventId, dueAt, now },
  );
};

const healthy = healthyBreaker({ endpointId: ENDPOINT, mode: 'test' });
/** The breaker after `times` steps. */
const repeat = (times: number, step: (state: Breaker, n: number) => Breaker, before: Breaker = healthy): Breaker => {
  let state = before;
  for (let n = 0; n < times; n++) state = step(state, n);
  return state;
};
/** The breaker after failures in a row, each of another event and the last one of `ADIRE`, a second apart from noon on. */
const failing = (times: number, before: Breaker = healthy): Breaker =>
  repeat(
    times,
    (state, n) => fail(state, { eventId: n === times - 1 ? ADIRE : event(n), endedAt: NOON + n * SECOND }),
    before,
  );
/** The outage after that many failures. */
const outage = (times: number) => ({
  since: NOON,
  failures: times,
  rejections: 0,
  lastEventId: ADIRE,
  lastAt: NOON + (times - 1) * SECOND,
  goneSince: null,
});

/** What a drain begins with: a canary that waits, if there is one, is retried with its first step. */
const startedAt = (dueAt: number, canary: string | null = null) =>
  ({ state: 'draining', stepSize: 60, canary, lastReleasedId: null, emptyPolls: 0, dueAt }) as const;

const open = as('open', failing(5));
const draining = as('draining', succeed(open, { endedAt: NOON + HOUR }));
/** A drain that began while the canary waited. */
const withCanary: Draining = { ...draining, canary: ADIRE };
const drained = (before: Draining): Breaker => {
  const polled = as('draining', poll(before, null, NOON));
  return must(poll(polled, null, NOON));
};

describe('the breaker of an endpoint', () => {
  test('without an item is closed and was never written', () => {
    const closed = { state: 'closed', outage: null, slowUntil: 0, told: null, version: 0 };
    expect(healthy).toEqual({ endpointId: ENDPOINT, mode: 'test', ...closed });
    expect(breakerSchema.parse(healthy)).toEqual(healthy);
    expect(disableCause(healthy, attempt())).toBeUndefined();
    expect(isSlow(healthy, NOON)).toBe(false);
  });

  test.each<[string, Breaker, number | null]>([
    ['closed', failing(4), null],
    ['open', open, SOON + 5 * MINUTE],
    ['open, with its endpoint off', { ...open, dueAt: null }, null],
    ['draining', draining, NOON + HOUR],
  ])('that is %s is due when it says so', (_, state, dueAt) => {
    expect(breakerDueAt(state)).toBe(dueAt);
  });

  test('needs a canary while it is open and none probes, or the one that probed has failed', () => {
    expect([healthy, failing(4), draining].map(needsCanary)).toEqual([false, false, false]);
    expect(needsCanary({ ...open, canary: null })).toBe(true);
    expect(needsCanary({ ...open, canary: ADIRE })).toBe(true);
    expect(needsCanary({ ...open, canary: BATIK })).toBe(false);
    expect(needsCanary({ ...open, outage: null })).toBe(false);
  });

  test('that is open ignores a poll of its state before', () => {
    const before = { ...open, dueAt: SOON };
    expect(nextBreaker(before, { kind: 'nothing_parked', dueAt: NOON, now: SOON })).toBeUndefined();
  });

  test('does not switch its endpoint off for a 410 that it has not counted', () => {
    expect(disableCause(failing(4), attempt({ statusCode: 410 }))).toBeUndefined();
  });

  test.each([1, 2, 3, 4])('stays closed after %i failures in a row', (times) => {
    expect(failing(times)).toEqual({ ...healthy, outage: outage(times), version: times });
  });

  test('counts consecutive attempts of one delivery once: the endpoint may take the others', () => {
    const tries = repeat(30, (state, n) => fail(state, { endedAt: NOON + n * HOUR }, NOON + (n + 1) * HOUR));
    expect(tries).toMatchObject({ state: 'closed', outage: { failures: 1, since: NOON }, version: 30 });
    expect(fail(fail(tries, { eventId: BATIK })).outage?.failures).toBe(3);
  });

  test.each([400, 401, 403, 404, 413, 422, 451])(
    'counts a %i as a refusal of one event, and opens at the hundredth',
    (statusCode) => {
      expect(OPENS_AFTER_REJECTIONS).toBe(100);
      const refusing = (times: number): Breaker =>
        repeat(times, (state, n) => fail(state, { eventId: event(n), statusCode }));
      expect(refusing(99)).toMatchObject({ state: 'closed', outage: { failures: 0, rejections: 99, since: NOON } });
      const opened = { state: 'open', outage: { rejections: 100 }, canary: event(99), probes: 1 };
      expect(refusing(100)).toMatchObject(opened);
      expect(fail(refusing(99), { eventId: event(3), statusCode, isRetry: true })).toMatchObject({
        state: 'closed',
        outage: { rejections: 99, lastEventId: event(3) },
      });
      expect(succeed(refusing(99))).toMatchObject({ outage: null });
    },
  );

  test.each([408, 410, 425, 429, 500, 302, null])(
    'counts %s as a failure of the endpoint, at every attempt',
    (statusCode) => {
      expect(fail(healthy, { statusCode, isRetry: true }).outage).toMatchObject({ failures: 1, rejections: 0 });
    },
  );

  test('forgets with a success that something was refused again', () => {
    const again = fail(healthy, { statusCode: 404, isRetry: true });
    expect(again.outage).toMatchObject({ failures: 0, rejections: 0, since: NOON, lastEventId: ADIRE });
    expect(succeed(again)).toMatchObject({ outage: null });
  });

  test('opens at the fifth failure in a row; its delivery is the canary, looked for 5 min after its time', () => {
    expect(OPENS_AFTER_FAILURES).toBe(5);
    expect(open).toEqual({
      endpointId: ENDPOINT,
      mode: 'test',
      state: 'open',
      outage: outage(5),
      slowUntil: 0,
      told: null,
      version: 5,
      canary: ADIRE,
      probes: 1,
      lastReleasedId: null,
      emptyPolls: 0,
      dueAt: SOON + 5 * MINUTE,
    });
  });

  test('opens without a canary when the fifth failure exhausts its delivery, and is due at once', () => {
    const endedAt = NOON + HOUR;
    const opened = { state: 'open', outage: { failures: 5 }, canary: null, dueAt: endedAt };
    expect(fail(failing(4), { eventId: BATIK, endedAt }, null)).toMatchObject(opened);
  });

  test.each([1, 2, 3, 4])('needs five more failures when a success follows %i of them', (times) => {
    const recovered = must(succeed(failing(times), { endedAt: NOON + MINUTE }));
    expect(recovered).toEqual({ ...healthy, version: times + 1 });
    expect(failing(4, recovered).state).toBe('closed');
    expect(failing(5, recovered).state).toBe('open');
  });

  test.each([500, 503, 429, 410, 301, 200, null])('opens at five failures with status %p', (statusCode) => {
    const state = repeat(5, (before, n) => fail(before, { statusCode, eventId: event(n) }));
    expect(state).toMatchObject({ state: 'open', outage: { failures: 5 } });
  });
});

describe('an open breaker', () => {
  test('keeps its canary when another delivery fails', () => {
    const other = fail(open, { eventId: BATIK, endedAt: NOON + MINUTE }, NOON + HOUR);
    const failed = { ...outage(6), lastEventId: BATIK, lastAt: NOON + MINUTE };
    expect(other).toEqual({ ...open, outage: failed, version: 6 });
    expect(fail(open, { eventId: BATIK, endedAt: NOON + MINUTE }, null)).toEqual(other);
    expect([needsCanary(open), needsCanary(other)]).toEqual([true, false]);
  });

  test.each<[string, number | null, Partial<Open>]>([
    ['waits for its canary’s next attempt, and counts its probes', NOON + HOUR, { dueAt: NOON + HOUR + 5 * MINUTE }],
    ['loses a canary that is exhausted, and is due at once for another', null, { canary: null, dueAt: NOON + MINUTE }],
  ])('%s', (_, nextAttemptAt, changes) => {
    const probed = fail(open, { endedAt: NOON + MINUTE }, nextAttemptAt);
    const failed = { ...outage(5), lastAt: NOON + MINUTE };
    expect(probed).toEqual({ ...open, outage: failed, probes: 2, version: 6, ...changes });
    expect(needsCanary(probed)).toBe(true);
  });

  test('is due at once for another URL, and forgets the failures of the old one', () => {
    const gone = fail(open, { endedAt: NOON + MINUTE, statusCode: 410 }, NOON + HOUR);
    const now = NOON + 2 * MINUTE;
    const moved = must(nextBreaker({ ...gone, slowUntil: NOON + HOUR }, { kind: 'url_changed', now }));
    expect(moved).toEqual({ ...open, outage: null, probes: 0, dueAt: now, version: 7 });
    const late = { statusCode: 410, endedAt: NOON + 6 * DAY };
    expect(disableCause(fail(moved, late), attempt(late))).toBeUndefined();
  });

  test('is suspended while its endpoint is switched off, and a failure elects no canary', () => {
    const suspended = must(nextBreaker(open, { kind: 'endpoint_disabled' }));
    expect(suspended).toEqual({ ...open, dueAt: null, version: 6 });
    expect(fail(suspended, { eventId: BATIK })).toMatchObject({ canary: ADIRE, dueAt: null });
    expect(nextBreaker(suspended, { kind: 'endpoint_disabled' })).toBeUndefined();
  });

  test.each([
    ['its canary', ADIRE, null],
    ['another delivery', CHIFFON, ADIRE],
  ])('drains from the moment at which %s succeeds', (_, eventId, canary) => {
    const endedAt = NOON + HOUR;
    expect(succeed(open, { eventId, endedAt })).toEqual({ ...healthy, ...startedAt(endedAt, canary), version: 6 });
  });

  const elect = (before: Breaker, replaces: string | null) =>
    nextBreaker(before, { kind: 'canary_elected', eventId: BATIK, replaces, at: SOON });

  test('is due 5 min after the next canary’s time', () => {
    expect(elect(open, ADIRE)).toEqual({ ...open, canary: BATIK, dueAt: SOON + 5 * MINUTE, version: 6 });
  });

  test('takes no election in place of a canary that it no longer has', () => {
    expect(elect(open, CHIFFON)).toBeUndefined();
    expect(elect(open, null)).toBeUndefined();
  });

  test('with nothing parked polls once more with the next sweep, and then waits for the next delivery', () => {
    const once = as('open', poll(open, null, NOON));
    expect(once).toEqual({ ...open, canary: null, emptyPolls: 1, dueAt: NOON + 30 * SECOND, version: 6 });
    expect(poll(once, null, NOON)).toEqual({ ...open, canary: null, emptyPolls: 0, dueAt: null, version: 7 });
    expect(elect(once, null)).toMatchObject({ emptyPolls: 0 });
  });

  test('whose canary is found is due 5 min after that one’s next attempt', () => {
    const found = { kind: 'canary_found', eventId: ADIRE, nextAttemptAt: NOON + HOUR } as const;
    expect(nextBreaker(open, found)).toEqual({ ...open, dueAt: NOON + HOUR + 5 * MINUTE, version: 6 });
    expect(nextBreaker(open, { ...found, eventId: BATIK })).toBeUndefined();
  });
});

describe('a success', () => {
  test.each([
    ['healthy', healthy],
    ['draining', draining],
    ['healthy again after an outage', drained(draining)],
    ['slow, and quick again', must(succeed(healthy, { durationMs: 6_000 }))],
  ])('writes nothing for an endpoint that is %s', (_, state) => {
    expect(succeed(state)).toBeUndefined();
    expect(succeed(state, { eventId: BATIK, statusCode: 204, durationMs: 5_000 })).toBeUndefined();
  });

  test('ends a row of failures while draining, and the drain continues', () => {
    expect(succeed(fail(draining))).toEqual({ ...draining, version: draining.version + 2 });
  });
});

describe('a draining breaker', () => {
  test('releases 60 in the first step and twice as many in each next one, a sweep apart, at most 6,000', () => {
    const steps: number[] = [];
    let state = draining;
    for (let step = 1; step <= 10; step++) {
      steps.push(state.stepSize);
      const now = NOON + step * MINUTE;
      const after = as('draining', poll(state, ADIRE, now));
      expect(after).toEqual({
        ...state,
        stepSize: Math.min(2 * state.stepSize, 6_000),
        lastReleasedId: ADIRE,
        dueAt: now + 30 * SECOND,
        version: state.version + 1,
      });
      state = after;
    }
    expect(steps).toEqual([60, 120, 240, 480, 960, 1_920, 3_840, 6_000, 6_000, 6_000]);
    expect([DRAIN_STEP_EVERY, LAST_STEP_SIZE]).toEqual([MINUTE, 6_000]);
  });

  test('keeps the canary that waits until its first step', () => {
    expect(poll(withCanary, BATIK, NOON)).toMatchObject({ state: 'draining', canary: null });
    expect(poll(withCanary, null, NOON)).toMatchObject({ state: 'draining', canary: null });
    expect(fail(withCanary)).toMatchObject({ state: 'draining', canary: ADIRE });
    expect(recover(withCanary, SOON)).toMatchObject({ state: 'draining', canary: ADIRE });
    const suspended = must(nextBreaker(withCanary, { kind: 'endpoint_disabled' }));
    const restarted = nextBreaker(suspended, { kind: 'parked_delivery_due', now: NOON });
    expect(restarted).toMatchObject({ state: 'draining', canary: ADIRE, dueAt: NOON });
  });

  test('closes when two sweeps find nothing parked', () => {
    const once = as('draining', poll(draining, null, NOON));
    expect(once).toEqual({ ...draining, emptyPolls: 1, dueAt: NOON + 30 * SECOND, version: draining.version + 1 });
    expect(poll(once, null, NOON)).toEqual({ ...healthy, version: draining.version + 2 });
    expect(poll(once, ADIRE, NOON)).toMatchObject({ state: 'draining', emptyPolls: 0 });
  });

  test.each([
    ['released something', { kind: 'batch_released', lastEventId: ADIRE }],
    ['found nothing parked', { kind: 'nothing_parked' }],
  ] as const)('takes a step once, though two sweepers %s', (_, step) => {
    const event = { ...step, dueAt: NOON + HOUR, now: NOON + HOUR };
    const taken = must(nextBreaker(draining, event));
    expect(nextBreaker(taken, event)).toBeUndefined();
  });

  test('keeps its row of failures when it closes, so that the fifth one still opens it', () => {
    const closed = drained(as('draining', failing(4, draining)));
    expect(closed).toMatchObject({ state: 'closed', outage: { failures: 4 } });
    expect(fail(closed, { eventId: BATIK }).state).toBe('open');
  });

  test('opens at the fifth failure in a row and not before', () => {
    expect(failing(4, draining)).toMatchObject({ state: 'draining', stepSize: 60, dueAt: draining.dueAt });
    expect(failing(5, draining)).toMatchObject({ state: 'open', dueAt: SOON + 5 * MINUTE, canary: ADIRE });
  });

  test('that opened again starts with 60 behind what it released, once it recovers', () => {
    const fast = as('draining', poll(draining, ADIRE, NOON));
    expect(fast.stepSize).toBe(120);
    expect(succeed(failing(5, fast))).toMatchObject({ state: 'draining', stepSize: 60, lastReleasedId: ADIRE });
  });

  test.each([
    ['healthy', healthy, null],
    ['failing', failing(3), null],
    ['open', open, ADIRE],
    ['draining at a higher rate', { ...draining, stepSize: 960, lastReleasedId: BATIK }, null],
  ])('starts from one that is %s when the merchant asks for it, and forgets the failures', (_, before, canary) => {
    const started = { ...healthy, ...startedAt(NOON + HOUR, canary), slowUntil: NOON, version: before.version + 1 };
    expect(recover({ ...before, slowUntil: NOON }, NOON + HOUR)).toEqual(started);
  });

  test('continues for another URL, without failures', () => {
    const continued = nextBreaker(failing(3, draining), { kind: 'url_changed', now: NOON });
    expect(continued).toEqual({ ...draining, version: draining.version + 4 });
  });

  test('forgets an earlier 410 and the days of failures when the merchant asks for it', () => {
    const gone = fail(healthy, { statusCode: 410 });
    const late = attempt({ statusCode: 410, endedAt: NOON + 6 * DAY });
    expect(disableCause(recover(gone, NOON + HOUR), late)).toBeUndefined();
  });

  test('is suspended while its endpoint is switched off, and starts again for a parked delivery that is due', () => {
    const fast = { ...draining, stepSize: 960, lastReleasedId: BATIK };
    const suspended = must(nextBreaker(fast, { kind: 'endpoint_disabled' }));
    expect(nextBreaker(suspended, { kind: 'endpoint_disabled' })).toBeUndefined();
    expect(suspended).toEqual({ ...fast, dueAt: null, version: draining.version + 1 });
    const now = NOON + DAY;
    const restarted = nextBreaker(suspended, { kind: 'parked_delivery_due', now });
    expect(restarted).toEqual({ ...draining, dueAt: now, version: draining.version + 2 });
    expect(nextBreaker(draining, { kind: 'parked_delivery_due', now })).toBeUndefined();
  });
});

describe('every event in every state', () => {
  const now = NOON + HOUR;
  /** Breakers that are about to change: one failure short of opening, due, and with an outage. */
  const BEFORE = { closed: failing(4), open, draining: { ...draining, dueAt: now, outage: outage(1) } };
  const dueAt = (state: Breaker['state']): number => (state === 'open' ? (open.dueAt ?? 0) : now);
  const starts = startedAt(now);
  const startsWithCanary = startedAt(now, ADIRE);

  /** What each event changes in each state; null: nothing. A kind that is missing fails the type check. */
  const TABLE: {
    readonly [K in BreakerEvent['kind']]: Readonly<Record<Breaker['state'], object | null>> & {
      readonly event: (state: Breaker['state']) => BreakerEvent<K>;
    };
  } = {
    attempt_failed: {
      event: () => ({ kind: 'attempt_failed', attempt: attempt({ eventId: BATIK }), nextAttemptAt: SOON }),
      closed: { state: 'open', canary: BATIK, probes: 1, outage: expect.objectContaining({ failures: 5 }) },
      open: { state: 'open', canary: ADIRE, probes: 1, outage: expect.objectContaining({ failures: 6 }) },
      draining: { state: 'draining', outage: expect.objectContaining({ failures: 2 }) },
    },
    attempt_succeeded: {
      event: () => ({ kind: 'attempt_succeeded', attempt: attempt({ statusCode: 200, endedAt: now }) }),
      closed: { state: 'closed', outage: null },
      open: { ...starts, outage: null },
      draining: { state: 'draining', outage: null },
    },
    canary_elected: {
      event: () => ({ kind: 'canary_elected', eventId: BATIK, replaces: ADIRE, at: now }),
      closed: null,
      open: { state: 'open', canary: BATIK, dueAt: now + 5 * MINUTE },
      draining: null,
    },
    canary_found: {
      event: () => ({ kind: 'canary_found', eventId: ADIRE, nextAttemptAt: now }),
      closed: null,
      open: { state: 'open', canary: ADIRE, dueAt: now + 5 * MINUTE },
      draining: null,
    },
    batch_released: {
      event: (state) => ({ kind: 'batch_released', lastEventId: BATIK, dueAt: dueAt(state), now }),
      closed: null,
      open: null,
      draining: { state: 'draining', stepSize: 120, lastReleasedId: BATIK, dueAt: now + 30 * SECOND },
    },
    nothing_parked: {
      event: (state) => ({ kind: 'nothing_parked', dueAt: dueAt(state), now }),
      closed: null,
      open: { state: 'open', canary: null, emptyPolls: 1, dueAt: now + 30 * SECOND },
      draining: { state: 'draining', emptyPolls: 1, dueAt: now + 30 * SECOND },
    },
    parked_delivery_due: {
      event: () => ({ kind: 'parked_delivery_due', now }),
      closed: { ...starts, outage: null },
      open: null,
      draining: null,
    },
    recovery_requested: {
      event: () => ({ kind: 'recovery_requested', from: now }),
      closed: { ...starts, outage: null },
      open: { ...startsWithCanary, outage: null },
      draining: { ...starts, outage: null },
    },
    url_changed: {
      event: () => ({ kind: 'url_changed', now }),
      closed: { state: 'closed', outage: null },
      open: { state: 'open', canary: ADIRE, probes: 0, outage: null, dueAt: now },
      draining: { state: 'draining', stepSize: 60, outage: null, dueAt: now },
    },
    url_repeated: {
      event: () => ({ kind: 'url_repeated', now }),
      closed: null,
      open: { state: 'open', canary: ADIRE, probes: 0, outage: BEFORE.open.outage, dueAt: now },
      draining: null,
    },
    endpoint_enabled: {
      event: () => ({ kind: 'endpoint_enabled', from: now }),
      closed: { state: 'closed', outage: null },
      open: { ...startsWithCanary, outage: null },
      draining: { state: 'closed', outage: null },
    },
    endpoint_disabled: {
      event: () => ({ kind: 'endpoint_disabled' }),
      closed: null,
      open: { state: 'open', canary: ADIRE, dueAt: null },
      draining: { state: 'draining', stepSize: 60, dueAt: null },
    },
  };
  const STATES = ['closed', 'open', 'draining'] as const;

  test.each(
    Object.values(TABLE).flatMap(({ event, ...cells }) =>
      STATES.map((state) => [event(state).kind, state, event(state), cells[state]] as const),
    ),
  )('%s, while %s', (_, state, event, changes) => {
    const before = BEFORE[state];
    const after = nextBreaker(before, event);
    if (changes === null) return expect(after).toBeUndefined();
    expect(after).toMatchObject({ ...changes, endpointId: ENDPOINT, version: before.version + 1 });
    expect(breakerSchema.parse(after)).toEqual(after);
  });

  test.each(['url_changed', 'url_repeated', 'endpoint_enabled'] as const)(
    '%s writes no breaker for an endpoint without one',
    (kind) => {
      expect(nextBreaker(healthy, TABLE[kind].event('closed'))).toBeUndefined();
    },
  );
});

describe('a breaker whose endpoint is switched on again', () => {
  test.each([
    ['failing', failing(3)],
    ['open, without a canary', { ...open, canary: null }],
    ['draining', draining],
    ['gone', fail(healthy, { statusCode: 410 })],
  ])('is as for a healthy endpoint, but for its slowness, when it was %s', (_, before) => {
    const enabled = nextBreaker({ ...before, slowUntil: NOON }, { kind: 'endpoint_enabled', from: SOON });
    expect(enabled).toEqual({ ...healthy, slowUntil: NOON, version: before.version + 1 });
  });

  test.each([
    ['open', open],
    ['draining', withCanary],
  ])('drains for the canary that waits, without failures, when it was %s', (_, before) => {
    const drain = { ...healthy, ...startedAt(SOON, ADIRE), version: before.version + 1 };
    expect(nextBreaker(before, { kind: 'endpoint_enabled', from: SOON })).toEqual(drain);
  });
});

describe('410 Gone', () => {
  type Answers = readonly [statuses: readonly (number | null)[], times: readonly number[]];
  /** Why the endpoint is switched off after these answers at these times; undefined if it is not. */
  const answered = (...[statuses, times]: Answers) => {
    let state: Breaker = healthy;
    let last = {};
    for (const [n, statusCode] of statuses.entries()) {
      const of = { statusCode, endedAt: times[n] ?? Number.NaN };
      state = statusCode === 200 ? (succeed(state, of) ?? state) : fail(state, of);
      last = of;
    }
    return disableCause(state, attempt(last));
  };

  test.each<[string, ...Answers]>([
    ['twice, exactly an hour apart', [410, 410], [0, HOUR]],
    ['twice, a day apart', [410, 410], [0, DAY]],
    ['three times within more than an hour', [410, 410, 410], [0, MINUTE, HOUR + 1]],
    ['after other failures and successes', [503, 410, 200, 410, 410], [0, MINUTE, HOUR, 2 * HOUR, 3 * HOUR]],
    ['twice with a 503 between', [410, 503, 410], [0, MINUTE, HOUR]],
    ['twice with a 404 between', [410, 404, 410], [0, MINUTE, HOUR]],
    ['twice with a time-out between', [410, null, 410], [0, MINUTE, HOUR]],
    ['twice with a redirect between', [410, 301, 410], [0, MINUTE, HOUR]],
  ])('%s switches the endpoint off', (_, ...answers) => {
    expect(answered(...answers)).toBe('gone');
  });

  test.each<[string, ...Answers]>([
    ['once', [410], [0]],
    ['twice, a millisecond less than an hour apart', [410, 410], [0, HOUR - 1]],
    ['many times within an hour', [410, 410, 410, 410], [0, 1, MINUTE, 59 * MINUTE]],
    ['twice with a success between', [410, 200, 410], [0, MINUTE, HOUR]],
    ['twice, and then something else', [410, 410, 500], [0, MINUTE, 2 * HOUR]],
    ['never, but 404 for a day', [404, 404], [0, DAY]],
  ])('%s does not', (_, ...answers) => {
    expect(answered(...answers)).toBeUndefined();
  });

  test('that comes from several deliveries counts together', () => {
    const first = fail(healthy, { statusCode: 410, eventId: ADIRE });
    const second = fail(first, { statusCode: 410, eventId: BATIK, endedAt: NOON + HOUR }, null);
    expect(disableCause(second, attempt({ statusCode: 410, endedAt: NOON + HOUR }))).toBe('gone');
  });
});

describe('an endpoint that only fails', () => {
  /** The breaker after failures twice a day, from the first to the last, and why it is switched off then. */
  const failsFor = (days: number, before: Breaker, from: number) => {
    let state = before;
    for (let at = from; at < from + days; at += DAY / 2) state = fail(state, { endedAt: at });
    const last = { endedAt: from + days };
    return disableCause(fail(state, last, null), attempt(last));
  };

  test.each([
    ['a millisecond less than five days', 5 * DAY - 1, false],
    ['five days', 5 * DAY, true],
    ['six days', 6 * DAY, true],
  ])('for %s: is it switched off?', (_, days, off) => {
    expect(DISABLES_AFTER).toBe(5 * DAY);
    expect(failsFor(days, healthy, NOON)).toBe(off ? 'failing' : undefined);
  });

  test('counts five days from the start after one success', () => {
    const recovered = must(succeed(open, { endedAt: NOON + 4 * DAY }));
    expect(failsFor(5 * DAY - 1, recovered, NOON + 4 * DAY + HOUR)).toBeUndefined();
    expect(failsFor(5 * DAY, recovered, NOON + 4 * DAY + HOUR)).toBe('failing');
  });

  test('counts them from the start after more than a day without an attempt', () => {
    const lastAt = open.outage?.lastAt ?? 0;
    const later = (pause: number) => fail(open, { eventId: BATIK, endedAt: lastAt + pause }).outage?.since;
    expect(later(DAY)).toBe(NOON);
    expect(later(DAY + 1)).toBe(lastAt + DAY + 1);
  });
});

describe('a slow endpoint', () => {
  test.each([
    ['a failure of 5 s', 5_000, false],
    ['a failure of 5.001 s', 5_001, true],
    ['a failure of 15 s', 15_000, true],
  ])('is marked by %s for 10 minutes from its end: %i ms', (_, durationMs, slow) => {
    const state = fail(healthy, { durationMs });
    expect(isSlow(state, NOON)).toBe(slow);
    expect(isSlow(state, NOON + 10 * MINUTE - 1)).toBe(slow);
    expect(isSlow(state, NOON + 10 * MINUTE)).toBe(false);
  });

  test('is marked by a success as well, which is all that the success writes', () => {
    const state = must(succeed(healthy, { durationMs: 5_001 }));
    expect(state).toEqual({ ...healthy, slowUntil: NOON + 10 * MINUTE, version: 1 });
  });

  test('stays marked through a quick attempt, and longer through another slow one', () => {
    const slow = fail(healthy, { durationMs: 6_000 });
    const later = NOON + 5 * MINUTE;
    expect(fail(slow, { endedAt: later }).slowUntil).toBe(NOON + 10 * MINUTE);
    expect(succeed(slow, { endedAt: later })?.slowUntil).toBe(NOON + 10 * MINUTE);
    expect(succeed(slow, { endedAt: later, durationMs: 6_000 })?.slowUntil).toBe(later + 10 * MINUTE);
  });

  test('is marked again a minute later, and not by every success', () => {
    const slow = must(succeed(healthy, { durationMs: 6_000 }));
    const again = (after: number) => succeed(slow, { durationMs: 6_000, endedAt: NOON + after });
    expect(again(MINUTE - 1)).toBeUndefined();
    expect(again(MINUTE)?.slowUntil).toBe(NOON + 11 * MINUTE);
  });

  test.each([
    ['draining continues to drain', draining],
    ['open starts to drain', open],
  ])('that is slow and %s', (_, before) => {
    const after = succeed(before, { durationMs: 6_000 });
    expect(after).toMatchObject({ state: 'draining', stepSize: 60, slowUntil: NOON + 10 * MINUTE });
    expect(after?.version).toBe(before.version + 1);
  });
});

/* The model: it keeps what happened and answers from that; only the phase, the canary and the step size are carried along. */

type Answer = BreakerAttempt & { readonly ok: boolean };
interface Model {
  /** Since the row of failures was last forgotten by hand. */
  readonly answers: readonly Answer[];
  readonly slowEnds: readonly number[];
  readonly phase: Breaker['state'];
  readonly canary: string | null;
  readonly probes: number;
  readonly stepSize: number;
  readonly lastReleasedId: string | null;
  readonly emptyPolls: number;
  readonly dueAt: number | null;
}

const NOTHING_DUE = { canary: null, probes: 0, stepSize: 0, emptyPolls: 0, dueAt: null };
const NEW_MODEL: Model = { answers: [], slowEnds: [], phase: 'closed', ...NOTHING_DUE, lastReleasedId: null };

/** The answers at the end that all are of a kind. */
const tail = (answers: readonly Answer[], kind: (answer: Answer) => boolean): readonly Answer[] =>
  answers.slice(answers.findLastIndex((answer) => !kind(answer)) + 1);

const rowOf = ({ answers }: Model) => tail(answers, ({ ok }) => !ok);
const gonesOf = (model: Model) => rowOf(model).filter(({ statusCode }) => statusCode === 410);
/** Those that are no repetition of the one before. */
const newIn = (model: Model) => rowOf(model).filter(({ eventId }, i, row) => eventId !== row[i - 1]?.eventId);
const failuresOf = (model: Model): number => newIn(model).filter(({ statusCode }) => statusCode !== 404).length;
const listErrors = (model: Model): number =>
  newIn(model).filter(({ statusCode, isRetry }) => statusCode === 404 && !isRetry).length;
/** The part of the row that no day without a failure precedes. */
const outageOf = (model: Model) => {
  const row = rowOf(model);
  const afterPause = row.findLastIndex(({ endedAt }, i) => endedAt - (row[i - 1]?.endedAt ?? endedAt) > 86_400_000);
  return row.slice(Math.max(0, afterPause));
};

const modelledOutage = (model: Model): Breaker['outage'] => {
  const last = rowOf(model).at(-1);
  if (!last) return null;
  return {
    since: outageOf(model)[0]?.endedAt ?? Number.NaN,
    failures: failuresOf(model),
    rejections: listErrors(model),
    lastEventId: last.eventId,
    lastAt: last.endedAt,
    goneSince: gonesOf(model)[0]?.endedAt ?? null,
  };
};

const modelled = (model: Model): object => {
  const { phase: state, canary, probes, stepSize, lastReleasedId, emptyPolls, dueAt } = model;
  const slowUntil = (model.slowEnds.at(-1) ?? -10 * MINUTE) + 10 * MINUTE;
  const common = { endpointId: ENDPOINT, mode: 'test', outage: modelledOutage(model), slowUntil, told: null };
  if (state === 'closed') return { ...common, state };
  const whileParked = { ...common, state, lastReleasedId, emptyPolls, dueAt };
  return state === 'open' ? { ...whileParked, canary, probes } : { ...whileParked, canary, stepSize };
};

/** Why the endpoint goes off right after its latest answer. */
const modelledCause = (model: Model): 'gone' | 'failing' | undefined => {
  const [gones, outage] = [gonesOf(model), outageOf(model)];
  const last = model.answers.at(-1);
  const since = (of: readonly Answer[]) => (last?.endedAt ?? 0) - (of[0]?.endedAt ?? last?.endedAt ?? 0);
  if (!last?.ok && last?.statusCode === 410 && since(gones) >= 3_600_000) return 'gone';
  return since(outage) >= 5 * 86_400_000 ? 'failing' : undefined;
};

const modelAnswer = (model: Model, answer: Answer, nextAttemptAt: number | null): Model => {
  const after: Model = {
    ...model,
    answers: [...model.answers, answer],
    slowEnds:
      answer.durationMs > 5_000 && answer.endedAt - (model.slowEnds.at(-1) ?? 0) >= 60_000
        ? [...model.slowEnds, answer.endedAt]
        : model.slowEnds,
  };
  if (answer.ok) {
    if (model.phase !== 'open') return after;
    const canary = model.canary === answer.eventId ? null : model.canary;
    return { ...after, ...NOTHING_DUE, phase: 'draining', canary, stepSize: 60, dueAt: answer.endedAt };
  }
  const opens = model.phase !== 'open' && (failuresOf(after) >= 5 || listErrors(after) >= 100);
  const isCanary = model.phase === 'open' && model.canary === answer.eventId;
  if (!opens && !isCanary) return after;
  const probed = { ...after, ...NOTHING_DUE, phase: 'open' as const, probes: opens ? 1 : model.probes + 1 };
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
const sweepStep = fc.record({
  what: fc.constant('sweep' as const),
  // What the sweeper finds: parked deliveries while draining, the canary or another parked delivery while open.
  full: fc.boolean(),
  canary: fc.constantFrom('found' as const, null, ADIRE, BATIK),
  wait: waits,
});
const otherStep = fc.record({
  what: fc.constantFrom('recover' as const, 'enable', 'disable', 'new URL', 'parked due'),
  wait: waits,
});
const steps = fc.array(
  fc.oneof(
    { weight: 12, arbitrary: failureStep },
    { weight: 2, arbitrary: successStep },
    { weight: 3, arbitrary: sweepStep },
    { weight: 5, arbitrary: otherStep },
  ),
  { maxLength: 60 },
);
/** An outage of days, which random steps seldom make. */
const DAYS_OF_FAILURES: Step[] = Array.from({ length: 6 }, () => ({
  what: 'failure',
  eventId: ADIRE,
  durationMs: 120,
  nextIn: HOUR,
  statusCode: 503,
  isRetry: true,
  wait: DAY,
}));
type Step = typeof steps extends fc.Arbitrary<(infer S)[]> ? S : never;
const rejectionStep = (n: number): Step => ({
  what: 'failure',
  eventId: n % 2 === 0 ? ADIRE : BATIK,
  statusCode: 404,
  isRetry: false,
  durationMs: 120,
  nextIn: HOUR,
  wait: SECOND,
});
const FULL_STEP = { what: 'sweep', full: true, canary: null, wait: MINUTE } as const;
const errors = (count: number): Step[] => Array.from({ length: count }, (_, n) => rejectionStep(n));
const longDrain = (count: number): Step[] => [{ what: 'recover', wait: 0 }, ...Array<Step>(count).fill(FULL_STEP)];
/** What random steps do not come to: about a hundred refusals in a row, and a drain that has grown to its longest steps. */
const beginnings: fc.Arbitrary<Step[]> = fc.oneof(
  { weight: 4, arbitrary: fc.constant<Step[]>([]) },
  { weight: 1, arbitrary: fc.integer({ min: 95, max: 110 }).map(errors) },
  { weight: 1, arbitrary: fc.integer({ min: 5, max: 9 }).map(longDrain) },
);

/** What the sweeper writes, if anything, and what the model makes of it. */
const sweep = (
  step: Extract<Step, { what: 'sweep' }>,
  before: Breaker,
  model: Model,
  now: number,
): [Breaker | undefined, Model] => {
  // It works on what is due.
  if (before.state === 'closed' || before.dueAt === null) return [undefined, model];
  const { dueAt } = before;
  /** The first poll that finds nothing parked is not believed. */
  const pollsAgain = { emptyPolls: 1, dueAt: now + 30_000 };
  if (before.state === 'draining') {
    const after = poll(before, step.full ? BATIK : null, now);
    if (step.full) {
      const stepSize = Math.min(6_000, model.stepSize + model.stepSize);
      return [after, { ...model, canary: null, stepSize, lastReleasedId: BATIK, emptyPolls: 0, dueAt: now + 30_000 }];
    }
    const isOver = { ...NOTHING_DUE, lastReleasedId: null, phase: 'closed' as const };
    return [after, { ...model, canary: null, ...(model.emptyPolls === 0 ? pollsAgain : isOver) }];
  }
  if (step.canary === null) {
    const found = model.emptyPolls === 0 ? pollsAgain : { emptyPolls: 0, dueAt: null, lastReleasedId: null };
    return [nextBreaker(before, { kind: 'nothing_parked', dueAt, now }), { ...model, canary: null, ...found }];
  }
  if (step.canary === 'found') {
    const found = { kind: 'canary_found', eventId: before.canary ?? '', nextAttemptAt: now + HOUR } as const;
    return [nextBreaker(before, found), before.canary ? { ...model, dueAt: now + HOUR + 300_000 } : model];
  }
  return [
    nextBreaker(before, { kind: 'canary_elected', eventId: step.canary, replaces: before.canary, at: now }),
    { ...model, canary: step.canary, emptyPolls: 0, dueAt: now + 300_000 },
  ];
};

/** What the step writes, if anything, and what the model makes of it. */
const take = (step: Step, before: Breaker, model: Model, now: number): [Breaker | undefined, Model] => {
  const start = { phase: 'draining', stepSize: 60, lastReleasedId: null, dueAt: now } as const;
  const drains: Model = { ...model, ...NOTHING_DUE, answers: [], canary: model.canary, ...start };
  const enabled: Model = model.canary ? drains : { ...NEW_MODEL, slowEnds: model.slowEnds };
  switch (step.what) {
    case 'failure':
    case 'success': {
      const ok = step.what === 'success';
      const { eventId, durationMs } = step;
      const made = attempt({ eventId, durationMs, endedAt: now, ...(ok ? { statusCode: 200 } : step) });
      const nextAttemptAt = step.nextIn === null ? null : now + step.nextIn;
      const event: BreakerEvent = ok
        ? { kind: 'attempt_succeeded', attempt: made }
        : { kind: 'attempt_failed', attempt: made, nextAttemptAt };
      return [nextBreaker(before, event), modelAnswer(model, { ...made, ok }, nextAttemptAt)];
    }
    case 'sweep':
      return sweep(step, before, model, now);
    case 'recover':
      return [nextBreaker(before, { kind: 'recovery_requested', from: now }), drains];
    case 'enable':
      return [nextBreaker(before, { kind: 'endpoint_enabled', from: now }), enabled];
    case 'disable':
      return [nextBreaker(before, { kind: 'endpoint_disabled' }), { ...model, dueAt: null }];
    case 'new URL': {
      const dueAt = model.phase === 'open' ? now : model.dueAt;
      const after = { ...model, answers: [], slowEnds: [], probes: 0, dueAt };
      return [nextBreaker(before, { kind: 'url_changed', now }), after];
    }
    case 'parked due': {
      const starts = model.phase === 'closed' || (model.phase === 'draining' && model.dueAt === null);
      return [nextBreaker(before, { kind: 'parked_delivery_due', now }), starts ? drains : model];
    }
  }
};

describe('whatever happens to an endpoint', () => {
  longTest('its breaker says what the whole history says', () => {
    const reached = new Set<string>();
    fc.assert(
      fc.property(beginnings, steps, (beginning, rest) => {
        const sequence = [...beginning, ...rest];
        let [state, model, now]: [Breaker, Model, number] = [healthy, NEW_MODEL, NOON];
        for (const step of sequence) {
          now += step.wait;
          const before: Breaker = state;
          const modelBefore: Model = model;
          const [written, modelAfter] = take(step, before, modelBefore, now);
          const changed = JSON.stringify(modelled(modelAfter)) !== JSON.stringify(modelled(modelBefore));
          state = written ?? before;
          model = modelAfter;

          const { version, ...rest } = state;
          expect(rest).toEqual(modelled(model));
          // A success is written when it changes something and only then; everything else always.
          if (step.what === 'success') expect(written !== undefined).toBe(changed);
          if (step.what === 'failure') expect(written).toBeDefined();
          expect(version).toBe(before.version + (written ? 1 : 0));
          expect(breakerSchema.safeParse(state).success).toBe(true);
          if (step.what === 'failure' || (step.what === 'success' && written)) {
            const statusCode = step.what === 'failure' ? step.statusCode : 200;
            const cause = disableCause(state, { statusCode, endedAt: now });
            expect(cause).toBe(modelledCause(model));
            reached.add(`disabled: ${cause}`);
          }
          reached.add(`${before.state} → ${state.state} by ${step.what}`);
          if (before.state === 'closed' && state.state === 'open')
            reached.add(`opened after rejections: ${state.outage?.rejections === 100}`);
          if (state.state === 'draining' && state.stepSize === 6_000) reached.add('the longest steps of a drain');
        }
      }),
      { numRuns: 300, examples: [[[], DAYS_OF_FAILURES]] },
    );
    // The runs were worth something: they went through every change of state, and both reasons.
    expect([...reached]).toEqual(
      expect.arrayContaining([
        'closed → open by failure',
        'open → open by failure',
        'open → draining by success',
        'draining → draining by success',
        'draining → draining by sweep',
        'draining → closed by sweep',
        'draining → open by failure',
        'opened after rejections: true',
        'opened after rejections: false',
        'the longest steps of a drain',
        'disabled: gone',
        'disabled: failing',
      ]),
    );
  });

  longerTest('it is open exactly from its fifth failure in a row to its next success', () => {
    const outcomes = fc.array(fc.record({ ok: fc.nat(6).map((n) => n === 0), eventId: answersArbitrary.eventId }), {
      maxLength: 60,
    });
    fc.assert(
      fc.property(outcomes, (sequence) => {
        let [state, row, last]: [Breaker, number, string] = [healthy, 0, ''];
        for (const [n, { ok, eventId }] of sequence.entries()) {
          const of = { eventId, endedAt: NOON + n, statusCode: ok ? 200 : 500 };
          state = ok ? (succeed(state, of) ?? state) : fail(state, of, NOON + n + SECOND);
          // Consecutive attempts of one delivery count once.
          row = ok ? 0 : row + (eventId === last ? 0 : 1);
          last = ok ? '' : eventId;
          expect(state.state === 'open').toBe(row >= 5);
          expect(state.state === 'open' && state.canary !== null).toBe(row >= 5);
        }
      }),
      runsOf(300),
    );
  });
});
