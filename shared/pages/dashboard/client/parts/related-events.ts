import type { Event, EventWithDeliveries, ListEventsQuery } from '#shared/client/types.ts';
import { createClient } from '#shared/pages/dashboard/client/api.ts';
import type { Place } from '#shared/pages/dashboard/client/router.ts';
import { type Loading, useLoaded } from './loaded.tsx';

/* Loads the events about a checkout or a payment, with their deliveries. */

const SECOND_MS = 1_000;
/** The most searches and events of a screen, so that a checkout with many payments does not cause too many requests. */
const MOST = 10;

/**
 * Makes the query for the events from a second before `at` until `seconds` after it. An event may be a little later than its payment. `at`:
 * milliseconds since the epoch.
 */
export const searchAround = (at: number, seconds = 60): ListEventsQuery => ({
  since: new Date(at - SECOND_MS).toISOString(),
  until: new Date(at + seconds * SECOND_MS).toISOString(),
});

/** The queries for events, and the test for those that are wanted. */
export interface EventSearch {
  readonly searches: readonly ListEventsQuery[];
  readonly isAbout: (event: Event) => boolean;
}

/** Finds the ids of the newest wanted events, newest first. */
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

/** Loads the wanted events, newest first. It searches again when `key` changes; the deliveries refresh themselves. */
export const useEvents = (place: Place, key: string, search: EventSearch): Loading<readonly EventWithDeliveries[]> => {
  const ids = useLoaded(`events of ${key}`, () => findEvents(place, search));
  const events = useLoaded(
    `deliveries of ${key} ${ids.data}`,
    () => Promise.all((ids.data ?? []).map((id) => createClient(place).events.get(id))),
    { fresh: true },
  );
  // Before the ids are found, `events` holds an empty list, which would look as if there were no events.
  return ids.data === undefined ? { ...ids, data: undefined } : events;
};
