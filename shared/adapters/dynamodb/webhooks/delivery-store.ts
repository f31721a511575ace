import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { PutCommand, QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import {
  breakerKey,
  deliveryKey,
  endpointKey,
  eventKey,
  firstEventIdAt,
  inDueWork,
  inWaiting,
  type Key,
  waitingFor,
} from '#shared/adapters/dynamodb/table/keys.ts';
import { sharedReads } from '#shared/adapters/dynamodb/table/shared-reads.ts';
import { getItem, getItems, keyOf, type Table } from '#shared/adapters/dynamodb/table/table.ts';
import { updateOf } from '#shared/adapters/dynamodb/table/update-expression.ts';
import { breaker } from '#shared/domain/webhooks/breaker.ts';
import { type Delivery, delivery } from '#shared/domain/webhooks/delivery.ts';
import { webhookEndpoint } from '#shared/domain/webhooks/endpoint.ts';
import { event } from '#shared/domain/webhooks/event.ts';
import type { DeliveryStore } from '#shared/ports/webhooks.ts';
import { attemptItem, deliveryItem } from './items.ts';

const readAll = async (table: Table, keys: readonly Key[]): Promise<Delivery[]> =>
  (await getItems(table, keys)).filter((item) => item !== undefined).map((item) => delivery.parse(item));

/** An endpoint's parked or exhausted deliveries, from an event on. */
const listed = async (
  table: Table,
  endpointId: string,
  state: 'parked' | 'exhausted',
  limit: number,
  fromEventId: string,
  { newestFirst = false } = {},
): Promise<Delivery[]> => {
  const keys: Key[] = [];
  let start: Record<string, unknown> | undefined;
  do {
    const { Items = [], LastEvaluatedKey } = await table.client.send(
      new QueryCommand({
        TableName: table.name,
        IndexName: 'gsi1',
        KeyConditionExpression: 'gsi1pk = :list AND gsi1sk >= :from',
        ExpressionAttributeValues: { ':list': waitingFor(endpointId, state), ':from': fromEventId },
        ExclusiveStartKey: start,
        ScanIndexForward: !newestFirst,
        Limit: limit - keys.length,
      }),
    );
    keys.push(...Items.map(keyOf));
    start = LastEvaluatedKey;
  } while (start && keys.length < limit);
  // The index may lag behind the items.
  return (await readAll(table, keys)).filter((found) => found.state === state);
};

/** Sorts directly behind an event's id. */
const justAfter = (eventId: string): string => `${eventId} `;

/** Parked deliveries by age, after that of an event; from the oldest again when none is left behind it. */
const parkedInTurn = async (
  table: Table,
  endpointId: string,
  afterEventId: string | null,
  limit: number,
): Promise<Delivery[]> => {
  const later = afterEventId === null ? [] : await listed(table, endpointId, 'parked', limit, justAfter(afterEventId));
  return later.length > 0 ? later : listed(table, endpointId, 'parked', limit, firstEventIdAt(0));
};

/** Deliveries in the table. One call reads what all messages of a batch need. */
export const deliveryStore = (table: Table, readTogether = sharedReads(table)): DeliveryStore => ({
  apply: async ({ eventId, endpointId }, { expect, set }) => {
    const key = deliveryKey(eventId, endpointId);
    // The indexes are written with the fields that they follow: `dueAt` and `state`.
    const { dueAt, state } = set;
    const due = dueAt === undefined ? {} : { gsi2pk: null, gsi2sk: null, ...inDueWork(key, dueAt, table.dueShards) };
    const listed = state === undefined ? {} : inWaiting(eventId, endpointId, state);
    try {
      const { Attributes } = await table.client.send(
        new UpdateCommand({
          TableName: table.name,
          Key: key,
          ...updateOf<Delivery>({ expect, set }, { ...due, ...listed }),
          ReturnValues: 'ALL_NEW',
        }),
      );
      return delivery.parse(Attributes);
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException) return undefined;
      throw error;
    }
  },
  read: async ({ eventId, endpointId }) => {
    const keys = [eventKey(eventId), endpointKey(endpointId), breakerKey(endpointId)];
    const [eventItem, endpointItem, breakerItem] = await readTogether(keys);
    return {
      event: eventItem && event.parse(eventItem),
      endpoint: endpointItem && webhookEndpoint.parse(endpointItem),
      breaker: breakerItem && breaker.parse(breakerItem),
    };
  },
  find: async ({ eventId, endpointId }) => {
    const item = await getItem(table, deliveryKey(eventId, endpointId));
    return item && delivery.parse(item);
  },
  create: async (created) => {
    try {
      await table.client.send(
        new PutCommand({
          TableName: table.name,
          Item: deliveryItem(table, created),
          ConditionExpression: 'attribute_not_exists(pk)',
        }),
      );
      return true;
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException) return false;
      throw error;
    }
  },
  saveAttempt: async (at, made) => {
    await table.client.send(new PutCommand({ TableName: table.name, Item: attemptItem(at, made) }));
  },
  waiting: (endpointId, state, limit, since = 0) => listed(table, endpointId, state, limit, firstEventIdAt(since)),
  nextToDrain: (endpointId, afterEventId, limit) => parkedInTurn(table, endpointId, afterEventId, limit),
  nextParked: async (endpointId, afterEventId) => {
    // A delivery that was never attempted is the better probe: the endpoint may refuse the others for what they are.
    const [newest] = await listed(table, endpointId, 'parked', 1, firstEventIdAt(0), { newestFirst: true });
    // Two, because the index may still list one that has been released.
    return newest?.attempt === 0 ? newest : (await parkedInTurn(table, endpointId, afterEventId, 2))[0];
  },
});
