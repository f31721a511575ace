import * as z from 'zod/mini';
import { idSchema } from '#shared/platform/kernel/ids.ts';
import { endOfLagosDay, lagosDate, startOfLagosDay } from '#shared/platform/kernel/lagos-day.ts';
import { millis } from '#shared/platform/kernel/schemas.ts';
import { DAY, HOUR, type Millis } from '#shared/platform/kernel/time.ts';
import type { Business } from './business.ts';
import { findMailChoice } from './member.ts';

/*
 * The daily summary of a business. One item of a business, due each morning, says which day is summarised next. The item is written when the
 * first owner asks for the summary. It is deleted on the first morning on which no owner wants the summary any more.
 */

/** The time between the end of a day and its summary, at seven in the morning in Lagos. The day's total is final by then. Milliseconds. */
const MORNING: Millis = 7 * HOUR;
/** The number of past days that can still be summarised. After a pause of the mails, older days are skipped. */
const MAX_LATE_DAYS = 3;

export const dailySummary = z.object({
  businessId: idSchema('biz'),
  /** The day in Lagos that is summarised next, as `2026-11-20`. */
  day: z.iso.date(),
  dueAt: millis,
});
export type DailySummary = z.infer<typeof dailySummary>;

const makeSummary = (businessId: string, day: string): DailySummary => ({
  businessId,
  day,
  dueAt: endOfLagosDay(day) + MORNING,
});

const addDays = (day: string, days: number): string => lagosDate(startOfLagosDay(day) + days * DAY);

/** Makes the first summary of a business: of the present day, due tomorrow morning. */
export const firstSummary = (businessId: string, now: Millis): DailySummary => makeSummary(businessId, lagosDate(now));

/** Returns the day to summarise now, and the day before it for comparison. Days that are too long ago are skipped. */
export const findSummaryDays = (
  { day }: DailySummary,
  now: Millis,
): { readonly day: string; readonly before: string } => {
  const oldest = addDays(lagosDate(now), -MAX_LATE_DAYS);
  const summaryDay = day < oldest ? oldest : day;
  return { day: summaryDay, before: addDays(summaryDay, -1) };
};

/** Makes the summary of the day after `day`. */
export const summaryAfter = ({ businessId }: DailySummary, day: string): DailySummary =>
  makeSummary(businessId, addDays(day, 1));

/** Checks whether an owner of the business wants the daily summary. */
export const isSummarised = ({ members }: Pick<Business, 'members'>): boolean =>
  members.some((member) => findMailChoice(member)?.summary);
