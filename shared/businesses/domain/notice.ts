import * as z from 'zod/mini';
import { idSchema } from '#shared/platform/kernel/ids.ts';
import { role } from '#shared/platform/kernel/role.ts';
import { count, millis, millisOrNull, text } from '#shared/platform/kernel/schemas.ts';
import { DAY, MINUTE, type Millis } from '#shared/platform/kernel/time.ts';
import { endpointNews } from '#shared/webhooks/domain/told-health.ts';
import { findMailChoice, type MailChoice, type Member, userId } from './member.ts';
import { auditEntry, memberChange } from './member-change.ts';

/* What the owners of businesses are to be mailed. It is written with the change that it tells of, and stays until it was mailed. */

/** A notice that could not be mailed for so long is deleted. Milliseconds. */
const NOTICE_RETENTION: Millis = 14 * DAY;
/** Whoever mails a notice has it alone for so long, and after a failure it is due again then. Milliseconds. */
export const NOTICE_LEASE: Millis = 5 * MINUTE;

/** What landed on a day, in kobo. */
const landed = z.object({
  /** Accepted payments, and what they sum up to. */
  count,
  amount: count,
  /** What was sent back on arrival. */
  rejected: count,
  /** What was sent back or taken back later. */
  reversed: count,
});
export type Landed = z.infer<typeof landed>;

/** What a notice tells. Its words are found when it is mailed (notice-text.ts). */
const about = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('change'), change: auditEntry }),
  /** The owners read of the change; whom it concerns is invited. */
  z.object({ kind: z.literal('invitation'), change: memberChange, role }),
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
  z.object({ kind: z.literal('summary'), day: z.iso.date(), landed, before: landed }),
]);
export type About = z.infer<typeof about>;

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
export const newNotice = (fields: Pick<Notice, 'id' | 'businessIds' | 'userId' | 'about'>, now: Millis): Notice => ({
  ...fields,
  createdAt: now,
  dueAt: now,
  expiresAt: now + NOTICE_RETENTION,
  mailed: [],
});

/** The mails that owners choose, by what they tell. All others go to every owner. */
const CHOSEN: { readonly [Kind in About['kind']]?: keyof MailChoice } = { endpoint: 'endpoints', summary: 'summary' };

/** Whether a member gets a notice as an owner of its business. */
export const isForOwner = ({ about: { kind } }: Pick<Notice, 'about'>, member: Member): boolean => {
  const [mail, choice] = [findMailChoice(member), CHOSEN[kind]];
  return mail !== null && (choice === undefined || mail[choice]);
};

/** Whether a day is told to owners: not where neither it nor the day before has anything to tell. */
export const hasActivity = (...days: readonly Landed[]): boolean =>
  days.some(({ count: payments, rejected, reversed }) => payments + rejected + reversed > 0);
