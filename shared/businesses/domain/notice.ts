import * as z from 'zod/mini';
import { idSchema } from '#shared/platform/kernel/ids.ts';
import { millis, millisOrNull, text } from '#shared/platform/kernel/schemas.ts';
import { DAY, MINUTE, type Millis } from '#shared/platform/kernel/time.ts';
import { endpointNews } from '#shared/webhooks/domain/told-health.ts';
import { userId } from './member.ts';
import { auditEntry } from './member-change.ts';

/* What the owners of businesses are to be mailed. It is written with the change that it tells of, and stays until it was mailed. */

/** A notice that could not be mailed for so long is deleted. Milliseconds. */
const NOTICE_RETENTION: Millis = 14 * DAY;
/** Whoever mails a notice has it alone for so long, and after a failure it is due again then. Milliseconds. */
export const NOTICE_LEASE: Millis = 5 * MINUTE;

/** What a notice tells. Its words are found when it is mailed (notice-text.ts). */
const about = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('change'), change: auditEntry }),
  z.object({
    kind: z.literal('passkey'),
    action: z.enum(['added', 'removed']),
    /** Whose it is. */
    email: text,
    name: text,
    at: millis,
    address: text,
    /** From when on it may change live mode, where it has to wait. */
    liveFrom: millisOrNull,
  }),
  z.extend(endpointNews, { kind: z.literal('endpoint') }),
]);

/** A notice that is to be mailed. */
export const notice = z.object({
  id: idSchema('ntc'),
  /** The businesses whose owners it is for: those that they have when it is mailed. */
  businessIds: z.array(idSchema('biz')).check(z.minLength(1)),
  /** A member whom it concerns, who gets it too. */
  userId: z.nullable(userId),
  about,
  createdAt: millis,
  dueAt: millis,
  expiresAt: millis,
  /** Who has it already, where others do not. */
  mailed: z.array(userId),
});
export type Notice = z.infer<typeof notice>;

/** A new notice, due at once. */
export const newNotice = (given: Pick<Notice, 'id' | 'businessIds' | 'userId' | 'about'>, now: Millis): Notice => ({
  ...given,
  createdAt: now,
  dueAt: now,
  expiresAt: now + NOTICE_RETENTION,
  mailed: [],
});
