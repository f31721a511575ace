import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { type AwsCommand, awsCalls, DYNAMODB } from '#shared/adapters/aws-call.ts';

/** Sends the commands of `@aws-sdk/lib-dynamodb`, in which items are documents: objects of plain values. */
export type DocumentClient = Pick<DynamoDBDocumentClient, 'send'>;

/** One of these commands, and the SDK's command for the same operation, in which items are attribute values. */
interface DocumentCommand {
  readonly input: Fields;
  readonly clientCommand: AwsCommand;
}

type Fields = Readonly<Record<string, unknown>>;
/** Between a document and attribute values. */
type Convert = (one: never) => unknown;

/** Fields that hold a document, and a list of documents. */
const ONE = new Set([
  'Key',
  'Item',
  'ExpressionAttributeValues',
  'ExclusiveStartKey',
  'Attributes',
  'LastEvaluatedKey',
]);
const LIST = new Set(['Keys', 'Items']);
/** Fields that hold, for each table, keys to read or a list of writes. */
const BY_TABLE = new Set(['RequestItems', 'UnprocessedKeys', 'UnprocessedItems']);

const mapped = (of: Fields, change: (value: never, name: string) => unknown): Fields => {
  const copy: Record<string, unknown> = {};
  for (const name in of) copy[name] = change(of[name] as never, name);
  return copy;
};

const list = (of: readonly never[], convert: Convert): unknown[] => of.map((one) => convert(one));

/** A list of writes, each named for its kind, or other fields. */
const parts = (of: Fields | readonly Fields[], convert: Convert): unknown =>
  Array.isArray(of)
    ? of.map((write: Fields) => mapped(write, (part) => converted(part, convert)))
    : converted(of as Fields, convert);

/** An input or an output with each document in it converted. */
const converted = (of: Fields, convert: Convert): Fields =>
  mapped(of, (value, name) => {
    if (value === undefined) return undefined;
    if (ONE.has(name)) return convert(value);
    if (LIST.has(name)) return list(value, convert);
    if (name === 'Responses') return mapped(value, (items) => list(items, convert));
    if (name === 'TransactItems') return parts(value, convert);
    return BY_TABLE.has(name) ? mapped(value, (ofTable) => parts(ofTable, convert)) : value;
  });

const toAttributes = (document: Fields): unknown => marshall(document, { removeUndefinedValues: true });

/**
 * A client of tables. `answerMs`: the time of one attempt.
 * Documents hold no bytes: a `Uint8Array` in one is refused by DynamoDB.
 */
export const documentClient = (client: DynamoDBClient, { answerMs }: { readonly answerMs: number }): DocumentClient => {
  const call = awsCalls(client, DYNAMODB, { answerMs });
  const send = async (
    { input, clientCommand }: DocumentCommand,
    { abortSignal }: { readonly abortSignal?: AbortSignal } = {},
  ): Promise<Fields> =>
    converted((await call(clientCommand, converted(input, toAttributes), abortSignal)) as Fields, unmarshall);
  return { send: send as unknown as DocumentClient['send'] };
};
