import { idSchema } from '#shared/platform/kernel/ids.ts';
import type { WebhookEndpoint } from '#shared/webhooks/domain/endpoint.ts';
import type { Event } from '#shared/webhooks/domain/event.ts';
import type { Stage } from './connect.ts';
import { OperatorError } from './operator-error.ts';

/* Finds endpoints and events of any business by id. */

/** Finds a webhook endpoint. @throws OperatorError if the id is malformed (nothing is read then) or there is no such endpoint. */
export const findEndpoint = async ({ businesses }: Stage, id: string): Promise<WebhookEndpoint> => {
  if (!idSchema('whe').safeParse(id).success) {
    throw new OperatorError(
      'That is not the id of a webhook endpoint. Such an id starts with whe_, followed by 26 characters.',
    );
  }
  const endpoint = await businesses.findEndpoint(id);
  if (endpoint) return endpoint;
  throw new OperatorError(
    `There is no webhook endpoint ${id}. The command "endpoint list" shows the endpoints of a business.`,
  );
};

/** Finds an event. @throws OperatorError if the id is malformed (nothing is read then) or there is no such event any more. */
export const findEvent = async ({ deliveries }: Stage, id: string): Promise<Event> => {
  if (!idSchema('evt').safeParse(id).success) {
    throw new OperatorError('That is not the id of an event. Such an id starts with evt_, followed by 26 characters.');
  }
  // `read` looks for an endpoint and its breaker, too. No endpoint has the id `-`, so only the event can be found.
  const { event } = await deliveries.read({ eventId: id, endpointId: '-' });
  if (event) return event;
  throw new OperatorError(`There is no event ${id}. Events are kept for 90 days.`);
};
