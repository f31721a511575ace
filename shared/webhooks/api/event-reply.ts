import type { Reply } from '#shared/api/http/types.ts';
import { deliveryView } from '#shared/webhooks/contract/delivery-view.ts';
import { eventView } from '#shared/webhooks/contract/event-view.ts';
import type { EventHistory, EventWithDeliveries } from '#shared/webhooks/ports.ts';

/** Builds the answer with an event, its deliveries and their attempts. */
export const eventReply = (status: 200 | 202, { event, deliveries }: EventHistory): Reply => ({
  status,
  body: {
    status: true,
    data: {
      ...eventView(event),
      deliveries: deliveries.map(({ delivery, attempts }) => deliveryView(delivery, attempts)),
    },
  },
});

/**
 * Builds the answer to a redelivery. It contains the event, and of each delivery only the last finished attempt. So it is small enough to be
 * stored under the request's Idempotency-Key.
 */
export const redeliveryReply = ({ event, deliveries }: EventWithDeliveries): Reply =>
  eventReply(202, {
    event,
    deliveries: deliveries.map((delivery) => ({
      delivery,
      attempts: delivery.lastAttempt ? [delivery.lastAttempt] : [],
    })),
  });
