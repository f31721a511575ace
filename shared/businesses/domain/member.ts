import * as z from 'zod/mini';
import { role } from '#shared/platform/kernel/role.ts';
import { boolean, millis, text } from '#shared/platform/kernel/schemas.ts';

/** Keeps a business, which lists its members, a small item. */
export const MAX_MEMBERS = 30;

/** `usr_` and 26 letters of a ULID's alphabet, derived from the e-mail address (shared/members/domain/user.ts). */
export const userId = text.check(z.regex(/^usr_[0-9A-HJKMNP-TV-Z]{26}$/));

/** The mails that an owner wants. Security mails are not chosen: every owner gets them. */
export const mailChoice = z.object({
  /** The daily summary of money that landed. */
  summary: boolean,
  /** Live webhook endpoints that fail, are suspended or disabled, and recover. */
  endpoints: boolean,
});
export type MailChoice = z.infer<typeof mailChoice>;

/** A person who may sign in to a business's dashboard. */
export const member = z.object({ userId, email: text, role, addedAt: millis, mail: z.optional(mailChoice) });
export type Member = z.infer<typeof member>;

/** The mails of an owner who has not chosen. */
const UNCHOSEN: MailChoice = { summary: false, endpoints: true };

/** Returns the mails that a member has chosen; null for a member who is no owner, and gets none. */
export const findMailChoice = ({ role: own, mail = UNCHOSEN }: Member): MailChoice | null =>
  own === 'owner' ? mail : null;
