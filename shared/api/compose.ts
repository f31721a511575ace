import type { ApiDeps } from '#shared/api/http/types.ts';
import { auditLog } from '#shared/businesses/store/audit-log.ts';
import { businessReader } from '#shared/businesses/store/business-reader.ts';
import { keyStore } from '#shared/businesses/store/key-store.ts';
import { keyUses } from '#shared/businesses/store/key-uses.ts';
import { usageStore } from '#shared/businesses/store/usage-store.ts';
import { sessionReader } from '#shared/members/store/session-store.ts';
import { userReader } from '#shared/members/store/user-store.ts';
import type { RateLimits } from '#shared/platform/requests/rate-limit.ts';
import { runtime } from '#shared/platform/runtime.ts';
import { idempotencyStore } from '#shared/platform/table/idempotency-store.ts';
import { requestCounter } from '#shared/platform/table/request-counter.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { transactions } from '#shared/platform/table/transactions.ts';
import { chainDeps } from './compose-chain.ts';

/** Builds the dependencies of every endpoint: keys, sessions, rate limits, idempotency. */
export const apiDeps = (table: Table, env: { STAGE: string; HASH_KEY: string; RATE_LIMITS: RateLimits }): ApiDeps => ({
  ...chainDeps(env),
  keys: keyStore(table),
  keyUses: keyUses(table),
  sessions: sessionReader(table),
  members: businessReader(table),
  users: userReader(table),
  audit: auditLog(table),
  usage: usageStore(table),
  newId: runtime.newId,
  idempotency: idempotencyStore(table),
  transactions: transactions(table),
  pause: runtime.pause,
  hashKey: env.HASH_KEY,
  countRequest: requestCounter(table),
  rateLimits: env.RATE_LIMITS,
});
