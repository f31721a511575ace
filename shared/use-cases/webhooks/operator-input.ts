import { Refusal } from '#shared/domain/kernel/errors.ts';
import { OperatorError } from '#shared/domain/kernel/operator-error.ts';
import { webhookEndpoint } from '#shared/domain/webhooks/endpoint.ts';
import type { EndpointHead } from '#shared/domain/webhooks/endpoint-head.ts';
import { eventType } from '#shared/domain/webhooks/event.ts';

/* What the use cases share in which operators do what businesses do by the API. */

type Events = EndpointHead['events'];

/** The subscription that event types name. @throws OperatorError for an unknown type, none, or `*` beside others. */
export const parseSubscription = (given: readonly string[]): Events => {
  const known = [...eventType.options, '*'];
  const unknown = given.filter((type) => !known.includes(type));
  if (unknown.length > 0 || given.length === 0) {
    const fault = unknown.length > 0 ? `Unknown event types: ${unknown.join(', ')}.` : 'No event type is given.';
    throw new OperatorError(`${fault} Choose from ${eventType.options.join(', ')}, or * for all of them.`);
  }
  const events = webhookEndpoint.shape.events.parse([...new Set(given)]);
  if (events.includes('*') && events.length > 1) {
    throw new OperatorError('* stands for all event types. Give it alone, or name the types.');
  }
  return events;
};

/** A refusal as an error for the operator, in the words of its fields; any other error unchanged. */
export const asOperatorError = (error: unknown): unknown => {
  // Concurrent changes, or a dependency that fails: the command itself says what to do.
  if (!(error instanceof Refusal) || error.code === 'service_unavailable') return error;
  const { errors, retryAfterSeconds } = error.details;
  const reason = errors?.map(({ message }) => message).join(' ') ?? error.message;
  const next = retryAfterSeconds === undefined ? '' : ` Run the command again in ${retryAfterSeconds} seconds.`;
  return new OperatorError(`${reason}${next}`);
};
