import type { ListedEvent } from '#shared/webhooks/domain/delivery.ts';
import type { Event } from '#shared/webhooks/domain/event.ts';
import { listedDeliveryView } from './delivery-view.ts';

/** Shows an event: the body of its webhook. */
export const eventView = (event: Event): Record<string, unknown> => JSON.parse(event.body);

/** Shows an event in a list, with its deliveries if the request asked for them. */
export const listedEventView = (event: ListedEvent): Record<string, unknown> => ({
  ...eventView(event),
  ...(event.deliveries && { deliveries: event.deliveries.map(listedDeliveryView) }),
});
