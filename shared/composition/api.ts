import { auditLog } from '#shared/adapters/dynamodb/businesses/audit-log.ts';
import { businessReader } from '#shared/adapters/dynamodb/businesses/business-reader.ts';
import { keyStore } from '#shared/adapters/dynamodb/businesses/key-store.ts';
import { sessionReader } from '#shared/adapters/dynamodb/members/session-store.ts';
import { userReader } from '#shared/adapters/dynamodb/members/user-store.ts';
import { idempotencyStore } from '#shared/adapters/dynamodb/requests/idempotency-store.ts';
import { requestCounter } from '#shared/adapters/dynamodb/requests/request-counter.ts';
import { transactions } from '#shared/adapters/dynamodb/requests/transactions.ts';
import type { Table } from '#shared/adapters/dynamodb/table/table.ts';
import { runtime } from '#shared/adapters/runtime.ts';
import type { RateLimits } from '#shared/domain/requests/rate-limit.ts';
import type { ApiDeps } from '#shared/http/kernel/types.ts';
import { publicDeps } from './public.ts';

/**
 * What the stack of every endpoint needs: keys, rate limits, idempotency.
 */
export const apiDeps = (table: Table, env: { STAGE: string; HASH_KEY: string; RATE_LIMITS: RateLimits }): ApiDeps => ({
  ...publicDeps(env),
  keys: keyStore(table),
  sessions: sessionReader(table),
  members: businessReader(table),
  users: userReader(table),
  audit: auditLog(table),
  newId: runtime.newId,
  idempotency: idempotencyStore(table),
  transactions: transactions(table),
  pause: runtime.pause,
  hashKey: env.HASH_KEY,
  countRequest: requestCounter(table),
  rateLimits: env.RATE_LIMITS,
});
