import type { Attempt, Delivery, EventWithDeliveries } from '#shared/client/types.ts';
import { createClient } from '#shared/pages/dashboard/client/api.ts';
import { ActionButton } from '#shared/pages/dashboard/client/parts/action.tsx';
import {
  Arrival,
  DeliveryLine,
  describeAnswer,
  hasArrived,
  useEndpointUrls,
} from '#shared/pages/dashboard/client/parts/deliveries.tsx';
import { Filter, Filters, List, PeriodFilters, readFilters } from '#shared/pages/dashboard/client/parts/list.tsx';
import { Loaded, useLoaded } from '#shared/pages/dashboard/client/parts/loaded.tsx';
import { readPeriod } from '#shared/pages/dashboard/client/parts/period.ts';
import { Ref, Time } from '#shared/pages/dashboard/client/parts/text.tsx';
import { formatUrl, type Place } from '#shared/pages/dashboard/client/router.ts';
import { EVENT_TYPES } from '#shared/webhooks/domain/event-types.ts';

const FILTERS = ['type', 'delivery_status'] as const;
const STATES = ['pending', 'delivering', 'parked', 'succeeded', 'exhausted', 'cancelled'];

/** Links to the object of an event. */
const About = ({ place, data }: { place: Place; data: EventWithDeliveries['data'] }) => {
  if ('reference' in data) {
    return (
      <a href={formatUrl(place, 'checkouts', data.reference)}>
        <Ref text={data.reference} />
      </a>
    );
  }
  if ('virtual_account' in data) {
    const { id, account_number } = data.virtual_account;
    return <a href={formatUrl(place, 'virtual-accounts', id)}>{account_number ?? id}</a>;
  }
  if ('url' in data) return <a href={formatUrl(place, 'webhooks', data.id)}>{data.url}</a>;
  if ('id' in data) return <a href={formatUrl(place, 'virtual-accounts', data.id)}>{data.id}</a>;
  return <>an endpoint</>;
};

/** The screen of all events, newest first. */
export const Events = ({ place }: { place: Place }) => {
  const load = async (cursor: string | undefined) => {
    const { from: since, to: until } = readPeriod(place);
    const { items, nextCursor } = await createClient(place)
      .events.list({ ...readFilters(place, FILTERS), deliveries: true, since, until, cursor })
      .page();
    return { items, next: nextCursor };
  };
  return (
    <>
      <h1>Events</h1>
      <Filters place={place}>
        <PeriodFilters place={place} />
        <Filter place={place} name="type" label="Type" options={EVENT_TYPES} />
        <Filter place={place} name="delivery_status" label="Delivery status" options={STATES} />
      </Filters>
      <List
        place={place}
        name="events"
        load={load}
        keyOf={({ id }) => id}
        empty={
          <p>
            No event yet. There is an event when money lands, and when a checkout or an account changes.{' '}
            <a href={formatUrl(place, 'webhooks')}>See where events are sent</a>.
          </p>
        }
        columns={[
          { title: 'When', isTime: true, cell: ({ timestamp }) => <Time at={timestamp} /> },
          {
            title: 'What',
            onPhone: 'title',
            cell: ({ id, type }) => <a href={formatUrl(place, 'events', id)}>{type}</a>,
          },
          {
            title: 'Your server',
            cell: ({ deliveries = [] }) => <Arrival deliveries={deliveries} />,
          },
          { title: 'About', cell: ({ data }) => <About place={place} data={data} /> },
        ]}
      />
    </>
  );
};

const AttemptRow = ({ attempt }: { attempt: Attempt }) => (
  <tr>
    <td data-title="Attempt">{attempt.number}</td>
    <td data-title="When">
      <Time at={attempt.at} />
    </td>
    <td data-title="Result">
      <span>
        <span class={hasArrived(attempt) ? 'good' : 'bad'}>{describeAnswer(attempt)}</span>, {attempt.duration_ms} ms
      </span>
    </td>
    <td data-title="Your server said">
      {attempt.response === null || attempt.response === '' ? '–' : <pre>{attempt.response}</pre>}
    </td>
  </tr>
);

const Attempts = ({ delivery }: { delivery: Delivery }) => (
  <table class="stacks">
    <thead>
      <tr>
        <th scope="col">Attempt</th>
        <th scope="col">When</th>
        <th scope="col">Result</th>
        <th scope="col" class="wide">
          Your server said
        </th>
      </tr>
    </thead>
    <tbody>
      {delivery.attempts.toReversed().map((attempt) => (
        <AttemptRow key={attempt.number} attempt={attempt} />
      ))}
    </tbody>
  </table>
);

/** The screen of an event: its deliveries with their attempts, and the body that was sent. */
export const OneEvent = ({ place, id, mayChange }: { place: Place; id: string; mayChange: boolean }) => {
  const loading = useLoaded(`event ${place.businessId} ${place.mode} ${id}`, () => createClient(place).events.get(id), {
    fresh: true,
  });
  const urls = useEndpointUrls(place);
  const sendAgain = async (endpointId: string) => {
    await createClient(place).events.redeliver(id, { endpoint_id: endpointId });
    loading.reload();
    return <p>It is on its way again. Your server’s answer appears here.</p>;
  };
  return (
    <>
      <h1>{loading.data?.type ?? 'Event'}</h1>
      <Loaded loading={loading}>
        {(event) => {
          const { deliveries, ...body } = event;
          return (
            <>
              <p>
                <Time at={event.timestamp} />, about <About place={place} data={event.data} />
              </p>
              <p class="quiet">
                <code>{event.id}</code>, the <code>webhook-id</code> of its webhooks
              </p>
              <h2>Deliveries</h2>
              {deliveries.length === 0 && <p class="quiet">No endpoint was subscribed to it.</p>}
              {deliveries.map((delivery) => (
                <section key={delivery.id} class="card">
                  <p>
                    <DeliveryLine delivery={delivery} last={delivery.attempts.at(-1)} urls={urls.data} />
                  </p>
                  {delivery.attempts.length > 0 && <Attempts delivery={delivery} />}
                  {mayChange && urls.data?.has(delivery.endpoint_id) && (
                    <ActionButton label="Send it again" work={() => sendAgain(delivery.endpoint_id)} />
                  )}
                </section>
              ))}
              <h2>Body</h2>
              <pre class="card">{JSON.stringify(body, null, 2)}</pre>
            </>
          );
        }}
      </Loaded>
    </>
  );
};
