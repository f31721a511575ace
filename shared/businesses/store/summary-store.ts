import { DeleteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { type DailySummary, dailySummary } from '#shared/businesses/domain/daily-summary.ts';
import { summaryKey } from '#shared/businesses/store/keys.ts';
import { summaryItem } from '#shared/businesses/store/summary-item.ts';
import type { SummaryStore } from '#shared/members/ports.ts';
import { noticeWrites } from '#shared/members/store/notice-item.ts';
import { conditionHeld, resultIfHeld } from '#shared/platform/table/conditional-write.ts';
import { formatDueEntry } from '#shared/platform/table/due-keys.ts';
import { readItem } from '#shared/platform/table/readable.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { transact } from '#shared/platform/table/transact.ts';
import { buildUpdate } from '#shared/platform/table/update-expression.ts';

/**
 * Keeps the daily summaries of businesses in the table. The first summary of a business is written together with the business, when an owner
 * asks for summaries.
 */
export const summaryStore = (table: Table): SummaryStore => ({
  take: async ({ businessId, dueAt }, until) => {
    const key = summaryKey(businessId);
    const change = { expect: { dueAt }, set: { dueAt: until } };
    const update = new UpdateCommand({
      TableName: table.name,
      Key: { ...key },
      ...buildUpdate<DailySummary>(change, { gsi2sk: formatDueEntry(key, until) }),
      ReturnValues: 'ALL_NEW',
    });
    const written = await resultIfHeld(table.client.send(update));
    return readItem(table, dailySummary, written?.Attributes);
  },
  moveOn: async ({ dueAt }, next, notice) => {
    const when = { expression: 'dueAt = :dueAt', values: { ':dueAt': dueAt } };
    const put = { put: summaryItem(table, next), when, otherwise: () => 'moved' as const };
    await transact(table, [put, ...noticeWrites(table, notice)]);
  },
  end: async ({ businessId, dueAt }) => {
    const deletion = new DeleteCommand({
      TableName: table.name,
      Key: { ...summaryKey(businessId) },
      ConditionExpression: 'dueAt = :dueAt',
      ExpressionAttributeValues: { ':dueAt': dueAt },
    });
    await conditionHeld(table.client.send(deletion));
  },
});
