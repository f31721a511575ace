import * as z from 'zod/mini';
import type { Session } from '#shared/members/domain/session.ts';
import { instant } from '#shared/platform/contract/answer-fields.ts';
import { boolean, text } from '#shared/platform/kernel/schemas.ts';
import { isoMicros } from '#shared/platform/kernel/time.ts';

/** A session as its owner sees it. */
export const sessionAnswer = z.object({
  id: text,
  browser: text,
  address: text,
  created_at: instant,
  last_seen_at: instant,
  expires_at: instant,
  /** Whether a passkey was used in the session. */
  used_passkey: boolean,
  /** Whether the session is the one that made this request. */
  current: boolean,
});

export const sessionView = (session: Session, current: Session) => ({
  id: session.id,
  browser: session.browser,
  address: session.address,
  created_at: isoMicros(session.createdAt),
  last_seen_at: isoMicros(session.lastSeenAt),
  expires_at: isoMicros(session.expiresAt),
  used_passkey: session.steppedUpAt !== null,
  current: session.id === current.id,
});
