import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { rateKey } from '#shared/adapters/dynamodb/table/keys.ts';
import type { Table } from '#shared/adapters/dynamodb/table/table.ts';
import { MINUTE, type Millis, unixSeconds } from '#shared/domain/kernel/time.ts';
import { RATE_WINDOW } from '#shared/domain/requests/rate-limit.ts';
import type { RequestCounter } from '#shared/ports/requests.ts';

/** Milliseconds that a request waits for its count at most. */
const ANSWER_MS = 150;

const counted = z.object({ requests: z.number() });

/** Counts what this container alone was asked in the current window. It keeps no other window. */
const ownCounter = () => {
  let current = 0;
  let counts = new Map<string, number>();
  return (bucket: string, window: number): number => {
    if (window !== current) [current, counts] = [window, new Map()];
    const count = (counts.get(bucket) ?? 0) + 1;
    counts.set(bucket, count);
    return count;
  };
};

const windowOf = (now: Millis): number => Math.floor(now / RATE_WINDOW);

/**
 * Counts requests in windows that all containers share, for one write unit a request. When the table does not answer in time, the
 * count is this container's own: a table that is slow or throttled lifts no limit.
 */
export const requestCounter = (table: Table, answerMs = ANSWER_MS): RequestCounter => {
  const countOwn = ownCounter();
  return async (allowance, now) => {
    const own = countOwn(allowance.bucket, windowOf(now));
    try {
      const { Attributes } = await table.client.send(
        new UpdateCommand({
          TableName: table.name,
          Key: { ...rateKey(allowance.bucket, windowOf(now)) },
          UpdateExpression: 'ADD requests :one SET #ttl = :ttl',
          ExpressionAttributeNames: { '#ttl': 'ttl' },
          ExpressionAttributeValues: { ':one': 1, ':ttl': unixSeconds(now + MINUTE) },
          ReturnValues: 'UPDATED_NEW',
        }),
        { abortSignal: AbortSignal.timeout(answerMs) },
      );
      return { allowance, count: counted.parse(Attributes).requests, countedBy: 'all' };
    } catch {
      return { allowance, count: own, countedBy: 'this container' };
    }
  };
};
