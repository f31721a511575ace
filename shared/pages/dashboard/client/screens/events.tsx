import type { Attempt, EventWithDeliveries } from '#shared/client/types.ts';
import { apiOf } from '#shared/pages/dashboard/client/api.ts';
import { useAction } from '#shared/pages/dashboard/client/parts/action.tsx';
import { Filter, filtersOf, List } from '#shared/pages/dashboard/client/parts/list.tsx';
import { Loaded, Problem, useLoaded } from '#shared/pages/dashboard/client/parts/loaded.tsx';
import { Badge, Time } from '#shared/pages/dashboard/client/parts/text.tsx';
import { type Place, urlOf } from '#shared/pages/dashboard/client/router.ts';

const FILTERS = ['type', 'delivery_status'] as const;
const TYPES = [
  'checkout.paid',
  'checkout.overpaid',
  'checkout.underpaid',
  'checkout.payment_rejected',
  'checkout.payment_reversed',
  'checkout.failed',
  'checkout.expired',
  'virtual_account.payment_received',
  'virtual_account.payment_reversed',
  'virtual_account.activated',
  'virtual_account.failed',
  'endpoint.disabled',
  'endpoint.test',
];
const STATES = ['pending', 'delivering', 'parked', 'succeeded', 'exhausted', 'cancelled'];

/** What happened, newest first. */
export const Events = ({ place }: { place: Place }) => {
  const load = async (cursor: string | undefined) => {
    const { items, nextCursor } = await apiOf(place)
      .events.list({ ...filtersOf(place, FILTERS), cursor })
      .page();
    return { items, next: nextCursor };
  };
  return (
    <>
      <h1>Events</h1>
      <div class="filters">
        <Filter place={place} name="type" label="Type" options={TYPES} />
        <Filter place={place} name="delivery_status" label="Delivery" options={STATES} />
      </div>
      <List
        place={place}
        name="events"
        load={load}
        keyOf={({ id }) => id}
        empty={<p>No event yet, or none with these filters.</p>}
        columns={[
          { title: 'When', cell: ({ timestamp }) => <Time at={timestamp} /> },
          { title: 'What', cell: ({ id, type }) => <a href={urlOf(place, 'events', id)}>{type}</a> },
          { title: 'About', cell: ({ data }) => <code>{aboutOf(data)}</code> },
        ]}
      />
    </>
  );
};

/** The reference or the id of what an event is about. */
const aboutOf = (data: EventWithDeliveries['data']): string => {
  if ('reference' in data) return data.reference;
  if ('virtual_account' in data) return data.virtual_account.id;
  return 'id' in data ? data.id : '–';
};

const AttemptRow = ({ of }: { of: Attempt }) => (
  <tr>
    <td>{of.number}</td>
    <td>
      <Time at={of.at} />
    </td>
    <td>{of.status_code === null ? (of.error ?? 'no answer') : `HTTP ${of.status_code}`}</td>
    <td class="number">{of.duration_ms} ms</td>
    <td>
      {of.response === null || of.response === '' ? (
        '–'
      ) : (
        <details>
          <summary>Answer</summary>
          <pre>{of.response}</pre>
        </details>
      )}
    </td>
  </tr>
);

const Replay = ({ place, of, onDone }: { place: Place; of: EventWithDeliveries; onDone: () => void }) => {
  const { isBusy, error, run } = useAction();
  return (
    <>
      <button
        type="button"
        disabled={isBusy}
        onClick={() =>
          void run(async () => {
            await apiOf(place).events.redeliver(of.id);
            onDone();
          })
        }
      >
        Send it again
      </button>
      {error !== undefined && <Problem error={error} />}
    </>
  );
};

/** One event, each of its deliveries with its attempts, and the body that was sent. */
export const OneEvent = ({ place, id, mayChange }: { place: Place; id: string; mayChange: boolean }) => {
  const loading = useLoaded(`event ${place.businessId} ${place.mode} ${id}`, () => apiOf(place).events.get(id), {
    fresh: true,
  });
  return (
    <Loaded of={loading}>
      {(event) => {
        const { deliveries, ...body } = event;
        return (
          <>
            <h1>{event.type}</h1>
            <p class="quiet">
              <Time at={event.timestamp} />, <code>{event.id}</code>
            </p>
            {mayChange && <Replay place={place} of={event} onDone={loading.reload} />}
            <h2>Deliveries</h2>
            {deliveries.length === 0 && <p class="quiet">No endpoint was subscribed to it.</p>}
            {deliveries.map((delivery) => (
              <section key={delivery.id} class="card">
                <p>
                  <Badge of={delivery.status} /> to <code>{delivery.endpoint_id}</code>
                  {delivery.next_attempt_at !== null && (
                    <>
                      , again at <Time at={delivery.next_attempt_at} />
                    </>
                  )}
                </p>
                {delivery.attempts.length > 0 && (
                  <div class="scrolls">
                    <table>
                      <thead>
                        <tr>
                          <th scope="col">Attempt</th>
                          <th scope="col">When</th>
                          <th scope="col">Result</th>
                          <th scope="col" class="number">
                            Took
                          </th>
                          <th scope="col">Your server said</th>
                        </tr>
                      </thead>
                      <tbody>
                        {delivery.attempts.toReversed().map((attempt) => (
                          <AttemptRow key={attempt.number} of={attempt} />
                        ))}
                      </tbody>
                    </table>
                  </div>
                )}
              </section>
            ))}
            <h2>Body</h2>
            <pre class="card">{JSON.stringify(body, null, 2)}</pre>
          </>
        );
      }}
    </Loaded>
  );
};
