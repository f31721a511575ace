import type * as z from 'zod/mini';
import { auditLog } from '#shared/adapters/dynamodb/businesses/audit-log.ts';
import { businessStore } from '#shared/adapters/dynamodb/businesses/business-store.ts';
import { sessionStore } from '#shared/adapters/dynamodb/members/session-store.ts';
import { signInStore } from '#shared/adapters/dynamodb/members/sign-in-store.ts';
import { userReader } from '#shared/adapters/dynamodb/members/user-store.ts';
import { connectTable } from '#shared/adapters/dynamodb/table/table.ts';
import { allowanceStore } from '#shared/adapters/dynamodb/webhooks/allowance-store.ts';
import { runtime } from '#shared/adapters/runtime.ts';
import type { apiEnv } from '#shared/env/api.ts';
import { apiDeps } from './api.ts';

/** list-keys, list-members, get-business, create-key, roll-key, revoke-key, set-key-whitelist, update-business: a business with its keys. */
export const businessDeps = (env: z.infer<typeof apiEnv>) => {
  const table = connectTable(env);
  return { ...apiDeps(table, env), ...runtime, businesses: businessStore(table), allowances: allowanceStore(table) };
};

/** invite-member, change-member, remove-member, reset-member-passkeys: change who may sign in. */
export const membersDeps = (env: z.infer<typeof apiEnv>) => {
  const table = connectTable(env);
  return {
    ...businessDeps(env),
    users: userReader(table),
    sessions: sessionStore(table),
    signIns: signInStore(table),
  };
};

/** list-audit-log: reads what members changed. */
export const auditLogDeps = (env: z.infer<typeof apiEnv>) => {
  const table = connectTable(env);
  return { ...apiDeps(table, env), audit: auditLog(table) };
};
