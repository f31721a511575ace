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
import { getItem, getItems, type Table } from '#shared/adapters/dynamodb/table/table.ts';
import { updateOf } from '#shared/adapters/dynamodb/table/update-expression.ts';
import { breaker } from '#shared/domain/webhooks/breaker.ts';
import { type Delivery, delivery } from '#shared/domain/webhooks/delivery.ts';
import { webhookEndpoint } from '#shared/domain/webhooks/endpoint.ts';
import { event } from '#shared/domain/webhooks/event.ts';
import type { DeliveryStore } from '#shared/ports/webhooks.ts';
import { attemptItem, deliveryItem } from './items.ts';

const readAll = async (table: Table, keys: readonly Key[]): Promise<Delivery[]> =>
  (await getItems(table, keys)).filter((item) => item !== undefined).map((item) => delivery.parse(item));

/** What waits behind an endpoint or was given up, from an event on. */
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
    keys.push(...(Items as unknown as Key[]));
    start = LastEvaluatedKey;
  } while (start && keys.length < limit);
  // The index may lag behind the items.
  return (await readAll(table, keys)).filter((found) => found.state === state);
};

/** Sorts right behind an event's id. */
const justAfter = (eventId: string): string => `${eventId} `;

/** What is parked behind that of an event, by age; from the oldest on again where nothing is. */
const parkedInTurn = async (
  table: Table,
  endpointId: string,
  afterEventId: string | null,
  limit: number,
): Promise<Delivery[]> => {
  const later = afterEventId === null ? [] : await listed(table, endpointId, 'parked', limit, justAfter(afterEventId));
  return later.length > 0 ? later : listed(table, endpointId, 'parked', limit, firstEventIdAt(0));
};

/** Deliveries in the table. What the messages of one batch need is read by one call. */
export const deliveryStore = (table: Table, readTogether = sharedReads(table)): DeliveryStore => ({
  apply: async ({ eventId, endpointId }, { expect, set }) => {
    const key = deliveryKey(eventId, endpointId);
    // The indexes follow `dueAt` and `state`: a change of the one is a change of the other.
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
    const [announced, target, troubled] = await readTogether(keys);
    return {
      event: announced && event.parse(announced),
      endpoint: target && webhookEndpoint.parse(target),
      breaker: troubled && breaker.parse(troubled),
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
  keepAttempt: async (at, made) => {
    await table.client.send(new PutCommand({ TableName: table.name, Item: attemptItem(at, made) }));
  },
  waiting: (endpointId, state, limit, since = 0) => listed(table, endpointId, state, limit, firstEventIdAt(since)),
  nextToDrain: (endpointId, afterEventId, limit) => parkedInTurn(table, endpointId, afterEventId, limit),
  nextParked: async (endpointId, afterEventId) => {
    // What was never tried says more of the endpoint than what it has refused before.
    const [newest] = await listed(table, endpointId, 'parked', 1, firstEventIdAt(0), { newestFirst: true });
    // Two, as the first may have left before the index knows.
    return newest?.attempt === 0 ? newest : (await parkedInTurn(table, endpointId, afterEventId, 2))[0];
  },
});
