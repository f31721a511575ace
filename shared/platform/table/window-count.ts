import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { type Millis, unixSeconds } from '#shared/platform/kernel/time.ts';
import { conditionHeld } from './conditional-write.ts';
import type { Key } from './keys.ts';
import type { Table } from './table.ts';

/** Builds the update that adds one, or `count`, to a window's item, which stays until `expiresAt`. It costs one write unit, and no read. */
export const buildCountUpdate = (table: Table, key: Key, expiresAt: Millis, count = 1) => ({
  TableName: table.name,
  Key: { ...key },
  UpdateExpression: 'ADD requests :count SET #ttl = :ttl',
  ExpressionAttributeNames: { '#ttl': 'ttl' },
  ExpressionAttributeValues: { ':count': count, ':ttl': unixSeconds(expiresAt) },
});

/** Counts one, or `count`, in a window that allows at most `most`. Returns false if not enough is left; then nothing is counted. */
export const countWithin = async (
  table: Table,
  key: Key,
  expiresAt: Millis,
  { most, count = 1 }: { readonly most: number; readonly count?: number },
): Promise<boolean> => {
  if (count > most) return false;
  const { ExpressionAttributeValues, ...update } = buildCountUpdate(table, key, expiresAt, count);
  const conditional = new UpdateCommand({
    ...update,
    ConditionExpression: 'attribute_not_exists(pk) OR requests <= :before',
    ExpressionAttributeValues: { ...ExpressionAttributeValues, ':before': most - count },
  });
  return conditionHeld(table.withoutRetry.send(conditional));
};
