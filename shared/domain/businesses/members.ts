import { OperatorError } from '#shared/domain/kernel/operator-error.ts';
import { type Business, nextBusiness } from './business.ts';
import { MAX_MEMBERS, type Member } from './member.ts';

/* What becomes of a business's members. */

/** The member with this address. @throws OperatorError when there is none. */
export const memberWith = ({ id, members }: Business, userId: string): Member => {
  const found = members.find((one) => one.userId === userId);
  if (found) return found;
  throw new OperatorError(`Nobody with this address is a member of ${id}.`);
};

/** A business whose members are these. @throws OperatorError when nobody owned it any more. */
const withMembers = (before: Business, members: readonly Member[]): Business => {
  if (before.members.some(({ role }) => role === 'owner') && !members.some(({ role }) => role === 'owner')) {
    throw new OperatorError('A business has at least one owner. Make another member owner first.');
  }
  return nextBusiness(before, { members: [...members] });
};

/** The business with one more member. @throws OperatorError for one that it has, and when it has the most allowed. */
export const addMember = (before: Business, added: Member): Business => {
  if (before.members.some(({ userId }) => userId === added.userId)) {
    throw new OperatorError(`${added.email} is a member of ${before.id} already.`);
  }
  if (before.members.length >= MAX_MEMBERS) {
    throw new OperatorError(`Business ${before.id} has ${MAX_MEMBERS} members, which is the most. Remove one first.`);
  }
  return withMembers(before, [...before.members, added]);
};

/** The business with a member changed. @throws OperatorError for an unknown one, and when nobody owned it any more. */
export const changeMember = (before: Business, changed: Member): Business => {
  memberWith(before, changed.userId);
  return withMembers(
    before,
    before.members.map((one) => (one.userId === changed.userId ? changed : one)),
  );
};

/** The business without a member. @throws OperatorError for an unknown one, and when nobody owned it any more. */
export const removeMember = (before: Business, userId: string): Business => {
  memberWith(before, userId);
  return withMembers(
    before,
    before.members.filter((one) => one.userId !== userId),
  );
};
