import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { rateKey } from '#shared/adapters/dynamodb/table/keys.ts';
import type { Table } from '#shared/adapters/dynamodb/table/table.ts';
import { MINUTE, unixSeconds } from '#shared/domain/kernel/time.ts';
import { RATE_WINDOW } from '#shared/domain/requests/rate-limit.ts';
import type { RequestCounter } from '#shared/ports/requests.ts';

/** Milliseconds that a request waits for its count at most. */
const ANSWER_MS = 150;

const counted = z.object({ requests: z.number() });

/**
 * Counts requests in windows that all containers share, for one write unit a request. Undefined when the table does not answer in
 * time: then nothing is limited.
 */
export const requestCounter =
  (table: Table, answerMs = ANSWER_MS): RequestCounter =>
  async (bucket, now) => {
    try {
      const { Attributes } = await table.client.send(
        new UpdateCommand({
          TableName: table.name,
          Key: { ...rateKey(bucket, Math.floor(now / RATE_WINDOW)) },
          UpdateExpression: 'ADD requests :one SET #ttl = :ttl',
          ExpressionAttributeNames: { '#ttl': 'ttl' },
          ExpressionAttributeValues: { ':one': 1, ':ttl': unixSeconds(now + MINUTE) },
          ReturnValues: 'UPDATED_NEW',
        }),
        { abortSignal: AbortSignal.timeout(answerMs) },
      );
      return counted.parse(Attributes).requests;
    } catch {
      return undefined;
    }
  };
