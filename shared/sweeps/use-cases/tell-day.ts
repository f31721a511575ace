import {
  type DailySummary,
  findSummaryDays,
  isSummarised,
  summaryAfter,
} from '#shared/businesses/domain/daily-summary.ts';
import { hasActivity, type Landed, NOTICE_LEASE, newNotice } from '#shared/businesses/domain/notice.ts';
import type { BusinessReader } from '#shared/businesses/ports.ts';
import type { SummaryStore } from '#shared/members/ports.ts';
import { type SumByDayDeps, sumByDay } from '#shared/payments/use-cases/sum-by-day.ts';
import { UnreadableItem } from '#shared/platform/kernel/errors.ts';
import type { Log } from '#shared/platform/observability/log.ts';
import type { Runtime } from '#shared/platform/ports.ts';

export interface PrepareSummaryDeps extends SumByDayDeps, Pick<Runtime, 'now' | 'newId'> {
  readonly summaries: SummaryStore;
  readonly businesses: Pick<BusinessReader, 'findAll'>;
  readonly log: Log;
}

/**
 * Writes the notice of a day, and plans the next day. Without any payment on the day and the day before, there is no notice. If no owner wants
 * summaries any more, deletes the summary.
 */
const writeNotice = async (deps: PrepareSummaryDeps, summary: DailySummary): Promise<void> => {
  const { businessId } = summary;
  // The business must be read after the summary was taken. If an owner asks for summaries after this read, the summary is written anew, and
  // `end` deletes nothing.
  const [business] = await deps.businesses.findAll([businessId]);
  if (!business) throw new UnreadableItem('BIZ');
  if (!isSummarised(business)) return deps.summaries.end(summary);
  const { day, before: from } = findSummaryDays(summary, deps.now());
  const [before, landed] = (await sumByDay(deps, { businessId, mode: 'live' }, { from, to: day })).map(
    ({ count, amount, rejected, reversed }): Landed => ({ count, amount, rejected, reversed }),
  );
  if (!before || !landed) throw new Error('A day has no total.');
  const about = { kind: 'summary', day, landed, before } as const;
  const notice = hasActivity(landed, before)
    ? newNotice({ id: deps.newId('ntc'), businessIds: [businessId], userId: null, about }, deps.now())
    : undefined;
  await deps.summaries.moveOn(summary, summaryAfter(summary, day), notice);
};

/**
 * Takes a summary that is due, and writes the notice of its day. Then sendNotices mails the notice to the owners of the business. After a failure
 * the summary is due again in five minutes.
 */
export const prepareSummary = async (
  deps: PrepareSummaryDeps,
  due: Pick<DailySummary, 'businessId' | 'dueAt'>,
): Promise<void> => {
  try {
    const summary = await deps.summaries.take(due, deps.now() + NOTICE_LEASE);
    if (summary) await writeNotice(deps, summary);
  } catch (error) {
    deps.log('work_failed', { kind: 'summary' }, error);
  }
};
