import { randomBytes, randomUUID } from 'node:crypto';
import type { SQSClient } from '@aws-sdk/client-sqs';
import {
  BatchGetCommand,
  GetCommand,
  QueryCommand,
  TransactWriteCommand,
  type TransactWriteCommandInput,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { ulid } from 'ulid';
import type { Item, Table } from '#shared/adapters/dynamodb/table/table.ts';
import { ABSENT, bareLanding, type LandingTemplates } from './bare-landing.ts';

/** The items that the bare functions write and read, as the service wrote them, so that they need not compute any. */
export interface Templates extends LandingTemplates {
  /** The partition keys of the caller's API key and of its count of requests. */
  readonly apiKey: string;
  readonly rate: string;
  /** The list of its checkouts on gsi1. */
  readonly list: string;
  /** A checkout before its payment, and its account number. */
  readonly pending: Item;
  readonly number: Item;
  /** What one request for two accounts writes. */
  readonly accounts: readonly Item[];
}

type Bare = (event: APIGatewayProxyEventV2) => Promise<APIGatewayProxyStructuredResultV2>;

const PAGE = 25;

const answer = (statusCode: number, body: unknown): APIGatewayProxyStructuredResultV2 => ({
  statusCode,
  headers: { 'content-type': 'application/json; charset=utf-8' },
  body: JSON.stringify(body),
});

/**
 * The same DynamoDB and SQS calls as the service's functions make for a key that they know, in the same order, and nothing else: no
 * Middy, no zod, no authentication, no rules. Both sides call AWS by the SDK's clients, so what that costs is in
 * neither's favour; what a function of the service costs beyond its calls shows.
 */
export const bareFunctions = (table: Table, sqs: SQSClient, queueUrl: string, of: Templates): Record<string, Bare> => {
  const { client, name: TableName } = table;
  const land = bareLanding(table, sqs, queueUrl, of);

  const apiKey = { pk: of.apiKey, sk: 'KEY' };
  const count = (): Promise<unknown> =>
    client.send(
      new UpdateCommand({
        TableName,
        Key: { pk: of.rate, sk: `RATE#${Math.floor(Date.now() / 1_000)}` },
        UpdateExpression: 'ADD requests :one SET #ttl = :ttl',
        ExpressionAttributeNames: { '#ttl': 'ttl' },
        ExpressionAttributeValues: { ':one': 1, ':ttl': Math.floor(Date.now() / 1_000) + 60 },
        ReturnValues: 'UPDATED_NEW',
      }),
    );
  /** What reads nothing ahead: the key is looked up alone while the request is counted. */
  const begin = (): Promise<unknown> =>
    Promise.all([client.send(new GetCommand({ TableName, Key: apiKey, ConsistentRead: true })), count()]);
  const write = (TransactItems: TransactWriteCommandInput['TransactItems']) =>
    client.send(new TransactWriteCommand({ ClientRequestToken: randomUUID(), TransactItems }));
  const put = (Item: Item) => ({ Put: { TableName, Item, ...ABSENT } });
  const batchGet = (Keys: Item[]) =>
    client.send(new BatchGetCommand({ RequestItems: { [TableName]: { Keys, ConsistentRead: true } } }));
  const newReference = (): string => `PAY-${randomBytes(10).toString('hex').toUpperCase()}`;
  /** An unused account number. */
  const newNumber = (): string => randomBytes(10).toString('hex');

  return {
    'verify-checkout': async ({ pathParameters }) => {
      const pk = `CHK#${pathParameters?.reference}`;
      const [{ Responses }] = await Promise.all([batchGet([apiKey, { pk, sk: 'CHK' }]), count()]);
      return answer(200, { status: true, data: Responses?.[TableName]?.find(({ sk }) => sk === 'CHK') });
    },
    'list-checkouts': async () => {
      await begin();
      const { Items = [] } = await client.send(
        new QueryCommand({
          TableName,
          IndexName: 'gsi1',
          KeyConditionExpression: '#pk = :pk',
          ExpressionAttributeNames: { '#pk': 'gsi1pk' },
          ExpressionAttributeValues: { ':pk': of.list },
          ScanIndexForward: false,
          Limit: PAGE + 1,
        }),
      );
      const { Responses } = await batchGet(Items.slice(0, PAGE).map(({ pk, sk }) => ({ pk, sk })));
      return answer(200, { status: true, data: Responses?.[TableName] });
    },
    'initialize-checkout': async () => {
      await begin();
      const reference = newReference();
      const place = {
        pk: `CHK#${reference}`,
        gsi1sk: `${Date.now()}#${reference}`,
        gsi2sk: `${Date.now()}#${reference}`,
      };
      const item = { ...of.pending, reference, ...place };
      await write([
        put(item),
        put({ ...of.number, pk: `ACCT#test#sandbox#${newNumber()}`, reference, gsi1sk: place.gsi1sk }),
      ]);
      return answer(201, { status: true, data: item });
    },
    'create-virtual-accounts': async () => {
      await begin();
      const id = `va_${ulid()}`;
      // Every item has its own keys; their values make no difference to the table.
      const items = of.accounts.map((item, i) => ({
        ...item,
        pk: `${item.pk}-${id}-${i}`,
        ...(item.gsi1sk !== undefined && { gsi1sk: `${Date.now()}#${id}-${i}` }),
      }));
      await write(items.map(put));
      return answer(201, { status: true, accounts: items });
    },
    'simulate-checkout-payment': async ({ body }) => {
      const { reference } = JSON.parse(body ?? '') as { reference: string };
      return answer(200, { status: true, data: await land(reference, [apiKey], count()) });
    },
  };
};
