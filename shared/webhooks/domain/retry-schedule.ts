import * as z from 'zod/mini';
import { HOUR, MINUTE, type Millis, SECOND } from '#shared/platform/kernel/time.ts';

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

/** The schedule of api-decisions.md section 5: no provider retries more often, and the first retries come sooner than any provider's. */
export const DEFAULT_SCHEDULE: RetrySchedule = {
  gaps: [5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, 30 * MINUTE, HOUR],
  afterwards: HOUR,
  until: 72 * HOUR,
};

const JITTER = 0.2;
/** A Retry-After is honoured up to this. Milliseconds. */
const MAX_RETRY_AFTER = 6 * HOUR;
/** A probe's gap is not cut below this, however short the outage is. Milliseconds. */
const MIN_PROBE_CAP = MINUTE;

/** What determines the next attempt. */
export interface FailedTry {
  /** Attempts of this redeliveries, the failed one included. */
  readonly tries: number;
  readonly firstAttemptAt: Millis;
  readonly endedAt: Millis;
  /** How long the endpoint asked us to wait, in milliseconds; null when it did not, or in a way that is not honoured. */
  readonly retryAfter: Millis | null;
}

/**
 * When to try again, in milliseconds since the epoch; undefined when the schedule is over. The gap is spread by ±20 %: `draw` is a
 * random number in [0, 1). A longer wait that the endpoint asked for is honoured, up to six hours and the schedule's end.
 */
export const nextTryAt = (schedule: RetrySchedule, failed: FailedTry, draw: number): Millis | undefined => {
  const end = failed.firstAttemptAt + schedule.until;
  const gap = computeGap(schedule, failed.tries, draw);
  return failed.endedAt + gap > end ? undefined : Math.min(failed.endedAt + atLeast(gap, failed.retryAfter), end);
};

/** What determines the next probe. */
export interface FailedProbe extends Pick<FailedTry, 'endedAt' | 'retryAfter'> {
  readonly probes: number;
  /** When the outage began: the first failure since the last success. */
  readonly failingSince: Millis;
}

/**
 * When a failing endpoint is probed again, in milliseconds since the epoch: by the same gaps, without an end, and none longer than the
 * outage so far (a minute at least), because a short outage is likely to end soon. `draw` as above.
 */
export const nextProbeAt = (
  schedule: RetrySchedule,
  { probes, endedAt, retryAfter, failingSince }: FailedProbe,
  draw: number,
): Millis => {
  const gap = Math.min(computeGap(schedule, probes, draw), Math.max(MIN_PROBE_CAP, endedAt - failingSince));
  return endedAt + atLeast(gap, retryAfter);
};

const atLeast = (gap: number, retryAfter: Millis | null): number =>
  Math.max(gap, Math.min(retryAfter ?? 0, MAX_RETRY_AFTER));

const computeGap = (schedule: RetrySchedule, tries: number, draw: number): number =>
  Math.round((schedule.gaps[tries - 1] ?? schedule.afterwards) * (1 - JITTER + 2 * JITTER * draw));
