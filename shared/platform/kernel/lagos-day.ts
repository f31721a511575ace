import { DAY, HOUR, type Millis } from './time.ts';

/** Lagos is an hour ahead of UTC, and has no summer time. */
const AHEAD = HOUR;

/** The day of Africa/Lagos that a moment is on, as `2026-11-20`. */
export const lagosDate = (at: Millis): string => new Date(at + AHEAD).toISOString().slice(0, 10);

/** When a day of Lagos begins. */
export const startOfLagosDay = (date: string): Millis => Date.parse(`${date}T00:00:00Z`) - AHEAD;

/** When a day of Lagos ends, which is when the next one begins. */
export const endOfLagosDay = (date: string): Millis => startOfLagosDay(date) + DAY;

/** How many days one day is after another. */
export const lagosDaysBetween = (from: string, to: string): number =>
  (startOfLagosDay(to) - startOfLagosDay(from)) / DAY;

/** The days from one to another, both included. */
export const lagosDates = (from: string, to: string): string[] =>
  Array.from({ length: Math.max(0, lagosDaysBetween(from, to) + 1) }, (_, i) =>
    lagosDate(startOfLagosDay(from) + i * DAY),
  );
