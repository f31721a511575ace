import { Refusal } from '#shared/domain/kernel/errors.ts';
import { idSchema } from '#shared/domain/kernel/ids.ts';
import { OperatorError } from '#shared/domain/kernel/operator-error.ts';
import type { Event } from '#shared/domain/webhooks/event.ts';
import type { EventHistory } from '#shared/ports/webhooks.ts';
import { type RedeliverDeps, redeliverEvent } from './redeliver-event.ts';

/**
 * An event by its id, of any business.
 * @throws OperatorError when there is none, or no longer.
 */
export const findEvent = async ({ deliveries }: Pick<RedeliverDeps, 'deliveries'>, eventId: string): Promise<Event> => {
  if (!idSchema('evt').safeParse(eventId).success) {
    throw new OperatorError('That is not the id of an event. It starts with evt_ and 26 characters follow.');
  }
  // Only the event is needed: no endpoint has this id.
  const { event } = await deliveries.read({ eventId, endpointId: '-' });
  if (event) return event;
  throw new OperatorError(`There is no event ${eventId}. Events are kept for 90 days.`);
};

const asSentence = ({ code, details, message }: Refusal, { businessId, mode }: Event): string => {
  if (code === 'webhook_endpoint_not_found') {
    return `Business ${businessId} has no such webhook endpoint in ${mode} mode. See: endpoint list --business ${businessId}`;
  }
  const reasons = (details.errors ?? []).map((error) => error.message).join(' ') || message;
  return code === 'delivery_in_progress'
    ? `${reasons} Wait half a minute and run the command again if it is still needed.`
    : reasons.replaceAll('endpoint_id', '--endpoint');
};

/**
 * An operator sends an event again. Who asked for it is recorded first.
 * @throws OperatorError for an unknown event or endpoint, one that is switched off, or a delivery in progress.
 */
export const redeliverByOperator = async (
  deps: RedeliverDeps,
  { eventId, endpointId, who }: { readonly eventId: string; readonly endpointId: string | null; readonly who: string },
): Promise<EventHistory> => {
  const event = await findEvent(deps, eventId);
  const { businessId } = event;
  const what = `asked for event ${eventId} to be sent again to ${endpointId ?? 'all endpoints that it went to'}`;
  await deps.businesses.recordChange({ id: deps.newId('log'), businessId, at: deps.now(), who, what });
  try {
    await redeliverEvent(deps, event, { eventId, endpointId }, () => undefined);
  } catch (error) {
    throw error instanceof Refusal ? new OperatorError(asSentence(error, event)) : error;
  }
  const found = await deps.events.find(event, eventId);
  return found ?? { event, deliveries: [] };
};
