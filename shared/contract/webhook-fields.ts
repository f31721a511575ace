import * as z from 'zod/mini';
import { eventType } from '#shared/domain/event.ts';
import { idSchema } from '#shared/domain/ids.ts';
import { mode } from '#shared/domain/mode.ts';
import { instant, pathId } from './fields.ts';

/** The bricks of the webhook endpoints' and events' requests and answers (api.md section 5). */

export const endpointId = z.object({ id: pathId });
export const eventId = z.object({ id: pathId });

/** An endpoint named in a body: like one in a path, one that cannot be ours is not found rather than invalid. */
export const namedEndpoint = z.pipe(z.string('must be the id of a webhook endpoint.'), pathId);

/** What kind of URL a stage accepts is judged where the stage's setting is known. */
export const targetUrl = z.string('must be a string.');

const knownTypes = eventType.options.join(', ');
export const namedEventType = z.enum(eventType.options, `must be one of ${knownTypes}.`);
const subscriptionRule = `must be ["*"] or a list of event types: ${knownTypes}.`;
/** Event types, or `["*"]` for all of them. One sentence whatever is wrong, so that no request makes a long refusal. */
export const subscription = z.pipe(
  z.union(
    [
      z.tuple([z.literal('*')]),
      z
        .array(eventType)
        .check(z.minLength(1, subscriptionRule), z.maxLength(eventType.options.length, subscriptionRule)),
    ],
    subscriptionRule,
  ),
  z.transform((types) => [...new Set(types)]),
);

export const endpointAnswer = z.object({
  id: idSchema('whe'),
  url: z.string(),
  mode,
  events: z.array(z.string()),
  enabled: z.boolean(),
  disabled_reason: z.nullable(z.string()),
  created_at: instant,
});

/** With the secret: only in the answers to create and rotate. */
export const endpointAnswerWithSecret = z.extend(endpointAnswer, { secret: z.string() });

export const attemptAnswer = z.object({
  number: z.int(),
  at: instant,
  status_code: z.nullable(z.int()),
  duration_ms: z.int(),
  error: z.nullable(z.string()),
  response: z.nullable(z.string()),
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

export const eventAnswer = z.object({
  id: idSchema('evt'),
  type: z.string(),
  timestamp: instant,
  mode,
  business_id: idSchema('biz'),
  data: z.unknown(),
});

export const eventWithDeliveries = z.extend(eventAnswer, { deliveries: z.array(deliveryAnswer) });

/** From when on: ISO 8601 with its zone. Parsed to milliseconds since the epoch. */
export const since = z.pipe(
  z.iso.datetime({ offset: true, error: 'must be an ISO 8601 time with its zone, such as 2026-11-20T12:00:00Z.' }),
  z.transform((value) => Date.parse(value)),
);
