import * as z from 'zod/mini';
import { idSchema } from '#shared/platform/kernel/ids.ts';
import { mode } from '#shared/platform/kernel/mode.ts';
import { millis, text } from '#shared/platform/kernel/schemas.ts';
import { DAY, isoMicros } from '#shared/platform/kernel/time.ts';
import { EVENT_TYPES, isAboutMoney } from './event-types.ts';

/** The type of an event. */
export const eventType = z.enum(EVENT_TYPES);
export type EventType = z.infer<typeof eventType>;

/** The types that the test call takes: a live receiver may ship goods for what it takes for a payment, so it gets no examples. */
export const testableTypes = `endpoint.test with a live key, and with a test key one of ${eventType.options.join(', ')}`;

export type CheckoutEventType = Extract<EventType, `checkout.${string}`>;

/** Whether live money has moved: what alarms call people for. */
export const isAboutLiveMoney = ({ mode, type }: Pick<Event, 'mode' | 'type'>): boolean =>
  mode === 'live' && isAboutMoney(type);

/** Events and deliveries are kept 90 days (api-decisions.md section 5). */
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

/** A new event. Its body is serialised here, once. `isExample`: it shows what such an event looks like, and nothing happened. */
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
