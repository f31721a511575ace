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

/** Builds the dependencies of functions that read or change a business with its keys, such as list-keys and update-business. */
export const businessDeps = (env: z.infer<typeof apiEnv>) => {
  const table = connectTable(env);
  return { ...apiDeps(table, env), ...runtime, businesses: businessStore(table), usage: usageStore(table) };
};

/** Builds the dependencies of functions that change who may sign in, such as invite-member. */
export const membersDeps = (env: z.infer<typeof apiEnv>) => {
  const table = connectTable(env);
  return {
    ...businessDeps(env),
    users: userReader(table),
    sessions: sessionStore(table),
    signIns: signInStore(table),
  };
};

/** Builds the dependencies of list-audit-log, which reads what members changed. */
export const auditLogDeps = (env: z.infer<typeof apiEnv>) => {
  const table = connectTable(env);
  return { ...apiDeps(table, env), audit: auditLog(table) };
};
