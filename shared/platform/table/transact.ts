import { randomUUID } from 'node:crypto';
import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { TransactWriteCommand, type TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { Key } from './keys.ts';
import { retryTemporary } from './retries.ts';
import type { Item, Table } from './table.ts';
import type { Update } from './update-expression.ts';

type TransactItem = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

/** A write of a transaction, or a check without a write. It may have a condition, and an outcome for a condition that does not hold. */
export type Write<Outcome> =
  | PutWrite<Outcome>
  | ({ readonly delete: Key } & Conditional<Outcome>)
  | ({ readonly update: Key; readonly by: Omit<Update, 'ConditionExpression'> & Partial<Update> } & Pick<
      Conditional<Outcome>,
      'otherwise'
    >)
  | ({ readonly check: Key } & Required<Conditional<Outcome>>);

/** A write that creates or replaces an item. */
export type PutWrite<Outcome> = { readonly put: Item & Key } & Conditional<Outcome>;
interface Conditional<Outcome> {
  /** Absent for an unconditional write. */
  readonly when?: {
    readonly expression: string;
    readonly names?: Record<string, string>;
    readonly values?: Record<string, string | number | boolean | null>;
  };
  /**
   * Makes the outcome if the condition did not hold. The function gets the existing item, which is read only if the function takes a
   * parameter. It may throw. Without a function, the SDK's error is thrown.
   */
  readonly otherwise?: (existing: Item | undefined) => Outcome;
}

/** The condition of a write that must create its item. */
export const ABSENT = { expression: 'attribute_not_exists(pk)' } as const;
/** The condition of a write that must replace exactly this version of its item. */
export const versionIs = (version: number) => ({ expression: 'version = :version', values: { ':version': version } });

/** The temporary reasons of a cancellation: another transaction on the same item, or throttling. */
const TEMPORARY = new Set(['TransactionConflict', 'ThrottlingError', 'ProvisionedThroughputExceeded']);

/** Returns the index of the write whose condition failed in a cancelled transaction; -1 if none did. */
const findFailedWrite = ({ CancellationReasons = [] }: TransactionCanceledException): number =>
  CancellationReasons.findIndex(({ Code }) => Code === 'ConditionalCheckFailed');

const isTemporary = (error: unknown): boolean =>
  error instanceof TransactionCanceledException &&
  findFailedWrite(error) === -1 &&
  (error.CancellationReasons ?? []).some(({ Code }) => TEMPORARY.has(Code ?? ''));

const toTransactItem = (table: Table, write: Write<unknown>): TransactItem => {
  // Only an `otherwise` with a parameter needs the item. A role that may update few attributes must not get all of them.
  const needsItem = write.otherwise !== undefined && write.otherwise.length > 0;
  const onFailure = needsItem && { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const };
  if ('update' in write)
    return { Update: { TableName: table.name, Key: { ...write.update }, ...write.by, ...onFailure } };
  const condition = write.when && {
    ConditionExpression: write.when.expression,
    ExpressionAttributeNames: write.when.names,
    ExpressionAttributeValues: write.when.values,
    ...onFailure,
  };
  if ('check' in write) {
    const { expression: ConditionExpression } = write.when;
    return { ConditionCheck: { TableName: table.name, Key: { ...write.check }, ...condition, ConditionExpression } };
  }
  if ('delete' in write) return { Delete: { TableName: table.name, Key: { ...write.delete }, ...condition } };
  return { Put: { TableName: table.name, Item: write.put, ...condition } };
};

/**
 * Writes all or nothing. Returns undefined if it was written; otherwise the outcome of the first write whose condition did not hold.
 * After a conflict with another transaction it tries again under the same token, so a lost answer cannot write twice.
 * @throws DependencyUnavailable if conflicts or throttling outlast every attempt; the SDK's error if the failed write has no `otherwise`.
 */
export const transact = async <Outcome>(
  table: Table,
  writes: readonly Write<Outcome>[],
): Promise<Outcome | undefined> => {
  const command = new TransactWriteCommand({
    ClientRequestToken: randomUUID(),
    TransactItems: writes.map((write) => toTransactItem(table, write)),
  });
  try {
    await retryTemporary(() => table.client.send(command), isTemporary);
    return undefined;
  } catch (error) {
    if (!(error instanceof TransactionCanceledException)) throw error;
    const failedIndex = findFailedWrite(error);
    const otherwise = writes[failedIndex]?.otherwise;
    if (!otherwise) throw error;
    const existing = error.CancellationReasons?.[failedIndex]?.Item;
    return otherwise(existing && unmarshall(existing));
  }
};
