import type { WebhookEndpointWithHealth } from '#shared/client/types.ts';
import { createClient } from '#shared/pages/dashboard/client/api.ts';
import { formatUrl, type Place } from '#shared/pages/dashboard/client/router.ts';
import { describeAnswer, isArrival } from './deliveries.tsx';
import { adviceOn, firstLine } from './failure.ts';
import { useLoaded } from './loaded.tsx';
import { Badge, Time } from './text.tsx';

/* How the endpoints of a business are doing. */

/** Every endpoint of the mode with its health. There are at most five. */
export const loadEndpoints = async (place: Place): Promise<readonly WebhookEndpointWithHealth[]> => {
  const { webhookEndpoints } = createClient(place);
  const { items } = await webhookEndpoints.list().page();
  return Promise.all(items.map(({ id }) => webhookEndpoints.get(id)));
};

/** The state of an endpoint as its badge says it. */
export const describeState = ({ enabled, health }: WebhookEndpointWithHealth): string =>
  enabled ? health.status : 'disabled';

/** More are not counted. */
const MOST_COUNTED = 1_000;

/** How much waits for an endpoint. */
const waits = (parked: number): string => {
  if (parked === 0) return 'Events wait';
  const number = parked < MOST_COUNTED ? String(parked) : `${MOST_COUNTED} or more`;
  return parked === 1 ? 'One event waits' : `${number} events wait`;
};

/** The end of the trouble, for whoever mends the server. */
const afterRepair = (parked: number): string => {
  if (parked === 0) return 'Once it answers with 2xx, what waits is sent by itself.';
  if (parked === 1) return 'Once it answers with 2xx, the waiting event is sent by itself.';
  const number = parked < MOST_COUNTED ? String(parked) : `${MOST_COUNTED} or more`;
  return `Once it answers with 2xx, the ${number} waiting events are sent by themselves.`;
};

/** How an endpoint is doing, in a sentence. */
export const Health = ({ endpoint }: { endpoint: WebhookEndpointWithHealth }) => {
  const { status, failing_since: since, parked } = endpoint.health;
  if (!endpoint.enabled) {
    return (
      <>
        {endpoint.disabled_reason} {waits(parked)} until it is switched on again.
      </>
    );
  }
  if (status === 'healthy') return <>No delivery is failing.</>;
  if (status === 'recovering') return <>It works again, and what waited is being sent.</>;
  return (
    <>
      Your server has not accepted our messages since <Time at={since} />. Payments are not affected.{' '}
      {status === 'suspended' ? `${waits(parked)}, and one is tried now and then.` : 'Events are tried again.'}
    </>
  );
};

/** An endpoint in a line: its state, where it leads, and how it is doing. */
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

/** The last attempt at an endpoint that failed; undefined where the event has expired. */
const lastFailureAt = async (place: Place, { id, health }: WebhookEndpointWithHealth) => {
  const eventId = health.last_failed_event_id ?? '';
  const { type, deliveries } = await createClient(place).events.get(eventId);
  const attempts = deliveries.find(({ endpoint_id }) => endpoint_id === id)?.attempts ?? [];
  const attempt = attempts.findLast((candidate) => !isArrival(candidate));
  return attempt && { attempt, type, eventId };
};

/** Why an endpoint fails: what its server answered last, what that means, and what to do. */
export const LastFailure = ({ place, endpoint }: { place: Place; endpoint: WebhookEndpointWithHealth }) => {
  const { last_failed_event_id: eventId, failing_since } = endpoint.health;
  const loading = useLoaded(
    `failure ${endpoint.id} ${eventId} ${failing_since}`,
    async () => (eventId === null ? undefined : lastFailureAt(place, endpoint)),
    { fresh: eventId !== null },
  );
  if (!loading.data) return null;
  const { attempt, type } = loading.data;
  const line = firstLine(attempt.response);
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
        {adviceOn(attempt)} {endpoint.enabled && afterRepair(endpoint.health.parked)}
      </p>
      <p>
        <a href={formatUrl(place, 'events', loading.data.eventId)}>All of its answer to {type}</a>
      </p>
    </div>
  );
};
