import * as z from 'zod/mini';
import { type ApiKey, hasEnded } from '#shared/businesses/domain/api-key.ts';
import { instant } from '#shared/platform/contract/answer-fields.ts';
import { keyKind } from '#shared/platform/kernel/key-kind.ts';
import { mode } from '#shared/platform/kernel/mode.ts';
import { text, textOrNull } from '#shared/platform/kernel/schemas.ts';
import { isoMicros, type Millis } from '#shared/platform/kernel/time.ts';

/** An API key as its business sees it, without the clear text. */
export const keyAnswer = z.object({
  id: text,
  mode,
  kind: keyKind,
  prefix: text,
  last_four: text,
  /** The name that the business gave the key. */
  name: textOrNull,
  status: z.enum(['active', 'rolled', 'ended']),
  /** When the grace of a rolled key ends. */
  expires_at: z.nullable(instant),
  revoked_at: z.nullable(instant),
  /** The last use, to the hour; null if the key was not used for 400 days, or never. */
  last_used_at: z.nullable(instant),
  ip_whitelist: z.array(text),
  created_at: instant,
  created_by: text,
});

/** A key with its clear text. Only the answer that issues a key contains the clear text. */
export const issuedKeyAnswer = z.extend(keyAnswer, { key: text });

const instantOrNull = (at: Millis | null): string | null => (at === null ? null : isoMicros(at));

const toKeyStatus = (key: ApiKey, now: Millis): z.infer<typeof keyAnswer>['status'] => {
  if (hasEnded(key, now)) return 'ended';
  return key.expiresAt === null ? 'active' : 'rolled';
};

export const keyView = (key: ApiKey, now: Millis, lastUsedAt: Millis | null = null) => ({
  id: key.id,
  mode: key.mode,
  kind: key.kind,
  prefix: key.prefix,
  last_four: key.last4,
  name: key.name ?? null,
  status: toKeyStatus(key, now),
  expires_at: instantOrNull(key.expiresAt),
  revoked_at: instantOrNull(key.revokedAt),
  last_used_at: instantOrNull(lastUsedAt),
  ip_whitelist: key.ipWhitelist,
  created_at: isoMicros(key.createdAt),
  created_by: key.createdBy,
});
