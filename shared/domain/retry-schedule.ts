import { MINUTE, type Millis, SECOND } from './time.ts';

/** Gaps after the previous attempt ended, in milliseconds: the first part of the schedule of api.md section 5. */
export const RETRY_GAPS: readonly Millis[] = [5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE];

const JITTER = 0.2;

/**
 * How long to wait after failed attempt number `attempt` (the first is 1), spread by ±20 %; undefined when it was the last.
 * `draw` is a random number in [0, 1), handed in.
 */
export const retryGap = (attempt: number, draw: number): Millis | undefined => {
  const gap = RETRY_GAPS[attempt - 1];
  return gap === undefined ? undefined : Math.round(gap * (1 - JITTER + 2 * JITTER * draw));
};
