import * as z from 'zod/mini';
import { idSchema } from '#shared/platform/kernel/ids.ts';
import { type Key, listStart } from '#shared/platform/table/keys.ts';
import { readEach } from '#shared/platform/table/readable.ts';
import { getItems, type ListedKey, listKeys, type Table } from '#shared/platform/table/table.ts';
import { delivery, type ListedEvent } from '#shared/webhooks/domain/delivery.ts';
import { type Event, event } from '#shared/webhooks/domain/event.ts';
import type { EventFilter, EventReader } from '#shared/webhooks/ports.ts';
import { deliveryKey, eventListPartition } from '#shared/webhooks/store/keys.ts';
import { readEventAt, readHistory } from './event-history.ts';

/** A list page makes at most this many calls to the table. Each round makes two, and more to read deliveries. */
const MAX_CALLS = 7;
/** The number of events that a filtered list page reads in one round. */
const ROUND_SIZE = 100;
/** The number of calls that list and read the events of a round. */
const CALLS_OF_ROUND = 2;
/** The number of deliveries that one call reads. */
const DELIVERIES_A_CALL = 100;

/** An event with the ids of the endpoints that it was sent to. They are part of the keys of its deliveries. */
const eventWithEndpointIds = z.extend(event, { endpointIds: z.array(idSchema('whe')) });

/** An event of a round with the keys of its deliveries. `event` is undefined if its type does not match the filter. */
interface Candidate {
  readonly event: Event | undefined;
  readonly keys: readonly Key[];
}

const toCandidate = (type: EventFilter['type'], event: (Event & { endpointIds?: string[] }) | undefined): Candidate => {
  if (!event || (type !== null && event.type !== type)) return { event: undefined, keys: [] };
  const { endpointIds = [], ...plainEvent } = event;
  return { event: plainEvent, keys: endpointIds.map((endpointId) => deliveryKey(event.id, endpointId)) };
};

/**
 * Returns the first candidates that together have at most `limit` deliveries. It returns at least one candidate; if that one has more, only
 * its newest deliveries are read.
 */
const limitDeliveries = (candidates: readonly Candidate[], limit: number): readonly Candidate[] => {
  let deliveries = 0;
  const end = candidates.findIndex(({ keys }) => {
    deliveries += keys.length;
    return deliveries > limit;
  });
  if (end === -1) return candidates;
  return candidates.slice(0, Math.max(1, end)).map(({ event, keys }) => ({ event, keys: keys.slice(-limit) }));
};

/**
 * Examines the first listed events. `calls` limits their number: at most so many calls may read their deliveries. Returns these events, with
 * undefined in place of each that does not match, and the number of calls that read deliveries.
 */
const findMatches = async (table: Table, filter: EventFilter, listed: readonly ListedKey[], calls: number) => {
  const { deliveryState: wantedState, withDeliveries: includesDeliveries = false } = filter;
  const items = listed.length === 0 ? [] : await getItems(table, listed);
  const needsNoDeliveries = wantedState === null && !includesDeliveries;
  const events = needsNoDeliveries ? readEach(table, event, items) : readEach(table, eventWithEndpointIds, items);
  const allCandidates = events.map((storedEvent) => toCandidate(filter.type, storedEvent));
  const candidates = limitDeliveries(allCandidates, calls * DELIVERIES_A_CALL);
  const keys = candidates.flatMap((candidate) => candidate.keys);
  // The deliveries may lag, as the list of events does.
  const stored = await getItems(table, keys, { mayLag: true });
  const parsed = readEach(table, delivery, stored);
  const deliveryByKey = new Map(keys.map((key, i) => [key, parsed[i]]));
  const match = ({ event: plainEvent, keys: deliveryKeys }: Candidate): ListedEvent | undefined => {
    const deliveries = deliveryKeys.map((key) => deliveryByKey.get(key)).filter((value) => value !== undefined);
    if (!plainEvent || (wantedState !== null && !deliveries.some(({ state }) => state === wantedState)))
      return undefined;
    return includesDeliveries ? { ...plainEvent, deliveries } : plainEvent;
  };
  return {
    matches: candidates.map(match),
    calls: Math.ceil(keys.length / DELIVERIES_A_CALL),
  };
};

/** Reads events from the table. */
export const eventStore = (table: Table): EventReader => ({
  find: (tenant, id) => readHistory(table, tenant, id),
  findForEndpoints: (tenant, id, endpointIds) => readEventAt(table, tenant, id, endpointIds),
  list: async (tenant, filter, page) => {
    const from = filter.since === null ? '' : listStart(filter.since);
    // Without a filter every event matches.
    const limit = filter.type === null && filter.deliveryState === null ? page.limit : ROUND_SIZE;
    const events: ListedEvent[] = [];
    let after = page.after ?? (filter.until === null ? null : listStart(filter.until));
    for (let calls = 0; calls + CALLS_OF_ROUND < MAX_CALLS; ) {
      const round = await listKeys(table, eventListPartition(tenant), { limit, after });
      const recent = round.items.filter(({ position }) => position >= from);
      calls += CALLS_OF_ROUND;
      const examined = await findMatches(table, filter, recent, MAX_CALLS - calls);
      calls += examined.calls;
      const hasRest = examined.matches.length < recent.length;
      const isLast = !hasRest && (round.next === null || recent.length < round.items.length);
      for (const [i, match] of examined.matches.entries()) {
        if (match) events.push(match);
        const hasMore = i + 1 < examined.matches.length || !isLast;
        if (events.length === page.limit)
          return { items: events, next: hasMore ? (recent[i]?.position ?? null) : null };
      }
      if (isLast) return { items: events, next: null };
      after = hasRest ? (recent[examined.matches.length - 1]?.position ?? null) : round.next;
    }
    return { items: events, next: after };
  },
});
