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

const holds = (stored: unknown, wanted: Expectation): boolean => {
  if (Array.isArray(wanted)) return wanted.includes(stored as never);
  if (typeof wanted === 'object' && wanted !== null && 'below' in wanted) {
    return stored === null ? wanted.orNull === true : Number(stored) < wanted.below;
  }
  return stored === wanted;
};

/** What the table does with a transition, in memory. */
const apply = (stored: Delivery, { expect: expected, set }: Transition<Delivery>): Delivery | undefined =>
  Object.entries(expected).every(([field, wanted]) => holds(stored[field as keyof Delivery], wanted as Expectation))
    ? { ...stored, ...set }
    : undefined;

const must = <T>(after: T | undefined): T => {
  if (!after) throw new Error('The transition did not hold.');
  return after;
};

const fresh = newDelivery(id('dlv'), id('whe'), storedEvent());
const [ADA, BAYO] = [id('lease', 1), id('lease', 2)];
const made = (number: number): Attempt => ({
  number,
  at: NOON,
  durationMs: 120,
  statusCode: 503,
  error: null,
  response: 'Service Unavailable',
});
/** What a new job of a new delivery expects of it, and what a consumer with the lease does. */
const OPEN_STATES = ['pending', 'delivering', 'parked'];
const LEASABLE = { attempt: 0, redeliveries: 0, state: OPEN_STATES, leaseUntil: { below: NOON } };
const LEASED = { leaseToken: ADA };
const NO_LEASE = { leaseToken: null, leaseUntil: 0 };
const NOTHING_DUE = { ...NO_LEASE, nextAttemptAt: null, dueAt: null };
const leased = must(apply(fresh, startAttempt(toDeliveryJob(fresh), ADA, NOON)));
const parked = must(apply(fresh, park(toDeliveryJob(fresh), NOON)));

/** How an attempt failed, at the middle of the default schedule's spread unless a test says otherwise. */
const failure = (of: Partial<Parameters<typeof failAttempt>[2]> = {}) => ({
  endedAt: NOON,
  retryAfter: null,
  schedule: DEFAULT_SCHEDULE,
  draw: 0.5,
  ...of,
});

const ALL_STATES = deliveryState.options;
/** States in which a delivery has ended: nothing is due, and no message brings it back. */
const OVER: readonly string[] = ['succeeded', 'exhausted', 'cancelled'];
/** A delivery in each state, with the lease of the one that is being delivered running until past `NOON`. */
const inState = (state: Delivery['state']): Delivery => ({ ...(state === 'delivering' ? leased : fresh), state });

describe('a delivery', () => {
  test('is new: pending and due in 10 s, so that a crash before it is queued only delays it', () => {
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
    expectEveryFieldRequired(deliverySchema, { ...fresh, lastAttempt: made(1) });
    expectEveryFieldRequired(attemptSchema, made(1));
  });

  test('that is created after its event is due from now on, and kept no longer than the event', () => {
    const now = NOON + 3 * DAY;
    const times = { nextAttemptAt: now, dueAt: now + 10 * SECOND, createdAt: now };
    expect(lateDelivery(id('dlv'), id('whe'), storedEvent(), now)).toEqual({ ...fresh, ...times });
  });

  test('has a job with its event, its endpoint, and its attempt, redeliveries and due time as the sender saw them', () => {
    const of = { eventId: id('evt'), endpointId: id('whe'), mode: fresh.mode, dueAt: NOON + 10 * SECOND };
    expect(toDeliveryJob({ ...fresh, attempt: 3, redeliveries: 2 })).toEqual({ ...of, attempt: 3, redeliveries: 2 });
  });

  test('waits in the queue that its state asks for in live mode, and always in that of test mode', () => {
    for (const wanted of ['first', 'retry', 'slow'] as const) {
      expect(chooseLane({ mode: 'live' }, wanted)).toBe(wanted);
      expect(chooseLane({ mode: 'test' }, wanted)).toBe('test');
    }
  });

  test('sent by hand has a job that says so by true only', () => {
    const job = { ...toDeliveryJob(fresh), byHand: true };
    expect(deliveryJob.parse(job)).toEqual(job);
    expect(deliveryJob.safeParse({ ...job, byHand: false }).success).toBe(false);
    expect(deliveryJob.parse(toDeliveryJob(fresh))).not.toHaveProperty('byHand');
  });

  test('that is parked has a job that says so by true only', () => {
    const job = { ...toDeliveryJob(fresh), dueAt: NOON + DAY, parked: true };
    expect(toDeliveryJob(parked)).toStrictEqual(job);
    expect(deliveryJob.parse(job)).toEqual(job);
    expect(deliveryJob.safeParse({ ...job, parked: false }).success).toBe(false);
    expect(toDeliveryJob(fresh)).not.toHaveProperty('parked');
  });

  test('starts an attempt under a lease that outlives it', () => {
    expect(LEASE).toBeGreaterThan(ATTEMPT_TIMEOUT);
    const lease = { leaseToken: ADA, leaseUntil: NOON + 30 * SECOND, nextAttemptAt: null, dueAt: NOON + 31 * SECOND };
    expect(startAttempt(toDeliveryJob(fresh), ADA, NOON)).toEqual({
      expect: LEASABLE,
      set: { state: 'delivering', attempt: 1, ...lease },
    });
  });

  test('starts an attempt without a move of its due time', () => {
    const { dueAt: _, ...set } = startAttempt(toDeliveryJob(fresh), ADA, NOON).set;
    expect(startAttemptInPlace(toDeliveryJob(fresh), ADA, NOON)).toEqual({
      expect: { ...LEASABLE, dueAt: NOON + 10 * SECOND },
      set,
    });
  });

  test('whose due time has moved since its job was sent starts no attempt without a move', () => {
    const swept = must(apply(fresh, markQueued(NOON + 10 * SECOND, NOON + MINUTE)));
    const inPlace = startAttemptInPlace(toDeliveryJob(fresh), ADA, NOON + MINUTE);
    expect(apply(swept, must(inPlace))).toBeUndefined();
    expect(apply(swept, startAttempt(toDeliveryJob(fresh), ADA, NOON + MINUTE))?.dueAt).toBe(
      NOON + MINUTE + LEASE + SECOND,
    );
  });

  test.each<[string, number | null, boolean]>([
    ['that is over', null, false],
    ['that was due already', NOON - HOUR, true],
    ['that is due when its lease has ended', NOON + LEASE + SECOND, true],
    ['that is due later than that', NOON + LEASE + SECOND + 1, false],
  ])('%s starts an attempt without a move of its due time: %s → %s', (_, dueAt, isStarted) => {
    expect(startAttemptInPlace({ ...toDeliveryJob(fresh), dueAt }, ADA, NOON) !== undefined).toBe(isStarted);
  });

  test.each([
    ['while the lease runs', NOON + LEASE, false],
    ['in the second after its end, which a consumer’s clock may not have reached', NOON + LEASE + SECOND, false],
    ['once that is over', NOON + LEASE + SECOND + 1, true],
  ])('that is leased is queued by a sweeper %s: %s', (_, at, isQueued) => {
    const held = must(apply(fresh, must(startAttemptInPlace(toDeliveryJob(fresh), ADA, NOON))));
    expect(held.dueAt).toBe(NOON + 10 * SECOND);
    expect(apply(held, markQueued(NOON + 10 * SECOND, at))?.dueAt).toBe(isQueued ? at + 5 * MINUTE : undefined);
  });

  describe('that failed just after its lease had lapsed', () => {
    const late = NOON + LEASE + 2 * SECOND;
    const failed = must(apply(leased, failAttempt(leased, made(1), failure({ endedAt: late }))));
    // The sweeper sent it for the lapsed lease, before the failure was written.
    const swept = toDeliveryJob(leased);
    const at = late + 5 * SECOND;

    test.each([
      ['at once', false, late],
      ['two seconds before its gap is over', false, at - 2 * SECOND],
      ['a little less before, as a clock that lags sees it', true, at - 2 * SECOND + 1],
      ['when its gap is over', true, at],
    ])('starts its next attempt by the sweeper’s job %s: %s', (_, isClaimed, now) => {
      expect(failed.nextAttemptAt).toBe(at);
      expect(apply(failed, startAttempt(swept, BAYO, now))?.attempt).toBe(isClaimed ? 2 : undefined);
    });

    test('starts at once when it is sent again by hand', () => {
      expect(apply(failed, startAttempt({ ...swept, byHand: true }, BAYO, late))?.attempt).toBe(2);
    });
  });

  test('starts its first attempt whatever the consumer’s clock says', () => {
    expect(apply(fresh, startAttempt(toDeliveryJob(fresh), ADA, NOON - MINUTE))?.attempt).toBe(1);
  });

  test('starts one attempt for one job, however often the queue repeats it', () => {
    expect(apply(leased, startAttempt(toDeliveryJob(fresh), BAYO, NOON + SECOND))).toBeUndefined();
    expect(apply(leased, startAttempt(toDeliveryJob(fresh), BAYO, NOON + DAY))).toBeUndefined();
  });

  test.each([
    ['while the lease runs', NOON + LEASE - 1, false],
    ['in the lease’s last millisecond', NOON + LEASE, false],
    ['once the lease has lapsed', NOON + LEASE + 1, true],
  ])('that another consumer has leased starts by a new job: %s', (_, at, taken) => {
    const after = apply(leased, startAttempt(toDeliveryJob(leased), BAYO, at));
    expect(after?.attempt).toBe(taken ? 2 : undefined);
  });

  test.each(['succeeded', 'exhausted', 'cancelled'] as const)('that is %s starts no attempt', (state) => {
    const over = { ...fresh, state };
    expect(apply(over, startAttempt(toDeliveryJob(over), ADA, NOON))).toBeUndefined();
  });

  test('of a newer redeliveries starts no attempt by an older message', () => {
    expect(apply({ ...fresh, redeliveries: 1 }, startAttempt(toDeliveryJob(fresh), ADA, NOON))).toBeUndefined();
  });

  test('that succeeded is finished: no lease, nothing due', () => {
    const attempt = { ...made(1), statusCode: 200 };
    expect(succeed(leased, attempt)).toEqual({
      expect: LEASED,
      set: { state: 'succeeded', ...NOTHING_DUE, lastAttempt: attempt },
    });
  });

  test('that failed for the first time waits for its next attempt, counted from the end of the last one', () => {
    const endedAt = NOON + 12 * SECOND;
    const due = { nextAttemptAt: endedAt + 5 * SECOND, dueAt: endedAt + 15 * SECOND };
    expect(failAttempt(leased, made(1), failure({ endedAt }))).toEqual({
      expect: LEASED,
      set: { state: 'pending', tries: 1, firstAttemptAt: NOON, ...NO_LEASE, ...due, lastAttempt: made(1) },
    });
  });

  test('that failed again keeps the time of its first attempt and takes the next gap of the schedule', () => {
    const firstAttemptAt = NOON - HOUR;
    const before = { ...leased, attempt: 9, tries: 2, firstAttemptAt };
    const { set } = failAttempt(before, made(9), failure());
    expect(set).toMatchObject({ tries: 3, firstAttemptAt, nextAttemptAt: NOON + 2 * MINUTE });
  });

  test('whose earlier leases lapsed without a result takes its gap by failed tries, not by attempt numbers', () => {
    const before = { ...leased, attempt: 40, tries: 0 };
    expect(failAttempt(before, made(40), failure()).set).toMatchObject({ tries: 1, nextAttemptAt: NOON + 5 * SECOND });
  });

  test.each([
    ['10 min', 10 * MINUTE, 10 * SECOND],
    ['15 min, the longest that a queue holds', 15 * MINUTE, 10 * SECOND],
    ['15 min and 1 ms', 15 * MINUTE + 1, 0],
    ['1 h', HOUR, 0],
  ])('that waits %s is due after %i ms and a grace of %i ms for the queue', (_, gap, grace) => {
    const schedule = { gaps: [gap], afterwards: gap, until: 72 * HOUR };
    const { set } = failAttempt(leased, made(1), failure({ schedule }));
    expect(set).toMatchObject({ nextAttemptAt: NOON + gap, dueAt: NOON + gap + grace });
  });

  test('waits as long as the endpoint asked', () => {
    const { set } = failAttempt(leased, made(1), failure({ retryAfter: HOUR }));
    expect(set).toMatchObject({ nextAttemptAt: NOON + HOUR, dueAt: NOON + HOUR });
  });

  test('that failed with no time left in its schedule is exhausted and nothing is due', () => {
    const firstAttemptAt = NOON - 72 * HOUR;
    const before = { ...leased, attempt: 77, tries: 76, firstAttemptAt };
    expect(failAttempt(before, made(77), failure())).toEqual({
      expect: LEASED,
      set: { state: 'exhausted', tries: 77, firstAttemptAt, ...NOTHING_DUE, lastAttempt: made(77) },
    });
  });

  test.each([
    ['whose endpoint or event is gone is cancelled', cancel, 'cancelled'],
    ['that waited long enough behind an endpoint that is off is exhausted', giveUp, 'exhausted'],
  ] as const)('%s, and nothing is due', (_, end, state) => {
    expect(end(toDeliveryJob(fresh), NOON)).toEqual({ expect: LEASABLE, set: { state, ...NOTHING_DUE } });
  });

  test('behind a failing endpoint is parked without an attempt, and due again after a day', () => {
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
  test.each(byMessage)('is %s by a new message only while it is not finished and no lease runs', (_, transition) => {
    const taken = ALL_STATES.filter((state) => apply(inState(state), transition(toDeliveryJob(inState(state)), NOON)));
    expect(taken).toEqual(['pending', 'parked']);
  });

  test.each(byMessage)('is not %s by a message about an earlier attempt or redeliveries', (_, transition) => {
    const wanted = transition(toDeliveryJob(fresh), NOON + DAY);
    expect(apply(fresh, wanted)).toBeDefined();
    expect(apply({ ...fresh, attempt: 1 }, wanted)).toBeUndefined();
    expect(apply({ ...fresh, redeliveries: 1 }, wanted)).toBeUndefined();
  });

  test('is unparked once, to be attempted at its time, and swept if the queue loses it', () => {
    const at = NOON + 30 * SECOND;
    const freed = must(apply(parked, unpark(parked, at, NOON)));
    expect(freed).toEqual({ ...parked, state: 'pending', nextAttemptAt: at, dueAt: at + 5 * MINUTE });
    expect(apply(freed, unpark(parked, at, NOON))).toBeUndefined();
    expect(apply({ ...parked, attempt: 1 }, unpark(parked, at, NOON))).toBeUndefined();
    expect(apply({ ...parked, redeliveries: 1 }, unpark(parked, at, NOON))).toBeUndefined();
    // What no queue can hold that long is due at its own time.
    const latest = NOON + 15 * MINUTE;
    expect(must(apply(parked, unpark(parked, latest, NOON))).dueAt).toBe(latest + 5 * MINUTE);
    expect(must(apply(parked, unpark(parked, latest + 1, NOON))).dueAt).toBe(latest + 1);
  });

  test('that waits for its retry is sent with the next sweep by retryNow, unless its attempt has started', () => {
    const waiting = { ...fresh, state: 'pending' as const, attempt: 3, nextAttemptAt: NOON + HOUR, dueAt: NOON + HOUR };
    expect(must(apply(waiting, retryNow(waiting, NOON)))).toEqual({ ...waiting, nextAttemptAt: NOON, dueAt: NOON });
    expect(apply({ ...waiting, state: 'delivering' }, retryNow(waiting, NOON))).toBeUndefined();
    expect(apply({ ...waiting, attempt: 4 }, retryNow(waiting, NOON))).toBeUndefined();
  });

  test.each([
    ['sent again by hand', redeliver, ['pending', 'parked', 'succeeded', 'exhausted', 'cancelled']],
    ['recovered', recover, ['parked', 'exhausted']],
  ] as const)('is %s from some states only, never while it is being delivered', (_, again, states) => {
    const taken = ALL_STATES.filter((state) => apply(inState(state), again(inState(state), NOON)));
    expect(taken).toEqual(states);
  });

  const givenUp: Delivery = {
    ...fresh,
    ...NOTHING_DUE,
    state: 'exhausted',
    lastAttempt: made(77),
    attempt: 77,
    redeliveries: 1,
    tries: 77,
    firstAttemptAt: NOON - 72 * HOUR,
  };
  /** A new schedule, with continued attempt numbers. */
  const renewed = { ...givenUp, redeliveries: 2, tries: 0, firstAttemptAt: null };

  test('sent again by hand is due at once, with a new schedule and continued attempt numbers', () => {
    const due = { state: 'pending', nextAttemptAt: NOON, dueAt: NOON + 10 * SECOND };
    expect(apply(givenUp, redeliver(givenUp, NOON))).toEqual({ ...renewed, ...due });
  });

  test('is recovered already if it is parked with its whole schedule and due within a day', () => {
    const again: Delivery = { ...givenUp, ...recover(givenUp, NOON).set };
    expect([isRecovered(givenUp, NOON), isRecovered(again, NOON)]).toEqual([false, true]);
    expect(isRecovered({ ...again, state: 'exhausted' }, NOON)).toBe(false);
    expect(isRecovered({ ...again, tries: 1 }, NOON)).toBe(false);
    expect(isRecovered({ ...again, firstAttemptAt: NOON }, NOON)).toBe(false);
    for (const dueAt of [NOON + DAY + 1, null]) expect(isRecovered({ ...again, dueAt }, NOON)).toBe(false);
  });

  test('recovered is parked, with a new schedule and continued attempt numbers', () => {
    const due = { state: 'parked', nextAttemptAt: null, dueAt: NOON + DAY };
    expect(apply(givenUp, recover(givenUp, NOON))).toEqual({ ...renewed, ...due });
  });

  test.each([
    ['sent again by hand', redeliver],
    ['recovered', recover],
  ])('is %s once by two concurrent requests, which voids the messages about it', (_, again) => {
    const after = must(apply(givenUp, again(givenUp, NOON)));
    expect(apply(after, again(givenUp, NOON))).toBeUndefined();
    expect(apply(after, startAttempt(toDeliveryJob(givenUp), ADA, NOON))).toBeUndefined();
    expect(apply(after, startAttempt(toDeliveryJob(after), ADA, NOON))?.attempt).toBe(78);
  });

  test('that a retry has started or finished meanwhile is not sent again by hand', () => {
    expect(apply(leased, redeliver(fresh, NOON))).toBeUndefined();
    const failed = must(apply(leased, failAttempt(leased, made(1), failure())));
    expect(apply(failed, redeliver(fresh, NOON))).toBeUndefined();
    expect(apply(failed, redeliver(failed, NOON))?.redeliveries).toBe(1);
  });

  test('takes the result of the consumer that holds the lease, and no other', () => {
    const retaken = must(apply(leased, startAttempt(toDeliveryJob(leased), BAYO, NOON + LEASE + 1)));
    const now = NOON + LEASE + 1;
    const late = [
      succeed(leased, made(1)),
      failAttempt(leased, made(1), failure({ endedAt: now })),
      failAttempt({ ...leased, firstAttemptAt: NOON - 72 * HOUR }, made(1), failure({ endedAt: now })),
      cancel(toDeliveryJob(leased), now),
    ];
    for (const result of late) expect(apply(retaken, result)).toBeUndefined();
    expect(apply(retaken, succeed(retaken, made(2)))?.state).toBe('succeeded');
  });

  describe('that was written before, with its answer lost, shows it', () => {
    const lease = startAttempt(toDeliveryJob(fresh), ADA, NOON);
    const failure503 = failAttempt(leased, made(1), failure());
    const failed = must(apply(leased, failure503));
    const exhausted: Delivery = { ...failed, state: 'exhausted', nextAttemptAt: null, dueAt: null };
    const recovery = recover(exhausted, NOON);
    const recovered = must(apply(exhausted, recovery));

    test.each<[string, Transition<Delivery>, Delivery, boolean]>([
      ['a lease, by its token', lease, leased, true],
      ['a lease in place, by its token', must(startAttemptInPlace(toDeliveryJob(fresh), ADA, NOON)), leased, true],
      ['no lease of another consumer', startAttempt(toDeliveryJob(fresh), BAYO, NOON), leased, false],
      ['no lease of a delivery that has none', lease, fresh, false],
      ['a failure, by its attempt', failure503, failed, true],
      ['a success, by its attempt', succeed(leased, made(1)), must(apply(leased, succeed(leased, made(1)))), true],
      [
        'a result, though it was sent again by hand since',
        failure503,
        must(apply(failed, redeliver(failed, NOON))),
        true,
      ],
      [
        'a result, though its answer was erased since',
        failure503,
        { ...failed, lastAttempt: { ...made(1), response: null } },
        true,
      ],
      ['no result of another attempt', succeed(leased, made(2)), failed, false],
      ['no result of a delivery that has none', failure503, leased, false],
      ['a recovery, by its redeliveries', recovery, recovered, true],
      [
        'no recovery of one that was sent again by hand',
        recovery,
        must(apply(exhausted, redeliver(exhausted, NOON))),
        false,
      ],
      ['no recovery before it', recovery, exhausted, false],
      ['no recovery of one that is parked for another reason', recovery, { ...exhausted, state: 'parked' }, false],
      ['nothing of being parked', park(toDeliveryJob(fresh), NOON), parked, false],
      [
        'nothing of being cancelled',
        cancel(toDeliveryJob(fresh), NOON),
        must(apply(fresh, cancel(toDeliveryJob(fresh), NOON))),
        false,
      ],
      ['nothing of being queued', markQueued(Number(fresh.dueAt), NOON), { ...fresh, dueAt: NOON + 5 * MINUTE }, false],
    ])('%s', (_, transition, stored, shown) => {
      expect(isWritten(transition, stored)).toBe(shown);
    });
  });

  test('is queued by one sweeper of two, and due again only after five minutes', () => {
    const dueAt = NOON + 10 * SECOND;
    const taken = must(apply(fresh, markQueued(dueAt, NOON + MINUTE)));
    expect(taken).toEqual({ ...fresh, dueAt: NOON + MINUTE + 5 * MINUTE });
    expect(apply(taken, markQueued(dueAt, NOON + MINUTE))).toBeUndefined();
  });

  test('that the queue refused is due again soon', () => {
    const taken = must(apply(fresh, markQueued(NOON + 10 * SECOND, NOON + MINUTE)));
    expect(apply(taken, markNotQueued(taken, NOON + MINUTE))).toEqual({ ...taken, dueAt: NOON + MINUTE + 10 * SECOND });
  });

  test('that a consumer has started meanwhile is not made due again', () => {
    const taken = must(apply(fresh, markQueued(NOON + 10 * SECOND, NOON + MINUTE)));
    const held = must(apply(taken, startAttempt(toDeliveryJob(taken), ADA, NOON + MINUTE)));
    expect(apply(held, markNotQueued(taken, NOON + MINUTE))).toBeUndefined();
  });

  test('is shown with its attempts, oldest first, in the fields of the API', () => {
    const second = { number: 2, at: NOON + 1, statusCode: null, durationMs: 15_000, error: 'timeout', response: null };
    const shown = deliveryView({ ...fresh, nextAttemptAt: NOON + 5 * SECOND }, [made(1), second]);
    const answered = { status_code: 503, error: null, response: 'Service Unavailable' };
    const silent = { status_code: null, error: 'timeout', response: null };
    expect(shown).toEqual({
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

  test('sends no attempt number twice and is never leased twice, whatever consumers, people and clocks do', () => {
    const steps = fc.array(
      fc.record({
        what: fc.constantFrom(
          ...(['start', 'start', 'fail', 'fail', 'succeed', 'sweep', 'put back'] as const),
          ...(['park', 'unpark', 'redeliver', 'recover', 'cancel', 'give up'] as const),
        ),
        who: fc.constantFrom(0, 1, 2),
        // How many states ago the actor looked; mostly it sees what is.
        age: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.nat(5)),
        wait: fc.constantFrom(0, 1, SECOND, LEASE, LEASE + 1, 10 * MINUTE, DAY),
      }),
      { maxLength: 60 },
    );
    fc.assert(
      fc.property(steps, (sequence) => {
        let now = NOON;
        let stored = fresh;
        let taken: Delivery | undefined;
        const views = [fresh];
        let tokens = 0;
        const held: (Delivery | undefined)[] = [undefined, undefined, undefined];
        const sent: number[] = [];
        let failedTries = 0;

        for (const { what, who, age, wait } of sequence) {
          now += wait;
          const mine = held[who];
          const before = stored;
          const seen = views.at(-1 - age) ?? stored;
          const leased = before.state === 'delivering' && before.leaseUntil >= now;
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
              // Or a consumer that dies would be noticed too late.
              expect(after.dueAt).toBeLessThanOrEqual(after.leaseUntil + SECOND);
              expect(before.leaseUntil).toBeLessThan(now);
              expect(['pending', 'delivering', 'parked']).toContain(before.state);
              if (before.attempt > 0) expect(before.nextAttemptAt ?? 0).toBeLessThan(now + 2 * SECOND);
              sent.push(after.attempt);
              held[who] = after;
            }
          } else if (what === 'sweep') {
            if (stored.dueAt !== null && stored.dueAt <= now) taken = set(markQueued(stored.dueAt, now)) ?? taken;
          } else if (what === 'put back') {
            if (taken) set(markNotQueued(taken, now));
          } else if (what === 'park') set(park(toDeliveryJob(seen), now));
          else if (what === 'unpark') set(unpark(seen, now, now));
          else if (what === 'redeliver') set(redeliver(seen, now));
          else if (what === 'recover') set(recover(seen, now));
          else if (what === 'cancel') set(cancel(toDeliveryJob(seen), now));
          else if (what === 'give up') set(giveUp(toDeliveryJob(seen), now));
          else if (mine) {
            const result = made(mine.attempt);
            const failed = what === 'fail';
            const after = set(failed ? failAttempt(mine, result, failure({ endedAt: now })) : succeed(mine, result));
            held[who] = undefined;
            if (after) {
              expect(before.leaseToken).toBe(mine.leaseToken);
              if (failed) failedTries += 1;
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
            // Or it would be lost.
            'it is due at some time exactly until it is over': (stored.dueAt === null) === OVER.includes(stored.state),
            'only the holder’s own result ends a lease that runs':
              !leased || mine?.leaseToken === before.leaseToken || stored.leaseToken === before.leaseToken,
          };
          for (const [rule, kept] of Object.entries(rules)) if (!kept) throw new Error(`Broken: ${rule}.`);
        }
        expect(new Set(sent).size).toBe(sent.length);
      }),
      { numRuns: 500 },
    );
  });
});
