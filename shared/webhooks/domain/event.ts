import * as z from 'zod/mini';
import { idSchema } from '#shared/platform/kernel/ids.ts';
import { mode } from '#shared/platform/kernel/mode.ts';
import { millis, text } from '#shared/platform/kernel/schemas.ts';
import { DAY, isoMicros } from '#shared/platform/kernel/time.ts';
import { EVENT_TYPES, isAboutMoney } from './event-types.ts';

/** The type of an event. */
export const eventType = z.enum(EVENT_TYPES);
export type EventType = z.infer<typeof eventType>;

/**
 * Names the event types that a test call accepts, for messages. With a live key only `endpoint.test` is sent: a live
 * receiver could mistake an example for a real payment, and ship goods.
 */
export const testableTypesText = `endpoint.test with a live key, and with a test key one of ${eventType.options.join(', ')}`;

export type CheckoutEventType = Extract<EventType, `checkout.${string}`>;

/** Whether an event is about live money that has moved. Alarms call people only for such events. */
export const isAboutLiveMoney = ({ mode, type }: Pick<Event, 'mode' | 'type'>): boolean =>
  mode === 'live' && isAboutMoney(type);

/** Events and deliveries are kept this long. Milliseconds. */
export const EVENT_RETENTION = 90 * DAY;

/** Something that happened, with the exact bytes that every delivery attempt posts. */
export const event = z.object({
  id: idSchema('evt'),
  type: eventType,
  businessId: idSchema('biz'),
  mode,
  createdAt: millis,
  body: text,
});
export type Event = z.infer<typeof event>;

/** Creates an event and serialises its body, once. `isExample`: the event is an example, and nothing happened. */
export const newEvent = (about: Omit<Event, 'body'>, data: unknown, { isExample = false } = {}): Event => ({
  ...about,
  body: JSON.stringify({
    id: about.id,
    type: about.type,
    timestamp: isoMicros(about.createdAt),
    mode: about.mode,
    business_id: about.businessId,
    ...(isExample && { example: true }),
    data,
  }),
});
