import { type Business, nextBusiness } from '#shared/businesses/domain/business.ts';
import type { Member } from '#shared/businesses/domain/member.ts';
import { addMember, changeMember, memberWith, removeMember } from '#shared/businesses/domain/members.ts';
import { findBusiness } from '#shared/businesses/use-cases/find-business.ts';
import { noticeOfChange } from '#shared/businesses/use-cases/notice-of-change.ts';
import { recordOf, type Who } from '#shared/businesses/use-cases/record-change.ts';
import { type WriteBusinessDeps, writeBusiness } from '#shared/businesses/use-cases/write-business.ts';
import { BUSINESS_LIMIT, PERSON_LIMIT } from '#shared/members/domain/member-mails.ts';
import { MAX_BUSINESSES_PER_USER, nextUser, type User, userIdOf } from '#shared/members/domain/user.ts';
import { trustPasskey } from '#shared/members/domain/user-passkeys.ts';
import type { SignInStore, UserReader } from '#shared/members/ports.ts';
import { comparableAddress, parseEmailAddress } from '#shared/platform/kernel/email-address.ts';
import { KeyRefusal } from '#shared/platform/kernel/errors.ts';
import { NotPossible } from '#shared/platform/kernel/not-possible.ts';
import type { Role } from '#shared/platform/kernel/role.ts';
import { secondsLeftIn } from '#shared/platform/kernel/time.ts';
import type { Runtime } from '#shared/platform/ports.ts';
import { type EndSessionsDeps, endSessions } from './end-sessions.ts';

export interface ChangeMembersDeps extends WriteBusinessDeps, Pick<Runtime, 'now' | 'newId'> {
  readonly users: UserReader;
  /** Absent where only operators make changes: they are not limited. */
  readonly signIns?: Pick<SignInStore, 'takeCode'>;
}

/** Whose membership is changed, and by whom. */
export interface MemberInput {
  readonly businessId: string;
  readonly userId: string;
  readonly who: Who;
}

interface Changed {
  readonly after: Business;
  readonly what: string;
  readonly user?: User;
  /** The role in which somebody is invited. */
  readonly invitedAs?: Role;
}

/** Changes the members of a business, with the user's own item and what is mailed of it, in one transaction. */
const change = (
  deps: ChangeMembersDeps,
  { businessId, userId, who }: MemberInput,
  decide: (before: Business, user: User | undefined) => Changed,
): Promise<Business> =>
  writeBusiness(
    deps,
    () => findBusiness(deps, businessId),
    async (before) => {
      const known = await deps.users.find(userId);
      const { after, what, user, invitedAs } = decide(before, known);
      const recorded = recordOf(deps, { businessId, who, target: userId }, what);
      const notice = noticeOfChange(deps, before, recorded, { userId, invitedAs });
      return {
        result: after,
        write: { after, change: recorded, notice, ...(user && { user: { before: known, after: user } }) },
      };
    },
  );

/** Takes one from what a business may have a person mailed; operators are not limited. @throws the refusal rate_limited. */
const takeMail = async (
  { signIns, now }: ChangeMembersDeps,
  { businessId, userId, who }: MemberInput,
): Promise<void> => {
  if (typeof who === 'string') return;
  if (!signIns) throw new Error('Members change members under an allowance.');
  const [ofPerson, ofBusiness] = [`member ${businessId} ${userId}`, `members ${businessId}`];
  const isLeft =
    (await signIns.takeCode(ofPerson, PERSON_LIMIT, now())) &&
    (await signIns.takeCode(ofBusiness, BUSINESS_LIMIT, now()));
  if (!isLeft) throw new KeyRefusal('rate_limited', { retryAfterSeconds: secondsLeftIn(PERSON_LIMIT.window, now()) });
};

/** @throws NotPossible for what is no e-mail address. */
const parseEmail = (given: string): string => {
  const email = comparableAddress(given);
  if (parseEmailAddress(email) !== undefined) return email;
  throw new NotPossible('That is no e-mail address. Write it as ada@shop.example.ng.');
};

/** The user with one more business, or a new one. @throws NotPossible when there are too many. */
const withBusiness = (known: User | undefined, member: Member, businessId: string): User => {
  if (!known) {
    const { userId, email, addedAt } = member;
    return { id: userId, email, businesses: [businessId], passkeys: [], createdAt: addedAt, version: 1 };
  }
  if (known.businesses.length >= MAX_BUSINESSES_PER_USER) {
    throw new NotPossible(`${known.email} is a member of ${MAX_BUSINESSES_PER_USER} businesses, which is the most.`);
  }
  const businesses = [...new Set([...known.businesses, businessId])];
  return nextUser(known, { businesses });
};

/**
 * Lets a person sign in to a business's dashboard. A code that is mailed to the address shows whose it is.
 * @throws NotPossible for an unknown business, a member that it has, and where there are too many; the refusal rate_limited.
 */
export const inviteMember = async (
  deps: ChangeMembersDeps,
  given: Omit<MemberInput, 'userId'> & { readonly email: string; readonly role: Role },
): Promise<Business> => {
  const email = parseEmail(given.email);
  const member: Member = { userId: userIdOf(email), email, role: given.role, addedAt: deps.now() };
  await takeMail(deps, { ...given, userId: member.userId });
  return change(deps, { ...given, userId: member.userId }, (before, user) => ({
    after: addMember(before, member),
    what: `made ${email} a member with the role ${given.role}`,
    user: withBusiness(user, member, given.businessId),
    invitedAs: given.role,
  }));
};

/**
 * Gives a member another role.
 * @throws NotPossible for an unknown business or member, and for the last owner; the refusal rate_limited.
 */
export const changeRole = async (
  deps: ChangeMembersDeps,
  given: MemberInput & { readonly role: Role },
): Promise<Business> => {
  await takeMail(deps, given);
  return change(deps, given, (before) => {
    const member = memberWith(before, given.userId);
    // Whoever is no owner has chosen nothing: nobody who becomes one again is mailed by an old choice.
    const { mail: _, ...rest } = member;
    return {
      after: changeMember(before, { ...(given.role === 'owner' ? member : rest), role: given.role }),
      what: `changed the role of ${member.email} from ${member.role} to ${given.role}`,
    };
  });
};

/** Ends a membership with the next request. @throws NotPossible for an unknown business or member, and for the last owner. */
export const endMembership = (deps: ChangeMembersDeps, given: MemberInput): Promise<Business> =>
  change(deps, given, (before, user) => {
    const { email } = memberWith(before, given.userId);
    return {
      after: removeMember(before, given.userId),
      what: `removed the member ${email}`,
      ...(user && {
        user: nextUser(user, { businesses: user.businesses.filter((id) => id !== given.businessId) }),
      }),
    };
  });

/** The user behind a member. @throws NotPossible for an unknown one. */
const userOf = (before: Business, user: User | undefined, userId: string): User => {
  memberWith(before, userId);
  if (user) return user;
  throw new NotPossible('This member has no account.');
};

/**
 * Removes every passkey of a member who lost them, and ends the member's sessions. Another can be added after a code, and waits a day for
 * live mode.
 * @throws NotPossible for an unknown business or member; for an owner also where the member belongs to another business, which is not
 * to be reached from this one; the refusal rate_limited.
 */
export const resetPasskeys = async (
  deps: ChangeMembersDeps & EndSessionsDeps,
  given: MemberInput,
): Promise<Business> => {
  await takeMail(deps, given);
  const business = await change(deps, given, (before, user) => {
    const known = userOf(before, user, given.userId);
    if (typeof given.who !== 'string' && known.businesses.length > 1) {
      throw new NotPossible(`${known.email} belongs to another business too. Ask operations to reset the passkeys.`);
    }
    return {
      after: nextBusiness(before),
      what: `reset the passkeys of ${known.email}`,
      user: nextUser(known, { passkeys: [] }),
    };
  });
  await endSessions(deps, given.userId);
  return business;
};

/**
 * Lets a passkey change live mode without waiting a day, also in the sessions in which it was used: an operator has made sure whose it is.
 * A session that began within the last second may be missed; it then uses the passkey again.
 * @throws NotPossible for an unknown business or member; the refusal passkey_not_found.
 */
export const confirmPasskey = async (
  deps: ChangeMembersDeps & EndSessionsDeps,
  given: MemberInput & { readonly passkeyId: string },
): Promise<Business> => {
  const { userId, passkeyId } = given;
  const now = deps.now();
  const business = await change(deps, given, (before, user) => {
    const known = userOf(before, user, userId);
    return {
      after: nextBusiness(before),
      what: `confirmed the passkey ${passkeyId} of ${known.email}`,
      user: trustPasskey(known, passkeyId, now),
    };
  });
  const open = await deps.sessions.list(userId);
  const waiting = open.filter((one) => one.passkeyId === passkeyId && one.liveFrom !== null && one.liveFrom > now);
  await Promise.all(waiting.map((one) => deps.sessions.trustPasskey(one, now)));
  return business;
};
