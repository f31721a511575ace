import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { rateKey } from '#shared/adapters/dynamodb/table/keys.ts';
import { ofNewestWindow } from '#shared/adapters/dynamodb/table/newest-window.ts';
import type { Table } from '#shared/adapters/dynamodb/table/table.ts';
import { countMore } from '#shared/adapters/dynamodb/table/window-count.ts';
import { MINUTE, type Millis } from '#shared/domain/kernel/time.ts';
import { RATE_WINDOW } from '#shared/domain/requests/rate-limit.ts';
import type { RequestCounter } from '#shared/ports/requests.ts';

/** Milliseconds that a request waits for its count at most. */
const ANSWER_MS = 150;

const counted = z.object({ requests: z.number() });

/** The counts of a window by bucket: this container's own, and the last that it has seen of all containers. */
const newCounts = () => ({ own: new Map<string, number>(), shared: new Map<string, number>() });

const windowOf = (now: Millis): number => Math.floor(now / RATE_WINDOW);

/**
 * Counts requests in windows that all containers share, for one write unit a request. When the table does not answer in time, the
 * count is this container's own: a table that is slow or throttled lifts no limit. What a container has seen used up it refuses until
 * the window ends without a call, so that whoever floods does not throttle the bucket's item.
 */
export const requestCounter = (table: Table, answerMs = ANSWER_MS): RequestCounter => {
  const known = ofNewestWindow(newCounts);
  return async (allowance, now) => {
    const { bucket, quota } = allowance;
    const window = windowOf(now);
    const { own, shared } = known(window);
    const countedHere = (own.get(bucket) ?? 0) + 1;
    own.set(bucket, countedHere);
    const seen = shared.get(bucket) ?? 0;
    if (seen > quota) return { allowance, count: seen, countedBy: 'all' };
    try {
      const { Attributes } = await table.client.send(
        new UpdateCommand({
          ...countMore(table, rateKey(bucket, window), now + MINUTE),
          ReturnValues: 'UPDATED_NEW',
        }),
        { abortSignal: AbortSignal.timeout(answerMs) },
      );
      const { requests } = counted.parse(Attributes);
      shared.set(bucket, requests);
      return { allowance, count: requests, countedBy: 'all' };
    } catch {
      return { allowance, count: countedHere, countedBy: 'this container' };
    }
  };
};
