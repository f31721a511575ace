import * as z from 'zod/mini';

/** The roles of members of a business, the least first (decisions/0031-dashboard-sessions.md). */
export const role = z.enum(['viewer', 'developer', 'owner']);
export type Role = z.infer<typeof role>;

/** Whether a role includes what another may do. */
export const includesRole = (has: Role, needed: Role): boolean =>
  role.options.indexOf(has) >= role.options.indexOf(needed);
