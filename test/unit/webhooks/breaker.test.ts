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
import { longerTest, longTest, setRuns } from '#test/support/jest/long.ts';
import { id, NOON } from '#test/unit/api/examples.ts';

const ENDPOINT = id('whe');
const [ADIRE, BATIK, CHIFFON] = [id('evt', 1), id('evt', 2), id('evt', 3)];
/** Returns the id of the n-th event in a row of failures. It differs from the three ids above. */
const event = (n: number): string => id('evt', 10 + n);
const SOON = NOON + 30 * SECOND;

/** Returns a quick attempt to deliver `ADIRE` that ended at noon with 503. */
const attempt = (changes: Partial<BreakerAttempt> = {}): BreakerAttempt => ({
  eventId: ADIRE,
  endedAt: NOON,
  durationMs: 120,
  statusCode: 503,
  isRetry: false,
  ...changes,
});

const must = (after: Breaker | undefined): Breaker => {
  if (!after) throw new Error('The event changed nothing.');
  return after;
};
/** Asserts the state of a breaker, to read the fields that only this state has. */
const as = <S extends Breaker['state']>(state: S, breaker: Breaker | undefined): Extract<Breaker, { state: S }> => {
  expect(breaker?.state).toBe(state);
  return breaker as Extract<Breaker, { state: S }>;
};
const fail = (before: Breaker, changes: Partial<BreakerAttempt> = {}, nextAttemptAt: number | null = SOON): Breaker =>
  must(nextBreaker(before, { kind: 'attempt_failed', attempt: attempt(changes), nextAttemptAt }));
const succeed = (before: Breaker, changes: Partial<BreakerAttempt> = {}): Breaker | undefined =>
  nextBreaker(before, { kind: 'attempt_succeeded', attempt: attempt({ statusCode: 200, ...changes }) });
const recover = (before: Breaker, from: number): Breaker =>
  must(nextBreaker(before, { kind: 'recovery_requested', from }));
/** Polls the due breaker. `lastEventId`: the last released event, or null if nothing was parked. */
const poll = (before: Open | Draining, lastEventId: string | null, now: number): Breaker | undefined => {
  const dueAt = before.dueAt ?? 0;
  return nextBreaker(
    before,
    lastEventId === null ? { kind: 'nothing_parked', dueAt, now } : { kind: 'batch_released', lastEventId, dueAt, now },
  );
};

const healthy = healthyBreaker({ endpointId: ENDPOINT, mode: 'test' });
/** Returns the breaker after `times` steps. */
const repeat = (times: number, step: (state: Breaker, n: number) => Breaker, before: Breaker = healthy): Breaker => {
  let state = before;
  for (let n = 0; n < times; n++) state = step(state, n);
  return state;
};
/** Returns the breaker after failures in a row, a second apart from noon on. Each is of another event, and the last is of `ADIRE`. */
const failing = (times: number, before: Breaker = healthy): Breaker =>
  repeat(
    times,
    (state, n) => fail(state, { eventId: n === times - 1 ? ADIRE : event(n), endedAt: NOON + n * SECOND }),
    before,
  );
/** Returns the outage after that many failures. */
const outage = (times: number) => ({
  since: NOON,
  failures: times,
  rejections: 0,
  lastEventId: ADIRE,
  lastAt: NOON + (times - 1) * SECOND,
  goneSince: null,
});

/** Returns the fields of a drain that starts at `dueAt`, with the waiting canary if any. */
const drainFrom = (dueAt: number, canary: string | null = null) =>
  ({ state: 'draining', stepSize: 60, canary, lastReleasedId: null, emptyPolls: 0, dueAt }) as const;

const open = as('open', failing(5));
const draining = as('draining', succeed(open, { endedAt: NOON + HOUR }));
/** A drain that started while the canary waited. */
const withCanary: Draining = { ...draining, canary: ADIRE };
const finishDrain = (before: Draining): Breaker => {
  const polled = as('draining', poll(before, null, NOON));
  return must(poll(polled, null, NOON));
};

describe('the breaker of an endpoint', () => {
  test('starts closed and unwritten if it has no item', () => {
    const closed = { state: 'closed', outage: null, slowUntil: 0, told: null, version: 0 };
    expect(healthy).toEqual({ endpointId: ENDPOINT, mode: 'test', ...closed });
    expect(breakerSchema.parse(healthy)).toEqual(healthy);
    expect(disableCause(healthy, attempt())).toBeUndefined();
    expect(isSlow(healthy, NOON)).toBe(false);
  });

  test.each<[string, Breaker, number | null]>([
    ['has no due time while it is closed', failing(4), null],
    ['has a due time while it is open', open, SOON + 5 * MINUTE],
    ['has no due time while it is open and its endpoint is off', { ...open, dueAt: null }, null],
    ['has a due time while it is draining', draining, NOON + HOUR],
  ])('%s', (_, state, dueAt) => {
    expect(breakerDueAt(state)).toBe(dueAt);
  });

  test('needs a canary while it is open, if it has none or its canary has just failed', () => {
    expect([healthy, failing(4), draining].map(needsCanary)).toEqual([false, false, false]);
    expect(needsCanary({ ...open, canary: null })).toBe(true);
    expect(needsCanary({ ...open, canary: ADIRE })).toBe(true);
    expect(needsCanary({ ...open, canary: BATIK })).toBe(false);
    expect(needsCanary({ ...open, outage: null })).toBe(false);
  });

  test('ignores a poll that was made for an earlier due time while it is open', () => {
    const before = { ...open, dueAt: SOON };
    expect(nextBreaker(before, { kind: 'nothing_parked', dueAt: NOON, now: SOON })).toBeUndefined();
  });

  test('does not switch its endpoint off for a 410 that it has not counted', () => {
    expect(disableCause(failing(4), attempt({ statusCode: 410 }))).toBeUndefined();
  });

  test.each([1, 2, 3, 4])('stays closed after %i failures in a row', (times) => {
    expect(failing(times)).toEqual({ ...healthy, outage: outage(times), version: times });
  });

  test('counts consecutive attempts of one delivery once, because the endpoint may accept other deliveries', () => {
    const tries = repeat(30, (state, n) => fail(state, { endedAt: NOON + n * HOUR }, NOON + (n + 1) * HOUR));
    expect(tries).toMatchObject({ state: 'closed', outage: { failures: 1, since: NOON }, version: 30 });
    expect(fail(fail(tries, { eventId: BATIK })).outage?.failures).toBe(3);
  });

  test.each([400, 401, 403, 404, 413, 422, 451])(
    'counts a %i as a rejection of one event, and opens at the hundredth',
    (statusCode) => {
      expect(OPENS_AFTER_REJECTIONS).toBe(100);
      const reject = (times: number): Breaker =>
        repeat(times, (state, n) => fail(state, { eventId: event(n), statusCode }));
      expect(reject(99)).toMatchObject({ state: 'closed', outage: { failures: 0, rejections: 99, since: NOON } });
      const opened = { state: 'open', outage: { rejections: 100 }, canary: event(99), probes: 1 };
      expect(reject(100)).toMatchObject(opened);
      expect(fail(reject(99), { eventId: event(3), statusCode, isRetry: true })).toMatchObject({
        state: 'closed',
        outage: { rejections: 99, lastEventId: event(3) },
      });
      expect(succeed(reject(99))).toMatchObject({ outage: null });
    },
  );

  test.each([408, 410, 425, 429, 500, 302, null])(
    'counts %s as a failure of the endpoint, at every attempt',
    (statusCode) => {
      expect(fail(healthy, { statusCode, isRetry: true }).outage).toMatchObject({ failures: 1, rejections: 0 });
    },
  );

  test('forgets the rejection of a retry after a success', () => {
    const again = fail(healthy, { statusCode: 404, isRetry: true });
    expect(again.outage).toMatchObject({ failures: 0, rejections: 0, since: NOON, lastEventId: ADIRE });
    expect(succeed(again)).toMatchObject({ outage: null });
  });

  test('opens at the fifth failure in a row, makes the failed delivery its canary, and is due 5 min after the canary’s next attempt', () => {
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

  test('opens without a canary and is due at once if the fifth failure exhausts its delivery', () => {
    const endedAt = NOON + HOUR;
    const opened = { state: 'open', outage: { failures: 5 }, canary: null, dueAt: endedAt };
    expect(fail(failing(4), { eventId: BATIK, endedAt }, null)).toMatchObject(opened);
  });

  test.each([1, 2, 3, 4])('needs five more failures to open if a success follows %i failures', (times) => {
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
  test('keeps its canary if another delivery fails', () => {
    const other = fail(open, { eventId: BATIK, endedAt: NOON + MINUTE }, NOON + HOUR);
    const failed = { ...outage(6), lastEventId: BATIK, lastAt: NOON + MINUTE };
    expect(other).toEqual({ ...open, outage: failed, version: 6 });
    expect(fail(open, { eventId: BATIK, endedAt: NOON + MINUTE }, null)).toEqual(other);
    expect([needsCanary(open), needsCanary(other)]).toEqual([true, false]);
  });

  test.each<[string, number | null, Partial<Open>]>([
    ['waits for its canary’s next attempt, and counts its probes', NOON + HOUR, { dueAt: NOON + HOUR + 5 * MINUTE }],
    ['drops an exhausted canary, and is due at once for another', null, { canary: null, dueAt: NOON + MINUTE }],
  ])('%s', (_, nextAttemptAt, changes) => {
    const probed = fail(open, { endedAt: NOON + MINUTE }, nextAttemptAt);
    const failed = { ...outage(5), lastAt: NOON + MINUTE };
    expect(probed).toEqual({ ...open, outage: failed, probes: 2, version: 6, ...changes });
    expect(needsCanary(probed)).toBe(true);
  });

  test('becomes due at once for another URL, and forgets the failures of the old URL', () => {
    const gone = fail(open, { endedAt: NOON + MINUTE, statusCode: 410 }, NOON + HOUR);
    const now = NOON + 2 * MINUTE;
    const moved = must(nextBreaker({ ...gone, slowUntil: NOON + HOUR }, { kind: 'url_changed', now }));
    expect(moved).toEqual({ ...open, outage: null, probes: 0, dueAt: now, version: 7 });
    const late = { statusCode: 410, endedAt: NOON + 6 * DAY };
    expect(disableCause(fail(moved, late), attempt(late))).toBeUndefined();
  });

  test('does not probe while its endpoint is switched off, and a failure elects no canary', () => {
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
    expect(succeed(open, { eventId, endedAt })).toEqual({ ...healthy, ...drainFrom(endedAt, canary), version: 6 });
  });

  const elect = (before: Breaker, replaces: string | null) =>
    nextBreaker(before, { kind: 'canary_elected', eventId: BATIK, replaces, at: SOON });

  test('becomes due 5 min after the attempt of an elected canary', () => {
    expect(elect(open, ADIRE)).toEqual({ ...open, canary: BATIK, dueAt: SOON + 5 * MINUTE, version: 6 });
  });

  test('rejects an election that replaces a canary which it no longer has', () => {
    expect(elect(open, CHIFFON)).toBeUndefined();
    expect(elect(open, null)).toBeUndefined();
  });

  test('polls again with the next sweep if nothing is parked, and then waits for the next delivery', () => {
    const afterPoll = as('open', poll(open, null, NOON));
    expect(afterPoll).toEqual({ ...open, canary: null, emptyPolls: 1, dueAt: NOON + 30 * SECOND, version: 6 });
    expect(poll(afterPoll, null, NOON)).toEqual({ ...open, canary: null, emptyPolls: 0, dueAt: null, version: 7 });
    expect(elect(afterPoll, null)).toMatchObject({ emptyPolls: 0 });
  });

  test('becomes due 5 min after the next attempt of its canary if the sweeper finds the canary', () => {
    const event = { kind: 'canary_found', eventId: ADIRE, nextAttemptAt: NOON + HOUR } as const;
    expect(nextBreaker(open, event)).toEqual({ ...open, dueAt: NOON + HOUR + 5 * MINUTE, version: 6 });
    expect(nextBreaker(open, { ...event, eventId: BATIK })).toBeUndefined();
  });
});

describe('a success', () => {
  test.each([
    ['healthy', healthy],
    ['draining', draining],
    ['healthy again after an outage', finishDrain(draining)],
    ['quick again after it was slow', must(succeed(healthy, { durationMs: 6_000 }))],
  ])('writes nothing for an endpoint that is %s', (_, state) => {
    expect(succeed(state)).toBeUndefined();
    expect(succeed(state, { eventId: BATIK, statusCode: 204, durationMs: 5_000 })).toBeUndefined();
  });

  test('ends a row of failures during a drain, and the drain continues', () => {
    expect(succeed(fail(draining))).toEqual({ ...draining, version: draining.version + 2 });
  });
});

describe('a draining breaker', () => {
  test('releases 60 in its first step and twice as many in each further step, up to 6,000, a sweep apart', () => {
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

  test('keeps the waiting canary until its first step', () => {
    expect(poll(withCanary, BATIK, NOON)).toMatchObject({ state: 'draining', canary: null });
    expect(poll(withCanary, null, NOON)).toMatchObject({ state: 'draining', canary: null });
    expect(fail(withCanary)).toMatchObject({ state: 'draining', canary: ADIRE });
    expect(recover(withCanary, SOON)).toMatchObject({ state: 'draining', canary: ADIRE });
    const suspended = must(nextBreaker(withCanary, { kind: 'endpoint_disabled' }));
    const restarted = nextBreaker(suspended, { kind: 'parked_delivery_due', now: NOON });
    expect(restarted).toMatchObject({ state: 'draining', canary: ADIRE, dueAt: NOON });
  });

  test('closes after two sweeps have found nothing parked', () => {
    const afterPoll = as('draining', poll(draining, null, NOON));
    const polled = { ...draining, emptyPolls: 1, dueAt: NOON + 30 * SECOND, version: draining.version + 1 };
    expect(afterPoll).toEqual(polled);
    expect(poll(afterPoll, null, NOON)).toEqual({ ...healthy, version: draining.version + 2 });
    expect(poll(afterPoll, ADIRE, NOON)).toMatchObject({ state: 'draining', emptyPolls: 0 });
  });

  test.each([
    ['release deliveries', { kind: 'batch_released', lastEventId: ADIRE }],
    ['find nothing parked', { kind: 'nothing_parked' }],
  ] as const)('takes a step once if two sweepers %s', (_, step) => {
    const event = { ...step, dueAt: NOON + HOUR, now: NOON + HOUR };
    const after = must(nextBreaker(draining, event));
    expect(nextBreaker(after, event)).toBeUndefined();
  });

  test('keeps its row of failures after it closes, so that the fifth one still opens it', () => {
    const closed = finishDrain(as('draining', failing(4, draining)));
    expect(closed).toMatchObject({ state: 'closed', outage: { failures: 4 } });
    expect(fail(closed, { eventId: BATIK }).state).toBe('open');
  });

  test('opens at the fifth failure in a row and not before', () => {
    expect(failing(4, draining)).toMatchObject({ state: 'draining', stepSize: 60, dueAt: draining.dueAt });
    expect(failing(5, draining)).toMatchObject({ state: 'open', dueAt: SOON + 5 * MINUTE, canary: ADIRE });
  });

  test('starts again with 60 after the last released event if it has opened and recovered', () => {
    const fast = as('draining', poll(draining, ADIRE, NOON));
    expect(fast.stepSize).toBe(120);
    expect(succeed(failing(5, fast))).toMatchObject({ state: 'draining', stepSize: 60, lastReleasedId: ADIRE });
  });

  test.each([
    ['healthy', healthy, null],
    ['failing', failing(3), null],
    ['open', open, ADIRE],
    ['draining at a higher rate', { ...draining, stepSize: 960, lastReleasedId: BATIK }, null],
  ])(
    'starts from a breaker that is %s if the merchant asks for recovery, and forgets the failures',
    (_, before, canary) => {
      const started = { ...healthy, ...drainFrom(NOON + HOUR, canary), slowUntil: NOON, version: before.version + 1 };
      expect(recover({ ...before, slowUntil: NOON }, NOON + HOUR)).toEqual(started);
    },
  );

  test('continues for another URL, and forgets the failures', () => {
    const continued = nextBreaker(failing(3, draining), { kind: 'url_changed', now: NOON });
    expect(continued).toEqual({ ...draining, version: draining.version + 4 });
  });

  test('forgets an earlier 410 and the days of failures if the merchant asks for recovery', () => {
    const gone = fail(healthy, { statusCode: 410 });
    const late = attempt({ statusCode: 410, endedAt: NOON + 6 * DAY });
    expect(disableCause(recover(gone, NOON + HOUR), late)).toBeUndefined();
  });

  test('stops while its endpoint is switched off, and starts again for a parked delivery that is due', () => {
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

describe('the breaker in every state after every event', () => {
  const now = NOON + HOUR;
  /** Breakers that are about to change: one failure short of opening, due, and with an outage. */
  const BEFORE = { closed: failing(4), open, draining: { ...draining, dueAt: now, outage: outage(1) } };
  const dueAt = (state: Breaker['state']): number => (state === 'open' ? (open.dueAt ?? 0) : now);
  const starts = drainFrom(now);
  const startsWithCanary = drainFrom(now, ADIRE);

  /** The fields that each event changes in each state; null for none. The type check fails if a kind of event is missing. */
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
  )('changes as expected after %s while it is %s', (_, state, event, changes) => {
    const before = BEFORE[state];
    const after = nextBreaker(before, event);
    if (changes === null) return expect(after).toBeUndefined();
    expect(after).toMatchObject({ ...changes, endpointId: ENDPOINT, version: before.version + 1 });
    expect(breakerSchema.parse(after)).toEqual(after);
  });

  test.each(['url_changed', 'url_repeated', 'endpoint_enabled'] as const)(
    'is not written after %s if the endpoint has no breaker yet',
    (kind) => {
      expect(nextBreaker(healthy, TABLE[kind].event('closed'))).toBeUndefined();
    },
  );
});

describe('the breaker of an endpoint that is switched on again', () => {
  test.each([
    ['it was failing', failing(3)],
    ['it was open without a canary', { ...open, canary: null }],
    ['it was draining', draining],
    ['the endpoint had answered 410', fail(healthy, { statusCode: 410 })],
  ])('becomes the breaker of a healthy endpoint, except for its slowness, if %s', (_, before) => {
    const enabled = nextBreaker({ ...before, slowUntil: NOON }, { kind: 'endpoint_enabled', from: SOON });
    expect(enabled).toEqual({ ...healthy, slowUntil: NOON, version: before.version + 1 });
  });

  test.each([
    ['open', open],
    ['draining', withCanary],
  ])('drains for the waiting canary and forgets the failures if it was %s', (_, before) => {
    const drain = { ...healthy, ...drainFrom(SOON, ADIRE), version: before.version + 1 };
    expect(nextBreaker(before, { kind: 'endpoint_enabled', from: SOON })).toEqual(drain);
  });
});

describe('410 Gone', () => {
  type Answers = readonly [statuses: readonly (number | null)[], times: readonly number[]];
  /** Returns why the endpoint is switched off after these answers at these times; undefined if it is not. */
  const findCause = (...[statuses, times]: Answers) => {
    let state: Breaker = healthy;
    let last = {};
    for (const [n, statusCode] of statuses.entries()) {
      const answer = { statusCode, endedAt: times[n] ?? Number.NaN };
      state = statusCode === 200 ? (succeed(state, answer) ?? state) : fail(state, answer);
      last = answer;
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
  ])('switches the endpoint off if it comes %s', (_, ...answers) => {
    expect(findCause(...answers)).toBe('gone');
  });

  test.each<[string, ...Answers]>([
    ['once', [410], [0]],
    ['twice, a millisecond less than an hour apart', [410, 410], [0, HOUR - 1]],
    ['many times within an hour', [410, 410, 410, 410], [0, 1, MINUTE, 59 * MINUTE]],
    ['twice with a success between', [410, 200, 410], [0, MINUTE, HOUR]],
    ['twice, and then something else', [410, 410, 500], [0, MINUTE, 2 * HOUR]],
    ['not at all, but 404 comes for a day', [404, 404], [0, DAY]],
  ])('leaves the endpoint on if it comes %s', (_, ...answers) => {
    expect(findCause(...answers)).toBeUndefined();
  });

  test('is counted together if several deliveries get it', () => {
    const first = fail(healthy, { statusCode: 410, eventId: ADIRE });
    const second = fail(first, { statusCode: 410, eventId: BATIK, endedAt: NOON + HOUR }, null);
    expect(disableCause(second, attempt({ statusCode: 410, endedAt: NOON + HOUR }))).toBe('gone');
  });
});

describe('an endpoint that only fails', () => {
  /** Returns why the endpoint is switched off after failures twice a day for `duration`; undefined if it is not. */
  const findCause = (duration: number, before: Breaker, from: number) => {
    let state = before;
    for (let at = from; at < from + duration; at += DAY / 2) state = fail(state, { endedAt: at });
    const last = { endedAt: from + duration };
    return disableCause(fail(state, last, null), attempt(last));
  };

  test.each([
    ['stays on after a millisecond less than five days', 5 * DAY - 1, undefined],
    ['gets switched off after five days', 5 * DAY, 'failing'],
    ['gets switched off after six days', 6 * DAY, 'failing'],
  ])('%s', (_, duration, cause) => {
    expect(DISABLES_AFTER).toBe(5 * DAY);
    expect(findCause(duration, healthy, NOON)).toBe(cause);
  });

  test('has five days again after one success', () => {
    const recovered = must(succeed(open, { endedAt: NOON + 4 * DAY }));
    expect(findCause(5 * DAY - 1, recovered, NOON + 4 * DAY + HOUR)).toBeUndefined();
    expect(findCause(5 * DAY, recovered, NOON + 4 * DAY + HOUR)).toBe('failing');
  });

  test('has five days again after more than a day without an attempt', () => {
    const lastAt = open.outage?.lastAt ?? 0;
    const later = (pause: number) => fail(open, { eventId: BATIK, endedAt: lastAt + pause }).outage?.since;
    expect(later(DAY)).toBe(NOON);
    expect(later(DAY + 1)).toBe(lastAt + DAY + 1);
  });
});

describe('a slow endpoint', () => {
  test.each([
    ['gets no mark from a failure of 5 s', 5_000, false],
    ['gets a mark for 10 minutes from a failure of 5.001 s', 5_001, true],
    ['gets a mark for 10 minutes from a failure of 15 s', 15_000, true],
  ])('%s', (_, durationMs, slow) => {
    const state = fail(healthy, { durationMs });
    expect(isSlow(state, NOON)).toBe(slow);
    expect(isSlow(state, NOON + 10 * MINUTE - 1)).toBe(slow);
    expect(isSlow(state, NOON + 10 * MINUTE)).toBe(false);
  });

  test('becomes marked by a slow success, which writes nothing else', () => {
    const state = must(succeed(healthy, { durationMs: 5_001 }));
    expect(state).toEqual({ ...healthy, slowUntil: NOON + 10 * MINUTE, version: 1 });
  });

  test('stays marked after a quick attempt, and longer after another slow one', () => {
    const slow = fail(healthy, { durationMs: 6_000 });
    const later = NOON + 5 * MINUTE;
    expect(fail(slow, { endedAt: later }).slowUntil).toBe(NOON + 10 * MINUTE);
    expect(succeed(slow, { endedAt: later })?.slowUntil).toBe(NOON + 10 * MINUTE);
    expect(succeed(slow, { endedAt: later, durationMs: 6_000 })?.slowUntil).toBe(later + 10 * MINUTE);
  });

  test('becomes marked again only if a minute has passed', () => {
    const slow = must(succeed(healthy, { durationMs: 6_000 }));
    const again = (after: number) => succeed(slow, { durationMs: 6_000, endedAt: NOON + after });
    expect(again(MINUTE - 1)).toBeUndefined();
    expect(again(MINUTE)?.slowUntil).toBe(NOON + 11 * MINUTE);
  });

  test.each([
    ['continues its drain after a slow success', draining],
    ['starts a drain from open after a slow success', open],
  ])('%s', (_, before) => {
    const after = succeed(before, { durationMs: 6_000 });
    expect(after).toMatchObject({ state: 'draining', stepSize: 60, slowUntil: NOON + 10 * MINUTE });
    expect(after?.version).toBe(before.version + 1);
  });
});

/* A model of the breaker: it stores all answers and computes its results from them. Its only other state is the phase, the canary and the drain. */

type Answer = BreakerAttempt & { readonly ok: boolean };
interface Model {
  /** The answers since the row of failures was last reset by hand. */
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

/** Returns the answers at the end of the list that all are of one kind. */
const tail = (answers: readonly Answer[], kind: (answer: Answer) => boolean): readonly Answer[] =>
  answers.slice(answers.findLastIndex((answer) => !kind(answer)) + 1);

const listRow = ({ answers }: Model) => tail(answers, ({ ok }) => !ok);
const listGones = (model: Model) => listRow(model).filter(({ statusCode }) => statusCode === 410);
/** Lists the failures in the row that are not of the same event as the failure before. */
const listNewFailures = (model: Model) =>
  listRow(model).filter(({ eventId }, i, row) => eventId !== row[i - 1]?.eventId);
const countFailures = (model: Model): number =>
  listNewFailures(model).filter(({ statusCode }) => statusCode !== 404).length;
const countRejections = (model: Model): number =>
  listNewFailures(model).filter(({ statusCode, isRetry }) => statusCode === 404 && !isRetry).length;
/** Returns the part of the row after the last pause of more than a day. */
const listOutage = (model: Model) => {
  const row = listRow(model);
  const afterPause = row.findLastIndex(({ endedAt }, i) => endedAt - (row[i - 1]?.endedAt ?? endedAt) > 86_400_000);
  return row.slice(Math.max(0, afterPause));
};

const computeOutage = (model: Model): Breaker['outage'] => {
  const last = listRow(model).at(-1);
  if (!last) return null;
  return {
    since: listOutage(model)[0]?.endedAt ?? Number.NaN,
    failures: countFailures(model),
    rejections: countRejections(model),
    lastEventId: last.eventId,
    lastAt: last.endedAt,
    goneSince: listGones(model)[0]?.endedAt ?? null,
  };
};

const computeBreaker = (model: Model): object => {
  const { phase: state, canary, probes, stepSize, lastReleasedId, emptyPolls, dueAt } = model;
  const slowUntil = (model.slowEnds.at(-1) ?? -10 * MINUTE) + 10 * MINUTE;
  const common = { endpointId: ENDPOINT, mode: 'test', outage: computeOutage(model), slowUntil, told: null };
  if (state === 'closed') return { ...common, state };
  const whileParked = { ...common, state, lastReleasedId, emptyPolls, dueAt };
  return state === 'open' ? { ...whileParked, canary, probes } : { ...whileParked, canary, stepSize };
};

/** Returns why the endpoint is switched off after its latest answer; undefined if it is not. */
const computeCause = (model: Model): 'gone' | 'failing' | undefined => {
  const [gones, outage] = [listGones(model), listOutage(model)];
  const last = model.answers.at(-1);
  const since = (answers: readonly Answer[]) => (last?.endedAt ?? 0) - (answers[0]?.endedAt ?? last?.endedAt ?? 0);
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
  const opens = model.phase !== 'open' && (countFailures(after) >= 5 || countRejections(after) >= 100);
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
  // The sweeper finds parked deliveries if the breaker is draining, and the canary or another parked delivery if it is open.
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
/** An outage of days, which random steps rarely cause. */
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
const rejections = (count: number): Step[] => Array.from({ length: count }, (_, n) => rejectionStep(n));
const longDrain = (count: number): Step[] => [{ what: 'recover', wait: 0 }, ...Array<Step>(count).fill(FULL_STEP)];
/** First steps that lead to states which random steps rarely reach: about a hundred rejections in a row, or a drain that has grown to its largest steps. */
const beginnings: fc.Arbitrary<Step[]> = fc.oneof(
  { weight: 4, arbitrary: fc.constant<Step[]>([]) },
  { weight: 1, arbitrary: fc.integer({ min: 95, max: 110 }).map(rejections) },
  { weight: 1, arbitrary: fc.integer({ min: 5, max: 9 }).map(longDrain) },
);

/** Returns the breaker that the sweeper writes, if any, and the model after the sweep. */
const sweep = (
  step: Extract<Step, { what: 'sweep' }>,
  before: Breaker,
  model: Model,
  now: number,
): [Breaker | undefined, Model] => {
  // The sweeper works on due breakers only.
  if (before.state === 'closed' || before.dueAt === null) return [undefined, model];
  const { dueAt } = before;
  /** The first poll that finds nothing parked is repeated. */
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
    const changes = model.emptyPolls === 0 ? pollsAgain : { emptyPolls: 0, dueAt: null, lastReleasedId: null };
    return [nextBreaker(before, { kind: 'nothing_parked', dueAt, now }), { ...model, canary: null, ...changes }];
  }
  if (step.canary === 'found') {
    const event = { kind: 'canary_found', eventId: before.canary ?? '', nextAttemptAt: now + HOUR } as const;
    return [nextBreaker(before, event), before.canary ? { ...model, dueAt: now + HOUR + 300_000 } : model];
  }
  return [
    nextBreaker(before, { kind: 'canary_elected', eventId: step.canary, replaces: before.canary, at: now }),
    { ...model, canary: step.canary, emptyPolls: 0, dueAt: now + 300_000 },
  ];
};

/** Returns the breaker that the step writes, if any, and the model after the step. */
const takeStep = (step: Step, before: Breaker, model: Model, now: number): [Breaker | undefined, Model] => {
  const start = { phase: 'draining', stepSize: 60, lastReleasedId: null, dueAt: now } as const;
  const drains: Model = { ...model, ...NOTHING_DUE, answers: [], canary: model.canary, ...start };
  const enabled: Model = model.canary ? drains : { ...NEW_MODEL, slowEnds: model.slowEnds };
  switch (step.what) {
    case 'failure':
    case 'success': {
      const ok = step.what === 'success';
      const { eventId, durationMs } = step;
      const latest = attempt({ eventId, durationMs, endedAt: now, ...(ok ? { statusCode: 200 } : step) });
      const nextAttemptAt = step.nextIn === null ? null : now + step.nextIn;
      const event: BreakerEvent = ok
        ? { kind: 'attempt_succeeded', attempt: latest }
        : { kind: 'attempt_failed', attempt: latest, nextAttemptAt };
      return [nextBreaker(before, event), modelAnswer(model, { ...latest, ok }, nextAttemptAt)];
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

describe('the breaker after any history', () => {
  longTest('equals the state that the model computes from the whole history', () => {
    const reached = new Set<string>();
    fc.assert(
      fc.property(beginnings, steps, (beginning, rest) => {
        const sequence = [...beginning, ...rest];
        let [state, model, now]: [Breaker, Model, number] = [healthy, NEW_MODEL, NOON];
        for (const step of sequence) {
          now += step.wait;
          const before: Breaker = state;
          const modelBefore: Model = model;
          const [written, modelAfter] = takeStep(step, before, modelBefore, now);
          const changed = JSON.stringify(computeBreaker(modelAfter)) !== JSON.stringify(computeBreaker(modelBefore));
          state = written ?? before;
          model = modelAfter;

          const { version, ...rest } = state;
          expect(rest).toEqual(computeBreaker(model));
          // A success is written only if it changes something. A failure is always written.
          if (step.what === 'success') expect(written !== undefined).toBe(changed);
          if (step.what === 'failure') expect(written).toBeDefined();
          expect(version).toBe(before.version + (written ? 1 : 0));
          expect(breakerSchema.safeParse(state).success).toBe(true);
          if (step.what === 'failure' || (step.what === 'success' && written)) {
            const statusCode = step.what === 'failure' ? step.statusCode : 200;
            const cause = disableCause(state, { statusCode, endedAt: now });
            expect(cause).toBe(computeCause(model));
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
    // The runs must have covered every change of state and both causes.
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

  longerTest('stays open exactly from the fifth failure in a row to the next success', () => {
    const outcomes = fc.array(fc.record({ ok: fc.nat(6).map((n) => n === 0), eventId: answersArbitrary.eventId }), {
      maxLength: 60,
    });
    fc.assert(
      fc.property(outcomes, (sequence) => {
        let [state, row, last]: [Breaker, number, string] = [healthy, 0, ''];
        for (const [n, { ok, eventId }] of sequence.entries()) {
          const answer = { eventId, endedAt: NOON + n, statusCode: ok ? 200 : 500 };
          state = ok ? (succeed(state, answer) ?? state) : fail(state, answer, NOON + n + SECOND);
          // Consecutive attempts of one delivery count once.
          row = ok ? 0 : row + (eventId === last ? 0 : 1);
          last = ok ? '' : eventId;
          expect(state.state === 'open').toBe(row >= 5);
          expect(state.state === 'open' && state.canary !== null).toBe(row >= 5);
        }
      }),
      setRuns(300),
    );
  });
});
