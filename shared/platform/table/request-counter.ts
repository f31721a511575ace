import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { stateOfNewestWindow } from '#shared/platform/kernel/newest-window.ts';
import { MINUTE, type Millis } from '#shared/platform/kernel/time.ts';
import type { RequestCounter } from '#shared/platform/requests/ports.ts';
import { mayReportLater, RATE_WINDOW } from '#shared/platform/requests/rate-limit.ts';
import { rateKey } from './keys.ts';
import type { Table } from './table.ts';
import { buildCountUpdate } from './window-count.ts';

/** The longest time that a request waits for its count. Milliseconds. */
const ANSWER_MS = 150;

const countedItem = z.object({ requests: z.number() });

/** A container's counts of a bucket in a window. */
interface Counts {
  /** The container's own requests. */
  own: number;
  /** The own requests that it has not reported yet. */
  unreported: number;
  /** The last count of all containers that it has seen, with what it has reported since. */
  seen: number | undefined;
}

const newCounts = () => new Map<string, Counts>();

const computeWindow = (now: Millis): number => Math.floor(now / RATE_WINDOW);

/**
 * Counts requests in windows that all containers share, at one write unit for a report of one to five requests. If the table does not answer in
 * time, the count is this container's own, so a slow or throttled table lifts no limit. After a container has seen a rate limit used up, it
 * refuses without a call until the window ends, so that a flood does not throttle the bucket's item.
 */
export const requestCounter = (table: Table, answerMs = ANSWER_MS): RequestCounter => {
  const known = stateOfNewestWindow(newCounts);
  return async (rateLimit, now) => {
    const { bucket, quota } = rateLimit;
    const window = computeWindow(now);
    const counts = known(window).get(bucket) ?? { own: 0, unreported: 0, seen: undefined };
    known(window).set(bucket, counts);
    counts.own += 1;
    const { own, seen = 0 } = counts;
    if (seen > quota) return { rateLimit, count: seen, countedBy: 'all' };
    counts.unreported += 1;
    if (mayReportLater(counts.seen, counts.unreported, rateLimit)) {
      return { rateLimit, count: seen + counts.unreported, countedBy: 'all' };
    }
    const block = counts.unreported;
    counts.unreported = 0;
    if (counts.seen !== undefined) counts.seen += block;
    try {
      const { Attributes } = await table.withoutRetry.send(
        new UpdateCommand({
          ...buildCountUpdate(table, rateKey(bucket, window), now + MINUTE, block),
          ReturnValues: 'UPDATED_NEW',
        }),
        { abortSignal: AbortSignal.timeout(answerMs) },
      );
      const { requests } = countedItem.parse(Attributes);
      counts.seen = Math.max(counts.seen ?? 0, requests);
      return { rateLimit, count: requests, countedBy: 'all' };
    } catch {
      // It is unknown whether the table counted it. Only an answer has the count of all containers.
      counts.seen = undefined;
      return { rateLimit, count: own, countedBy: 'this container' };
    }
  };
};
