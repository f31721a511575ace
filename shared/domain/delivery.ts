import * as z from 'zod';
import { EVENT_RETENTION, type Event, eventType } from './event.ts';
import { idSchema } from './ids.ts';
import { mode } from './mode.ts';
import { retryGap } from './retry-schedule.ts';
import { MINUTE, type Millis, SECOND } from './time.ts';
import { below, type Transition } from './transition.ts';

/** A merchant has this long to answer, connection included (api.md section 5). */
export const ATTEMPT_TIMEOUT = 15 * SECOND;
/** A claim outlives the attempt by a margin for writing its result; after that another consumer may take over. */
export const LEASE = 2 * ATTEMPT_TIMEOUT;
/** A new delivery is sent at once; the sweeper steps in when it is still waiting after this. */
export const FAST_PATH_GRACE = 10 * SECOND;
/** How long the sweeper leaves what it has sent to the queue alone, so that a backlog is sent once, not once a minute. */
const SWEPT_GRACE = 5 * MINUTE;

/** One POST to an endpoint and what came of it. */
export const attempt = z.object({
  number: z.number().int().min(1),
  at: z.number(),
  statusCode: z.number().int().nullable(),
  durationMs: z.number().int().min(0),
  error: z.string().nullable(),
  /** The first KiB of the answer. */
  response: z.string().nullable(),
});
export type Attempt = z.infer<typeof attempt>;

export const deliveryState = z.enum(['pending', 'delivering', 'succeeded', 'exhausted', 'cancelled']);

/** One event on its way to one endpoint. */
export const delivery = z.object({
  id: idSchema('dlv'),
  eventId: idSchema('evt'),
  endpointId: idSchema('whe'),
  businessId: idSchema('biz'),
  mode,
  eventType,
  state: deliveryState,
  /** Attempts begun so far. */
  attempt: z.number().int().min(0),
  /** Grows when a person sends it again: messages of an older generation are void. */
  generation: z.number().int().min(0),
  leaseToken: z.string().nullable(),
  /** Zero while nobody holds it. */
  leaseUntil: z.number(),
  nextAttemptAt: z.number().nullable(),
  /** When the sweeper has to look at it; null once it is over. */
  dueAt: z.number().nullable(),
  lastAttempt: attempt.nullable(),
  createdAt: z.number(),
  expiresAt: z.number(),
});
export type Delivery = z.infer<typeof delivery>;

/** The queue message: which delivery, and in which state the sender saw it. A message about another state is void. */
export const deliveryJob = delivery.pick({ eventId: true, endpointId: true, attempt: true, generation: true });
export type DeliveryJob = z.infer<typeof deliveryJob>;

/** The queue message for a delivery as it stands. */
export const jobOf = ({ eventId, endpointId, attempt: begun, generation }: Delivery): DeliveryJob => ({
  eventId,
  endpointId,
  attempt: begun,
  generation,
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
  leaseToken: null,
  leaseUntil: 0,
  nextAttemptAt: of.createdAt,
  dueAt: of.createdAt + FAST_PATH_GRACE,
  lastAttempt: null,
  createdAt: of.createdAt,
  expiresAt: of.createdAt + EVENT_RETENTION,
});

/**
 * Takes a delivery for one attempt. Holds only in the state that the job saw, and while nobody's lease runs;
 * a lapsed lease becomes a new attempt number, so no number is ever sent twice.
 */
export const claim = (job: DeliveryJob, token: string, now: Millis): Transition<Delivery> => ({
  expect: {
    attempt: job.attempt,
    generation: job.generation,
    state: ['pending', 'delivering'],
    leaseUntil: below(now),
  },
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

/** The endpoint answered 2xx. Void when the lease was lost. */
export const succeed = (claimed: Delivery, made: Attempt): Transition<Delivery> => ({
  expect: { leaseToken: claimed.leaseToken },
  set: { ...over, state: 'succeeded', lastAttempt: made },
});

/** The attempt failed: waits for the next one, or is exhausted. `endedAt` is when it failed; `draw` in [0, 1) spreads the wait. */
export const failAttempt = (claimed: Delivery, made: Attempt, endedAt: Millis, draw: number): Transition<Delivery> => {
  const gap = retryGap(made.number, draw);
  const expect = { leaseToken: claimed.leaseToken };
  if (gap === undefined) return { expect, set: { ...over, state: 'exhausted', lastAttempt: made } };
  const nextAttemptAt = endedAt + gap;
  return {
    expect,
    set: { ...released, state: 'pending', nextAttemptAt, dueAt: nextAttemptAt + FAST_PATH_GRACE, lastAttempt: made },
  };
};

/** The endpoint is gone: nobody is left to tell. */
export const cancel = (claimed: Delivery): Transition<Delivery> => ({
  expect: { leaseToken: claimed.leaseToken },
  set: { ...over, state: 'cancelled' },
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
