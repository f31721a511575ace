import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import {
  type PaymentEntry,
  parsePaymentEntry,
  paymentsOfBusiness,
  positionOfEntry,
} from '#shared/payments/store/keys.ts';
import type { Tenant } from '#shared/platform/kernel/tenant.ts';
import type { Millis } from '#shared/platform/kernel/time.ts';
import { AFTER_ALL_TIMES, type Key, listStart } from '#shared/platform/table/keys.ts';
import { type Item, type Table, toKey } from '#shared/platform/table/table.ts';

/* Lists the payments of a business by time from gsi3. The index has only keys, which contain time, id, outcome and amount. */

/** A payment's entry, and the key of its item. */
export interface IndexedPayment extends PaymentEntry {
  readonly key: Key;
}

/** A range of the index: from a time (included) to a time (excluded), and before a position. */
export interface IndexRange {
  readonly from: Millis | null;
  readonly to: Millis | null;
  readonly before?: string | null;
}

const asIndexed = (item: Item): IndexedPayment[] => {
  const entry = parsePaymentEntry(String(item.gsi3sk));
  return entry ? [{ ...entry, key: toKey(item) }] : [];
};

const lesserOf = (value: string, other: string): string => (value < other ? value : other);

/** The result of one query. */
export interface IndexedPage {
  /** The readable entries, newest first. */
  readonly entries: readonly IndexedPayment[];
  /** The number of unreadable entries. */
  readonly unreadable: number;
  /** The position of the last entry, readable or not. */
  readonly end: string | undefined;
  /** The start of the next query; undefined at the end of the range. */
  readonly next: Item | undefined;
}

/** Queries one part of a range: at most 1 MB, about 5,500 entries. */
export const queryPayments = async (
  table: Table,
  tenant: Tenant,
  { from, to, before = null }: IndexRange,
  { limit, startAt }: { limit?: number; startAt?: Item | undefined } = {},
): Promise<IndexedPage> => {
  const end = to === null ? AFTER_ALL_TIMES : listStart(to);
  const [first, last] = [listStart(from ?? 0), lesserOf(end, before ?? end)];
  // DynamoDB rejects a range that ends before it begins.
  if (last < first) return { entries: [], unreadable: 0, end: undefined, next: undefined };
  const { Items = [], LastEvaluatedKey } = await table.client.send(
    new QueryCommand({
      TableName: table.name,
      IndexName: 'gsi3',
      // BETWEEN includes both bounds. But every sort key is longer than a bound, so none equals the last bound.
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
  const entries = Items.flatMap(asIndexed);
  const unreadable = Items.length - entries.length;
  if (unreadable > 0) table.unreadable('PAY', unreadable);
  const lastItem = Items.at(-1);
  return { entries, unreadable, end: lastItem && positionOfEntry(String(lastItem.gsi3sk)), next: LastEvaluatedKey };
};
