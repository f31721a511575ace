import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { belongsTo, type Tenant } from '#shared/platform/kernel/tenant.ts';
import { readableItems, readItem } from '#shared/platform/table/readable.ts';
import { getItems, type Item, type Table } from '#shared/platform/table/table.ts';
import { type Attempt, attempt, type Delivery, delivery } from '#shared/webhooks/domain/delivery.ts';
import { event } from '#shared/webhooks/domain/event.ts';
import { attemptLimit, MAX_DELIVERIES_SHOWN, oldestEndpointFirst } from '#shared/webhooks/domain/history.ts';
import type { EventHistory, EventWithDeliveries } from '#shared/webhooks/ports.ts';
import {
  attemptSortPrefix,
  DELIVERY_SORT,
  deliveryKey,
  eventKey,
  eventPartition,
  isDeliveryKey,
  isEventKey,
} from '#shared/webhooks/store/keys.ts';

/** Reads the newest items of an event whose sort keys meet a condition. One query of at most some hundred kilobytes. */
const queryNewest = async (table: Table, id: string, where: string, sort: string, limit: number): Promise<Item[]> => {
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

/** Whether attempts of a delivery may have items of their own. A success is stored in its delivery only, and a running attempt is not stored yet. */
const mayHaveAttemptItems = ({ attempt: started, lastAttempt }: Delivery): boolean => started > (lastAttempt ? 1 : 0);

/** Reads the newest attempts of a delivery, oldest first. */
const readAttempts = async (table: Table, delivery: Delivery, limit: number): Promise<Attempt[]> => {
  const { eventId, endpointId, lastAttempt } = delivery;
  const items = mayHaveAttemptItems(delivery)
    ? await queryNewest(table, eventId, 'begins_with(sk, :sort)', attemptSortPrefix(endpointId), limit)
    : [];
  const storedAttempts = readableItems(table, attempt, items);
  const numbered = new Map(
    [...storedAttempts, ...(lastAttempt ? [lastAttempt] : [])].map((entry) => [entry.number, entry]),
  );
  return [...numbered.values()].sort((a, b) => a.number - b.number).slice(-limit);
};

/** Parses items as deliveries. It may throw for an unreadable item or leave it out. */
type ParseDeliveries = (items: readonly Item[]) => Delivery[];

/** Parses items as an event with its deliveries, oldest endpoint first; undefined if the event belongs to another tenant. */
const parseEvent = (
  table: Table,
  tenant: Tenant,
  items: readonly Item[],
  parseDeliveries: ParseDeliveries,
): EventWithDeliveries | undefined => {
  const eventItem = items.find(({ sk }) => isEventKey(String(sk)));
  const existing = readItem(table, event, eventItem);
  if (!existing || !belongsTo(tenant, existing)) return undefined;
  const deliveries = parseDeliveries(items.filter(({ sk }) => isDeliveryKey(String(sk))));
  return { event: existing, deliveries: deliveries.sort(oldestEndpointFirst) };
};

/**
 * Reads an event with its deliveries to some endpoints, in one read.
 * @throws UnreadableItem if a delivery cannot be read. If it were left out, the caller would take it for missing and create it again.
 */
export const readEventAt = async (
  table: Table,
  tenant: Tenant,
  id: string,
  endpointIds: readonly string[],
): Promise<EventWithDeliveries | undefined> => {
  const keys = [eventKey(id), ...endpointIds.map((endpointId) => deliveryKey(id, endpointId))];
  const items = (await getItems(table, keys)).filter((item) => item !== undefined);
  return parseEvent(table, tenant, items, (deliveryItems) =>
    deliveryItems.flatMap((item) => readItem(table, delivery, item) ?? []),
  );
};

/**
 * Reads an event with its newest deliveries and their newest attempts: one query, and one more for each of these deliveries that may have items
 * of attempts.
 */
export const readHistory = async (table: Table, tenant: Tenant, id: string): Promise<EventHistory | undefined> => {
  // The event sorts after its deliveries, and the deliveries sort after the attempts.
  const items = await queryNewest(table, id, 'sk >= :sort', DELIVERY_SORT, 1 + MAX_DELIVERIES_SHOWN);
  const existing = parseEvent(table, tenant, items, (deliveryItems) => readableItems(table, delivery, deliveryItems));
  if (!existing) return undefined;
  const limit = attemptLimit(existing.deliveries.length);
  const deliveries = existing.deliveries.map(async (shownDelivery) => ({
    delivery: shownDelivery,
    attempts: await readAttempts(table, shownDelivery, limit),
  }));
  return { event: existing.event, deliveries: await Promise.all(deliveries) };
};
