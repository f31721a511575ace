import type { Business } from '#shared/domain/businesses/business.ts';
import type { Member, Role } from '#shared/domain/businesses/member.ts';
import { addMember, changeMember, memberWith, removeMember } from '#shared/domain/businesses/members.ts';
import { OperatorError } from '#shared/domain/kernel/operator-error.ts';
import { isEmail, MAX_BUSINESSES_PER_USER, normalEmail, type User, userIdOf } from '#shared/domain/members/user.ts';
import type { Runtime } from '#shared/ports/kernel.ts';
import type { UserReader } from '#shared/ports/members.ts';
import { findBusiness } from '#shared/use-cases/kernel/find-business.ts';
import { type WriteBusinessDeps, writeBusiness } from '#shared/use-cases/kernel/write-business.ts';

export interface ChangeMembersDeps extends WriteBusinessDeps, Pick<Runtime, 'now' | 'newId'> {
  readonly users: UserReader;
}

/** Whose membership is changed, and by which operator. */
interface Who {
  readonly businessId: string;
  readonly email: string;
  readonly who: string;
}

interface Changed {
  readonly after: Business;
  readonly what: string;
  readonly user?: User;
}

/** Changes the members of a business, with the user's own list of businesses, in one transaction. */
const change = (
  deps: ChangeMembersDeps,
  { businessId, who }: Who,
  userId: string,
  decide: (before: Business, user: User | undefined) => Changed,
): Promise<Business> =>
  writeBusiness(
    deps,
    () => findBusiness(deps, businessId),
    async (before) => {
      const known = await deps.users.find(userId);
      const { after, what, user } = decide(before, known);
      const recorded = { id: deps.newId('log'), businessId, at: deps.now(), who, what };
      return {
        result: after,
        write: { after, change: recorded, ...(user && { user: { before: known, after: user } }) },
      };
    },
  );

/** @throws OperatorError for what is no e-mail address. */
const parseEmail = (given: string): string => {
  const email = normalEmail(given);
  if (isEmail(email)) return email;
  throw new OperatorError('That is no e-mail address. Write it as ada@shop.example.ng.');
};

/** The user with one more business, or a new one. @throws OperatorError when there are too many. */
const withBusiness = (known: User | undefined, member: Member, businessId: string): User => {
  if (!known) {
    const { userId, email, addedAt } = member;
    return { id: userId, email, businesses: [businessId], createdAt: addedAt, version: 1 };
  }
  if (known.businesses.length >= MAX_BUSINESSES_PER_USER) {
    throw new OperatorError(`${known.email} is a member of ${MAX_BUSINESSES_PER_USER} businesses, which is the most.`);
  }
  const businesses = [...new Set([...known.businesses, businessId])];
  return { ...known, businesses, version: known.version + 1 };
};

/**
 * Lets a person sign in to a business's dashboard. A code that is mailed to the address shows whose it is.
 * @throws OperatorError for an unknown business, a member that it has, and where there are too many.
 */
export const inviteMember = async (
  deps: ChangeMembersDeps,
  given: Who & { readonly role: Role },
): Promise<Business> => {
  const email = parseEmail(given.email);
  const member: Member = { userId: userIdOf(email), email, role: given.role, addedAt: deps.now() };
  return change(deps, given, member.userId, (before, user) => ({
    after: addMember(before, member),
    what: `made ${email} a member with the role ${given.role}`,
    user: withBusiness(user, member, given.businessId),
  }));
};

/** Gives a member another role. @throws OperatorError for an unknown business or member, and for the last owner. */
export const changeRole = (deps: ChangeMembersDeps, given: Who & { readonly role: Role }): Promise<Business> => {
  const userId = userIdOf(given.email);
  return change(deps, given, userId, (before) => {
    const member = memberWith(before, userId);
    return {
      after: changeMember(before, { ...member, role: given.role }),
      what: `changed the role of ${member.email} from ${member.role} to ${given.role}`,
    };
  });
};

/** Ends a membership with the next request. @throws OperatorError for an unknown business or member, and for the last owner. */
export const endMembership = (deps: ChangeMembersDeps, given: Who): Promise<Business> => {
  const userId = userIdOf(given.email);
  return change(deps, given, userId, (before, user) => {
    const { email } = memberWith(before, userId);
    return {
      after: removeMember(before, userId),
      what: `removed the member ${email}`,
      ...(user && {
        user: {
          ...user,
          businesses: user.businesses.filter((id) => id !== given.businessId),
          version: user.version + 1,
        },
      }),
    };
  });
};
