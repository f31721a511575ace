import * as z from 'zod/mini';
import { HOUR, MINUTE, type Millis, SECOND } from '#shared/domain/kernel/time.ts';

/** When a failed delivery is tried again: a setting of the stage. All in milliseconds. */
export const retrySchedule = z.object({
  /** Gaps after the first attempts, each counted from the end of the attempt before. */
  gaps: z.array(z.int().check(z.positive())).check(z.minLength(1), z.maxLength(20)),
  /** The gap from then on. */
  afterwards: z.int().check(z.positive()),
  /** No attempt is planned later than this after the first one. */
  until: z.int().check(z.positive()),
});
export type RetrySchedule = z.infer<typeof retrySchedule>;

/** The schedule of api.md section 5: never fewer tries than any provider makes, and the first ones sooner. */
export const DEFAULT_SCHEDULE: RetrySchedule = {
  gaps: [5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, 30 * MINUTE, HOUR],
  afterwards: HOUR,
  until: 72 * HOUR,
};

const JITTER = 0.2;
const LONGEST_RETRY_AFTER = 6 * HOUR;
/** However short an outage is, its gaps need not be shorter than this. */
const SHORTEST_LONG_GAP = MINUTE;

/** What decides about the next attempt. */
export interface FailedTry {
  /** How many tries this round has had, the failed one included. */
  readonly tries: number;
  readonly firstAttemptAt: Millis;
  readonly endedAt: Millis;
  /** How long the endpoint asked us to wait, in milliseconds; null when it asked nothing that we honour. */
  readonly retryAfter: Millis | null;
}

/**
 * When to try again, or undefined when the schedule is over. The gap is spread by ±20 %: `draw` is a random number in [0, 1).
 * A wait that the endpoint asked for is honoured between the gap and six hours, and never past the schedule's end.
 */
export const nextTryAt = (schedule: RetrySchedule, failed: FailedTry, draw: number): Millis | undefined => {
  const end = failed.firstAttemptAt + schedule.until;
  const gap = gapOf(schedule, failed.tries, draw);
  return failed.endedAt + gap > end ? undefined : Math.min(failed.endedAt + atLeast(gap, failed.retryAfter), end);
};

/** What decides about the next probe. */
export interface FailedProbe extends Pick<FailedTry, 'endedAt' | 'retryAfter'> {
  readonly probes: number;
  /** When the outage began: the first failure since the last success. */
  readonly failingSince: Millis;
}

/**
 * When an endpoint is probed again: the same gaps, though nothing ends them, and none longer than its outage so far (a minute at
 * least), for what was well a moment ago may be well again. `draw` as above.
 */
export const nextProbeAt = (
  schedule: RetrySchedule,
  { probes, endedAt, retryAfter, failingSince }: FailedProbe,
  draw: number,
): Millis => {
  const gap = Math.min(gapOf(schedule, probes, draw), Math.max(SHORTEST_LONG_GAP, endedAt - failingSince));
  return endedAt + atLeast(gap, retryAfter);
};

/** A wait that the endpoint asked for is honoured up to six hours. */
const atLeast = (gap: number, retryAfter: Millis | null): number =>
  Math.max(gap, Math.min(retryAfter ?? 0, LONGEST_RETRY_AFTER));

const gapOf = (schedule: RetrySchedule, tries: number, draw: number): number =>
  Math.round((schedule.gaps[tries - 1] ?? schedule.afterwards) * (1 - JITTER + 2 * JITTER * draw));

const SECONDS = /^\d+$/;
/** The three forms that a recipient must take (RFC 9110, section 5.6.7); `Date.parse` alone takes nearly any text for a date. */
const HTTP_DATES = [
  /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/,
  /^[A-Z][a-z]{5,8}, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT$/,
  /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/,
];

/** Milliseconds since the epoch of an HTTP date; undefined for anything else. */
const parseHttpDate = (text: string): Millis | undefined => {
  if (!HTTP_DATES.some((form) => form.test(text))) return undefined;
  // The oldest form leaves out that it is GMT.
  const at = Date.parse(text.endsWith(' GMT') ? text : `${text} GMT`);
  return Number.isNaN(at) ? undefined : at;
};

/**
 * The wait that a Retry-After header asks for, in milliseconds from `now` (RFC 9110, section 10.2.3: seconds or a date);
 * null when there is none, it is unreadable, or the status is not one that honours it (429 and 503, api.md section 5).
 */
export const retryAfterOf = (statusCode: number | null, header: string | null, now: Millis): Millis | null => {
  const text = header?.trim() ?? '';
  if (statusCode !== 429 && statusCode !== 503) return null;
  if (SECONDS.test(text)) return Number(text) * SECOND;
  const at = parseHttpDate(text);
  return at === undefined ? null : Math.max(0, at - now);
};
