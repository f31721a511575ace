import * as z from 'zod/mini';
import { idSchema } from '#shared/platform/kernel/ids.ts';
import { role } from '#shared/platform/kernel/role.ts';
import { count, millis, millisOrNull, text } from '#shared/platform/kernel/schemas.ts';
import { DAY, MINUTE, type Millis } from '#shared/platform/kernel/time.ts';
import { endpointNews } from '#shared/webhooks/domain/told-health.ts';
import { findMailChoice, type MailChoice, type Member, userId } from './member.ts';
import { auditEntry, memberChange } from './member-change.ts';

/*
 * A notice is a mail to the owners of businesses. It is written together with the change that it is about, and stays until it is mailed, at most
 * two weeks.
 */

/** The time after which a notice that could not be mailed is deleted. Milliseconds. */
const NOTICE_RETENTION: Millis = 14 * DAY;
/** The length of a lease on a notice or a daily summary. If the sender fails, the item is due again when the lease ends. Milliseconds. */
export const NOTICE_LEASE: Millis = 5 * MINUTE;

/** The payments of a day. Sums are in kobo. */
const landed = z.object({
  /** The number of accepted payments, and their sum. */
  count,
  amount: count,
  /** The sum that was sent back on arrival. */
  rejected: count,
  /** The sum that was sent back or taken back later. */
  reversed: count,
});
export type Landed = z.infer<typeof landed>;

/** The content of a notice. Its words are written when it is mailed (notice-text.ts). */
const about = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('change'), change: auditEntry }),
  /** The owners get a mail about the change; the new member gets an invitation. */
  z.object({ kind: z.literal('invitation'), change: memberChange, role }),
  z.object({
    kind: z.literal('passkey'),
    action: z.enum(['added', 'removed']),
    /** The e-mail address of the passkey's owner. */
    email: text,
    name: text,
    at: millis,
    address: text,
    /** When the passkey may make changes in live mode; null if it need not wait. */
    liveFrom: millisOrNull,
  }),
  z.extend(endpointNews, { kind: z.literal('endpoint') }),
  z.object({ kind: z.literal('summary'), day: z.iso.date(), landed, before: landed }),
]);
export type About = z.infer<typeof about>;

/** A notice that is to be mailed. */
export const notice = z.object({
  id: idSchema('ntc'),
  /** The businesses whose owners get the notice. The owners are looked up when the notice is mailed. */
  businessIds: z.array(idSchema('biz')).check(z.minLength(1)),
  /** The user whom the notice concerns. This user gets the notice, too. Null if it concerns no user. */
  userId: z.nullable(userId),
  about,
  createdAt: millis,
  dueAt: millis,
  expiresAt: millis,
  /** The readers who were mailed already, while other readers still wait. */
  mailed: z.array(userId),
});
export type Notice = z.infer<typeof notice>;

/** Makes a notice that is due at once. */
export const newNotice = (fields: Pick<Notice, 'id' | 'businessIds' | 'userId' | 'about'>, now: Millis): Notice => ({
  ...fields,
  createdAt: now,
  dueAt: now,
  expiresAt: now + NOTICE_RETENTION,
  mailed: [],
});

/** The field of an owner's choice that each kind of notice depends on. Every owner gets the other kinds. */
const CHOICE_FIELDS: { readonly [Kind in About['kind']]?: keyof MailChoice } = {
  endpoint: 'endpoints',
  summary: 'summary',
};

/** Checks whether a member gets a notice as an owner of its business. */
export const isForOwner = ({ about: { kind } }: Pick<Notice, 'about'>, member: Member): boolean => {
  const [mail, choice] = [findMailChoice(member), CHOICE_FIELDS[kind]];
  return mail !== null && (choice === undefined || mail[choice]);
};

/** Checks whether there was any payment on one of the days. */
export const hasActivity = (...days: readonly Landed[]): boolean =>
  days.some(({ count: payments, rejected, reversed }) => payments + rejected + reversed > 0);
