import { PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { NOTHING_LANDED, withPayment } from '#shared/payments/domain/daily-total.ts';
import { getBookedAt, type Payment } from '#shared/payments/domain/payment.ts';
import type { DailyTotals } from '#shared/payments/ports.ts';
import { dailyTotalKey, dailyTotalPartition } from '#shared/payments/store/keys.ts';
import { endOfLagosDay, lagosDate, startOfLagosDay } from '#shared/platform/kernel/lagos-day.ts';
import { count, millis, text } from '#shared/platform/kernel/schemas.ts';
import { conditionHeld } from '#shared/platform/table/conditional-write.ts';
import { readableItems } from '#shared/platform/table/readable.ts';
import type { Item, Table } from '#shared/platform/table/table.ts';
import type { PutWrite } from '#shared/platform/table/transact.ts';
import { queryPayments } from './payment-index.ts';

/**
 * The item of a day: its sum, if it is final, and the last reversal among its payments. A reversal replaces the item. So a stored sum is
 * deleted, and a sum that is being computed at this moment is not stored.
 */
const dayItem = z.object({
  sk: text,
  reversal: z.optional(z.object({ of: text, at: millis })),
  total: z.optional(z.object({ count, amount: count, rejected: count, reversed: count })),
});

/**
 * Builds the writes that mark the days of reversed payments, one for each day. They belong to the transaction that reverses the payments.
 * `at`: the time of that transaction.
 */
export const reversalMarks = (reversed: readonly Payment[], at: number): PutWrite<never>[] => {
  const byDay = new Map(reversed.map((payment) => [lagosDate(getBookedAt(payment)), payment]));
  return [...byDay].map(([date, payment]) => ({
    put: { ...dailyTotalKey(payment, date), reversal: { of: payment.id, at } },
  }));
};

/** Reads, sums and stores the totals of each day in the table. */
export const dailyTotals = (table: Table): DailyTotals => ({
  read: async (tenant, from, to) => {
    const { Items = [] } = await table.client.send(
      new QueryCommand({
        TableName: table.name,
        KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
        ExpressionAttributeValues: { ':pk': dailyTotalPartition(tenant), ':from': from, ':to': to },
        ConsistentRead: true,
      }),
    );
    return new Map(
      // A day with an unreadable item is summed again. The sum is not stored, because the item exists.
      readableItems(table, dayItem, Items).map(({ sk: date, reversal = null, total = null }) => [
        date,
        { reversal, total },
      ]),
    );
  },
  sum: async (tenant, date, isLate) => {
    const range = { from: startOfLagosDay(date), to: endOfLagosDay(date) };
    let total = NOTHING_LANDED;
    let isWhole = true;
    let startAt: Item | undefined;
    do {
      if (isLate()) return undefined;
      const { entries, unreadable, next } = await queryPayments(table, tenant, range, { startAt });
      total = entries.reduce(withPayment, total);
      if (unreadable > 0) isWhole = false;
      startAt = next;
    } while (startAt);
    return { total, isWhole };
  },
  keep: async (tenant, date, total, reversal) => {
    const put = new PutCommand({
      TableName: table.name,
      Item: { ...dailyTotalKey(tenant, date), total, ...(reversal && { reversal }) },
      ...(reversal
        ? { ConditionExpression: 'reversal.#of = :of', ExpressionAttributeNames: { '#of': 'of' } }
        : { ConditionExpression: 'attribute_not_exists(pk)' }),
      ...(reversal && { ExpressionAttributeValues: { ':of': reversal.of } }),
    });
    await conditionHeld(table.client.send(put));
  },
});
