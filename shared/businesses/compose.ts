import type * as z from 'zod/mini';
import { apiDeps } from '#shared/api/compose.ts';
import type { apiEnv } from '#shared/api/env.ts';
import { auditLog } from '#shared/businesses/store/audit-log.ts';
import { businessStore } from '#shared/businesses/store/business-store.ts';
import { usageStore } from '#shared/businesses/store/usage-store.ts';
import { sessionStore } from '#shared/members/store/session-store.ts';
import { signInStore } from '#shared/members/store/sign-in-store.ts';
import { userReader } from '#shared/members/store/user-store.ts';
import { runtime } from '#shared/platform/runtime.ts';
import { connectTable } from '#shared/platform/table/table.ts';

/** list-keys, list-members, get-business, create-key, roll-key, revoke-key, set-key-whitelist, update-business, choose-mail: a business with its keys. */
export const businessDeps = (env: z.infer<typeof apiEnv>) => {
  const table = connectTable(env);
  return { ...apiDeps(table, env), ...runtime, businesses: businessStore(table), usage: usageStore(table) };
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
