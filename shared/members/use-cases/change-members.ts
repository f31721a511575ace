import { type Business, nextBusiness } from '#shared/businesses/domain/business.ts';
import type { Member } from '#shared/businesses/domain/member.ts';
import { addMember, changeMember, findMember, removeMember } from '#shared/businesses/domain/members.ts';
import { findBusiness } from '#shared/businesses/use-cases/find-business.ts';
import { noticeOfChange } from '#shared/businesses/use-cases/notice-of-change.ts';
import { makeChangeRecord, type OperatorOrMember } from '#shared/businesses/use-cases/record-change.ts';
import { type WriteBusinessDeps, writeBusiness } from '#shared/businesses/use-cases/write-business.ts';
import { BUSINESS_LIMIT, PERSON_LIMIT } from '#shared/members/domain/member-mails.ts';
import { deriveUserId, MAX_BUSINESSES_PER_USER, nextUser, type User } from '#shared/members/domain/user.ts';
import { trustPasskey } from '#shared/members/domain/user-passkeys.ts';
import type { SignInStore, UserReader } from '#shared/members/ports.ts';
import { comparableAddress, parseEmailAddress } from '#shared/platform/kernel/email-address.ts';
import { KeyError } from '#shared/platform/kernel/errors.ts';
import { NotPossible } from '#shared/platform/kernel/not-possible.ts';
import type { Role } from '#shared/platform/kernel/role.ts';
import { secondsLeftIn } from '#shared/platform/kernel/time.ts';
import type { Runtime } from '#shared/platform/ports.ts';
import { type EndSessionsDeps, endSessions } from './end-sessions.ts';

export interface ChangeMembersDeps extends WriteBusinessDeps, Pick<Runtime, 'now' | 'newId'> {
  readonly users: UserReader;
  /** Absent if only operators make changes: operators have no limit. */
  readonly signIns?: Pick<SignInStore, 'countCode'>;
}

/** The membership to change, and the author of the change. */
export interface MemberInput {
  readonly businessId: string;
  readonly userId: string;
  readonly actor: OperatorOrMember;
}

interface MembersDecision {
  readonly after: Business;
  readonly what: string;
  readonly user?: User;
  /** The role in which the user is invited. */
  readonly invitedAs?: Role;
}

/** Changes the members of a business in one transaction with the user's item and the notice of the change. */
const change = (
  deps: ChangeMembersDeps,
  { businessId, userId, actor }: MemberInput,
  decide: (before: Business, user: User | undefined) => MembersDecision,
): Promise<Business> =>
  writeBusiness(
    deps,
    () => findBusiness(deps, businessId),
    async (before) => {
      const userBefore = await deps.users.find(userId);
      const { after, what, user, invitedAs } = decide(before, userBefore);
      const record = makeChangeRecord(deps, { businessId, actor, target: userId }, what);
      const notice = noticeOfChange(deps, before, record, { userId, invitedAs });
      return {
        result: after,
        write: { after, change: record, notice, ...(user && { user: { before: userBefore, after: user } }) },
      };
    },
  );

/** Counts one mail to a person against the limits of the business. Operators have no limit. @throws ApiError `rate_limited`. */
const chargeMail = async (
  { signIns, now }: ChangeMembersDeps,
  { businessId, userId, actor }: MemberInput,
): Promise<void> => {
  if (typeof actor === 'string') return;
  if (!signIns) throw new Error('Members change members under a limit.');
  const [personBucket, businessBucket] = [`member ${businessId} ${userId}`, `members ${businessId}`];
  const isLeft =
    (await signIns.countCode(personBucket, PERSON_LIMIT, now())) &&
    (await signIns.countCode(businessBucket, BUSINESS_LIMIT, now()));
  if (!isLeft) throw new KeyError('rate_limited', { retryAfterSeconds: secondsLeftIn(PERSON_LIMIT.window, now()) });
};

/** Parses an e-mail address. @throws NotPossible for any other text. */
const parseEmail = (input: string): string => {
  const email = comparableAddress(input);
  if (parseEmailAddress(email) !== undefined) return email;
  throw new NotPossible('That is not an e-mail address. Write an address such as ada@shop.example.ng.');
};

/**
 * Adds a business to the user, or makes a user with this business if the person has none yet. @throws NotPossible if the user has the maximum of
 * businesses.
 */
const withBusiness = (known: User | undefined, member: Member, businessId: string): User => {
  if (!known) {
    const { userId, email, addedAt } = member;
    return { id: userId, email, businesses: [businessId], passkeys: [], createdAt: addedAt, version: 1 };
  }
  if (known.businesses.length >= MAX_BUSINESSES_PER_USER) {
    throw new NotPossible(
      `${known.email} is a member of ${MAX_BUSINESSES_PER_USER} businesses, the maximum. Remove the member from another business first.`,
    );
  }
  const businesses = [...new Set([...known.businesses, businessId])];
  return nextUser(known, { businesses });
};

/**
 * Invites a person to sign in to a business's dashboard. The person signs in with a code that is mailed to the address, which proves that the
 * address is the person's.
 * @throws NotPossible for a text that is no e-mail address, for an unknown business, for a person who is its member already, and if the business or
 * the person has the maximum; ApiError `rate_limited`.
 */
export const inviteMember = async (
  deps: ChangeMembersDeps,
  input: Omit<MemberInput, 'userId'> & { readonly email: string; readonly role: Role },
): Promise<Business> => {
  const email = parseEmail(input.email);
  const member: Member = { userId: deriveUserId(email), email, role: input.role, addedAt: deps.now() };
  await chargeMail(deps, { ...input, userId: member.userId });
  return change(deps, { ...input, userId: member.userId }, (before, user) => ({
    after: addMember(before, member),
    what: `made ${email} a member with the role ${input.role}`,
    user: withBusiness(user, member, input.businessId),
    invitedAs: input.role,
  }));
};

/**
 * Changes the role of a member.
 * @throws NotPossible for an unknown business or member, and for the last owner; ApiError `rate_limited`.
 */
export const changeRole = async (
  deps: ChangeMembersDeps,
  input: MemberInput & { readonly role: Role },
): Promise<Business> => {
  await chargeMail(deps, input);
  return change(deps, input, (before) => {
    const member = findMember(before, input.userId);
    // A member who stops being an owner loses the choice of mails, so that an old choice does not count if the member becomes one again.
    const { mail: _, ...rest } = member;
    return {
      after: changeMember(before, { ...(input.role === 'owner' ? member : rest), role: input.role }),
      what: `changed the role of ${member.email} from ${member.role} to ${input.role}`,
    };
  });
};

/** Removes a member, who is refused from the next request on. @throws NotPossible for an unknown business or member, and for the last owner. */
export const endMembership = (deps: ChangeMembersDeps, input: MemberInput): Promise<Business> =>
  change(deps, input, (before, user) => {
    const { email } = findMember(before, input.userId);
    return {
      after: removeMember(before, input.userId),
      what: `removed the member ${email}`,
      ...(user && {
        user: nextUser(user, { businesses: user.businesses.filter((id) => id !== input.businessId) }),
      }),
    };
  });

/** Returns the user behind a member. @throws NotPossible for an unknown member, or if the member has no user. */
const requireUser = (before: Business, user: User | undefined, userId: string): User => {
  findMember(before, userId);
  if (user) return user;
  throw new NotPossible('This member has no account. Remove the member, and invite the person again.');
};

/**
 * Removes every passkey of a member who lost them, and ends the member's sessions. The member can then sign in with a code and add another passkey,
 * which may change live mode after a day.
 * @throws NotPossible for an unknown business or member; ApiError `rate_limited`. An owner also gets NotPossible if the member belongs to another
 * business too, because the other business relies on the member's passkeys. Operators may reset them.
 */
export const resetPasskeys = async (
  deps: ChangeMembersDeps & EndSessionsDeps,
  input: MemberInput,
): Promise<Business> => {
  await chargeMail(deps, input);
  const business = await change(deps, input, (before, user) => {
    const known = requireUser(before, user, input.userId);
    if (typeof input.actor !== 'string' && known.businesses.length > 1) {
      throw new NotPossible(`${known.email} belongs to another business too. Ask operations to reset the passkeys.`);
    }
    return {
      after: nextBusiness(before),
      what: `reset the passkeys of ${known.email}`,
      user: nextUser(known, { passkeys: [] }),
    };
  });
  await endSessions(deps, input.userId);
  return business;
};

/**
 * Lets a passkey change live mode without waiting a day, also in the sessions that used it. The operator has made sure that the passkey is the
 * member's. A session that began within the last second may be missed; it can change live mode after the user has used the passkey again.
 * @throws NotPossible for an unknown business or member; ApiError `passkey_not_found`.
 */
export const confirmPasskey = async (
  deps: ChangeMembersDeps & EndSessionsDeps,
  input: MemberInput & { readonly passkeyId: string },
): Promise<Business> => {
  const { userId, passkeyId } = input;
  const now = deps.now();
  const business = await change(deps, input, (before, user) => {
    const known = requireUser(before, user, userId);
    return {
      after: nextBusiness(before),
      what: `confirmed the passkey ${passkeyId} of ${known.email}`,
      user: trustPasskey(known, passkeyId, now),
    };
  });
  const openSessions = await deps.sessions.list(userId);
  const waitingSessions = openSessions.filter(
    (session) => session.passkeyId === passkeyId && session.liveFrom !== null && session.liveFrom > now,
  );
  await Promise.all(waitingSessions.map((session) => deps.sessions.trustPasskey(session, now)));
  return business;
};
