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

/** The types that the test call takes: a live receiver may ship goods for what it takes for a payment, so it gets no examples. */
export const testableTypes = `endpoint.test with a live key, and with a test key one of ${eventType.options.join(', ')}`;

export type CheckoutEventType = Extract<EventType, `checkout.${string}`>;

/** Whether an event is about money that has moved. Anybody may cause the others at no cost: a checkout that nobody pays expires. */
const ABOUT_MONEY: Readonly<Record<EventType, boolean>> = {
  'checkout.paid': true,
  'checkout.overpaid': true,
  'checkout.underpaid': true,
  'checkout.payment_rejected': true,
  'checkout.payment_reversed': true,
  'checkout.failed': false,
  'checkout.expired': false,
  'virtual_account.payment_received': true,
  'virtual_account.payment_reversed': true,
  'virtual_account.activated': false,
  'virtual_account.failed': false,
  'endpoint.disabled': false,
  'endpoint.test': false,
};

/** Whether live money has moved: what alarms call people for. */
export const isAboutLiveMoney = ({ mode, type }: Pick<Event, 'mode' | 'type'>): boolean =>
  mode === 'live' && ABOUT_MONEY[type];

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
