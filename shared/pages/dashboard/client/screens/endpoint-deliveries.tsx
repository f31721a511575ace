import { useState } from 'preact/hooks';
import { apiOf } from '#shared/pages/dashboard/client/api.ts';
import { answerOf } from '#shared/pages/dashboard/client/parts/deliveries.tsx';
import { Health, LastFailure, stateOf } from '#shared/pages/dashboard/client/parts/endpoints.tsx';
import { Filter, Filters, List } from '#shared/pages/dashboard/client/parts/list.tsx';
import { Loaded, useLoaded } from '#shared/pages/dashboard/client/parts/loaded.tsx';
import { Badge, Copy, Time } from '#shared/pages/dashboard/client/parts/text.tsx';
import { go, type Place, urlOf } from '#shared/pages/dashboard/client/router.ts';
import { Recover } from './endpoint-changes.tsx';

const WAITING = ['parked', 'exhausted'] as const;
const ALWAYS = ['status'] as const;

/** The deliveries that have not arrived at an endpoint. */
export const EndpointDeliveries = ({ place, id, mayChange }: { place: Place; id: string; mayChange: boolean }) => {
  const { webhookEndpoints } = apiOf(place);
  const status = WAITING.find((one) => one === place.query.get('status'));
  const [version, setVersion] = useState(0);
  const endpoint = useLoaded(`endpoint ${place.businessId} ${place.mode} ${id}`, () => webhookEndpoints.get(id), {
    fresh: true,
  });
  if (status === undefined) {
    go(urlOf(place, 'webhooks', id, { status: 'parked' }), { replace: true });
    return null;
  }
  const done = (): void => {
    endpoint.reload();
    setVersion(version + 1);
  };
  return (
    <>
      <h1>What has not arrived</h1>
      <p>
        <a href={urlOf(place, 'webhooks')}>All endpoints</a>
      </p>
      <Loaded of={endpoint}>
        {(shown) => (
          <section class="card">
            <p>
              <Badge of={stateOf(shown)} /> <code>{shown.url}</code> <Health endpoint={shown} />
            </p>
            <LastFailure place={place} endpoint={shown} />
            <p class="quiet">
              <Copy text={shown.id} label="its id" />
            </p>
            {mayChange && <Recover place={place} endpoint={shown} onDone={done} />}
          </section>
        )}
      </Loaded>
      <Filters place={place} always={ALWAYS}>
        <Filter place={place} name="status" label="Deliveries" options={WAITING} isRequired />
      </Filters>
      <p class="quiet">
        {status === 'parked'
          ? 'They wait until your server works again, or the endpoint is switched on.'
          : 'They were given up after 72 hours of attempts, and are sent again by hand.'}
      </p>
      <List
        place={place}
        always={ALWAYS}
        name={`deliveries ${id} ${status}`}
        version={version}
        load={async (cursor) => {
          const { items, nextCursor } = await webhookEndpoints.deliveries(id, { status, cursor }).page();
          return { items, next: nextCursor };
        }}
        keyOf={({ id: deliveryId }) => deliveryId}
        empty={<p>{status === 'parked' ? 'Nothing waits here.' : 'Nothing was given up.'}</p>}
        columns={[
          {
            title: 'Event',
            onPhone: 'title',
            cell: ({ event_id, event_type }) => <a href={urlOf(place, 'events', event_id)}>{event_type}</a>,
          },
          { title: 'Attempts', isNumber: true, onPhone: 'named', cell: ({ attempts }) => attempts },
          {
            title: 'Last one',
            isTime: true,
            onPhone: 'named',
            cell: ({ last_attempt }) => <Time at={last_attempt?.at ?? null} />,
          },
          { title: 'Your server’s answer', cell: ({ last_attempt }) => (last_attempt ? answerOf(last_attempt) : '–') },
        ]}
      />
    </>
  );
};
