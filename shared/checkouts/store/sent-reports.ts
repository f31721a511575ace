import { LANDS_WITHIN, type SentReport, sentReport } from '#shared/checkouts/domain/sent-report.ts';
import type { SentReports } from '#shared/checkouts/ports.ts';
import { sentReportKey } from '#shared/checkouts/store/keys.ts';
import { DAY, unixSeconds } from '#shared/platform/kernel/time.ts';
import { inDueWork } from '#shared/platform/table/due-keys.ts';
import { readItem } from '#shared/platform/table/readable.ts';
import { getItem, type Table } from '#shared/platform/table/table.ts';
import { transact, type Write } from '#shared/platform/table/transact.ts';
import { markBusiness } from '#shared/providers/domain/health/counts.ts';
import { addCounts } from '#shared/providers/store/health-counts.ts';

type Outcome = 'already_ended' | 'business_counted';

/**
 * Returns the write that counts a report. The write fails with `business_counted` if another report of the same business was counted in the
 * same minute, so that a business cannot distort the sample by many reports.
 */
const countWrite = ({ provider, businessId }: SentReport, hasLanded: boolean, at: number): Write<Outcome> => {
  const mark = markBusiness(businessId);
  const { key, update } = addCounts(provider, at, hasLanded ? { sentLanded: mark } : { sentLost: mark });
  return {
    update: key,
    by: {
      ...update,
      ConditionExpression: 'NOT contains(sentLanded, :mark) AND NOT contains(sentLost, :mark)',
      ExpressionAttributeValues: { ...update.ExpressionAttributeValues, ':mark': mark },
    },
    otherwise: () => 'business_counted',
  };
};

/** Stores payers' reports in the table. Each report is due work until it is checked. It is deleted after a day in any case. */
export const sentReports = (table: Table): SentReports => ({
  newReportWrites: (report) => {
    const key = sentReportKey(report.provider, report.reference);
    const due = inDueWork(key, 'payments', report.sentAt + LANDS_WITHIN, table.dueShards);
    const writes: Write<never>[] = [{ put: { ...report, ...key, ...due, ttl: unixSeconds(report.sentAt + DAY) } }];
    return writes;
  },
  find: async ({ provider, reference }) =>
    readItem(table, sentReport, await getItem(table, sentReportKey(provider, reference))),
  end: async (report, sample) => {
    // One transaction deletes the report and counts it, so a repeated ticket counts nothing.
    const ending: Write<Outcome> = {
      delete: sentReportKey(report.provider, report.reference),
      when: { expression: 'attribute_exists(pk)' },
      otherwise: () => 'already_ended',
    };
    const writes = sample ? [ending, countWrite(report, sample.hasLanded, sample.at)] : [ending];
    if ((await transact<Outcome>(table, writes)) === 'business_counted') await transact<Outcome>(table, [ending]);
  },
});
