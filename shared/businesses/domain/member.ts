import * as z from 'zod/mini';
import { role } from '#shared/platform/kernel/role.ts';
import { millis, text } from '#shared/platform/kernel/schemas.ts';

/** So that a business, which lists its members, stays a small item. */
export const MAX_MEMBERS = 30;

/** `usr_` and 26 letters of a ULID's alphabet, made of the address (shared/members/domain/user.ts). */
export const userId = text.check(z.regex(/^usr_[0-9A-HJKMNP-TV-Z]{26}$/));

/** A person who may sign in to a business's dashboard. */
export const member = z.object({ userId, email: text, role, addedAt: millis });
export type Member = z.infer<typeof member>;
