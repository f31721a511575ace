import type { Attempt, Delivery } from '#shared/client/types.ts';
import { createClient } from '#shared/pages/dashboard/client/api.ts';
import type { Place } from '#shared/pages/dashboard/client/router.ts';
import { type Loading, useLoaded } from './loaded.tsx';
import { Badge, Time } from './text.tsx';

/* Shows deliveries and the answers of the business's servers. */

/** Loads the URLs of the endpoints by id. Deleted endpoints are missing. */
export const useEndpointUrls = (place: Place): Loading<ReadonlyMap<string, string>> =>
  useLoaded(`urls ${place.businessId} ${place.mode}`, async () => {
    const { items } = await createClient(place).webhookEndpoints.list().page();
    return new Map(items.map(({ id, url }) => [id, url]));
  });

/** Writes a server's answer to an attempt, such as `HTTP 500`. */
export const describeAnswer = ({ status_code, error }: Attempt): string =>
  status_code === null ? (error ?? 'no answer').replace(/\.$/, '') : `HTTP ${status_code}`;

/** Whether the server accepted the webhook. */
export const hasArrived = ({ status_code: status }: Attempt): boolean =>
  status !== null && status >= 200 && status < 300;

/** The meaning of each state of a delivery, as the end of a sentence. */
const MEANINGS: Readonly<Record<Delivery['status'], string>> = {
  pending: 'waits for its next attempt',
  delivering: 'is being sent',
  parked: 'waits until your server works again',
  succeeded: 'arrived',
  exhausted: 'was given up after 72 hours, and can be sent again',
  cancelled: 'the endpoint was deleted',
};

/** The states, the most important first. */
const BY_WEIGHT: readonly Delivery['status'][] = [
  'exhausted',
  'parked',
  'pending',
  'delivering',
  'succeeded',
  'cancelled',
];

/** Shows whether an event has arrived at its endpoints. */
export const Arrival = ({ deliveries }: { deliveries: readonly Pick<Delivery, 'status'>[] }) => {
  const states = deliveries.map(({ status }) => status);
  const worst = BY_WEIGHT.find((state) => states.includes(state));
  if (worst === undefined) return <span class="quiet">No endpoint</span>;
  const arrived = states.filter((state) => state === 'succeeded').length;
  return (
    <>
      <Badge state={worst} />
      {arrived > 0 && arrived < states.length && ` ${arrived} of ${states.length} arrived`}
    </>
  );
};

interface DeliveryLineProps {
  readonly delivery: Pick<Delivery, 'status' | 'next_attempt_at' | 'endpoint_id'>;
  readonly last: Attempt | undefined;
  readonly urls: ReadonlyMap<string, string> | undefined;
}

/** Describes a delivery in a sentence: its endpoint, its state, and the server's last answer. */
export const DeliveryLine = ({ delivery, last, urls }: DeliveryLineProps) => (
  <>
    <Badge state={delivery.status} /> <code>{urls?.get(delivery.endpoint_id) ?? delivery.endpoint_id}</code>:{' '}
    {MEANINGS[delivery.status]}
    {delivery.next_attempt_at !== null && (
      <>
        , at <Time at={delivery.next_attempt_at} />
      </>
    )}
    {last && delivery.status !== 'succeeded' && <>; your server’s last answer: {describeAnswer(last)}</>}.
  </>
);
