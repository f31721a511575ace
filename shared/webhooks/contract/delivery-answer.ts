import * as z from 'zod/mini';
import { instant } from '#shared/platform/contract/answer-fields.ts';
import { idSchema } from '#shared/platform/kernel/ids.ts';
import { textOrNull } from '#shared/platform/kernel/schemas.ts';
import { namedEventType } from './endpoint-fields.ts';
import { eventAnswer } from './event-answer.ts';

export const attemptAnswer = z.object({
  number: z.int(),
  at: instant,
  status_code: z.nullable(z.int()),
  duration_ms: z.int(),
  error: textOrNull,
  response: textOrNull,
});

const statuses = ['pending', 'delivering', 'parked', 'succeeded', 'exhausted', 'cancelled'] as const;
export const deliveryStatus = z.enum(statuses, `must be one of ${statuses.join(', ')}.`);

export const deliveryAnswer = z.object({
  id: idSchema('dlv'),
  endpoint_id: idSchema('whe'),
  status: deliveryStatus,
  attempts: z.array(attemptAnswer),
  next_attempt_at: z.nullable(instant),
});

/** A delivery in a list of events. */
export const listedDelivery = z.omit(deliveryAnswer, { attempts: true });

/**
 * The statuses of the deliveries that the list of an endpoint contains. A parked delivery waits for the endpoint; an exhausted delivery was given
 * up.
 */
export const undeliveredStatus = z.enum(['parked', 'exhausted'], 'must be parked or exhausted.');

/** A delivery in the list of its endpoint. */
export const undeliveredDelivery = z.object({
  id: idSchema('dlv'),
  event_id: idSchema('evt'),
  event_type: namedEventType,
  status: undeliveredStatus,
  attempts: z.int(),
  last_attempt: z.nullable(attemptAnswer),
  next_attempt_at: z.nullable(instant),
});

/** An event in a list, with its deliveries if the request asks for them. */
export const listedEvent = z.extend(eventAnswer, { deliveries: z.optional(z.array(listedDelivery)) });
export const eventWithDeliveries = z.extend(eventAnswer, { deliveries: z.array(deliveryAnswer) });
