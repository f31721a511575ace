import { idempotencyStore } from '#shared/adapters/dynamodb/idempotency-store.ts';
import { keyStore } from '#shared/adapters/dynamodb/key-store.ts';
import type { Table } from '#shared/adapters/dynamodb/table.ts';
import { nature } from '#shared/adapters/nature.ts';
import { log } from '#shared/log.ts';
import type { ApiDeps } from './types.ts';

/** What the Middy stack of every endpoint is composed of in a Lambda. */
export const apiDeps = (table: Table, env: { HASH_KEY: string }): ApiDeps => ({
  now: nature.now,
  log,
  keys: keyStore(table),
  idempotency: idempotencyStore(table),
  hashKey: env.HASH_KEY,
});
