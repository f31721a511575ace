import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import {
  DELIVERY_SORT,
  endpointOfAttempt,
  eventPartition,
  eventsOf,
  isDeliveryKey,
  isEventKey,
  listedFrom,
} from '#shared/adapters/dynamodb/table/keys.ts';
import { getItems, type Item, type Listed, listKeys, type Table } from '#shared/adapters/dynamodb/table/table.ts';
import { belongsTo } from '#shared/domain/kernel/tenant.ts';
import { type Attempt, attempt, type Delivery, delivery } from '#shared/domain/webhooks/delivery.ts';
import { type Event, event } from '#shared/domain/webhooks/event.ts';
import type { EventFilter, EventHistory, EventReader } from '#shared/ports/webhooks.ts';

/** Events that one filtered page reads at most, and how many in one round. */
const MAX_EXAMINED = 300;
const ROUND_SIZE = 100;
/** Newest attempts shown of each delivery. */
const MAX_ATTEMPTS_SHOWN = 100;
/** Queries for one event, of a megabyte each: enough for thousands of attempts. */
const MAX_READS = 10;

const readPartition = async (table: Table, id: string, sortPrefix?: string): Promise<Item[]> => {
  const items: Item[] = [];
  let start: Item | undefined;
  for (let read = 1; read <= MAX_READS; read++) {
    const page = await table.client.send(
      new QueryCommand({
        TableName: table.name,
        KeyConditionExpression: sortPrefix === undefined ? 'pk = :pk' : 'pk = :pk AND begins_with(sk, :prefix)',
        ExpressionAttributeValues: { ':pk': eventPartition(id), ...(sortPrefix && { ':prefix': sortPrefix }) },
        // Backwards: the event, its deliveries, then the attempts, the newest of each delivery first.
        ScanIndexForward: false,
        ConsistentRead: true,
        ExclusiveStartKey: start,
      }),
    );
    items.push(...(page.Items ?? []));
    start = page.LastEvaluatedKey;
    if (!start) break;
  }
  return items;
};

/** The stored attempts, and the last one: an attempt that succeeded is stored in its delivery only. */
const attemptsOf = ({ endpointId, lastAttempt }: Delivery, items: readonly Item[]): Attempt[] => {
  const kept = items
    .filter(({ sk }) => endpointOfAttempt(String(sk)) === endpointId)
    .map((item) => attempt.parse(item));
  const numbered = new Map([...kept, ...(lastAttempt ? [lastAttempt] : [])].map((made) => [made.number, made]));
  return [...numbered.values()].sort((a, b) => a.number - b.number).slice(-MAX_ATTEMPTS_SHOWN);
};

const historyOf = (items: readonly Item[]): EventHistory | undefined => {
  const eventItem = items.find(({ sk }) => isEventKey(String(sk)));
  const deliveries = items.filter(({ sk }) => isDeliveryKey(String(sk))).map((item) => delivery.parse(item));
  return (
    eventItem && {
      event: event.parse(eventItem),
      deliveries: deliveries.reverse().map((one) => ({ delivery: one, attempts: attemptsOf(one, items) })),
    }
  );
};

const hasDelivery = async (table: Table, of: Event, state: NonNullable<EventFilter['deliveryState']>) =>
  (await readPartition(table, of.id, DELIVERY_SORT)).some((item) => delivery.parse(item).state === state);

/** The listed events that match a filter; undefined in place of the others. */
const matching = async (table: Table, { type, deliveryState }: EventFilter, listed: readonly Listed[]) => {
  if (listed.length === 0) return [];
  const items = await getItems(table, listed);
  return Promise.all(
    items.map(async (item) => {
      const found = item && event.parse(item);
      if (!found || (type !== null && found.type !== type)) return undefined;
      return deliveryState === null || (await hasDelivery(table, found, deliveryState)) ? found : undefined;
    }),
  );
};

/** Events in the table. */
export const eventStore = (table: Table): EventReader => ({
  find: async (tenant, id) => {
    const found = historyOf(await readPartition(table, id));
    return found && belongsTo(tenant, found.event) ? found : undefined;
  },
  list: async (tenant, filter, page) => {
    const from = filter.since === null ? '' : listedFrom(filter.since);
    // Without a filter every event matches.
    const limit = filter.type === null && filter.deliveryState === null ? page.limit : ROUND_SIZE;
    const found: Event[] = [];
    let { after } = page;
    for (let examined = 0; examined < MAX_EXAMINED; examined += limit) {
      const round = await listKeys(table, eventsOf(tenant), { limit, after });
      const recent = round.items.filter(({ position }) => position >= from);
      const isLast = round.next === null || recent.length < round.items.length;
      for (const [i, match] of (await matching(table, filter, recent)).entries()) {
        if (match) found.push(match);
        const more = i + 1 < recent.length || !isLast;
        if (found.length === page.limit) return { items: found, next: more ? (recent[i]?.position ?? null) : null };
      }
      if (isLast) return { items: found, next: null };
      after = round.next;
    }
    return { items: found, next: after };
  },
});
