import * as z from 'zod/mini';
import { HOUR, MINUTE, type Millis, SECOND } from '#shared/platform/kernel/time.ts';

/** The schedule by which failed deliveries are tried again, a setting of the stage. All in milliseconds. */
export const retrySchedule = z.object({
  /** The gaps after the first attempts. Each gap starts at the end of the attempt before. */
  gaps: z.array(z.int().check(z.positive())).check(z.minLength(1), z.maxLength(20)),
  /** The gap after all later attempts. */
  afterwards: z.int().check(z.positive()),
  /** No attempt is planned for a time later than this after the first attempt. */
  until: z.int().check(z.positive()),
});
export type RetrySchedule = z.infer<typeof retrySchedule>;

/** The schedule that the API promises. The payment providers retry their own notifications neither more often nor sooner. */
export const DEFAULT_SCHEDULE: RetrySchedule = {
  gaps: [5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, 30 * MINUTE, HOUR],
  afterwards: HOUR,
  until: 72 * HOUR,
};

const JITTER = 0.2;
/** The longest Retry-After that is honoured. Milliseconds. */
const MAX_RETRY_AFTER = 6 * HOUR;
/**
 * The gap before a probe is at most the length of the outage so far. While the outage is shorter than this, the gap is at most this.
 * Milliseconds.
 */
const MIN_PROBE_CAP = MINUTE;

/** The facts about a failed attempt that determine the next attempt. */
export interface FailedTry {
  /** The attempts since the last redelivery, including the failed one. */
  readonly tries: number;
  readonly firstAttemptAt: Millis;
  readonly endedAt: Millis;
  /** The wait that the endpoint asked for, in milliseconds; null if it asked for none, or in a way that is not honoured. */
  readonly retryAfter: Millis | null;
}

/**
 * Returns the time of the next attempt, in milliseconds since the epoch; undefined if the schedule is over. `draw`, a random number in [0, 1),
 * varies the gap by ±20 %. If the endpoint asked for a longer wait, this wait is honoured up to six hours, and up to the end of the schedule.
 */
export const nextTryAt = (schedule: RetrySchedule, failed: FailedTry, draw: number): Millis | undefined => {
  const end = failed.firstAttemptAt + schedule.until;
  const gap = computeGap(schedule, failed.tries, draw);
  return failed.endedAt + gap > end
    ? undefined
    : Math.min(failed.endedAt + extendToRetryAfter(gap, failed.retryAfter), end);
};

/** The facts about a failed probe that determine the next probe. */
export interface FailedProbe extends Pick<FailedTry, 'endedAt' | 'retryAfter'> {
  readonly probes: number;
  /** The start of the outage: the first failure since the last success. */
  readonly failingSince: Millis;
}

/**
 * Returns the time of the next probe of a failing endpoint, in milliseconds since the epoch. The gaps are those of the schedule, but probes never
 * end. Because a short outage is likely to end soon, a gap is never longer than the outage so far or, in its first minute, than a minute. Only a
 * `Retry-After` can make it longer, up to six hours. `draw`: a random number in [0, 1) that varies the gap.
 */
export const nextProbeAt = (
  schedule: RetrySchedule,
  { probes, endedAt, retryAfter, failingSince }: FailedProbe,
  draw: number,
): Millis => {
  const gap = Math.min(computeGap(schedule, probes, draw), Math.max(MIN_PROBE_CAP, endedAt - failingSince));
  return endedAt + extendToRetryAfter(gap, retryAfter);
};

const extendToRetryAfter = (gap: number, retryAfter: Millis | null): number =>
  Math.max(gap, Math.min(retryAfter ?? 0, MAX_RETRY_AFTER));

const computeGap = (schedule: RetrySchedule, tries: number, draw: number): number =>
  Math.round((schedule.gaps[tries - 1] ?? schedule.afterwards) * (1 - JITTER + 2 * JITTER * draw));
