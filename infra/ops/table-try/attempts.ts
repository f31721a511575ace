import {
  type AttributeValue,
  DynamoDBClient,
  PutItemCommand,
  TransactionCanceledException,
  type TransactWriteItem,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import { CLIENT_LIMITS } from '#infra/ops/client-limits.ts';
import { TABLE } from '#infra/table.ts';
import { MINUTE, type Millis, SECOND } from '#shared/platform/kernel/time.ts';
import { COUNT_ATTRIBUTE, FAMILIES, FOREIGN_FAMILY } from './tried-stack.ts';

/** Temporary credentials of a role. */
export interface RoleKeys {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string;
}

/** The writes that are tried, and whether AWS should allow them. */
export const ATTEMPTS = {
  alone: { does: 'writes an item of its own key family', expected: 'allowed' },
  together: {
    does: 'puts, updates, checks and deletes in one transaction, each in the key family of that action',
    expected: 'allowed',
  },
  foreignAlone: { does: 'writes an item of another key family', expected: 'refused' },
  foreignTogether: { does: 'writes an item of another key family within a transaction', expected: 'refused' },
} as const;

export type Attempt = keyof typeof ATTEMPTS;
export type Outcome = 'allowed' | 'refused';

/** A new role may need this long until it works everywhere at AWS. */
const ROLE_LAG: Millis = MINUTE;
const RETRY_AFTER: Millis = 3 * SECOND;

/** Repeats `work` while AWS denies it, for at most the time (`ROLE_LAG`) that a new role may need to work everywhere. */
export const retryWhileDenied = async <T>(
  work: () => Promise<T>,
  isRejection: (result: T) => boolean,
  wait: (milliseconds: Millis) => Promise<void>,
): Promise<T> => {
  for (let waited = 0; ; waited += RETRY_AFTER) {
    const result = await work();
    if (!isRejection(result) || waited >= ROLE_LAG) return result;
    await wait(RETRY_AFTER);
  }
};

const buildItem = (family: string): Record<string, AttributeValue> => ({
  [TABLE.partitionKey]: { S: `${family}1` },
  [TABLE.sortKey]: { S: 'TRY' },
});

/** Whether AWS denied the write, or one of the writes of a transaction. */
const isRefused = (error: unknown): boolean =>
  error instanceof TransactionCanceledException
    ? (error.CancellationReasons ?? []).some(({ Code }) => Code === 'AccessDenied')
    : error instanceof Error && error.name === 'AccessDeniedException';

/** Makes each attempt with the credentials of the tried role. @throws any error of AWS except a denied write. */
export const makeAttempts = async (
  tableName: string,
  keys: RoleKeys,
  wait: (milliseconds: Millis) => Promise<void>,
): Promise<Readonly<Record<Attempt, Outcome>>> => {
  const client = new DynamoDBClient({ ...CLIENT_LIMITS, credentials: keys });
  const locateItem = (family: string) => ({ TableName: tableName, Key: buildItem(family) });
  const put = (family: string): TransactWriteItem => ({ Put: { TableName: tableName, Item: buildItem(family) } });
  const toOutcome = (send: Promise<unknown>): Promise<Outcome> =>
    send.then(
      () => 'allowed' as const,
      (error) => {
        if (isRefused(error)) return 'refused';
        throw error;
      },
    );
  const write = (family: string) =>
    toOutcome(client.send(new PutItemCommand({ TableName: tableName, Item: buildItem(family) })));
  const transact = (...TransactItems: TransactWriteItem[]) =>
    toOutcome(client.send(new TransactWriteItemsCommand({ TransactItems })));
  const count: TransactWriteItem = {
    Update: {
      ...locateItem(FAMILIES.UpdateItem),
      UpdateExpression: 'ADD #count :one',
      ExpressionAttributeNames: { '#count': COUNT_ATTRIBUTE },
      ExpressionAttributeValues: { ':one': { N: '1' } },
    },
  };
  const check: TransactWriteItem = {
    ConditionCheck: {
      ...locateItem(FAMILIES.ConditionCheckItem),
      ConditionExpression: 'attribute_not_exists(#key)',
      ExpressionAttributeNames: { '#key': TABLE.partitionKey },
    },
  };
  const putOwn = put(FAMILIES.PutItem);
  const untilAllowed = (work: () => Promise<Outcome>) => retryWhileDenied(work, (result) => result === 'refused', wait);
  return {
    alone: await untilAllowed(() => write(FAMILIES.PutItem)),
    together: await untilAllowed(() => transact(putOwn, count, check, { Delete: locateItem(FAMILIES.DeleteItem) })),
    foreignAlone: await write(FOREIGN_FAMILY),
    foreignTogether: await transact(putOwn, put(FOREIGN_FAMILY)),
  };
};
