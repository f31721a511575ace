import * as z from 'zod/mini';
import { mailAnswer, mailView } from '#shared/businesses/contract/mail.ts';
import type { Business } from '#shared/businesses/domain/business.ts';
import type { MailChoice } from '#shared/businesses/domain/member.ts';
import { mayChangeLive, type Session, steppedUpUntil } from '#shared/members/domain/session.ts';
import type { User } from '#shared/members/domain/user.ts';
import { instant } from '#shared/platform/contract/answer-fields.ts';
import { type Role, role } from '#shared/platform/kernel/role.ts';
import { boolean, text } from '#shared/platform/kernel/schemas.ts';
import { isoMicros, type Millis } from '#shared/platform/kernel/time.ts';
import { passkeyAnswer, passkeysView } from './passkey-view.ts';

/** The signed-in user, and the user's businesses. */
export const meAnswer = z.object({
  user: z.object({ id: text, email: text }),
  session: z.object({
    id: text,
    expires_at: instant,
    /** The time until which the last use of a passkey counts for requests that need a passkey. */
    stepped_up_until: z.nullable(instant),
    /** Whether the session may change live mode: a passkey that may do so was used in it. */
    may_change_live: boolean,
    /** The time from which the passkey of the session may change live mode; null if only a code was used. */
    live_from: z.nullable(instant),
  }),
  passkeys: z.array(passkeyAnswer),
  businesses: z.array(
    /** `mail`: the choice of optional mails that the user gets about the business; null if the user is no owner of it. */
    z.object({ id: text, name: text, role, suspended: boolean, mail: z.nullable(mailAnswer) }),
  ),
});

const instantOrNull = (at: Millis | null): string | null => (at === null ? null : isoMicros(at));

/** Shows a session and its user's businesses in the fields of the API. */
export const meView = (
  session: Session,
  {
    user,
    memberships,
  }: {
    readonly user: Pick<User, 'passkeys'>;
    readonly memberships: readonly {
      readonly business: Business;
      readonly role: Role;
      readonly mail: MailChoice | null;
    }[];
  },
  now: Millis,
) => ({
  user: { id: session.userId, email: session.email },
  session: {
    id: session.id,
    expires_at: isoMicros(session.expiresAt),
    stepped_up_until: instantOrNull(steppedUpUntil(session, now)),
    may_change_live: mayChangeLive(session, now),
    live_from: instantOrNull(session.liveFrom),
  },
  ...passkeysView(user),
  businesses: memberships.map(({ business: { id, name, suspended }, role: memberRole, mail }) => ({
    id,
    name,
    role: memberRole,
    suspended,
    mail: mail && mailView(mail),
  })),
});
