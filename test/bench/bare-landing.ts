import { randomUUID } from 'node:crypto';
import { SendMessageBatchCommand, type SQSClient } from '@aws-sdk/client-sqs';
import { BatchGetCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { inDueWork } from '#shared/adapters/dynamodb/table/keys.ts';
import type { Item, Table } from '#shared/adapters/dynamodb/table/table.ts';
import { runtime } from '#shared/adapters/runtime.ts';

/** What a landing writes, as the service wrote it: the checkout after its payment, the payment, its event and its delivery. */
export interface LandingTemplates {
  /** The partition key of the checkout's business. */
  readonly business: string;
  readonly paid: Item;
  readonly payment: Item;
  readonly event: Item;
  readonly delivery: Item;
}

/** Longer than a bench takes, so that no sweep sends it too. */
const DUE_IN_MS = 3_600_000;

export const ABSENT = {
  ConditionExpression: 'attribute_not_exists(pk)',
  ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
} as const;

/**
 * Makes the calls of a landing, with the service's units and without rules or schemas. `alsoRead`: what is read with the checkout and its
 * business; `meanwhile`: what must be done before it writes. Returns the checkout as it is then.
 */
export const bareLanding =
  (table: Table, sqs: SQSClient, queueUrl: string, of: LandingTemplates) =>
  async (reference: string, alsoRead: readonly Item[] = [], meanwhile?: Promise<unknown>): Promise<Item> => {
    const { client, name: TableName } = table;
    const put = (Item: Item) => ({ Put: { TableName, Item, ...ABSENT } });
    const Keys = [...alsoRead, { pk: of.business, sk: 'BIZ' }, { pk: `CHK#${reference}`, sk: 'CHK' }];
    const read = new BatchGetCommand({ RequestItems: { [TableName]: { Keys, ConsistentRead: true } } });
    const [{ Responses }] = await Promise.all([client.send(read), meanwhile]);
    const before = Responses?.[TableName]?.find(({ sk }) => sk === 'CHK') ?? {};
    const { gsi2pk: _, gsi2sk: __, ...place } = before;
    const after = { ...of.paid, reference, pk: place.pk, gsi1sk: place.gsi1sk, version: 2 };
    const [payment, eventId, now] = [runtime.newId('pay'), runtime.newId('evt'), Date.now()];
    const body = String(of.event.body).replace(/"timestamp":"[^"]*"/, `"timestamp":"${new Date(now).toISOString()}"`);
    const delivery = { pk: `EVT#${eventId}`, sk: String(of.delivery.sk) };
    const paid = {
      Put: {
        TableName,
        Item: after,
        ConditionExpression: 'version = :version',
        ExpressionAttributeValues: { ':version': before.version },
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
      },
    };
    await client.send(
      new TransactWriteCommand({
        ClientRequestToken: randomUUID(),
        TransactItems: [
          put({ ...of.payment, pk: `PAY#test#paystack#${payment}`, gsi1pk: `OWNER#${reference}`, gsi1sk: payment }),
          paid,
          put({ ...of.event, pk: `EVT#${eventId}`, gsi1sk: eventId, body }),
          put({
            ...of.delivery,
            eventId,
            ...delivery,
            ...inDueWork(delivery, 'test_deliveries', now + DUE_IN_MS, table.dueShards),
          }),
        ],
      }),
    );
    const { endpointId } = of.delivery;
    const MessageBody = JSON.stringify({ eventId, endpointId, attempt: 0, generation: 0 });
    const Entries = [{ Id: '0', MessageBody, MessageGroupId: String(endpointId), DelaySeconds: 0 }];
    await sqs.send(new SendMessageBatchCommand({ QueueUrl: queueUrl, Entries }));
    return after;
  };
