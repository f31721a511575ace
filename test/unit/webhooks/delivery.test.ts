import fc from 'fast-check';
import { DAY, HOUR, MINUTE, SECOND } from '#shared/platform/kernel/time.ts';
import type { Expectation, Transition } from '#shared/platform/kernel/transition.ts';
import { deliveryView } from '#shared/webhooks/contract/delivery-view.ts';
import {
  ATTEMPT_TIMEOUT,
  type Attempt,
  attempt as attemptSchema,
  chooseLane,
  type Delivery,
  type DeliveryJob,
  deliveryJob,
  delivery as deliverySchema,
  deliveryState,
  lateDelivery,
  newDelivery,
  toDeliveryJob,
} from '#shared/webhooks/domain/delivery.ts';
import {
  cancel,
  failAttempt,
  giveUp,
  isRecovered,
  isWritten,
  LEASE,
  markNotQueued,
  markQueued,
  park,
  recover,
  redeliver,
  retryNow,
  startAttempt,
  startAttemptInPlace,
  succeed,
  unpark,
} from '#shared/webhooks/domain/delivery-transitions.ts';
import { DEFAULT_SCHEDULE } from '#shared/webhooks/domain/retry-schedule.ts';
import { id, NOON, SHOP, storedEvent } from '#test/unit/api/examples.ts';
import { expectEveryFieldRequired } from '#test/unit/every-field.ts';

const isMet = (stored: unknown, expectation: Expectation): boolean => {
  if (Array.isArray(expectation)) return expectation.includes(stored as never);
  if (typeof expectation === 'object' && expectation !== null && 'below' in expectation) {
    return stored === null ? expectation.orNull === true : Number(stored) < expectation.below;
  }
  return stored === expectation;
};

/** Applies a transition in memory, as the table does. */
const apply = (stored: Delivery, { expect: expected, set }: Transition<Delivery>): Delivery | undefined =>
  Object.entries(expected).every(([field, value]) => isMet(stored[field as keyof Delivery], value as Expectation))
    ? { ...stored, ...set }
    : undefined;

const must = <T>(after: T | undefined): T => {
  if (!after) throw new Error('The transition did not hold.');
  return after;
};

const fresh = newDelivery(id('dlv'), id('whe'), storedEvent());
const [ADA, BAYO] = [id('lease', 1), id('lease', 2)];
const buildAttempt = (number: number): Attempt => ({
  number,
  at: NOON,
  durationMs: 120,
  statusCode: 503,
  error: null,
  response: 'Service Unavailable',
});
const OPEN_STATES = ['pending', 'delivering', 'parked'];
/** The condition of a new job of a new delivery. */
const LEASABLE = { attempt: 0, redeliveries: 0, state: OPEN_STATES, leaseUntil: { below: NOON } };
/** The condition of the consumer with the lease. */
const LEASED = { leaseToken: ADA };
const NO_LEASE = { leaseToken: null, leaseUntil: 0 };
const NOTHING_DUE = { ...NO_LEASE, nextAttemptAt: null, dueAt: null };
const leased = must(apply(fresh, startAttempt(toDeliveryJob(fresh), ADA, NOON)));
const parked = must(apply(fresh, park(toDeliveryJob(fresh), NOON)));

/** Returns the data of a failed attempt. By default the gap is exactly that of the default schedule. */
const failure = (changes: Partial<Parameters<typeof failAttempt>[2]> = {}) => ({
  endedAt: NOON,
  retryAfter: null,
  schedule: DEFAULT_SCHEDULE,
  draw: 0.5,
  ...changes,
});

const ALL_STATES = deliveryState.options;
/** The states of a finished delivery: nothing is due, and no message starts the delivery again. */
const OVER: readonly string[] = ['succeeded', 'exhausted', 'cancelled'];
/** Returns a delivery in a state. The lease of a delivery in progress still runs at `NOON`. */
const inState = (state: Delivery['state']): Delivery => ({ ...(state === 'delivering' ? leased : fresh), state });

describe('a delivery', () => {
  test('starts pending and due in 10 s, so that a crash before it is queued only delays it', () => {
    expect(fresh).toEqual({
      id: id('dlv'),
      eventId: id('evt'),
      endpointId: id('whe'),
      businessId: SHOP,
      mode: 'test',
      eventType: 'checkout.paid',
      createdAt: NOON,
      expiresAt: NOON + 90 * DAY,
      state: 'pending',
      ...NO_LEASE,
      attempt: 0,
      redeliveries: 0,
      tries: 0,
      firstAttemptAt: null,
      lastAttempt: null,
      nextAttemptAt: NOON,
      dueAt: NOON + 10 * SECOND,
    });
    expect(deliverySchema.parse(fresh)).toEqual(fresh);
    expectEveryFieldRequired(deliverySchema, { ...fresh, lastAttempt: buildAttempt(1) });
    expectEveryFieldRequired(attemptSchema, buildAttempt(1));
  });

  test('becomes due at its creation if it was created later than its event, and is kept no longer than the event', () => {
    const now = NOON + 3 * DAY;
    const times = { nextAttemptAt: now, dueAt: now + 10 * SECOND, createdAt: now };
    expect(lateDelivery(id('dlv'), id('whe'), storedEvent(), now)).toEqual({ ...fresh, ...times });
  });

  test('has a job with its event, its endpoint, and its attempt, redeliveries and due time as the sender read them', () => {
    const ids = { eventId: id('evt'), endpointId: id('whe'), mode: fresh.mode, dueAt: NOON + 10 * SECOND };
    expect(toDeliveryJob({ ...fresh, attempt: 3, redeliveries: 2 })).toEqual({ ...ids, attempt: 3, redeliveries: 2 });
  });

  test('waits in the requested queue in live mode, and always in the test queue in test mode', () => {
    for (const lane of ['first', 'retry', 'slow'] as const) {
      expect(chooseLane({ mode: 'live' }, lane)).toBe(lane);
      expect(chooseLane({ mode: 'test' }, lane)).toBe('test');
    }
  });

  test('has byHand in its job only if it was sent by hand, and then only as true', () => {
    const job = { ...toDeliveryJob(fresh), byHand: true };
    expect(deliveryJob.parse(job)).toEqual(job);
    expect(deliveryJob.safeParse({ ...job, byHand: false }).success).toBe(false);
    expect(deliveryJob.parse(toDeliveryJob(fresh))).not.toHaveProperty('byHand');
  });

  test('has parked in its job only if it is parked, and then only as true', () => {
    const job = { ...toDeliveryJob(fresh), dueAt: NOON + DAY, parked: true };
    expect(toDeliveryJob(parked)).toStrictEqual(job);
    expect(deliveryJob.parse(job)).toEqual(job);
    expect(deliveryJob.safeParse({ ...job, parked: false }).success).toBe(false);
    expect(toDeliveryJob(fresh)).not.toHaveProperty('parked');
  });

  test('starts an attempt with a lease that is longer than the attempt', () => {
    expect(LEASE).toBeGreaterThan(ATTEMPT_TIMEOUT);
    const lease = { leaseToken: ADA, leaseUntil: NOON + 30 * SECOND, nextAttemptAt: null, dueAt: NOON + 31 * SECOND };
    expect(startAttempt(toDeliveryJob(fresh), ADA, NOON)).toEqual({
      expect: LEASABLE,
      set: { state: 'delivering', attempt: 1, ...lease },
    });
  });

  test('starts an attempt without a change of its due time', () => {
    const { dueAt: _, ...set } = startAttempt(toDeliveryJob(fresh), ADA, NOON).set;
    expect(startAttemptInPlace(toDeliveryJob(fresh), ADA, NOON)).toEqual({
      expect: { ...LEASABLE, dueAt: NOON + 10 * SECOND },
      set,
    });
  });

  test('starts an attempt only with a change of its due time if the due time has moved since its job was sent', () => {
    const swept = must(apply(fresh, markQueued(NOON + 10 * SECOND, NOON + MINUTE)));
    const inPlace = startAttemptInPlace(toDeliveryJob(fresh), ADA, NOON + MINUTE);
    expect(apply(swept, must(inPlace))).toBeUndefined();
    expect(apply(swept, startAttempt(toDeliveryJob(fresh), ADA, NOON + MINUTE))?.dueAt).toBe(
      NOON + MINUTE + LEASE + SECOND,
    );
  });

  test.each<[string, number | null, boolean]>([
    ['is finished', null, false],
    ['was due before', NOON - HOUR, true],
    ['is due at the end of the lease', NOON + LEASE + SECOND, true],
    ['is due later than the end of the lease', NOON + LEASE + SECOND + 1, false],
  ])(
    'starts an attempt without a change of its due time if the due time is early enough: the delivery %s (%s → %s)',
    (_, dueAt, isStarted) => {
      expect(startAttemptInPlace({ ...toDeliveryJob(fresh), dueAt }, ADA, NOON) !== undefined).toBe(isStarted);
    },
  );

  test.each([
    ['cannot be queued by a sweeper while its lease runs', NOON + LEASE, false],
    [
      'cannot be queued by a sweeper in the second after its lease, because the consumer’s clock may lag',
      NOON + LEASE + SECOND,
      false,
    ],
    ['can be queued by a sweeper a second after its lease', NOON + LEASE + SECOND + 1, true],
  ])('%s', (_, at, isQueued) => {
    const leasedInPlace = must(apply(fresh, must(startAttemptInPlace(toDeliveryJob(fresh), ADA, NOON))));
    expect(leasedInPlace.dueAt).toBe(NOON + 10 * SECOND);
    expect(apply(leasedInPlace, markQueued(NOON + 10 * SECOND, at))?.dueAt).toBe(
      isQueued ? at + 5 * MINUTE : undefined,
    );
  });

  describe('after a failure just after its lease had lapsed', () => {
    const late = NOON + LEASE + 2 * SECOND;
    const failed = must(apply(leased, failAttempt(leased, buildAttempt(1), failure({ endedAt: late }))));
    // The sweeper sent this job because of the lapsed lease, before the failure was written.
    const swept = toDeliveryJob(leased);
    const at = late + 5 * SECOND;

    test.each([
      ['starts no attempt by the sweeper’s job at once', false, late],
      ['starts no attempt by the sweeper’s job two seconds before the end of its gap', false, at - 2 * SECOND],
      [
        'starts an attempt by the sweeper’s job a little later, because the consumer’s clock may lag',
        true,
        at - 2 * SECOND + 1,
      ],
      ['starts an attempt by the sweeper’s job at the end of its gap', true, at],
    ])('%s', (_, isStarted, now) => {
      expect(failed.nextAttemptAt).toBe(at);
      expect(apply(failed, startAttempt(swept, BAYO, now))?.attempt).toBe(isStarted ? 2 : undefined);
    });

    test('starts at once if it is redelivered by hand', () => {
      expect(apply(failed, startAttempt({ ...swept, byHand: true }, BAYO, late))?.attempt).toBe(2);
    });
  });

  test('starts its first attempt whatever the consumer’s clock says', () => {
    expect(apply(fresh, startAttempt(toDeliveryJob(fresh), ADA, NOON - MINUTE))?.attempt).toBe(1);
  });

  test('starts one attempt for one job, however often the queue sends the job', () => {
    expect(apply(leased, startAttempt(toDeliveryJob(fresh), BAYO, NOON + SECOND))).toBeUndefined();
    expect(apply(leased, startAttempt(toDeliveryJob(fresh), BAYO, NOON + DAY))).toBeUndefined();
  });

  test.each([
    ['starts no attempt by a new job while the lease of another consumer runs', NOON + LEASE - 1, false],
    ['starts no attempt by a new job in the last millisecond of the lease of another consumer', NOON + LEASE, false],
    ['starts an attempt by a new job after the lease of another consumer has lapsed', NOON + LEASE + 1, true],
  ])('%s', (_, at, isStarted) => {
    const after = apply(leased, startAttempt(toDeliveryJob(leased), BAYO, at));
    expect(after?.attempt).toBe(isStarted ? 2 : undefined);
  });

  test.each(['succeeded', 'exhausted', 'cancelled'] as const)('starts no attempt if it is %s', (state) => {
    const finished = { ...fresh, state };
    expect(apply(finished, startAttempt(toDeliveryJob(finished), ADA, NOON))).toBeUndefined();
  });

  test('starts no attempt for a message from before its redelivery', () => {
    expect(apply({ ...fresh, redeliveries: 1 }, startAttempt(toDeliveryJob(fresh), ADA, NOON))).toBeUndefined();
  });

  test('has no lease and is not due after a success', () => {
    const attempt = { ...buildAttempt(1), statusCode: 200 };
    expect(succeed(leased, attempt)).toEqual({
      expect: LEASED,
      set: { state: 'succeeded', ...NOTHING_DUE, lastAttempt: attempt },
    });
  });

  test('waits for its next attempt after the first failure, counted from the end of the last attempt', () => {
    const endedAt = NOON + 12 * SECOND;
    const due = { nextAttemptAt: endedAt + 5 * SECOND, dueAt: endedAt + 15 * SECOND };
    expect(failAttempt(leased, buildAttempt(1), failure({ endedAt }))).toEqual({
      expect: LEASED,
      set: { state: 'pending', tries: 1, firstAttemptAt: NOON, ...NO_LEASE, ...due, lastAttempt: buildAttempt(1) },
    });
  });

  test('keeps the time of its first attempt after another failure, and waits for the next gap of the schedule', () => {
    const firstAttemptAt = NOON - HOUR;
    const before = { ...leased, attempt: 9, tries: 2, firstAttemptAt };
    const { set } = failAttempt(before, buildAttempt(9), failure());
    expect(set).toMatchObject({ tries: 3, firstAttemptAt, nextAttemptAt: NOON + 2 * MINUTE });
  });

  test('chooses its gap by failed tries, not by attempt numbers, if earlier leases lapsed without a result', () => {
    const before = { ...leased, attempt: 40, tries: 0 };
    expect(failAttempt(before, buildAttempt(40), failure()).set).toMatchObject({
      tries: 1,
      nextAttemptAt: NOON + 5 * SECOND,
    });
  });

  test.each([
    ['10 min', 10 * MINUTE, 10 * SECOND],
    ['15 min, the longest delay of a queue', 15 * MINUTE, 10 * SECOND],
    ['15 min and 1 ms', 15 * MINUTE + 1, 0],
    ['1 h', HOUR, 0],
  ])('waits %s and is due after %i ms plus %i ms for the queue', (_, gap, grace) => {
    const schedule = { gaps: [gap], afterwards: gap, until: 72 * HOUR };
    const { set } = failAttempt(leased, buildAttempt(1), failure({ schedule }));
    expect(set).toMatchObject({ nextAttemptAt: NOON + gap, dueAt: NOON + gap + grace });
  });

  test('waits as long as the endpoint asked', () => {
    const { set } = failAttempt(leased, buildAttempt(1), failure({ retryAfter: HOUR }));
    expect(set).toMatchObject({ nextAttemptAt: NOON + HOUR, dueAt: NOON + HOUR });
  });

  test('becomes exhausted and is not due if it fails with no time left in its schedule', () => {
    const firstAttemptAt = NOON - 72 * HOUR;
    const before = { ...leased, attempt: 77, tries: 76, firstAttemptAt };
    expect(failAttempt(before, buildAttempt(77), failure())).toEqual({
      expect: LEASED,
      set: { state: 'exhausted', tries: 77, firstAttemptAt, ...NOTHING_DUE, lastAttempt: buildAttempt(77) },
    });
  });

  test.each([
    ['becomes cancelled if its endpoint or event is gone', cancel, 'cancelled'],
    ['becomes exhausted if its endpoint has been off for too long', giveUp, 'exhausted'],
  ] as const)('%s, and is not due', (_, end, state) => {
    expect(end(toDeliveryJob(fresh), NOON)).toEqual({ expect: LEASABLE, set: { state, ...NOTHING_DUE } });
  });

  test('becomes parked behind a failing endpoint without an attempt, and is due again after a day', () => {
    expect(park(toDeliveryJob(fresh), NOON)).toEqual({
      expect: LEASABLE,
      set: { state: 'parked', wasParked: true, ...NOTHING_DUE, dueAt: NOON + DAY },
    });
    expect(park(toDeliveryJob(fresh), NOON, NOON + 30 * DAY).set.dueAt).toBe(NOON + 30 * DAY);
  });

  const byMessage: [string, (job: DeliveryJob, now: number) => Transition<Delivery>][] = [
    ['started', (job, now) => startAttempt(job, BAYO, now)],
    ['parked', park],
    ['cancelled', cancel],
    ['given up', giveUp],
  ];
  test.each(byMessage)('can be %s by a new message only if it is not finished and no lease runs', (_, transition) => {
    const states = ALL_STATES.filter((state) => apply(inState(state), transition(toDeliveryJob(inState(state)), NOON)));
    expect(states).toEqual(['pending', 'parked']);
  });

  test.each(byMessage)('cannot be %s by a message from before another attempt or redelivery', (_, transition) => {
    const outdated = transition(toDeliveryJob(fresh), NOON + DAY);
    expect(apply(fresh, outdated)).toBeDefined();
    expect(apply({ ...fresh, attempt: 1 }, outdated)).toBeUndefined();
    expect(apply({ ...fresh, redeliveries: 1 }, outdated)).toBeUndefined();
  });

  test('leaves its parking once, is attempted at its time, and is swept if the queue loses it', () => {
    const at = NOON + 30 * SECOND;
    const released = must(apply(parked, unpark(parked, at, NOON)));
    expect(released).toEqual({ ...parked, state: 'pending', nextAttemptAt: at, dueAt: at + 5 * MINUTE });
    expect(apply(released, unpark(parked, at, NOON))).toBeUndefined();
    expect(apply({ ...parked, attempt: 1 }, unpark(parked, at, NOON))).toBeUndefined();
    expect(apply({ ...parked, redeliveries: 1 }, unpark(parked, at, NOON))).toBeUndefined();
    // If the wait is too long for a queue, the delivery is due at its own time.
    const latest = NOON + 15 * MINUTE;
    expect(must(apply(parked, unpark(parked, latest, NOON))).dueAt).toBe(latest + 5 * MINUTE);
    expect(must(apply(parked, unpark(parked, latest + 1, NOON))).dueAt).toBe(latest + 1);
  });

  test('becomes due with the next sweep by retryNow while it waits for its retry, unless its attempt has started', () => {
    const waiting = { ...fresh, state: 'pending' as const, attempt: 3, nextAttemptAt: NOON + HOUR, dueAt: NOON + HOUR };
    expect(must(apply(waiting, retryNow(waiting, NOON)))).toEqual({ ...waiting, nextAttemptAt: NOON, dueAt: NOON });
    expect(apply({ ...waiting, state: 'delivering' }, retryNow(waiting, NOON))).toBeUndefined();
    expect(apply({ ...waiting, attempt: 4 }, retryNow(waiting, NOON))).toBeUndefined();
  });

  test.each([
    ['redelivered', redeliver, ['pending', 'parked', 'succeeded', 'exhausted', 'cancelled']],
    ['recovered', recover, ['parked', 'exhausted']],
  ] as const)('can be %s from some states only, never while it is being delivered', (_, sendAgain, states) => {
    expect(ALL_STATES.filter((state) => apply(inState(state), sendAgain(inState(state), NOON)))).toEqual(states);
  });

  const givenUp: Delivery = {
    ...fresh,
    ...NOTHING_DUE,
    state: 'exhausted',
    lastAttempt: buildAttempt(77),
    attempt: 77,
    redeliveries: 1,
    tries: 77,
    firstAttemptAt: NOON - 72 * HOUR,
  };
  /** The delivery with a new schedule and continued attempt numbers. */
  const renewed = { ...givenUp, redeliveries: 2, tries: 0, firstAttemptAt: null };

  test('becomes due at once after a redelivery, with a new schedule and continued attempt numbers', () => {
    const due = { state: 'pending', nextAttemptAt: NOON, dueAt: NOON + 10 * SECOND };
    expect(apply(givenUp, redeliver(givenUp, NOON))).toEqual({ ...renewed, ...due });
  });

  test('counts as recovered if it is parked with its whole schedule and due within a day', () => {
    const recovered: Delivery = { ...givenUp, ...recover(givenUp, NOON).set };
    expect([isRecovered(givenUp, NOON), isRecovered(recovered, NOON)]).toEqual([false, true]);
    expect(isRecovered({ ...recovered, state: 'exhausted' }, NOON)).toBe(false);
    expect(isRecovered({ ...recovered, tries: 1 }, NOON)).toBe(false);
    expect(isRecovered({ ...recovered, firstAttemptAt: NOON }, NOON)).toBe(false);
    for (const dueAt of [NOON + DAY + 1, null]) expect(isRecovered({ ...recovered, dueAt }, NOON)).toBe(false);
  });

  test('becomes parked after a recovery, with a new schedule and continued attempt numbers', () => {
    const due = { state: 'parked', nextAttemptAt: null, dueAt: NOON + DAY };
    expect(apply(givenUp, recover(givenUp, NOON))).toEqual({ ...renewed, ...due });
  });

  test.each([
    ['redelivered', redeliver],
    ['recovered', recover],
  ])('can be %s only once by two concurrent requests, and its older messages become void', (_, sendAgain) => {
    const after = must(apply(givenUp, sendAgain(givenUp, NOON)));
    expect(apply(after, sendAgain(givenUp, NOON))).toBeUndefined();
    expect(apply(after, startAttempt(toDeliveryJob(givenUp), ADA, NOON))).toBeUndefined();
    expect(apply(after, startAttempt(toDeliveryJob(after), ADA, NOON))?.attempt).toBe(78);
  });

  test('cannot be redelivered by a request that read it before a retry started or finished', () => {
    expect(apply(leased, redeliver(fresh, NOON))).toBeUndefined();
    const failed = must(apply(leased, failAttempt(leased, buildAttempt(1), failure())));
    expect(apply(failed, redeliver(fresh, NOON))).toBeUndefined();
    expect(apply(failed, redeliver(failed, NOON))?.redeliveries).toBe(1);
  });

  test('accepts the result only of the consumer with the lease', () => {
    const leasedAgain = must(apply(leased, startAttempt(toDeliveryJob(leased), BAYO, NOON + LEASE + 1)));
    const now = NOON + LEASE + 1;
    const late = [
      succeed(leased, buildAttempt(1)),
      failAttempt(leased, buildAttempt(1), failure({ endedAt: now })),
      failAttempt({ ...leased, firstAttemptAt: NOON - 72 * HOUR }, buildAttempt(1), failure({ endedAt: now })),
      cancel(toDeliveryJob(leased), now),
    ];
    for (const result of late) expect(apply(leasedAgain, result)).toBeUndefined();
    expect(apply(leasedAgain, succeed(leasedAgain, buildAttempt(2)))?.state).toBe('succeeded');
  });

  describe('after a write with a lost answer', () => {
    const lease = startAttempt(toDeliveryJob(fresh), ADA, NOON);
    const failure503 = failAttempt(leased, buildAttempt(1), failure());
    const failed = must(apply(leased, failure503));
    const exhausted: Delivery = { ...failed, state: 'exhausted', nextAttemptAt: null, dueAt: null };
    const recovery = recover(exhausted, NOON);
    const recovered = must(apply(exhausted, recovery));

    test.each<[string, Transition<Delivery>, Delivery, boolean]>([
      ['shows a lease by its token', lease, leased, true],
      ['shows a lease in place by its token', must(startAttemptInPlace(toDeliveryJob(fresh), ADA, NOON)), leased, true],
      ['shows no lease of another consumer', startAttempt(toDeliveryJob(fresh), BAYO, NOON), leased, false],
      ['shows no lease if it has none', lease, fresh, false],
      ['shows a failure by its attempt', failure503, failed, true],
      [
        'shows a success by its attempt',
        succeed(leased, buildAttempt(1)),
        must(apply(leased, succeed(leased, buildAttempt(1)))),
        true,
      ],
      ['shows a result even after a redelivery', failure503, must(apply(failed, redeliver(failed, NOON))), true],
      [
        'shows a result even after the endpoint’s answer was erased',
        failure503,
        { ...failed, lastAttempt: { ...buildAttempt(1), response: null } },
        true,
      ],
      ['shows no result of another attempt', succeed(leased, buildAttempt(2)), failed, false],
      ['shows no result if it has none', failure503, leased, false],
      ['shows a recovery by its redeliveries', recovery, recovered, true],
      [
        'shows no recovery if it was redelivered instead',
        recovery,
        must(apply(exhausted, redeliver(exhausted, NOON))),
        false,
      ],
      ['shows no recovery before it happened', recovery, exhausted, false],
      ['shows no recovery if it is parked for another reason', recovery, { ...exhausted, state: 'parked' }, false],
      ['cannot show that it was parked', park(toDeliveryJob(fresh), NOON), parked, false],
      [
        'cannot show that it was cancelled',
        cancel(toDeliveryJob(fresh), NOON),
        must(apply(fresh, cancel(toDeliveryJob(fresh), NOON))),
        false,
      ],
      [
        'cannot show that it was queued',
        markQueued(Number(fresh.dueAt), NOON),
        { ...fresh, dueAt: NOON + 5 * MINUTE },
        false,
      ],
    ])('%s', (_, transition, stored, isShown) => {
      expect(isWritten(transition, stored)).toBe(isShown);
    });
  });

  test('can be queued by only one of two sweepers, and is due again after five minutes', () => {
    const dueAt = NOON + 10 * SECOND;
    const marked = must(apply(fresh, markQueued(dueAt, NOON + MINUTE)));
    expect(marked).toEqual({ ...fresh, dueAt: NOON + MINUTE + 5 * MINUTE });
    expect(apply(marked, markQueued(dueAt, NOON + MINUTE))).toBeUndefined();
  });

  test('becomes due again soon if the queue did not accept it', () => {
    const marked = must(apply(fresh, markQueued(NOON + 10 * SECOND, NOON + MINUTE)));
    const dueAt = NOON + MINUTE + 10 * SECOND;
    expect(apply(marked, markNotQueued(marked, NOON + MINUTE))).toEqual({ ...marked, dueAt });
  });

  test('does not become due again if a consumer has started it meanwhile', () => {
    const marked = must(apply(fresh, markQueued(NOON + 10 * SECOND, NOON + MINUTE)));
    const started = must(apply(marked, startAttempt(toDeliveryJob(marked), ADA, NOON + MINUTE)));
    expect(apply(started, markNotQueued(marked, NOON + MINUTE))).toBeUndefined();
  });

  test('has its attempts, oldest first, in the fields of the API', () => {
    const second = { number: 2, at: NOON + 1, statusCode: null, durationMs: 15_000, error: 'timeout', response: null };
    const view = deliveryView({ ...fresh, nextAttemptAt: NOON + 5 * SECOND }, [buildAttempt(1), second]);
    const answered = { status_code: 503, error: null, response: 'Service Unavailable' };
    const silent = { status_code: null, error: 'timeout', response: null };
    expect(view).toEqual({
      id: id('dlv'),
      endpoint_id: id('whe'),
      status: 'pending',
      next_attempt_at: '2026-11-20T12:00:05.000000Z',
      attempts: [
        { number: 1, at: '2026-11-20T12:00:00.000000Z', duration_ms: 120, ...answered },
        { number: 2, at: '2026-11-20T12:00:00.001000Z', duration_ms: 15_000, ...silent },
      ],
    });
    expect(deliveryView({ ...fresh, nextAttemptAt: null }, [])).toMatchObject({ attempts: [], next_attempt_at: null });
  });

  test('uses no attempt number twice and never has two leases, whatever consumers, people and clocks do', () => {
    const steps = fc.array(
      fc.record({
        what: fc.constantFrom(
          ...(['start', 'start', 'fail', 'fail', 'succeed', 'sweep', 'put back'] as const),
          ...(['park', 'unpark', 'redeliver', 'recover', 'cancel', 'give up'] as const),
        ),
        consumer: fc.constantFrom(0, 1, 2),
        // How many states ago the actor read the delivery. Mostly the actor has read the present state.
        age: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.nat(5)),
        wait: fc.constantFrom(0, 1, SECOND, LEASE, LEASE + 1, 10 * MINUTE, DAY),
      }),
      { maxLength: 60 },
    );
    fc.assert(
      fc.property(steps, (sequence) => {
        let now = NOON;
        let stored = fresh;
        let marked: Delivery | undefined;
        const views = [fresh];
        let tokens = 0;
        const leases: (Delivery | undefined)[] = [undefined, undefined, undefined];
        const sent: number[] = [];
        let failedTries = 0;

        for (const { what, consumer, age, wait } of sequence) {
          now += wait;
          const own = leases[consumer];
          const before = stored;
          const seen = views.at(-1 - age) ?? stored;
          const isLeased = before.state === 'delivering' && before.leaseUntil >= now;
          const set = (transition: Transition<Delivery>): Delivery | undefined => {
            const after = apply(stored, transition);
            stored = after ?? stored;
            return after;
          };
          if (what === 'start') {
            tokens += 1;
            const lease = [toDeliveryJob(seen), id('lease', tokens), now] as const;
            const inPlace = startAttemptInPlace(...lease);
            const after = (inPlace && set(inPlace)) ?? set(startAttempt(...lease));
            if (after) {
              // If the delivery were due later, a crash of its consumer would be noticed too late.
              expect(after.dueAt).toBeLessThanOrEqual(after.leaseUntil + SECOND);
              expect(before.leaseUntil).toBeLessThan(now);
              expect(['pending', 'delivering', 'parked']).toContain(before.state);
              if (before.attempt > 0) expect(before.nextAttemptAt ?? 0).toBeLessThan(now + 2 * SECOND);
              sent.push(after.attempt);
              leases[consumer] = after;
            }
          } else if (what === 'sweep') {
            if (stored.dueAt !== null && stored.dueAt <= now) marked = set(markQueued(stored.dueAt, now)) ?? marked;
          } else if (what === 'put back') {
            if (marked) set(markNotQueued(marked, now));
          } else if (what === 'park') set(park(toDeliveryJob(seen), now));
          else if (what === 'unpark') set(unpark(seen, now, now));
          else if (what === 'redeliver') set(redeliver(seen, now));
          else if (what === 'recover') set(recover(seen, now));
          else if (what === 'cancel') set(cancel(toDeliveryJob(seen), now));
          else if (what === 'give up') set(giveUp(toDeliveryJob(seen), now));
          else if (own) {
            const result = buildAttempt(own.attempt);
            const isFailure = what === 'fail';
            const after = set(isFailure ? failAttempt(own, result, failure({ endedAt: now })) : succeed(own, result));
            leases[consumer] = undefined;
            if (after) {
              expect(before.leaseToken).toBe(own.leaseToken);
              if (isFailure) failedTries += 1;
            }
          }
          views.push(stored);

          if (stored.redeliveries > before.redeliveries) failedTries = 0;
          const rules = {
            'its failed tries are counted': stored.tries === failedTries,
            'it can be stored': deliverySchema.safeParse(stored).success,
            'it has a lease exactly while it is being delivered':
              (stored.leaseToken !== null) === (stored.state === 'delivering') &&
              (stored.leaseUntil !== 0) === (stored.state === 'delivering'),
            'attempt numbers and redeliveries only grow':
              stored.attempt >= before.attempt && stored.redeliveries >= before.redeliveries,
            // A delivery that is never due would be lost.
            'it is due at some time exactly until it is finished':
              (stored.dueAt === null) === OVER.includes(stored.state),
            'only a result under this lease ends a running lease':
              !isLeased || own?.leaseToken === before.leaseToken || stored.leaseToken === before.leaseToken,
          };
          for (const [rule, isFollowed] of Object.entries(rules)) if (!isFollowed) throw new Error(`Broken: ${rule}.`);
        }
        expect(new Set(sent).size).toBe(sent.length);
      }),
      { numRuns: 500 },
    );
  });
});
