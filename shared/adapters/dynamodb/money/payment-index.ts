import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import {
  AFTER_ALL_TIMES,
  type Key,
  listedFrom,
  type PaymentEntry,
  paymentEntryOf,
  paymentsOfBusiness,
} from '#shared/adapters/dynamodb/table/keys.ts';
import { type Item, keyOf, type Table } from '#shared/adapters/dynamodb/table/table.ts';
import type { Tenant } from '#shared/domain/kernel/tenant.ts';
import type { Millis } from '#shared/domain/kernel/time.ts';

/* The payments of a business by time, as gsi3 has them: keys alone, which tell time, id, outcome and amount. */

/** A payment's entry, and the key of its item. */
export interface IndexedPayment extends PaymentEntry {
  readonly key: Key;
}

/** A part of the index, by time: from a moment (included) to another (excluded), and before a position. */
export interface IndexRange {
  readonly from: Millis | null;
  readonly to: Millis | null;
  readonly before?: string | null;
}

const asIndexed = (item: Item): IndexedPayment => ({ ...paymentEntryOf(String(item.gsi3sk)), key: keyOf(item) });

const lower = (one: string, other: string): string => (one < other ? one : other);

/** One call's entries of a range, newest first, and where the next call continues; undefined at the end. At most 1 MB, some 5,500. */
export const queryPayments = async (
  table: Table,
  tenant: Tenant,
  { from, to, before = null }: IndexRange,
  { limit, startAt }: { limit?: number; startAt?: Item | undefined } = {},
): Promise<{ readonly entries: readonly IndexedPayment[]; readonly next: Item | undefined }> => {
  const end = to === null ? AFTER_ALL_TIMES : listedFrom(to);
  const [first, last] = [listedFrom(from ?? 0), lower(end, before ?? end)];
  // DynamoDB refuses a range that ends before it begins.
  if (last < first) return { entries: [], next: undefined };
  const { Items = [], LastEvaluatedKey } = await table.client.send(
    new QueryCommand({
      TableName: table.name,
      IndexName: 'gsi3',
      // Every sort key is longer than these bounds, so none equals the last.
      KeyConditionExpression: 'gsi3pk = :pk AND gsi3sk BETWEEN :first AND :last',
      ExpressionAttributeValues: {
        ':pk': paymentsOfBusiness(tenant),
        ':first': first,
        ':last': last,
      },
      ScanIndexForward: false,
      Limit: limit,
      ExclusiveStartKey: startAt,
    }),
  );
  return { entries: Items.map(asIndexed), next: LastEvaluatedKey };
};
