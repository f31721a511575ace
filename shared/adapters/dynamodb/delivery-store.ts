import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { type Delivery, delivery } from '#shared/domain/delivery.ts';
import { event } from '#shared/domain/event.ts';
import { webhookEndpoint } from '#shared/domain/webhook-endpoint.ts';
import type { DeliveryStore } from '#shared/ports.ts';
import { deliveryKey, endpointKey, eventKey, inDueWork } from './keys.ts';
import { getItems, type Table } from './table.ts';
import { updateOf } from './update-expression.ts';

/** Deliveries in the table. */
export const deliveryStore = (table: Table): DeliveryStore => ({
  apply: async ({ eventId, endpointId }, { expect, set }) => {
    const key = deliveryKey(eventId, endpointId);
    // The due-work index follows `dueAt`: a change of one is a change of both.
    const { dueAt } = set;
    const place = dueAt === undefined ? {} : { gsi2pk: null, gsi2sk: null, ...inDueWork(key, dueAt, table.dueShards) };
    try {
      const { Attributes } = await table.client.send(
        new UpdateCommand({
          TableName: table.name,
          Key: key,
          ...updateOf<Delivery>({ expect, set }, place),
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
    const [announced, target] = await getItems(table, [eventKey(eventId), endpointKey(endpointId)]);
    return { event: announced && event.parse(announced), endpoint: target && webhookEndpoint.parse(target) };
  },
});
