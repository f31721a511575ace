import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { userId } from '#shared/businesses/domain/member.ts';
import { comparableAddress } from '#shared/platform/kernel/email-address.ts';
import { idSchema } from '#shared/platform/kernel/ids.ts';
import { millis, ordinal, text } from '#shared/platform/kernel/schemas.ts';
import { MAX_PASSKEYS, passkey } from './passkey.ts';

/** So that one read finds all businesses of a user. */
export const MAX_BUSINESSES_PER_USER = 50;

/** A person who is a member of businesses, with passkeys. Each business says itself who its members are: this list only says where to look. */
export const user = z.object({
  id: userId,
  email: text,
  businesses: z.array(idSchema('biz')).check(z.maxLength(MAX_BUSINESSES_PER_USER)),
  passkeys: z.array(passkey).check(z.maxLength(MAX_PASSKEYS)),
  createdAt: millis,
  version: ordinal,
});
export type User = z.infer<typeof user>;

/** A user after a change, as the next version of itself. */
export const nextUser = (before: User, set: Partial<Omit<User, 'id' | 'version'>>): User => ({
  ...before,
  ...set,
  version: before.version + 1,
});

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const ID_LETTERS = 26;

/** The id of the user with this address: made of its hash, so that an address has one user, and one read finds it. */
export const deriveUserId = (email: string): string => {
  const digest = createHash('sha256')
    .update(`user\n${comparableAddress(email)}`)
    .digest();
  return `usr_${[...digest.subarray(0, ID_LETTERS)].map((byte) => ALPHABET[byte % ALPHABET.length]).join('')}`;
};
