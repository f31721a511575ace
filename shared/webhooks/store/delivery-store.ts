import { ConditionalCheckFailedException, TransactionConflictException } from '@aws-sdk/client-dynamodb';
import { PutCommand, QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { Transition } from '#shared/platform/kernel/transition.ts';
import { dueFamily, inDueWork } from '#shared/platform/table/due-keys.ts';
import { readItem } from '#shared/platform/table/readable.ts';
import { retryTemporary } from '#shared/platform/table/retries.ts';
import { getItem, getItems, getParsed, listItems, type Table } from '#shared/platform/table/table.ts';
import { ABSENT, type Write } from '#shared/platform/table/transact.ts';
import { buildUpdate } from '#shared/platform/table/update-expression.ts';
import { breaker } from '#shared/webhooks/domain/breaker.ts';
import { type Delivery, delivery } from '#shared/webhooks/domain/delivery.ts';
import { isWritten } from '#shared/webhooks/domain/delivery-transitions.ts';
import { webhookEndpoint } from '#shared/webhooks/domain/endpoint.ts';
import { event } from '#shared/webhooks/domain/event.ts';
import type { DeliveryKey, DeliveryKeyWithMode, DeliveryStore, Redelivery } from '#shared/webhooks/ports.ts';
import {
  breakerKey,
  deliveryKey,
  endpointKey,
  eventKey,
  firstEventIdAt,
  inUndelivered,
  undeliveredPartition,
} from '#shared/webhooks/store/keys.ts';
import { attemptItem, deliveryItem } from './items.ts';

const readAll = (table: Table, keys: readonly DeliveryKey[]): Promise<Delivery[]> =>
  getParsed(
    table,
    delivery,
    keys.map(({ eventId, endpointId }) => deliveryKey(eventId, endpointId)),
  );

/** Lists the keys of an endpoint's parked or exhausted deliveries, from an event on. */
const listUndeliveredKeys = async (
  table: Table,
  endpointId: string,
  state: 'parked' | 'exhausted',
  limit: number,
  fromEventId: string,
  { newestFirst = false } = {},
): Promise<DeliveryKey[]> => {
  const keys: DeliveryKey[] = [];
  let start: Record<string, unknown> | undefined;
  do {
    const { Items = [], LastEvaluatedKey } = await table.client.send(
      new QueryCommand({
        TableName: table.name,
        IndexName: 'gsi1',
        KeyConditionExpression: 'gsi1pk = :list AND gsi1sk >= :from',
        ExpressionAttributeValues: { ':list': undeliveredPartition(endpointId, state), ':from': fromEventId },
        ExclusiveStartKey: start,
        ScanIndexForward: !newestFirst,
        Limit: limit - keys.length,
      }),
    );
    keys.push(...Items.map(({ gsi1sk }) => ({ eventId: String(gsi1sk), endpointId })));
    start = LastEvaluatedKey;
  } while (start && keys.length < limit);
  return keys;
};

/** Reads an endpoint's parked deliveries, from an event on. */
const readParkedFrom = async (
  table: Table,
  endpointId: string,
  limit: number,
  fromEventId: string,
  order?: { newestFirst: boolean },
): Promise<Delivery[]> => {
  const deliveries = await readAll(
    table,
    await listUndeliveredKeys(table, endpointId, 'parked', limit, fromEventId, order),
  );
  // The index may lag behind the items.
  return deliveries.filter(({ state }) => state === 'parked');
};

/** Returns a sort key directly after an event's id. */
const justAfter = (eventId: string): string => `${eventId} `;

/** Reads parked deliveries of events after `afterEventId`, oldest first; if none is left, from the oldest again. */
const readParkedInTurn = async (
  table: Table,
  endpointId: string,
  afterEventId: string | null,
  limit: number,
): Promise<Delivery[]> => {
  const later = afterEventId === null ? [] : await readParkedFrom(table, endpointId, limit, justAfter(afterEventId));
  return later.length > 0 ? later : readParkedFrom(table, endpointId, limit, firstEventIdAt(0));
};

/**
 * Turns a transition of a delivery into an update. The keys in the due-work index are written together with `dueAt`, and the keys in the
 * endpoint's list together with `state`.
 */
const buildDeliveryUpdate = (
  table: Table,
  { eventId, endpointId, mode }: DeliveryKeyWithMode,
  transition: Transition<Delivery>,
) => {
  const key = deliveryKey(eventId, endpointId);
  const { dueAt, state } = transition.set;
  const dueKeys = dueAt === undefined ? {} : inDueWork(key, dueFamily('deliveries', mode), dueAt, table.dueShards);
  const dueFields = dueAt === undefined ? {} : { gsi2pk: null, gsi2sk: null, ...dueKeys };
  const listFields = state === undefined ? {} : inUndelivered(eventId, endpointId, state);
  return { key, update: buildUpdate<Delivery>(transition, { ...dueFields, ...listFields }) };
};

const isTransactionConflict = (error: unknown): boolean => error instanceof TransactionConflictException;

const conflict = (): 'conflict' => 'conflict';

/**
 * Adds the endpoints of new deliveries to the item of their event: by these ids a list of events finds the deliveries. Returns no write if there
 * are no new deliveries.
 */
const addEndpointIds = (created: readonly Delivery[]): Write<'conflict'>[] => {
  const [first] = created;
  if (!first) return [];
  const by = {
    UpdateExpression: 'SET #named = list_append(#named, :added)',
    // An event that has expired is not created again.
    ConditionExpression: 'attribute_exists(pk)',
    ExpressionAttributeNames: { '#named': 'endpointIds' },
    ExpressionAttributeValues: { ':added': created.map(({ endpointId }) => endpointId) },
  };
  return [{ update: eventKey(first.eventId), by, otherwise: conflict }];
};

/**
 * Makes a delivery due again. If its last attempt succeeded, this attempt also gets an item of its own, because the result of the next attempt
 * replaces it in the delivery.
 */
const renew = (table: Table, { before, transition }: Redelivery['renewed'][number]): Write<'conflict'>[] => {
  const { key, update } = buildDeliveryUpdate(table, before, transition);
  const { state, lastAttempt } = before;
  const attemptWrites = state === 'succeeded' && lastAttempt ? [{ put: attemptItem(before, lastAttempt) }] : [];
  return [{ update: key, by: update, otherwise: conflict }, ...attemptWrites];
};

/** Stores deliveries in the table. */
export const deliveryStore = (table: Table): DeliveryStore => ({
  redeliveryWrites: ({ created, renewed }) => [
    ...created.map((newDelivery) => ({ put: deliveryItem(table, newDelivery), when: ABSENT, otherwise: conflict })),
    ...addEndpointIds(created),
    ...renewed.flatMap((renewal) => renew(table, renewal)),
  ],
  apply: async (target, transition) => {
    const { key, update } = buildDeliveryUpdate(table, target, transition);
    const command = new UpdateCommand({
      TableName: table.name,
      Key: key,
      ...update,
      ReturnValues: 'ALL_NEW',
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    });
    try {
      // A redelivery may write the same item in a transaction, and then the SDK does not retry the update.
      const { Attributes } = await retryTemporary(() => table.client.send(command), isTransactionConflict);
      return delivery.parse(Attributes);
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
      const stored = error.Item && delivery.parse(unmarshall(error.Item));
      return stored && isWritten(transition, stored) ? stored : undefined;
    }
  },
  read: async ({ eventId, endpointId }) => {
    const keys = [eventKey(eventId), endpointKey(endpointId), breakerKey(endpointId)];
    const [eventItem, endpointItem, breakerItem] = await getItems(table, keys);
    return {
      event: readItem(table, event, eventItem),
      endpoint: readItem(table, webhookEndpoint, endpointItem),
      breaker: readItem(table, breaker, breakerItem),
    };
  },
  find: async ({ eventId, endpointId }) => {
    const item = await getItem(table, deliveryKey(eventId, endpointId));
    return readItem(table, delivery, item);
  },
  saveAttempt: async (key, attempt) => {
    await table.client.send(new PutCommand({ TableName: table.name, Item: attemptItem(key, attempt) }));
  },
  listUndeliveredKeys: (endpointId, state, limit, since) =>
    listUndeliveredKeys(table, endpointId, state, limit, firstEventIdAt(since)),
  pageOfUndelivered: async (endpointId, state, page) => {
    const { items, next } = await listItems(table, delivery, undeliveredPartition(endpointId, state), page);
    // The index may lag behind the items.
    return { items: items.filter((candidate) => candidate.state === state), next };
  },
  findAll: (keys) => readAll(table, keys),
  countParked: async (endpointId, limit) =>
    (await listUndeliveredKeys(table, endpointId, 'parked', limit, firstEventIdAt(0))).length,
  nextToDrain: (endpointId, afterEventId, limit) => readParkedInTurn(table, endpointId, afterEventId, limit),
  nextParked: async (endpointId, afterEventId) => {
    // A delivery without any attempt is the better probe: the endpoint may reject the others because of their events.
    const [newest] = await readParkedFrom(table, endpointId, 1, firstEventIdAt(0), { newestFirst: true });
    // The index may still list a delivery that has been released, so two are read.
    return newest?.attempt === 0 ? newest : (await readParkedInTurn(table, endpointId, afterEventId, 2))[0];
  },
});
