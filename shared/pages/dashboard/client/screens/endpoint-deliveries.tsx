import { useState } from 'preact/hooks';
import { createClient } from '#shared/pages/dashboard/client/api.ts';
import { describeAnswer } from '#shared/pages/dashboard/client/parts/deliveries.tsx';
import { describeState, Health, LastFailure } from '#shared/pages/dashboard/client/parts/endpoints.tsx';
import { Filter, Filters, List } from '#shared/pages/dashboard/client/parts/list.tsx';
import { Loaded, useLoaded } from '#shared/pages/dashboard/client/parts/loaded.tsx';
import { Badge, Copy, Time } from '#shared/pages/dashboard/client/parts/text.tsx';
import { formatUrl, go, type Place } from '#shared/pages/dashboard/client/router.ts';
import { Recover } from './endpoint-changes.tsx';

const UNDELIVERED = ['parked', 'exhausted'] as const;
const REQUIRED_FILTERS = ['status'] as const;

/** The screen of the events that have not arrived at an endpoint. */
export const EndpointDeliveries = ({ place, id, mayChange }: { place: Place; id: string; mayChange: boolean }) => {
  const { webhookEndpoints } = createClient(place);
  const status = UNDELIVERED.find((state) => state === place.query.get('status'));
  const [version, setVersion] = useState(0);
  const loading = useLoaded(`endpoint ${place.businessId} ${place.mode} ${id}`, () => webhookEndpoints.get(id), {
    fresh: true,
  });
  if (status === undefined) {
    go(formatUrl(place, 'webhooks', id, { status: 'parked' }), { replace: true });
    return null;
  }
  const reloadAll = (): void => {
    loading.reload();
    setVersion(version + 1);
  };
  return (
    <>
      <h1>Events that have not arrived</h1>
      <p>
        <a href={formatUrl(place, 'webhooks')}>All endpoints</a>
      </p>
      <Loaded loading={loading}>
        {(endpoint) => (
          <section class="card">
            <p>
              <Badge state={describeState(endpoint)} /> <code>{endpoint.url}</code> <Health endpoint={endpoint} />
            </p>
            <LastFailure place={place} endpoint={endpoint} />
            <p class="quiet">
              <Copy text={endpoint.id} label="the endpoint’s id" />
            </p>
            {mayChange && <Recover place={place} endpoint={endpoint} onDone={reloadAll} />}
          </section>
        )}
      </Loaded>
      <Filters place={place} always={REQUIRED_FILTERS}>
        <Filter place={place} name="status" label="Deliveries" options={UNDELIVERED} isRequired />
      </Filters>
      <p class="quiet">
        {status === 'parked'
          ? 'These events wait until your server works again, or until the endpoint is switched on.'
          : 'We gave up these events after 72 hours of attempts. You can send them again by hand.'}
      </p>
      <List
        place={place}
        always={REQUIRED_FILTERS}
        name={`deliveries ${id} ${status}`}
        version={version}
        load={async (cursor) => {
          const { items, nextCursor } = await webhookEndpoints.deliveries(id, { status, cursor }).page();
          return { items, next: nextCursor };
        }}
        keyOf={({ id: deliveryId }) => deliveryId}
        empty={<p>{status === 'parked' ? 'No event waits for this endpoint.' : 'We gave up no event.'}</p>}
        columns={[
          {
            title: 'Event',
            onPhone: 'title',
            cell: ({ event_id, event_type }) => <a href={formatUrl(place, 'events', event_id)}>{event_type}</a>,
          },
          { title: 'Attempts', isNumber: true, onPhone: 'named', cell: ({ attempts }) => attempts },
          {
            title: 'Last attempt',
            isTime: true,
            onPhone: 'named',
            cell: ({ last_attempt }) => <Time at={last_attempt?.at ?? null} />,
          },
          {
            title: 'Your server’s answer',
            cell: ({ last_attempt }) => (last_attempt ? describeAnswer(last_attempt) : '–'),
          },
        ]}
      />
    </>
  );
};
