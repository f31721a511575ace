import { DAY, MINUTE, type Millis, SECOND } from '#shared/platform/kernel/time.ts';
import { below, nullOrBelow, type Transition } from '#shared/platform/kernel/transition.ts';
import { ATTEMPT_TIMEOUT, type Attempt, type Delivery, type DeliveryJob, QUEUE_GRACE } from './delivery.ts';
import { nextTryAt, type RetrySchedule } from './retry-schedule.ts';

/* The transitions of a delivery, each with the condition under which it is written. All times in milliseconds since the epoch. */

/** The duration of a lease: the attempt and the time to write its result. After that another consumer may start an attempt. */
export const LEASE = 2 * ATTEMPT_TIMEOUT;
/**
 * A delivery that the sweeper sent to a queue is due again after this. So if the queue has a backlog, the sweeper does not send the same
 * deliveries again every minute.
 */
const SWEPT_GRACE = 5 * MINUTE;
/** The longest delay of a message (SQS DelaySeconds). A delivery that waits longer stays in the due-work index. */
export const LONGEST_QUEUE_DELAY = 15 * MINUTE;
/** A parked delivery is due again after this time, in case nothing else releases it. */
const PARKED_RECHECK = DAY;
/** A consumer's clock may lag this far behind the clock that planned the attempt. This is less than half of the first retry gap. */
const CLOCK_SKEW = 2 * SECOND;

type DeliveryTransition = Transition<Delivery>;

/** Expects the delivery to be as the job describes it, not finished, and without a running lease. */
const expectCurrent = (job: DeliveryJob, now: Millis): DeliveryTransition['expect'] => ({
  attempt: job.attempt,
  redeliveries: job.redeliveries,
  state: ['pending', 'delivering', 'parked'],
  leaseUntil: below(now),
});

/**
 * Expects that the time of a retry has come. A job can be too early. Example: a lease lapses, and the sweeper queues the delivery. Then the
 * consumer with that lease still writes a failure, which plans the next attempt for later. The sweeper's job is void, because the planned attempt
 * has a job of its own.
 */
const expectTimeCome = (job: DeliveryJob, now: Millis): DeliveryTransition['expect'] =>
  job.attempt === 0 || job.byHand ? {} : { nextAttemptAt: nullOrBelow(now + CLOCK_SKEW) };

/** Leases the delivery for one attempt. The attempt number grows even after a lapsed lease, so no number is used twice. */
export const startAttempt = (job: DeliveryJob, leaseToken: string, now: Millis): DeliveryTransition => ({
  expect: { ...expectCurrent(job, now), ...expectTimeCome(job, now) },
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
 * Leases the delivery for one attempt and leaves its due time unchanged. A changed due time would move the delivery's entry in the due-work
 * index, which costs two writes. If the delivery becomes due during the lease, the sweeper waits until the lease has ended (`markQueued`). Void
 * if the due time is no longer that of the job. Returns undefined if the delivery is due later than the lease ends: if the consumer crashed, the
 * sweeper would notice it too late.
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
/** Starts the retry schedule again. Attempt numbers continue. */
const countRedelivery = ({ redeliveries }: Delivery) =>
  ({ ...NO_LEASE, redeliveries: redeliveries + 1, tries: 0, firstAttemptAt: null }) as const;

/** Records a success: the endpoint answered 2xx. Void if the lease was lost. */
export const succeed = (delivery: Delivery, attempt: Attempt): DeliveryTransition => ({
  expect: { leaseToken: delivery.leaseToken },
  set: { ...FINISHED, state: 'succeeded', lastAttempt: attempt },
});

/**
 * Records a failed attempt: the delivery waits for its next attempt, or is exhausted. `retryAfter`: the wait that the endpoint asked for,
 * in milliseconds. `draw`: a random number in [0, 1) that varies the wait. Void if the lease was lost.
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
  const countedFields = { firstAttemptAt, tries, lastAttempt: attempt };
  if (nextAttemptAt === undefined) return { expect, set: { ...FINISHED, ...countedFields, state: 'exhausted' } };
  // A retry that waits in a queue is due a little after its time: if the queue lost it, the sweeper sends it then. A retry with a longer wait is
  // in no queue: the sweeper sends it at its time.
  const grace = nextAttemptAt - failed.endedAt <= LONGEST_QUEUE_DELAY ? QUEUE_GRACE : 0;
  return {
    expect,
    set: { ...NO_LEASE, ...countedFields, state: 'pending', nextAttemptAt, dueAt: nextAttemptAt + grace },
  };
};

/**
 * Whether the stored delivery already contains this transition. That is so if the first write succeeded, its answer was lost, and the SDK wrote
 * again. A lease is recognised by its token, and a result by its attempt number. A recovery is recognised by its count of redeliveries and its
 * state, because only one recovery runs at a time. Other transitions are not recognised and count as not written. The work that follows them then
 * waits until the delivery is due again.
 */
export const isWritten = ({ set }: DeliveryTransition, stored: Delivery): boolean => {
  if (typeof set.leaseToken === 'string') return stored.leaseToken === set.leaseToken;
  if (set.lastAttempt) return stored.lastAttempt?.number === set.lastAttempt.number;
  return stored.redeliveries === set.redeliveries && stored.state === set.state;
};

/** Cancels the delivery, because its endpoint or event no longer exists. */
export const cancel = (job: DeliveryJob, now: Millis): DeliveryTransition => ({
  expect: expectCurrent(job, now),
  set: { ...FINISHED, state: 'cancelled' },
});

/** Gives up the delivery, because its endpoint has been switched off for `PARKED_RETENTION`. */
export const giveUp = (job: DeliveryJob, now: Millis): DeliveryTransition => ({
  expect: expectCurrent(job, now),
  set: { ...FINISHED, state: 'exhausted' },
});

/** Parks the delivery: it waits for its endpoint to work again, without an attempt and in no queue. It is due again at `dueAt`. */
export const park = (job: DeliveryJob, now: Millis, dueAt: Millis = now + PARKED_RECHECK): DeliveryTransition => ({
  expect: expectCurrent(job, now),
  set: { ...NO_LEASE, state: 'parked', wasParked: true, nextAttemptAt: null, dueAt },
});

/**
 * Releases a parked delivery for an attempt at `at`. If a queue can delay it until then, the caller queues it, and it is due `SWEPT_GRACE` after
 * `at`, in case the queue loses it. Otherwise it is due at `at`, and the sweeper sends it.
 */
export const unpark = (parked: Delivery, at: Millis, now: Millis): DeliveryTransition => ({
  expect: { state: 'parked', attempt: parked.attempt, redeliveries: parked.redeliveries },
  set: { state: 'pending', nextAttemptAt: at, dueAt: at - now > LONGEST_QUEUE_DELAY ? at : at + SWEPT_GRACE },
});

/** Makes a waiting retry due with the next sweep. Void if its attempt has started. */
export const retryNow = (waiting: Delivery, now: Millis): DeliveryTransition => ({
  expect: { state: 'pending', attempt: waiting.attempt, redeliveries: waiting.redeliveries },
  set: { nextAttemptAt: now, dueAt: now },
});

/** Redelivers by hand: the delivery starts its schedule again. Void while it is being delivered. */
export const redeliver = (before: Delivery, now: Millis): DeliveryTransition => ({
  expect: {
    attempt: before.attempt,
    redeliveries: before.redeliveries,
    state: ['pending', 'parked', 'succeeded', 'exhausted', 'cancelled'],
  },
  set: { ...countRedelivery(before), state: 'pending', nextAttemptAt: now, dueAt: now + QUEUE_GRACE },
});

/**
 * Whether a recovery need not write the delivery. The delivery is parked, is due within a day, and has used nothing of its retry schedule: it was
 * never attempted, or not since it was last recovered or redelivered. The endpoint's drain releases it as it is.
 */
export const isRecovered = ({ state, tries, firstAttemptAt, dueAt }: Delivery, now: Millis): boolean =>
  state === 'parked' && tries === 0 && firstAttemptAt === null && dueAt !== null && dueAt <= now + PARKED_RECHECK;

/** Recovers a delivery: it starts its schedule again, and is parked until the endpoint's drain releases it. */
export const recover = (before: Delivery, now: Millis): DeliveryTransition => ({
  expect: { attempt: before.attempt, redeliveries: before.redeliveries, state: ['exhausted', 'parked'] },
  set: { ...countRedelivery(before), state: 'parked', nextAttemptAt: null, dueAt: now + PARKED_RECHECK },
});

/**
 * Moves the due time of a delivery before the sweeper queues it, so that only one of two sweepers queues it. Void until a second after the end of
 * a lease: the consumer's clock may lag, and by that clock, too, the lease must have ended.
 */
export const markQueued = (seenDueAt: Millis, now: Millis): DeliveryTransition => ({
  expect: { dueAt: seenDueAt, leaseUntil: below(now - SECOND) },
  set: { dueAt: now + SWEPT_GRACE },
});

/** Makes a delivery due again soon, because the queue did not accept it. Void if its due time has changed since. */
export const markNotQueued = (marked: Delivery, now: Millis): DeliveryTransition => ({
  expect: { dueAt: marked.dueAt },
  set: { dueAt: now + QUEUE_GRACE },
});
