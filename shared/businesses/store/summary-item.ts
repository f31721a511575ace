import type { DailySummary } from '#shared/businesses/domain/daily-summary.ts';
import { summaryKey } from '#shared/businesses/store/keys.ts';
import { inDueWork } from '#shared/platform/table/due-keys.ts';
import type { Table } from '#shared/platform/table/table.ts';

/** Makes the item of a business's daily summary, which is due on the morning after its day. */
export const summaryItem = (table: Table, summary: DailySummary) => {
  const key = summaryKey(summary.businessId);
  return { ...summary, ...key, ...inDueWork(key, 'summaries', summary.dueAt, table.dueShards) };
};
