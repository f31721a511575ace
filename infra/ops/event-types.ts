import { webhookEndpoint } from '#shared/webhooks/domain/endpoint.ts';
import type { EndpointHead } from '#shared/webhooks/domain/endpoint-head.ts';
import { eventType } from '#shared/webhooks/domain/event.ts';
import { OperatorError } from './operator-error.ts';

/** Parses an option with event types, separated by commas, or `*`. @throws OperatorError for no type, an unknown type, or `*` with others. */
export const readEventTypes = (option: string): EndpointHead['events'] => {
  const types = option.split(',').flatMap((type) => type.trim() || []);
  const known = [...eventType.options, '*'];
  const unknown = types.filter((type) => !known.includes(type));
  if (unknown.length > 0 || types.length === 0) {
    const problem = unknown.length > 0 ? `Unknown event types: ${unknown.join(', ')}.` : 'No event type is given.';
    throw new OperatorError(`${problem} Choose from ${eventType.options.join(', ')}, or * for all of them.`);
  }
  const events = webhookEndpoint.shape.events.parse([...new Set(types)]);
  if (events.includes('*') && events.length > 1) {
    throw new OperatorError('* stands for all event types. Give either * or a list of types.');
  }
  return events;
};
