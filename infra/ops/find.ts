import { idSchema } from '#shared/platform/kernel/ids.ts';
import type { WebhookEndpoint } from '#shared/webhooks/domain/endpoint.ts';
import type { Event } from '#shared/webhooks/domain/event.ts';
import type { Stage } from './connect.ts';
import { OperatorError } from './operator-error.ts';

/* Finds by its id what belongs to any business. */

/** @throws OperatorError for an id of another shape, without reading anything, and when there is no such webhook endpoint. */
export const findEndpoint = async ({ businesses }: Stage, id: string): Promise<WebhookEndpoint> => {
  if (!idSchema('whe').safeParse(id).success) {
    throw new OperatorError('That is not the id of a webhook endpoint. It starts with whe_ and 26 characters follow.');
  }
  const endpoint = await businesses.findEndpoint(id);
  if (endpoint) return endpoint;
  throw new OperatorError(`There is no webhook endpoint ${id}. The command "endpoint list" shows those of a business.`);
};

/** @throws OperatorError for an id of another shape, without reading anything, and when there is no such event, or no longer. */
export const findEvent = async ({ deliveries }: Stage, id: string): Promise<Event> => {
  if (!idSchema('evt').safeParse(id).success) {
    throw new OperatorError('That is not the id of an event. It starts with evt_ and 26 characters follow.');
  }
  // Only the event is needed: no endpoint has this id.
  const { event } = await deliveries.read({ eventId: id, endpointId: '-' });
  if (event) return event;
  throw new OperatorError(`There is no event ${id}. Events are kept for 90 days.`);
};
