import * as z from 'zod/mini';
import { instant } from '#shared/contract/kernel/answer-fields.ts';
import type { Business } from '#shared/domain/businesses/business.ts';
import { type Role, role } from '#shared/domain/businesses/member.ts';
import { boolean, text } from '#shared/domain/kernel/schemas.ts';
import { isoMicros, type Millis } from '#shared/domain/kernel/time.ts';
import { type Session, steppedUpUntil } from '#shared/domain/members/session.ts';

/** Who is signed in, and to which businesses. */
export const meAnswer = z.object({
  user: z.object({ id: text, email: text }),
  session: z.object({
    id: text,
    expires_at: instant,
    /** Until when the last use of a passkey counts for what needs one. */
    stepped_up_until: z.nullable(instant),
    /** Whether a passkey was used in this session, without which live mode is read-only. */
    may_change_live: boolean,
  }),
  businesses: z.array(z.object({ id: text, name: text, role, suspended: boolean })),
});

const instantOrNull = (at: Millis | null): string | null => (at === null ? null : isoMicros(at));

/** A session and its user's businesses on the wire. */
export const meView = (
  session: Session,
  memberships: readonly { readonly business: Business; readonly role: Role }[],
  now: Millis,
) => ({
  user: { id: session.userId, email: session.email },
  session: {
    id: session.id,
    expires_at: isoMicros(session.expiresAt),
    stepped_up_until: instantOrNull(steppedUpUntil(session, now)),
    may_change_live: session.steppedUpAt !== null,
  },
  businesses: memberships.map(({ business: { id, name, suspended }, role: own }) => ({
    id,
    name,
    role: own,
    suspended,
  })),
});
