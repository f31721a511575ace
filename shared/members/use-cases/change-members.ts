import { type Business, nextBusiness } from '#shared/businesses/domain/business.ts';
import type { Member } from '#shared/businesses/domain/member.ts';
import { addMember, changeMember, memberWith, removeMember } from '#shared/businesses/domain/members.ts';
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
  /** Absent where only operators make changes: they are not limited. */
  readonly signIns?: Pick<SignInStore, 'takeCode'>;
}

/** Whose membership is changed, and by whom. */
export interface MemberInput {
  readonly businessId: string;
  readonly userId: string;
  readonly who: OperatorOrMember;
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
  { businessId, userId, who: actor }: MemberInput,
  decide: (before: Business, user: User | undefined) => Changed,
): Promise<Business> =>
  writeBusiness(
    deps,
    () => findBusiness(deps, businessId),
    async (before) => {
      const known = await deps.users.find(userId);
      const { after, what, user, invitedAs } = decide(before, known);
      const recorded = makeChangeRecord(deps, { businessId, who: actor, target: userId }, what);
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
  { businessId, userId, who: actor }: MemberInput,
): Promise<void> => {
  if (typeof actor === 'string') return;
  if (!signIns) throw new Error('Members change members under a limit.');
  const [ofPerson, ofBusiness] = [`member ${businessId} ${userId}`, `members ${businessId}`];
  const isLeft =
    (await signIns.takeCode(ofPerson, PERSON_LIMIT, now())) &&
    (await signIns.takeCode(ofBusiness, BUSINESS_LIMIT, now()));
  if (!isLeft) throw new KeyError('rate_limited', { retryAfterSeconds: secondsLeftIn(PERSON_LIMIT.window, now()) });
};

/** @throws NotPossible for what is no e-mail address. */
const parseEmail = (input: string): string => {
  const email = comparableAddress(input);
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
  input: Omit<MemberInput, 'userId'> & { readonly email: string; readonly role: Role },
): Promise<Business> => {
  const email = parseEmail(input.email);
  const member: Member = { userId: deriveUserId(email), email, role: input.role, addedAt: deps.now() };
  await takeMail(deps, { ...input, userId: member.userId });
  return change(deps, { ...input, userId: member.userId }, (before, user) => ({
    after: addMember(before, member),
    what: `made ${email} a member with the role ${input.role}`,
    user: withBusiness(user, member, input.businessId),
    invitedAs: input.role,
  }));
};

/**
 * Gives a member another role.
 * @throws NotPossible for an unknown business or member, and for the last owner; the refusal rate_limited.
 */
export const changeRole = async (
  deps: ChangeMembersDeps,
  input: MemberInput & { readonly role: Role },
): Promise<Business> => {
  await takeMail(deps, input);
  return change(deps, input, (before) => {
    const member = memberWith(before, input.userId);
    // Whoever is no owner has chosen nothing: nobody who becomes one again is mailed by an old choice.
    const { mail: _, ...rest } = member;
    return {
      after: changeMember(before, { ...(input.role === 'owner' ? member : rest), role: input.role }),
      what: `changed the role of ${member.email} from ${member.role} to ${input.role}`,
    };
  });
};

/** Ends a membership with the next request. @throws NotPossible for an unknown business or member, and for the last owner. */
export const endMembership = (deps: ChangeMembersDeps, input: MemberInput): Promise<Business> =>
  change(deps, input, (before, user) => {
    const { email } = memberWith(before, input.userId);
    return {
      after: removeMember(before, input.userId),
      what: `removed the member ${email}`,
      ...(user && {
        user: nextUser(user, { businesses: user.businesses.filter((id) => id !== input.businessId) }),
      }),
    };
  });

/** The user behind a member. @throws NotPossible for an unknown one. */
const requireUser = (before: Business, user: User | undefined, userId: string): User => {
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
  input: MemberInput,
): Promise<Business> => {
  await takeMail(deps, input);
  const business = await change(deps, input, (before, user) => {
    const known = requireUser(before, user, input.userId);
    if (typeof input.who !== 'string' && known.businesses.length > 1) {
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
 * Lets a passkey change live mode without waiting a day, also in the sessions in which it was used: an operator has made sure whose it is.
 * A session that began within the last second may be missed; it then uses the passkey again.
 * @throws NotPossible for an unknown business or member; the refusal passkey_not_found.
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
  const open = await deps.sessions.list(userId);
  const waiting = open.filter(
    (session) => session.passkeyId === passkeyId && session.liveFrom !== null && session.liveFrom > now,
  );
  await Promise.all(waiting.map((session) => deps.sessions.trustPasskey(session, now)));
  return business;
};
