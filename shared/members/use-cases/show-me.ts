import type { Business } from '#shared/businesses/domain/business.ts';
import { findMailChoice, type MailChoice } from '#shared/businesses/domain/member.ts';
import type { BusinessReader } from '#shared/businesses/ports.ts';
import { SEEN_INTERVAL, type Session } from '#shared/members/domain/session.ts';
import type { User } from '#shared/members/domain/user.ts';
import type { SessionStore, UserReader } from '#shared/members/ports.ts';
import type { Role } from '#shared/platform/kernel/role.ts';
import type { Runtime } from '#shared/platform/ports.ts';

export interface ShowMeDeps extends Pick<Runtime, 'now'> {
  readonly users: UserReader;
  readonly sessions: SessionStore;
  readonly businesses: Pick<BusinessReader, 'findAll'>;
}

/** A business and the role that a user has in it. */
export interface Membership {
  readonly business: Business;
  readonly role: Role;
  /** The choice of optional mails that the user gets about the business; null if the user is no owner of it. */
  readonly mail: MailChoice | null;
}

/** A user and the user's memberships. */
export interface Me {
  readonly user: Pick<User, 'passkeys'>;
  readonly memberships: readonly Membership[];
}

/** Reads the passkeys and the businesses of a signed-in user. It also writes that the session is in use. */
export const showMe = async (deps: ShowMeDeps, session: Session): Promise<Me> => {
  const now = deps.now();
  const [user] = await Promise.all([
    deps.users.find(session.userId),
    now >= session.lastSeenAt + SEEN_INTERVAL ? deps.sessions.touch(session, now) : undefined,
  ]);
  const businesses = await deps.businesses.findAll(user?.businesses ?? []);
  const memberships = businesses.flatMap((business) => {
    const member = business.members.find(({ userId }) => userId === session.userId);
    return member ? [{ business, role: member.role, mail: findMailChoice(member) }] : [];
  });
  return { user: user ?? { passkeys: [] }, memberships };
};
