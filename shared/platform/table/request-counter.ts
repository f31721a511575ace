import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { stateOfNewestWindow } from '#shared/platform/kernel/newest-window.ts';
import { MINUTE, type Millis } from '#shared/platform/kernel/time.ts';
import type { RequestCounter } from '#shared/platform/requests/ports.ts';
import { mayReportLater, RATE_WINDOW } from '#shared/platform/requests/rate-limit.ts';
import { rateKey } from './keys.ts';
import type { Table } from './table.ts';
import { buildCountUpdate } from './window-count.ts';

/** The milliseconds that a request waits for its count at most. */
const ANSWER_MS = 150;

const countedItem = z.object({ requests: z.number() });

/** A container's counts of a bucket in a window. */
interface Counts {
  /** The requests that this container has counted. */
  own: number;
  /** The requests of this container that it has not reported to the table yet. */
  unreported: number;
  /**
   * The last count of all containers that the table returned, plus the requests that this container has reported since; undefined if it is
   * not known.
   */
  sharedCount: number | undefined;
}

const newCounts = () => new Map<string, Counts>();

const computeWindow = (now: Millis): number => Math.floor(now / RATE_WINDOW);

/**
 * Counts requests in windows that all containers share, at one write unit for a report of one to five requests. If the table does not answer in
 * time, the count is this container's own, so a slow or throttled table lifts no limit. After a container has seen a rate limit used up, it
 * refuses without a call until the window ends, so that a flood does not throttle the bucket's item.
 */
export const requestCounter = (table: Table, answerMs = ANSWER_MS): RequestCounter => {
  const countsIn = stateOfNewestWindow(newCounts);
  return async (rateLimit, now) => {
    const { bucket, quota } = rateLimit;
    const window = computeWindow(now);
    const counts = countsIn(window).get(bucket) ?? { own: 0, unreported: 0, sharedCount: undefined };
    countsIn(window).set(bucket, counts);
    counts.own += 1;
    const { own, sharedCount = 0 } = counts;
    if (sharedCount > quota) return { rateLimit, count: sharedCount, countedBy: 'all' };
    counts.unreported += 1;
    if (mayReportLater(counts.sharedCount, counts.unreported, rateLimit)) {
      return { rateLimit, count: sharedCount + counts.unreported, countedBy: 'all' };
    }
    const reported = counts.unreported;
    counts.unreported = 0;
    if (counts.sharedCount !== undefined) counts.sharedCount += reported;
    try {
      const { Attributes } = await table.withoutRetry.send(
        new UpdateCommand({
          ...buildCountUpdate(table, rateKey(bucket, window), now + MINUTE, reported),
          ReturnValues: 'UPDATED_NEW',
        }),
        { abortSignal: AbortSignal.timeout(answerMs) },
      );
      const { requests } = countedItem.parse(Attributes);
      counts.sharedCount = Math.max(counts.sharedCount ?? 0, requests);
      return { rateLimit, count: requests, countedBy: 'all' };
    } catch {
      // It is unknown whether the table counted the report. So the count of all containers is unknown until the next answer.
      counts.sharedCount = undefined;
      return { rateLimit, count: own, countedBy: 'this container' };
    }
  };
};
