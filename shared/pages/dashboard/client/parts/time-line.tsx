import type { ComponentChildren } from 'preact';
import type { EventWithDeliveries } from '#shared/client/types.ts';
import { formatUrl, type Place } from '#shared/pages/dashboard/client/router.ts';
import { DeliveryLine, describeAnswer, hasArrived, useEndpointUrls } from './deliveries.tsx';
import { Loaded, type Loading } from './loaded.tsx';
import { Time } from './text.tsx';

/** Something that happened or will happen. */
export interface Moment {
  readonly at: string;
  readonly words: ComponentChildren;
}

/** The time line shows only the newest attempts. The event's screen has the others. */
const MOST_ATTEMPTS = 5;

/** Lists an event with its deliveries, and the newest attempts of each. */
const listMoments = (
  place: Place,
  event: EventWithDeliveries,
  urls: ReadonlyMap<string, string> | undefined,
): Moment[] => {
  const eventMoment: Moment = {
    at: event.timestamp,
    words: (
      <>
        Event for your server: <a href={formatUrl(place, 'events', event.id)}>{event.type}</a>
        {event.deliveries.length === 0 && '. No endpoint was subscribed to it, so your server was not notified.'}
        {event.deliveries.map((delivery) => (
          <div key={delivery.id}>
            <DeliveryLine delivery={delivery} last={delivery.attempts.at(-1)} urls={urls} />
          </div>
        ))}
      </>
    ),
  };
  const attempts = event.deliveries.flatMap(({ endpoint_id: id, attempts: all }) =>
    all.slice(-MOST_ATTEMPTS).map((attempt) => ({
      at: attempt.at,
      words: (
        <>
          Attempt {attempt.number} at <code>{urls?.get(id) ?? id}</code>:{' '}
          <span class={hasArrived(attempt) ? 'good' : 'bad'}>{describeAnswer(attempt)}</span>
        </>
      ),
    })),
  );
  return [eventMoment, ...attempts];
};

interface TimeLineProps {
  readonly place: Place;
  /** The moments besides the events and their attempts. */
  readonly moments: readonly Moment[];
  readonly events: Loading<readonly EventWithDeliveries[]>;
}

/** Shows the history of a checkout or a payment, oldest first, and whether the business's server was notified. */
export const TimeLine = ({ place, moments, events }: TimeLineProps) => {
  const urls = useEndpointUrls(place);
  const eventMoments = (events.data ?? []).flatMap((event) => listMoments(place, event, urls.data));
  return (
    <>
      <h2>What happened</h2>
      <ol class="time-line">
        {[...moments, ...eventMoments]
          .sort((a, b) => Date.parse(a.at) - Date.parse(b.at))
          .map(({ at, words }, i) => (
            <li key={`${at} ${i}`}>
              <Time at={at} />
              <div>{words}</div>
            </li>
          ))}
      </ol>
      <Loaded loading={events}>
        {(all) => all.length === 0 && <p class="quiet">There is no event about this in the last 90 days.</p>}
      </Loaded>
    </>
  );
};
