import * as z from 'zod/mini';

/** The roles of a business's members, lowest first. */
export const role = z.enum(['viewer', 'developer', 'owner']);
export type Role = z.infer<typeof role>;

/** Checks whether a role has the rights of another. */
export const includesRole = (has: Role, needed: Role): boolean =>
  role.options.indexOf(has) >= role.options.indexOf(needed);
