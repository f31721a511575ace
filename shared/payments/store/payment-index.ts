import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import {
  type PaymentEntry,
  parsePaymentEntry,
  paymentsOfBusiness,
  positionOfEntry,
} from '#shared/payments/store/keys.ts';
import type { Tenant } from '#shared/platform/kernel/tenant.ts';
import type { Millis } from '#shared/platform/kernel/time.ts';
import { AFTER_ALL_TIMES, type Key, listedFrom } from '#shared/platform/table/keys.ts';
import { type Item, type Table, toKey } from '#shared/platform/table/table.ts';

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

const asIndexed = (item: Item): IndexedPayment[] => {
  const entry = parsePaymentEntry(String(item.gsi3sk));
  return entry ? [{ ...entry, key: toKey(item) }] : [];
};

const lower = (value: string, other: string): string => (value < other ? value : other);

/** What one call found: the entries that can be read, newest first, and how many others. */
export interface IndexedPage {
  readonly entries: readonly IndexedPayment[];
  readonly unreadable: number;
  /** The position of the last entry, be it readable or not. */
  readonly end: string | undefined;
  /** Where the next call continues; undefined at the end of the range. */
  readonly next: Item | undefined;
}

/** One call's part of a range. At most 1 MB, some 5,500 entries. */
export const queryPayments = async (
  table: Table,
  tenant: Tenant,
  { from, to, before = null }: IndexRange,
  { limit, startAt }: { limit?: number; startAt?: Item | undefined } = {},
): Promise<IndexedPage> => {
  const end = to === null ? AFTER_ALL_TIMES : listedFrom(to);
  const [first, last] = [listedFrom(from ?? 0), lower(end, before ?? end)];
  // DynamoDB refuses a range that ends before it begins.
  if (last < first) return { entries: [], unreadable: 0, end: undefined, next: undefined };
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
  const entries = Items.flatMap(asIndexed);
  const unreadable = Items.length - entries.length;
  if (unreadable > 0) table.unreadable('PAY', unreadable);
  const lastItem = Items.at(-1);
  return { entries, unreadable, end: lastItem && positionOfEntry(String(lastItem.gsi3sk)), next: LastEvaluatedKey };
};
