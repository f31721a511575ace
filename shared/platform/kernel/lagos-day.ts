import { DAY, HOUR, type Millis } from './time.ts';

/** Lagos is an hour ahead of UTC, and has no summer time. */
const OFFSET = HOUR;

/** Returns the day in Africa/Lagos at a time, as `2026-11-20`. */
export const lagosDate = (at: Millis): string => new Date(at + OFFSET).toISOString().slice(0, 10);

/** Returns the time at which a day in Lagos begins. */
export const startOfLagosDay = (date: string): Millis => Date.parse(`${date}T00:00:00Z`) - OFFSET;

/** Returns the time at which a day in Lagos ends and the next one begins. */
export const endOfLagosDay = (date: string): Millis => startOfLagosDay(date) + DAY;

/** Counts the days from one day to another. */
export const lagosDaysBetween = (from: string, to: string): number =>
  (startOfLagosDay(to) - startOfLagosDay(from)) / DAY;

/** Lists the days from one to another, both included. */
export const lagosDates = (from: string, to: string): string[] =>
  Array.from({ length: Math.max(0, lagosDaysBetween(from, to) + 1) }, (_, i) =>
    lagosDate(startOfLagosDay(from) + i * DAY),
  );
