import type { WebhookEndpointWithHealth } from '#shared/client/types.ts';
import { createClient } from '#shared/pages/dashboard/client/api.ts';
import { formatUrl, type Place } from '#shared/pages/dashboard/client/router.ts';
import { describeAnswer, hasArrived } from './deliveries.tsx';
import { findAdvice, findFirstLine } from './failure.ts';
import { useLoaded } from './loaded.tsx';
import { Badge, Time } from './text.tsx';

/* Shows the health of webhook endpoints. */

/** Loads every endpoint of the mode with its health. There are at most five. */
export const loadEndpoints = async (place: Place): Promise<readonly WebhookEndpointWithHealth[]> => {
  const { webhookEndpoints } = createClient(place);
  const { items } = await webhookEndpoints.list().page();
  return Promise.all(items.map(({ id }) => webhookEndpoints.get(id)));
};

/** Returns the state of an endpoint for its badge. */
export const describeState = ({ enabled, health }: WebhookEndpointWithHealth): string =>
  enabled ? health.status : 'disabled';

/** The service counts waiting events only up to this number. */
const MOST_COUNTED = 1_000;

/** Says how many events wait for an endpoint, as the beginning of a sentence. */
const describeWaiting = (parked: number): string => {
  if (parked === 0) return 'Events wait';
  const number = parked < MOST_COUNTED ? String(parked) : `${MOST_COUNTED} or more`;
  return parked === 1 ? 'One event waits' : `${number} events wait`;
};

/** Says what happens to waiting events when the server works again. */
const describeRecovery = (parked: number): string => {
  if (parked === 0) return 'When your server answers with 2xx again, the waiting events are sent automatically.';
  if (parked === 1) return 'When your server answers with 2xx again, the waiting event is sent automatically.';
  const number = parked < MOST_COUNTED ? String(parked) : `${MOST_COUNTED} or more`;
  return `When your server answers with 2xx again, the ${number} waiting events are sent automatically.`;
};

/** Describes an endpoint's health in a sentence. */
export const Health = ({ endpoint }: { endpoint: WebhookEndpointWithHealth }) => {
  const { status, failing_since: since, parked } = endpoint.health;
  if (!endpoint.enabled) {
    return (
      <>
        {endpoint.disabled_reason} {describeWaiting(parked)} until it is switched on again.
      </>
    );
  }
  if (status === 'healthy') return <>No delivery is failing.</>;
  if (status === 'recovering') return <>Your server works again, and the waiting events are being sent.</>;
  return (
    <>
      Your server has not accepted our messages since <Time at={since} />. Payments are not affected.{' '}
      {status === 'suspended'
        ? `${describeWaiting(parked)}. From time to time we try one event.`
        : 'We try the events again.'}
    </>
  );
};

/** Shows an endpoint on a line: its state, its URL and its health. */
export const EndpointLine = ({ place, endpoint }: { place: Place; endpoint: WebhookEndpointWithHealth }) => (
  <>
    <Badge state={describeState(endpoint)} /> <a href={formatUrl(place, 'webhooks', endpoint.id)}>{endpoint.url}</a>{' '}
    <span class="quiet">
      <Health endpoint={endpoint} />{' '}
      {endpoint.enabled && endpoint.health.failing_since !== null && (
        <a href={formatUrl(place, 'webhooks', endpoint.id)}>Details for your developer</a>
      )}
    </span>
  </>
);

/** Loads the last failed attempt at an endpoint; undefined if none is kept. */
const loadLastFailure = async (place: Place, { id, health }: WebhookEndpointWithHealth) => {
  const eventId = health.last_failed_event_id ?? '';
  const { type, deliveries } = await createClient(place).events.get(eventId);
  const attempts = deliveries.find(({ endpoint_id }) => endpoint_id === id)?.attempts ?? [];
  const attempt = attempts.findLast((candidate) => !hasArrived(candidate));
  return attempt && { attempt, type, eventId };
};

/** Shows why an endpoint fails: the server's last answer, its meaning, and what to do. */
export const LastFailure = ({ place, endpoint }: { place: Place; endpoint: WebhookEndpointWithHealth }) => {
  const { last_failed_event_id: eventId, failing_since } = endpoint.health;
  const loading = useLoaded(
    `failure ${endpoint.id} ${eventId} ${failing_since}`,
    async () => (eventId === null ? undefined : loadLastFailure(place, endpoint)),
    { fresh: eventId !== null },
  );
  if (!loading.data) return null;
  const { attempt, type } = loading.data;
  const line = findFirstLine(attempt.response);
  return (
    <div class="warning">
      <p>
        <strong>
          {attempt.status_code !== null && 'Your server answered '}
          {describeAnswer(attempt)}
        </strong>
        , at <Time at={attempt.at} />
        {line !== undefined && (
          <>
            : <code>{line}</code>
          </>
        )}
      </p>
      <p>
        {findAdvice(attempt)} {endpoint.enabled && describeRecovery(endpoint.health.parked)}
      </p>
      <p>
        <a href={formatUrl(place, 'events', loading.data.eventId)}>The whole answer to {type}</a>
      </p>
    </div>
  );
};
