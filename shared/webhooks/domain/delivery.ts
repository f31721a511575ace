import * as z from 'zod/mini';
import { idSchema } from '#shared/platform/kernel/ids.ts';
import { mode } from '#shared/platform/kernel/mode.ts';
import { count, millis, millisOrNull, ordinal, textOrNull } from '#shared/platform/kernel/schemas.ts';
import { type Millis, SECOND } from '#shared/platform/kernel/time.ts';
import { EVENT_RETENTION, type Event, eventType } from './event.ts';

/** The time that a merchant's server has to answer, connection included. Milliseconds. */
export const ATTEMPT_TIMEOUT = 15 * SECOND;
/**
 * A queued delivery is due this long after the time of its next attempt. If the queue lost it, the sweeper sends it then. Milliseconds.
 */
export const QUEUE_GRACE = 10 * SECOND;

/** The queues of deliveries. Test mode has one queue for everything, so that it never delays a live webhook. */
export const LANES = ['first', 'retry', 'slow', 'test'] as const;
export type Lane = (typeof LANES)[number];
/** The queues of live mode. First attempts, retries and slow endpoints have separate queues, so that none delays another. */
export type LiveLane = Exclude<Lane, 'test'>;

/** One POST to an endpoint and its result. */
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

/** The states of a delivery. `parked`: it waits for an endpoint that fails or is switched off. */
export const deliveryState = z.enum(['pending', 'delivering', 'parked', 'succeeded', 'exhausted', 'cancelled']);
export type DeliveryState = z.infer<typeof deliveryState>;

/** One event on its way to one endpoint. Its transitions are in delivery-transitions.ts. */
export const delivery = z.object({
  id: idSchema('dlv'),
  eventId: idSchema('evt'),
  endpointId: idSchema('whe'),
  businessId: idSchema('biz'),
  mode,
  eventType,
  state: deliveryState,
  /** The attempts started so far, including those before a redelivery, so that no number is used twice. */
  attempt: count,
  /** How often the delivery was redelivered or recovered. A message with a smaller count is void. */
  redeliveries: count,
  /** Failed attempts since the last redelivery: the position in the retry schedule. */
  tries: count,
  /** The time of the first attempt since the last redelivery, when the retry schedule began. */
  firstAttemptAt: millisOrNull,
  leaseToken: textOrNull,
  /** Zero while no consumer has the lease. */
  leaseUntil: millis,
  nextAttemptAt: millisOrNull,
  /** Set if a consumer has ever parked the delivery. A recovery parks it without setting this. */
  wasParked: z.optional(z.literal(true)),
  /** The time when the sweeper sends the delivery to a queue, unless a lease runs; null if the delivery is finished. */
  dueAt: millisOrNull,
  lastAttempt: z.nullable(attempt),
  createdAt: millis,
  expiresAt: millis,
});
export type Delivery = z.infer<typeof delivery>;

/** The queue message of a delivery, with the delivery's counts as the sender read them. If the counts have grown since, the message is void. */
export const deliveryJob = z.extend(
  z.pick(delivery, { eventId: true, endpointId: true, mode: true, attempt: true, redeliveries: true, dueAt: true }),
  {
    /** A person sent the delivery, so it is attempted even while the endpoint is failing. */
    byHand: z.optional(z.literal(true)),
    /** The sweeper sent the delivery while it was parked. Unless it becomes the canary, it is parked again: only a drain releases it. */
    parked: z.optional(z.literal(true)),
  },
);
export type DeliveryJob = z.infer<typeof deliveryJob>;

/** Returns the queue message for a delivery in its present state. */
export const toDeliveryJob = ({
  eventId,
  endpointId,
  mode,
  attempt,
  redeliveries,
  dueAt,
  state,
}: Delivery): DeliveryJob => ({
  eventId,
  endpointId,
  mode,
  attempt,
  redeliveries,
  dueAt,
  ...(state === 'parked' && { parked: true as const }),
});

/** Chooses the queue of a message: always `test` in test mode, otherwise `liveLane`. */
export const chooseLane = ({ mode }: Pick<DeliveryJob, 'mode'>, liveLane: LiveLane): Lane =>
  mode === 'test' ? 'test' : liveLane;

/** Returns a new delivery. It is due in some seconds, so that a crash before it is queued only delays it. */
export const newDelivery = (id: string, endpointId: string, event: Event): Delivery => ({
  id,
  eventId: event.id,
  endpointId,
  businessId: event.businessId,
  mode: event.mode,
  eventType: event.type,
  state: 'pending',
  attempt: 0,
  redeliveries: 0,
  tries: 0,
  firstAttemptAt: null,
  leaseToken: null,
  leaseUntil: 0,
  nextAttemptAt: event.createdAt,
  dueAt: event.createdAt + QUEUE_GRACE,
  lastAttempt: null,
  createdAt: event.createdAt,
  expiresAt: event.createdAt + EVENT_RETENTION,
});

/** Returns a delivery of an older event to an endpoint that had none. It is due from `now` on and is kept as long as its event. */
export const lateDelivery = (id: string, endpointId: string, event: Event, now: Millis): Delivery => ({
  ...newDelivery(id, endpointId, event),
  nextAttemptAt: now,
  dueAt: now + QUEUE_GRACE,
  createdAt: now,
});

/** An event in a list, with its deliveries if the request asked for them. */
export interface ListedEvent extends Event {
  readonly deliveries?: readonly Delivery[];
}
