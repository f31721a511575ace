import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { belongsTo, type Tenant } from '#shared/platform/kernel/tenant.ts';
import { readableItems, readItem } from '#shared/platform/table/readable.ts';
import { getItems, type Item, type Table } from '#shared/platform/table/table.ts';
import { type Attempt, attempt, type Delivery, delivery } from '#shared/webhooks/domain/delivery.ts';
import { event } from '#shared/webhooks/domain/event.ts';
import { attemptLimit, MAX_DELIVERIES_SHOWN, oldestEndpointFirst } from '#shared/webhooks/domain/history.ts';
import type { EventHistory, EventWithDeliveries } from '#shared/webhooks/ports.ts';
import {
  attemptsAt,
  DELIVERY_SORT,
  deliveryKey,
  eventKey,
  eventPartition,
  isDeliveryKey,
  isEventKey,
} from '#shared/webhooks/store/keys.ts';

/** The newest items of an event under a condition on their sort keys. One query, of some hundred kilobytes at most. */
const newest = async (table: Table, id: string, where: string, sort: string, limit: number): Promise<Item[]> => {
  const { Items = [] } = await table.client.send(
    new QueryCommand({
      TableName: table.name,
      KeyConditionExpression: `pk = :pk AND ${where}`,
      ExpressionAttributeValues: { ':pk': eventPartition(id), ':sort': sort },
      ScanIndexForward: false,
      ConsistentRead: true,
      Limit: limit,
    }),
  );
  return Items;
};

/** Attempts that have an item: an attempt that succeeded is stored in its delivery only, one that runs nowhere yet. */
const mayHaveItems = ({ attempt: started, lastAttempt }: Delivery): boolean => started > (lastAttempt ? 1 : 0);

/** The newest attempts of a delivery, oldest first. */
const readAttempts = async (table: Table, delivery: Delivery, limit: number): Promise<Attempt[]> => {
  const { eventId, endpointId, lastAttempt } = delivery;
  const items = mayHaveItems(delivery)
    ? await newest(table, eventId, 'begins_with(sk, :sort)', attemptsAt(endpointId), limit)
    : [];
  const storedAttempts = readableItems(table, attempt, items);
  const numbered = new Map(
    [...storedAttempts, ...(lastAttempt ? [lastAttempt] : [])].map((entry) => [entry.number, entry]),
  );
  return [...numbered.values()].sort((a, b) => a.number - b.number).slice(-limit);
};

/** How the deliveries of an event are read: all, or those that can be read. */
type ReadDeliveries = (items: readonly Item[]) => Delivery[];

/** The event and its deliveries as their items say, oldest endpoint first; undefined for another tenant's. */
const asRead = (
  table: Table,
  tenant: Tenant,
  items: readonly Item[],
  readDeliveries: ReadDeliveries,
): EventWithDeliveries | undefined => {
  const eventItem = items.find(({ sk }) => isEventKey(String(sk)));
  const existing = readItem(table, event, eventItem);
  if (!existing || !belongsTo(tenant, existing)) return undefined;
  const deliveries = readDeliveries(items.filter(({ sk }) => isDeliveryKey(String(sk))));
  return { event: existing, deliveries: deliveries.sort(oldestEndpointFirst) };
};

/** An event with its deliveries to some endpoints: one read. @throws UnreadableItem: a delivery that is there must not be made anew. */
export const readEventAt = async (
  table: Table,
  tenant: Tenant,
  id: string,
  endpointIds: readonly string[],
): Promise<EventWithDeliveries | undefined> => {
  const keys = [eventKey(id), ...endpointIds.map((endpointId) => deliveryKey(id, endpointId))];
  const items = (await getItems(table, keys)).filter((item) => item !== undefined);
  return asRead(table, tenant, items, (some) => some.flatMap((item) => readItem(table, delivery, item) ?? []));
};

/** An event with its newest deliveries and the newest attempts of each: one query, and one for each delivery that was tried again. */
export const readHistory = async (table: Table, tenant: Tenant, id: string): Promise<EventHistory | undefined> => {
  // The event sorts behind its deliveries, they behind the attempts.
  const items = await newest(table, id, 'sk >= :sort', DELIVERY_SORT, 1 + MAX_DELIVERIES_SHOWN);
  const existing = asRead(table, tenant, items, (some) => readableItems(table, delivery, some));
  if (!existing) return undefined;
  const limit = attemptLimit(existing.deliveries.length);
  const deliveries = existing.deliveries.map(async (shownDelivery) => ({
    delivery: shownDelivery,
    attempts: await readAttempts(table, shownDelivery, limit),
  }));
  return { event: existing.event, deliveries: await Promise.all(deliveries) };
};
