import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { userId } from '#shared/businesses/domain/member.ts';
import { comparableAddress } from '#shared/platform/kernel/email-address.ts';
import { idSchema } from '#shared/platform/kernel/ids.ts';
import { millis, ordinal, text } from '#shared/platform/kernel/schemas.ts';
import { MAX_PASSKEYS, passkey } from './passkey.ts';

/** The most businesses of a user. It bounds the list, so that one read finds all of them. */
export const MAX_BUSINESSES_PER_USER = 50;

/**
 * A person with passkeys, who is a member of businesses. A business's own list of members decides who is its member. `businesses` only says in
 * which businesses to look for the user.
 */
export const user = z.object({
  id: userId,
  email: text,
  businesses: z.array(idSchema('biz')).check(z.maxLength(MAX_BUSINESSES_PER_USER)),
  passkeys: z.array(passkey).check(z.maxLength(MAX_PASSKEYS)),
  createdAt: millis,
  version: ordinal,
});
export type User = z.infer<typeof user>;

/** Returns the next version of a user, with changed fields. */
export const nextUser = (before: User, set: Partial<Omit<User, 'id' | 'version'>>): User => ({
  ...before,
  ...set,
  version: before.version + 1,
});

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const ID_LETTERS = 26;

/** Derives a user's id from the hash of the e-mail address. So an address has exactly one user, and one read finds this user. */
export const deriveUserId = (email: string): string => {
  const digest = createHash('sha256')
    .update(`user\n${comparableAddress(email)}`)
    .digest();
  return `usr_${[...digest.subarray(0, ID_LETTERS)].map((byte) => ALPHABET[byte % ALPHABET.length]).join('')}`;
};
