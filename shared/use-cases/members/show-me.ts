import type { Business } from '#shared/domain/businesses/business.ts';
import type { Role } from '#shared/domain/businesses/member.ts';
import { SEEN_EVERY, type Session } from '#shared/domain/members/session.ts';
import type { BusinessReader } from '#shared/ports/businesses.ts';
import type { Runtime } from '#shared/ports/kernel.ts';
import type { SessionStore, UserReader } from '#shared/ports/members.ts';

export interface ShowMeDeps extends Pick<Runtime, 'now'> {
  readonly users: UserReader;
  readonly sessions: SessionStore;
  readonly businesses: Pick<BusinessReader, 'findAll'>;
}

/** A business as one of its members. */
export interface Membership {
  readonly business: Business;
  readonly role: Role;
}

/** The businesses of a signed-in user, and that the session is in use. */
export const showMe = async (deps: ShowMeDeps, session: Session): Promise<readonly Membership[]> => {
  const now = deps.now();
  const [user] = await Promise.all([
    deps.users.find(session.userId),
    now >= session.lastSeenAt + SEEN_EVERY ? deps.sessions.touch(session, now) : undefined,
  ]);
  const found = await deps.businesses.findAll(user?.businesses ?? []);
  return found.flatMap((business) => {
    const own = business.members.find(({ userId }) => userId === session.userId);
    return own ? [{ business, role: own.role }] : [];
  });
};
