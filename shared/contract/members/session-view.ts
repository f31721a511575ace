import * as z from 'zod/mini';
import { instant } from '#shared/contract/kernel/answer-fields.ts';
import { boolean, text } from '#shared/domain/kernel/schemas.ts';
import { isoMicros } from '#shared/domain/kernel/time.ts';
import type { Session } from '#shared/domain/members/session.ts';

/** A session, as its owner recognises it. */
export const sessionAnswer = z.object({
  id: text,
  browser: text,
  address: text,
  created_at: instant,
  last_seen_at: instant,
  expires_at: instant,
  /** Whether a passkey was used in it. */
  used_passkey: boolean,
  /** Whether it is the one that asks. */
  current: boolean,
});

export const sessionView = (of: Session, current: Session) => ({
  id: of.id,
  browser: of.browser,
  address: of.address,
  created_at: isoMicros(of.createdAt),
  last_seen_at: isoMicros(of.lastSeenAt),
  expires_at: isoMicros(of.expiresAt),
  used_passkey: of.steppedUpAt !== null,
  current: of.id === current.id,
});
