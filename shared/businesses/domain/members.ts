import { ApiError } from '#shared/platform/kernel/errors.ts';
import { NotPossible } from '#shared/platform/kernel/not-possible.ts';
import { includesRole } from '#shared/platform/kernel/role.ts';
import { type Business, nextBusiness } from './business.ts';
import { MAX_MEMBERS, type Member } from './member.ts';
import type { Author } from './member-change.ts';

/* Finds and changes the members of a business. */

/** Finds a member. @throws NotPossible if there is none. */
export const findMember = ({ id, members }: Business, userId: string): Member => {
  const existing = members.find((member) => member.userId === userId);
  if (existing) return existing;
  throw new NotPossible(`Nobody with this address is a member of ${id}.`);
};

/** Checks a member's role. @throws ApiError `forbidden_role` if the user is no member, or the role does not include the needed one. */
export const ensureRole = (
  { members }: Pick<Business, 'members'>,
  { userId, needs }: Pick<Author, 'userId' | 'needs'>,
): void => {
  const own = members.find((member) => member.userId === userId);
  if (!own || !includesRole(own.role, needs)) throw new ApiError('forbidden_role');
};

/** Checks that a member may change the business. @throws ApiError `forbidden_role`, `business_suspended`. */
export const ensureMayChange = (
  business: Pick<Business, 'members' | 'suspended'>,
  author: Pick<Author, 'userId' | 'needs'>,
): void => {
  ensureRole(business, author);
  if (business.suspended) throw new ApiError('business_suspended');
};

/** Replaces the members of a business. @throws NotPossible if nobody would own it any more. */
const withMembers = (before: Business, members: readonly Member[]): Business => {
  if (before.members.some(({ role }) => role === 'owner') && !members.some(({ role }) => role === 'owner')) {
    throw new NotPossible('A business has at least one owner. Make another member owner first.');
  }
  return nextBusiness(before, { members: [...members] });
};

/** Adds a member to a business. @throws NotPossible if the business has this member already, or the maximum number of members. */
export const addMember = (before: Business, added: Member): Business => {
  if (before.members.some(({ userId }) => userId === added.userId)) {
    throw new NotPossible(`${added.email} is a member of ${before.id} already.`);
  }
  if (before.members.length >= MAX_MEMBERS) {
    throw new NotPossible(`Business ${before.id} has ${MAX_MEMBERS} members, the maximum. Remove one first.`);
  }
  return withMembers(before, [...before.members, added]);
};

/** Changes a member of a business. @throws NotPossible if there is no such member, or nobody would own the business any more. */
export const changeMember = (before: Business, changed: Member): Business => {
  findMember(before, changed.userId);
  return withMembers(
    before,
    before.members.map((member) => (member.userId === changed.userId ? changed : member)),
  );
};

/** Removes a member of a business. @throws NotPossible if there is no such member, or nobody would own the business any more. */
export const removeMember = (before: Business, userId: string): Business => {
  findMember(before, userId);
  return withMembers(
    before,
    before.members.filter((member) => member.userId !== userId),
  );
};
