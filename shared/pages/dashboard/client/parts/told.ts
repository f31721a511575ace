import type { Event, EventWithDeliveries, ListEventsQuery } from '#shared/client/types.ts';
import { createClient } from '#shared/pages/dashboard/client/api.ts';
import type { Place } from '#shared/pages/dashboard/client/router.ts';
import { type Loading, useLoaded } from './loaded.tsx';

/* The events about something, with their deliveries: whether the server of the business was told. */

const SECOND_MS = 1_000;
/** So that a checkout with many payments asks for no more than a screen may. */
const MOST = 10;

/** The search for the events of a moment: an event has the time of what caused it, which some seconds may part from what it is about. */
export const around = (at: number, seconds = 60): ListEventsQuery => ({
  since: new Date(at - SECOND_MS).toISOString(),
  until: new Date(at + seconds * SECOND_MS).toISOString(),
});

/** The lists of events to look through, and which of their events are wanted. */
export interface EventSearch {
  readonly searches: readonly ListEventsQuery[];
  readonly isAbout: (event: Event) => boolean;
}

/** The ids of the newest events that are wanted, newest first. */
const findEvents = async (place: Place, { searches, isAbout }: EventSearch): Promise<readonly string[]> => {
  const pages = await Promise.all(
    searches.slice(0, MOST).map((query) =>
      createClient(place)
        .events.list({ ...query, limit: 100 })
        .page(),
    ),
  );
  const ids = pages.flatMap(({ items }) => items.filter(isAbout).map(({ id }) => id));
  return [...new Set(ids)].sort().toReversed().slice(0, MOST);
};

/** The events about something, newest first; they are looked for again when `key` changes, and their deliveries stay up to date. */
export const useEvents = (place: Place, key: string, search: EventSearch): Loading<readonly EventWithDeliveries[]> => {
  const ids = useLoaded(`events of ${key}`, () => findEvents(place, search));
  const events = useLoaded(
    `deliveries of ${key} ${ids.data}`,
    () => Promise.all((ids.data ?? []).map((id) => createClient(place).events.get(id))),
    { fresh: true },
  );
  // Until they are found there are none to load.
  return ids.data === undefined ? { ...ids, data: undefined } : events;
};
