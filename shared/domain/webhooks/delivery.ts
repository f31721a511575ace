import * as z from 'zod/mini';
import { idSchema } from '#shared/domain/kernel/ids.ts';
import { mode } from '#shared/domain/kernel/mode.ts';
import { count, millis, millisOrNull, ordinal, textOrNull } from '#shared/domain/kernel/schemas.ts';
import { DAY, MINUTE, type Millis, SECOND } from '#shared/domain/kernel/time.ts';
import { below, nullOrBelow, type Transition } from '#shared/domain/kernel/transition.ts';
import { EVENT_RETENTION, type Event, eventType } from './event.ts';
import { nextTryAt, type RetrySchedule } from './retry-schedule.ts';

/** A merchant has this long to answer, connection included (api.md section 5). */
export const ATTEMPT_TIMEOUT = 15 * SECOND;
/** A claim outlives the attempt by a margin for writing its result; after that another consumer may take over. */
export const LEASE = 2 * ATTEMPT_TIMEOUT;
/** A new delivery is sent at once; the sweeper steps in when it is still waiting after this. */
const FAST_PATH_GRACE = 10 * SECOND;
/** How long the sweeper leaves what it has sent to the queue alone, so that a backlog is sent once, not once a minute. */
const SWEPT_GRACE = 5 * MINUTE;
/** The longest wait that a queue can hold (SQS DelaySeconds); what waits longer waits in the due-work index. */
export const LONGEST_QUEUE_DELAY = 15 * MINUTE;
/** A parked delivery is looked at again after this, should whatever was to wake it have died. */
const PARKED_SAFETY = DAY;

/** So much may a consumer's clock be behind that of whoever planned the attempt; less than half of the schedule's first gap. */
const CLOCK_SKEW = 2 * SECOND;

/** One POST to an endpoint and what came of it. */
export const attempt = z.object({
  number: ordinal,
  at: millis,
  statusCode: z.nullable(z.int()),
  durationMs: count,
  error: textOrNull,
  /** The first KiB of the answer. */
  response: textOrNull,
});
export type Attempt = z.infer<typeof attempt>;

/** `parked`: waits behind an endpoint that is failing or switched off. */
export const deliveryState = z.enum(['pending', 'delivering', 'parked', 'succeeded', 'exhausted', 'cancelled']);
export type DeliveryState = z.infer<typeof deliveryState>;

/** One event on its way to one endpoint. */
export const delivery = z.object({
  id: idSchema('dlv'),
  eventId: idSchema('evt'),
  endpointId: idSchema('whe'),
  businessId: idSchema('biz'),
  mode,
  eventType,
  state: deliveryState,
  /** Attempts begun so far, over all generations: no number is ever used twice. */
  attempt: count,
  /** Grows when it is sent again by hand: messages of an older generation are void. */
  generation: count,
  /** Failed tries of this generation: the place in the retry schedule. */
  tries: count,
  /** When this generation's schedule began to run. */
  firstAttemptAt: millisOrNull,
  leaseToken: textOrNull,
  /** Zero while nobody holds it. */
  leaseUntil: millis,
  nextAttemptAt: millisOrNull,
  /** When the sweeper has to look at it; null once it is over. */
  dueAt: millisOrNull,
  lastAttempt: z.nullable(attempt),
  createdAt: millis,
  expiresAt: millis,
});
export type Delivery = z.infer<typeof delivery>;

/** The queue message: which delivery, and in which state the sender saw it. A message about another state is void. */
export const deliveryJob = z.extend(
  z.pick(delivery, { eventId: true, endpointId: true, attempt: true, generation: true }),
  {
    /** Sent by hand: not held back because the endpoint is failing. */
    byHand: z.optional(z.literal(true)),
    /** Parked, and brought by its safety time: its turn comes with the drain. */
    woken: z.optional(z.literal(true)),
  },
);
export type DeliveryJob = z.infer<typeof deliveryJob>;

/** The queue message for a delivery as it stands. */
export const jobOf = ({ eventId, endpointId, attempt: begun, generation, state }: Delivery): DeliveryJob => ({
  eventId,
  endpointId,
  attempt: begun,
  generation,
  ...(state === 'parked' && { woken: true as const }),
});

/** A delivery at birth: already due some seconds ahead, so that a crash before the queue send costs nothing. */
export const newDelivery = (id: string, endpointId: string, of: Event): Delivery => ({
  id,
  eventId: of.id,
  endpointId,
  businessId: of.businessId,
  mode: of.mode,
  eventType: of.type,
  state: 'pending',
  attempt: 0,
  generation: 0,
  tries: 0,
  firstAttemptAt: null,
  leaseToken: null,
  leaseUntil: 0,
  nextAttemptAt: of.createdAt,
  dueAt: of.createdAt + FAST_PATH_GRACE,
  lastAttempt: null,
  createdAt: of.createdAt,
  expiresAt: of.createdAt + EVENT_RETENTION,
});

/** A delivery to an endpoint that the event did not go to when it happened: due from `now` on, kept as long as its event. */
export const lateDelivery = (id: string, endpointId: string, of: Event, now: Millis): Delivery => ({
  ...newDelivery(id, endpointId, of),
  nextAttemptAt: now,
  dueAt: now + FAST_PATH_GRACE,
  createdAt: now,
});

/** The delivery is as the job saw it, and nobody's lease runs. */
const asSeenBy = (job: DeliveryJob, now: Millis): Transition<Delivery>['expect'] => ({
  attempt: job.attempt,
  generation: job.generation,
  state: ['pending', 'delivering', 'parked'],
  leaseUntil: below(now),
});

/**
 * A retry waits for its gap even where its job is early: the sweeper sends one for a lapsed lease, and the consumer that held the
 * lease may still write a failure. Such a job is void, for the planned attempt has a job of its own.
 */
const inItsTime = (job: DeliveryJob, now: Millis): Transition<Delivery>['expect'] =>
  job.attempt === 0 || job.byHand ? {} : { nextAttemptAt: nullOrBelow(now + CLOCK_SKEW) };

/** Takes a delivery for one attempt. A lapsed lease becomes a new attempt number, so no number is ever sent twice. */
export const claim = (job: DeliveryJob, token: string, now: Millis): Transition<Delivery> => ({
  expect: { ...asSeenBy(job, now), ...inItsTime(job, now) },
  set: {
    state: 'delivering',
    attempt: job.attempt + 1,
    leaseToken: token,
    leaseUntil: now + LEASE,
    nextAttemptAt: null,
    dueAt: now + LEASE + SECOND,
  },
});

const released = { leaseToken: null, leaseUntil: 0 } as const;
const over = { ...released, nextAttemptAt: null, dueAt: null } as const;

/** Waits behind its endpoint, without an attempt and without a place in any queue; looked at again at `dueAt` at the latest. */
export const park = (job: DeliveryJob, now: Millis, dueAt: Millis = now + PARKED_SAFETY): Transition<Delivery> => ({
  expect: asSeenBy(job, now),
  set: { ...released, state: 'parked', nextAttemptAt: null, dueAt },
});

/** Leaves the parking lot, to be tried at `at`: by the queue, or in its time by the due-work index. Void when it has left already. */
export const unpark = (parked: Delivery, at: Millis, now: Millis): Transition<Delivery> => ({
  expect: { state: 'parked', attempt: parked.attempt, generation: parked.generation },
  set: { state: 'pending', nextAttemptAt: at, dueAt: at - now > LONGEST_QUEUE_DELAY ? at : at + SWEPT_GRACE },
});

/** A retry that waits goes with the next sweep instead. Void when it is under way. */
export const hasten = (waiting: Delivery, now: Millis): Transition<Delivery> => ({
  expect: { state: 'pending', attempt: waiting.attempt, generation: waiting.generation },
  set: { nextAttemptAt: now, dueAt: now },
});

/** The endpoint answered 2xx. Void when the lease was lost. */
export const succeed = (claimed: Delivery, made: Attempt): Transition<Delivery> => ({
  expect: { leaseToken: claimed.leaseToken },
  set: { ...over, state: 'succeeded', lastAttempt: made },
});

/**
 * The attempt failed: waits for the next one, or is exhausted. `endedAt` is when it failed, `retryAfter` how long the endpoint
 * asked us to wait; `draw` in [0, 1) spreads the wait.
 */
export const failAttempt = (
  claimed: Delivery,
  made: Attempt,
  failed: { endedAt: Millis; retryAfter: Millis | null; schedule: RetrySchedule; draw: number },
): Transition<Delivery> => {
  const firstAttemptAt = claimed.firstAttemptAt ?? made.at;
  const tries = claimed.tries + 1;
  const nextAttemptAt = nextTryAt(failed.schedule, { ...failed, tries, firstAttemptAt }, failed.draw);
  const expect = { leaseToken: claimed.leaseToken };
  const counted = { firstAttemptAt, tries, lastAttempt: made };
  if (nextAttemptAt === undefined) return { expect, set: { ...over, ...counted, state: 'exhausted' } };
  // What the queue carries is due a little later, should the queue lose it; what it cannot carry is due on time.
  const grace = nextAttemptAt - failed.endedAt <= LONGEST_QUEUE_DELAY ? FAST_PATH_GRACE : 0;
  return { expect, set: { ...released, ...counted, state: 'pending', nextAttemptAt, dueAt: nextAttemptAt + grace } };
};

/** The endpoint or the event is gone: nobody is left to tell, or nothing to say. */
export const cancel = (job: DeliveryJob, now: Millis): Transition<Delivery> => ({
  expect: asSeenBy(job, now),
  set: { ...over, state: 'cancelled' },
});

/** It has waited long enough behind an endpoint that was switched off. */
export const giveUpParked = (job: DeliveryJob, now: Millis): Transition<Delivery> => ({
  expect: asSeenBy(job, now),
  set: { ...over, state: 'exhausted' },
});

/** A person sends it again: a new generation with a whole schedule of its own. Void while it is being delivered. */
export const redeliver = (before: Delivery, now: Millis): Transition<Delivery> => ({
  expect: {
    attempt: before.attempt,
    generation: before.generation,
    state: ['pending', 'parked', 'succeeded', 'exhausted', 'cancelled'],
  },
  set: {
    ...released,
    state: 'pending',
    generation: before.generation + 1,
    tries: 0,
    firstAttemptAt: null,
    nextAttemptAt: now,
    dueAt: now + FAST_PATH_GRACE,
  },
});

/** Recovery: what was given up waits in the parking lot again, to be sent at the endpoint's drain rate. */
export const recover = (before: Delivery, now: Millis): Transition<Delivery> => ({
  expect: { attempt: before.attempt, generation: before.generation, state: ['exhausted', 'parked'] },
  set: {
    ...released,
    state: 'parked',
    generation: before.generation + 1,
    tries: 0,
    firstAttemptAt: null,
    nextAttemptAt: null,
    dueAt: now + PARKED_SAFETY,
  },
});

/** The sweeper takes a due delivery to the queue: first it moves the due time on, so that two sweepers send it once. */
export const takeUp = (seenDueAt: Millis, now: Millis): Transition<Delivery> => ({
  expect: { dueAt: seenDueAt },
  set: { dueAt: now + SWEPT_GRACE },
});

/** The queue refused it: due again soon. Void when a consumer has it by now. */
export const putBack = (taken: Delivery, now: Millis): Transition<Delivery> => ({
  expect: { dueAt: taken.dueAt },
  set: { dueAt: now + FAST_PATH_GRACE },
});
