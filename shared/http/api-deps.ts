import { idempotencyStore } from '#shared/adapters/dynamodb/idempotency-store.ts';
import { keyStore } from '#shared/adapters/dynamodb/key-store.ts';
import { requestCounter } from '#shared/adapters/dynamodb/request-counter.ts';
import type { Table } from '#shared/adapters/dynamodb/table.ts';
import { nature } from '#shared/adapters/nature.ts';
import type { RateLimits } from '#shared/domain/rate-limit.ts';
import { log } from '#shared/log.ts';
import type { ApiDeps } from './types.ts';

/** What the Middy stack of every endpoint is composed of in a Lambda. */
export const apiDeps = (table: Table, env: { HASH_KEY: string; RATE_LIMITS: RateLimits }): ApiDeps => ({
  now: nature.now,
  log,
  keys: keyStore(table),
  idempotency: idempotencyStore(table),
  hashKey: env.HASH_KEY,
  countRequest: requestCounter(table),
  rateLimits: env.RATE_LIMITS,
});
