import { DAY, MINUTE, type Millis, SECOND } from '#shared/platform/kernel/time.ts';
import { below, nullOrBelow, type Transition } from '#shared/platform/kernel/transition.ts';
import { ATTEMPT_TIMEOUT, type Attempt, type Delivery, type DeliveryJob, QUEUE_GRACE } from './delivery.ts';
import { nextTryAt, type RetrySchedule } from './retry-schedule.ts';

/* The changes of a delivery, each with the condition under which it is written. All times in milliseconds since the epoch. */

/** A lease outlives its attempt by the time to write the result; after that another consumer may start an attempt. */
export const LEASE = 2 * ATTEMPT_TIMEOUT;
/** A delivery that the sweeper queued is due again after this, so that a backlog is queued once, not every minute. */
const SWEPT_GRACE = 5 * MINUTE;
/** The longest delay of a message (SQS DelaySeconds); a longer wait is left to the due-work index. */
export const LONGEST_QUEUE_DELAY = 15 * MINUTE;
/** A parked delivery is due again after this, in case nothing else releases it. */
const PARKED_RECHECK = DAY;
/** A consumer's clock may lag this far behind the clock that planned the attempt; less than half of the first retry gap. */
const CLOCK_SKEW = 2 * SECOND;

type DeliveryTransition = Transition<Delivery>;

/** The delivery is as the job describes it, is not finished, and no lease runs. */
const asDescribed = (job: DeliveryJob, now: Millis): DeliveryTransition['expect'] => ({
  attempt: job.attempt,
  redeliveries: job.redeliveries,
  state: ['pending', 'delivering', 'parked'],
  leaseUntil: below(now),
});

/**
 * A retry waits for its time even if its job is early: the sweeper queues a delivery whose lease lapsed, and the consumer that held
 * the lease may still write a failure. That job is void, because the planned attempt has a job of its own.
 */
const notEarly = (job: DeliveryJob, now: Millis): DeliveryTransition['expect'] =>
  job.attempt === 0 || job.byHand ? {} : { nextAttemptAt: nullOrBelow(now + CLOCK_SKEW) };

/** Leases the delivery for one attempt. After a lapsed lease the attempt number grows too, so no number is sent twice. */
export const startAttempt = (job: DeliveryJob, leaseToken: string, now: Millis): DeliveryTransition => ({
  expect: { ...asDescribed(job, now), ...notEarly(job, now) },
  set: {
    state: 'delivering',
    attempt: job.attempt + 1,
    leaseToken,
    leaseUntil: now + LEASE,
    nextAttemptAt: null,
    dueAt: now + LEASE + SECOND,
  },
});

/**
 * The same, with the due time left as the job says it is: the sweeper waits for the end of a lease, and to move an entry of the due-work
 * index takes two writes. Undefined for a delivery that is due after the lease, where a consumer that dies would be noticed too late. Void
 * when the due time is another by now.
 */
export const startAttemptInPlace = (
  job: DeliveryJob,
  leaseToken: string,
  now: Millis,
): DeliveryTransition | undefined => {
  const {
    expect,
    set: { dueAt: afterLease, ...set },
  } = startAttempt(job, leaseToken, now);
  if (job.dueAt === null || job.dueAt > Number(afterLease)) return undefined;
  return { expect: { ...expect, dueAt: job.dueAt }, set };
};

const NO_LEASE = { leaseToken: null, leaseUntil: 0 } as const;
const FINISHED = { ...NO_LEASE, nextAttemptAt: null, dueAt: null } as const;
/** Starts the retry schedule from its beginning. Attempt numbers continue. */
const countRedelivery = ({ redeliveries }: Delivery) =>
  ({ ...NO_LEASE, redeliveries: redeliveries + 1, tries: 0, firstAttemptAt: null }) as const;

/** The endpoint answered 2xx. Void when the lease was lost. */
export const succeed = (delivery: Delivery, attempt: Attempt): DeliveryTransition => ({
  expect: { leaseToken: delivery.leaseToken },
  set: { ...FINISHED, state: 'succeeded', lastAttempt: attempt },
});

/**
 * The attempt failed: the delivery waits for the next one, or is exhausted. `retryAfter`: how long the endpoint asked us to wait, in
 * milliseconds; `draw` in [0, 1) spreads the wait. Void when the lease was lost.
 */
export const failAttempt = (
  delivery: Delivery,
  attempt: Attempt,
  failed: { endedAt: Millis; retryAfter: Millis | null; schedule: RetrySchedule; draw: number },
): DeliveryTransition => {
  const firstAttemptAt = delivery.firstAttemptAt ?? attempt.at;
  const tries = delivery.tries + 1;
  const nextAttemptAt = nextTryAt(failed.schedule, { ...failed, tries, firstAttemptAt }, failed.draw);
  const expect = { leaseToken: delivery.leaseToken };
  const counted = { firstAttemptAt, tries, lastAttempt: attempt };
  if (nextAttemptAt === undefined) return { expect, set: { ...FINISHED, ...counted, state: 'exhausted' } };
  // A retry that a queue holds is due a little later, in case the queue loses it. A longer wait is due on time.
  const grace = nextAttemptAt - failed.endedAt <= LONGEST_QUEUE_DELAY ? QUEUE_GRACE : 0;
  return { expect, set: { ...NO_LEASE, ...counted, state: 'pending', nextAttemptAt, dueAt: nextAttemptAt + grace } };
};

/**
 * Whether the stored delivery has this very transition already: it was written, the answer got lost, and the client wrote again. A lease
 * shows it by its token, which nobody else has, a result by its attempt's number, which is used once, and a recovery by its redeliveries,
 * since one recovery runs at a time. Of other transitions this is not known: what follows from them waits until the delivery is due again.
 */
export const isWritten = ({ set }: DeliveryTransition, stored: Delivery): boolean => {
  if (typeof set.leaseToken === 'string') return stored.leaseToken === set.leaseToken;
  if (set.lastAttempt) return stored.lastAttempt?.number === set.lastAttempt.number;
  return stored.redeliveries === set.redeliveries && stored.state === set.state;
};

/** The endpoint or the event no longer exists. */
export const cancel = (job: DeliveryJob, now: Millis): DeliveryTransition => ({
  expect: asDescribed(job, now),
  set: { ...FINISHED, state: 'cancelled' },
});

/** It waited `PARKED_RETENTION` behind an endpoint that is switched off. */
export const giveUp = (job: DeliveryJob, now: Millis): DeliveryTransition => ({
  expect: asDescribed(job, now),
  set: { ...FINISHED, state: 'exhausted' },
});

/** Waits behind its endpoint, without an attempt and without a message in any queue; due again at `dueAt`. */
export const park = (job: DeliveryJob, now: Millis, dueAt: Millis = now + PARKED_RECHECK): DeliveryTransition => ({
  expect: asDescribed(job, now),
  set: { ...NO_LEASE, state: 'parked', wasParked: true, nextAttemptAt: null, dueAt },
});

/** Leaves the parking lot, to be attempted at `at`: by a queue or, if that is too far ahead, by the due-work index. */
export const unpark = (parked: Delivery, at: Millis, now: Millis): DeliveryTransition => ({
  expect: { state: 'parked', attempt: parked.attempt, redeliveries: parked.redeliveries },
  set: { state: 'pending', nextAttemptAt: at, dueAt: at - now > LONGEST_QUEUE_DELAY ? at : at + SWEPT_GRACE },
});

/** A waiting retry is sent with the next sweep. Void once its attempt has started. */
export const retryNow = (waiting: Delivery, now: Millis): DeliveryTransition => ({
  expect: { state: 'pending', attempt: waiting.attempt, redeliveries: waiting.redeliveries },
  set: { nextAttemptAt: now, dueAt: now },
});

/** Sent again by hand: a new redeliveries. Void while it is being delivered. */
export const redeliver = (before: Delivery, now: Millis): DeliveryTransition => ({
  expect: {
    attempt: before.attempt,
    redeliveries: before.redeliveries,
    state: ['pending', 'parked', 'succeeded', 'exhausted', 'cancelled'],
  },
  set: { ...countRedelivery(before), state: 'pending', nextAttemptAt: now, dueAt: now + QUEUE_GRACE },
});

/**
 * Whether recovering a delivery would change nothing: it is parked with its whole schedule before it, because it was never attempted or
 * not since its last recovery, and is due within a day. Its endpoint's drain releases it as it is.
 */
export const isRecovered = ({ state, tries, firstAttemptAt, dueAt }: Delivery, now: Millis): boolean =>
  state === 'parked' && tries === 0 && firstAttemptAt === null && dueAt !== null && dueAt <= now + PARKED_RECHECK;

/** Recovered: a new redeliveries, parked until the endpoint's drain releases it. */
export const recover = (before: Delivery, now: Millis): DeliveryTransition => ({
  expect: { attempt: before.attempt, redeliveries: before.redeliveries, state: ['exhausted', 'parked'] },
  set: { ...countRedelivery(before), state: 'parked', nextAttemptAt: null, dueAt: now + PARKED_RECHECK },
});

/**
 * The sweeper is about to queue a due delivery. Its due time moves first, so that of two sweepers one queues it. Void until a second after
 * the end of a lease: by the consumer's clock, which may lag, it must have ended too.
 */
export const markQueued = (seenDueAt: Millis, now: Millis): DeliveryTransition => ({
  expect: { dueAt: seenDueAt, leaseUntil: below(now - SECOND) },
  set: { dueAt: now + SWEPT_GRACE },
});

/** The queue refused it: due again soon. Void when its due time has changed since. */
export const markNotQueued = (marked: Delivery, now: Millis): DeliveryTransition => ({
  expect: { dueAt: marked.dueAt },
  set: { dueAt: now + QUEUE_GRACE },
});
