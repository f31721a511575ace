import * as z from 'zod/mini';
import { idSchema } from '#shared/platform/kernel/ids.ts';
import { mode } from '#shared/platform/kernel/mode.ts';
import { count, millis, millisOrNull, ordinal, textOrNull } from '#shared/platform/kernel/schemas.ts';
import { type Millis, SECOND } from '#shared/platform/kernel/time.ts';
import { EVENT_RETENTION, type Event, eventType } from './event.ts';

/** A merchant has this long to answer, connection included (api-decisions.md section 5). Milliseconds. */
export const ATTEMPT_TIMEOUT = 15 * SECOND;
/** What was sent to a queue is due again this long after its time, in case the queue lost it. Milliseconds. */
export const QUEUE_GRACE = 10 * SECOND;

/** The queues of deliveries. Everything of test mode waits in one, so that nothing that anybody does there delays a live webhook. */
export const LANES = ['first', 'retry', 'slow', 'test'] as const;
export type Lane = (typeof LANES)[number];
/** In live mode first attempts, retries, and endpoints that answer slowly wait in queues of their own, so that none delays another. */
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

/** `parked`: waits behind an endpoint that is failing or switched off. */
export const deliveryState = z.enum(['pending', 'delivering', 'parked', 'succeeded', 'exhausted', 'cancelled']);
export type DeliveryState = z.infer<typeof deliveryState>;

/** One event on its way to one endpoint. Its changes: delivery-transitions.ts. */
export const delivery = z.object({
  id: idSchema('dlv'),
  eventId: idSchema('evt'),
  endpointId: idSchema('whe'),
  businessId: idSchema('biz'),
  mode,
  eventType,
  state: deliveryState,
  /** Attempts started so far, over all redeliveries: no number is used twice. */
  attempt: count,
  /** Grows when the delivery is sent again by hand: messages of an older redeliveries are void. */
  redeliveries: count,
  /** Failed attempts of this redeliveries: the place in the retry schedule. */
  tries: count,
  /** The first attempt of this redeliveries, which began its schedule. */
  firstAttemptAt: millisOrNull,
  leaseToken: textOrNull,
  /** Zero while no consumer holds the lease. */
  leaseUntil: millis,
  nextAttemptAt: millisOrNull,
  /** Set once it has waited behind its endpoint. */
  wasParked: z.optional(z.literal(true)),
  /** When the sweeper sends it to a queue, unless a lease runs; null once it is finished. */
  dueAt: millisOrNull,
  lastAttempt: z.nullable(attempt),
  createdAt: millis,
  expiresAt: millis,
});
export type Delivery = z.infer<typeof delivery>;

/** The queue message: which delivery, and as the sender saw it. A message about an earlier attempt or redeliveries is void. */
export const deliveryJob = z.extend(
  z.pick(delivery, { eventId: true, endpointId: true, mode: true, attempt: true, redeliveries: true, dueAt: true }),
  {
    /** Sent by hand: attempted even while the endpoint is failing. */
    byHand: z.optional(z.literal(true)),
    /** Parked, and sent by the sweeper because it was due: it leaves the parking lot with a drain. */
    parked: z.optional(z.literal(true)),
  },
);
export type DeliveryJob = z.infer<typeof deliveryJob>;

/** The queue message for a delivery as it stands. */
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

/** The queue that a message waits in: one of test mode never in a live one. */
export const chooseLane = ({ mode }: Pick<DeliveryJob, 'mode'>, liveLane: LiveLane): Lane =>
  mode === 'test' ? 'test' : liveLane;

/** A new delivery. It is due some seconds ahead, so that a crash before it is queued only delays it. */
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

/** A delivery to an endpoint that the event was not sent to when it happened: due from `now` on, kept as long as its event. */
export const lateDelivery = (id: string, endpointId: string, event: Event, now: Millis): Delivery => ({
  ...newDelivery(id, endpointId, event),
  nextAttemptAt: now,
  dueAt: now + QUEUE_GRACE,
  createdAt: now,
});

/** An event in a list, with its deliveries where they were asked for. */
export interface ListedEvent extends Event {
  readonly deliveries?: readonly Delivery[];
}
