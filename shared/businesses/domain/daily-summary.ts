import * as z from 'zod/mini';
import { idSchema } from '#shared/platform/kernel/ids.ts';
import { endOfLagosDay, lagosDate, startOfLagosDay } from '#shared/platform/kernel/lagos-day.ts';
import { millis } from '#shared/platform/kernel/schemas.ts';
import { DAY, HOUR, type Millis } from '#shared/platform/kernel/time.ts';
import type { Business } from './business.ts';
import { findMailChoice } from './member.ts';

/*
 * The daily summary of a business. An item in the due-work index says which day is told next. It is there from when the first owner asks for
 * the summary, and deletes itself on the first morning on which no owner wants it any more.
 */

/** How long after the end of a day it is told: at seven in the morning in Lagos. Its total holds for good by then. Milliseconds. */
const MORNING: Millis = 7 * HOUR;
/** After a time in which nothing was mailed, the newest days are told, at most so many. */
const MOST_LATE = 3;

export const dailySummary = z.object({
  businessId: idSchema('biz'),
  /** The day of Lagos that is told next, as `2026-11-20`. */
  day: z.iso.date(),
  dueAt: millis,
});
export type DailySummary = z.infer<typeof dailySummary>;

const makeSummary = (businessId: string, day: string): DailySummary => ({
  businessId,
  day,
  dueAt: endOfLagosDay(day) + MORNING,
});

const dayAfter = (day: string, days: number): string => lagosDate(startOfLagosDay(day) + days * DAY);

/** The first summary of a business whose owner asks for it: the present day's, tomorrow morning. */
export const firstSummary = (businessId: string, now: Millis): DailySummary => makeSummary(businessId, lagosDate(now));

/** The day that is told at a moment, and the day before it, with which it is compared. Days that are too long ago are left out. */
export const findSummaryDays = (
  { day }: DailySummary,
  now: Millis,
): { readonly day: string; readonly before: string } => {
  const oldest = dayAfter(lagosDate(now), -MOST_LATE);
  const summaryDay = day < oldest ? oldest : day;
  return { day: summaryDay, before: dayAfter(summaryDay, -1) };
};

/** The summary that follows the one of a day. */
export const summaryAfter = ({ businessId }: DailySummary, day: string): DailySummary =>
  makeSummary(businessId, dayAfter(day, 1));

/** Whether an owner of the business wants the daily summary. */
export const isSummarised = ({ members }: Pick<Business, 'members'>): boolean =>
  members.some((member) => findMailChoice(member)?.summary);
