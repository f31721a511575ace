import * as z from 'zod/mini';
import { idSchema } from '#shared/platform/kernel/ids.ts';
import { type Key, listedFrom } from '#shared/platform/table/keys.ts';
import { readEach } from '#shared/platform/table/readable.ts';
import { getItems, type Listed, listKeys, type Table } from '#shared/platform/table/table.ts';
import { delivery, type ListedEvent } from '#shared/webhooks/domain/delivery.ts';
import { type Event, event } from '#shared/webhooks/domain/event.ts';
import type { EventFilter, EventReader } from '#shared/webhooks/ports.ts';
import { deliveryKey, eventListPartition } from '#shared/webhooks/store/keys.ts';
import { readEventAt, readHistory } from './event-history.ts';

/** Calls of the table that a filtered page makes at most. */
const MAX_CALLS = 7;
/** Events that a filtered page reads in one round. */
const ROUND_SIZE = 100;
/** Calls that list and read the events of a round. */
const CALLS_OF_ROUND = 2;
/** Deliveries that are read in one call. */
const DELIVERIES_A_CALL = 100;

/** An event with the endpoints that it has deliveries to, which matter where these are read. */
const deliveredTo = z.extend(event, { endpointIds: z.array(idSchema('whe')) });

/** An event of a round, if it has the type that is asked for, and the keys of its deliveries if they are to be read. */
interface Candidate {
  readonly event: Event | undefined;
  readonly keys: readonly Key[];
}

const toCandidate = (type: EventFilter['type'], event: (Event & { endpointIds?: string[] }) | undefined): Candidate => {
  if (!event || (type !== null && event.type !== type)) return { event: undefined, keys: [] };
  const { endpointIds = [], ...plainEvent } = event;
  return { event: plainEvent, keys: endpointIds.map((endpointId) => deliveryKey(event.id, endpointId)) };
};

/** As many of the first candidates as have at most so many deliveries; at least one, of which then not every delivery is read. */
const limitDeliveries = (candidates: readonly Candidate[], most: number): readonly Candidate[] => {
  let deliveries = 0;
  const end = candidates.findIndex(({ keys }) => {
    deliveries += keys.length;
    return deliveries > most;
  });
  if (end === -1) return candidates;
  return candidates.slice(0, Math.max(1, end)).map(({ event, keys }) => ({ event, keys: keys.slice(-most) }));
};

/** The first listed events, as many as `calls` calls can examine, with undefined in place of those that do not match; and the calls made. */
const matching = async (table: Table, filter: EventFilter, listed: readonly Listed[], calls: number) => {
  const { deliveryState: wantedState, withDeliveries: includesDeliveries = false } = filter;
  const items = listed.length === 0 ? [] : await getItems(table, listed);
  const isPlain = wantedState === null && !includesDeliveries;
  const events = isPlain ? readEach(table, event, items) : readEach(table, deliveredTo, items);
  const allCandidates = events.map((storedEvent) => toCandidate(filter.type, storedEvent));
  const candidates = limitDeliveries(allCandidates, calls * DELIVERIES_A_CALL);
  const keys = candidates.flatMap((candidate) => candidate.keys);
  // They may lag, as the list of events does.
  const stored = await getItems(table, keys, { mayLag: true });
  const read = readEach(table, delivery, stored);
  const at = new Map(keys.map((key, i) => [key, read[i]]));
  const match = ({ event: plainEvent, keys: own }: Candidate): ListedEvent | undefined => {
    const deliveries = own.map((key) => at.get(key)).filter((value) => value !== undefined);
    if (!plainEvent || (wantedState !== null && !deliveries.some(({ state }) => state === wantedState)))
      return undefined;
    return includesDeliveries ? { ...plainEvent, deliveries } : plainEvent;
  };
  return {
    matches: candidates.map(match),
    calls: Math.ceil(keys.length / DELIVERIES_A_CALL),
  };
};

/** Events in the table. */
export const eventStore = (table: Table): EventReader => ({
  find: (tenant, id) => readHistory(table, tenant, id),
  at: (tenant, id, endpointIds) => readEventAt(table, tenant, id, endpointIds),
  list: async (tenant, filter, page) => {
    const from = filter.since === null ? '' : listedFrom(filter.since);
    // Without a filter every event matches.
    const limit = filter.type === null && filter.deliveryState === null ? page.limit : ROUND_SIZE;
    const events: ListedEvent[] = [];
    let after = page.after ?? (filter.until === null ? null : listedFrom(filter.until));
    for (let calls = 0; calls + CALLS_OF_ROUND < MAX_CALLS; ) {
      const round = await listKeys(table, eventListPartition(tenant), { limit, after });
      const recent = round.items.filter(({ position }) => position >= from);
      calls += CALLS_OF_ROUND;
      const examined = await matching(table, filter, recent, MAX_CALLS - calls);
      calls += examined.calls;
      const rest = examined.matches.length < recent.length;
      const isLast = !rest && (round.next === null || recent.length < round.items.length);
      for (const [i, match] of examined.matches.entries()) {
        if (match) events.push(match);
        const more = i + 1 < examined.matches.length || !isLast;
        if (events.length === page.limit) return { items: events, next: more ? (recent[i]?.position ?? null) : null };
      }
      if (isLast) return { items: events, next: null };
      after = rest ? (recent[examined.matches.length - 1]?.position ?? null) : round.next;
    }
    return { items: events, next: after };
  },
});
