import * as z from 'zod/mini';
import { idSchema } from '#shared/domain/kernel/ids.ts';
import { mode } from '#shared/domain/kernel/mode.ts';
import { millis, text } from '#shared/domain/kernel/schemas.ts';
import { DAY, isoMicros } from '#shared/domain/kernel/time.ts';

/** The types of events (api-decisions.md section 5). */
export const eventType = z.enum([
  'checkout.paid',
  'checkout.overpaid',
  'checkout.underpaid',
  'checkout.payment_rejected',
  'checkout.payment_reversed',
  'checkout.failed',
  'checkout.expired',
  'virtual_account.payment_received',
  'virtual_account.payment_reversed',
  'virtual_account.activated',
  'virtual_account.failed',
  'endpoint.disabled',
  'endpoint.test',
]);
export type EventType = z.infer<typeof eventType>;
export type CheckoutEventType = Extract<EventType, `checkout.${string}`>;

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
