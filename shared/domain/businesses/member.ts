import * as z from 'zod/mini';
import { millis, text } from '#shared/domain/kernel/schemas.ts';

/** What a member of a business may do, the least first (decisions/0031-dashboard-sessions.md). */
export const role = z.enum(['viewer', 'developer', 'owner']);
export type Role = z.infer<typeof role>;

/** Whether a role includes what another may do. */
export const includesRole = (has: Role, needed: Role): boolean =>
  role.options.indexOf(has) >= role.options.indexOf(needed);

/** So that a business, which lists its members, stays a small item. */
export const MAX_MEMBERS = 30;

/** `usr_` and 26 letters of a ULID's alphabet, made of the address (members/user.ts). */
export const userId = text.check(z.regex(/^usr_[0-9A-HJKMNP-TV-Z]{26}$/));

/** A person who may sign in to a business's dashboard. */
export const member = z.object({ userId, email: text, role, addedAt: millis });
export type Member = z.infer<typeof member>;
