import type * as z from 'zod/mini';
import { auditLog } from '#shared/adapters/dynamodb/businesses/audit-log.ts';
import { businessStore } from '#shared/adapters/dynamodb/businesses/business-store.ts';
import { connectTable } from '#shared/adapters/dynamodb/table/table.ts';
import { runtime } from '#shared/adapters/runtime.ts';
import type { apiEnv } from '#shared/env/api.ts';
import { apiDeps } from './api.ts';

/** list-keys, create-key, roll-key, revoke-key, set-key-whitelist: a business with its keys. */
export const businessDeps = (env: z.infer<typeof apiEnv>) => {
  const table = connectTable(env);
  return { ...apiDeps(table, env), ...runtime, businesses: businessStore(table) };
};

/** list-audit-log: reads what members changed. */
export const auditLogDeps = (env: z.infer<typeof apiEnv>) => {
  const table = connectTable(env);
  return { ...apiDeps(table, env), audit: auditLog(table) };
};
