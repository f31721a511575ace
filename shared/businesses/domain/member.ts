import * as z from 'zod/mini';
import { role } from '#shared/platform/kernel/role.ts';
import { boolean, millis, text } from '#shared/platform/kernel/schemas.ts';

/** The most members of a business. Its item lists them, and must stay small. */
export const MAX_MEMBERS = 30;

/** The id of a user: `usr_` and 26 letters of a ULID's alphabet, derived from the e-mail address (shared/members/domain/user.ts). */
export const userId = text.check(z.regex(/^usr_[0-9A-HJKMNP-TV-Z]{26}$/));

/** The mails that an owner wants. Security mails cannot be switched off: every owner gets them. */
export const mailChoice = z.object({
  /** The daily summary of money that landed. */
  summary: boolean,
  /** Mails about live webhook endpoints that fail, are suspended, are disabled or recover. */
  endpoints: boolean,
});
export type MailChoice = z.infer<typeof mailChoice>;

/** A person who may sign in to a business's dashboard. */
export const member = z.object({ userId, email: text, role, addedAt: millis, mail: z.optional(mailChoice) });
export type Member = z.infer<typeof member>;

/** The mails of an owner who has not chosen. */
const DEFAULT_CHOICE: MailChoice = { summary: false, endpoints: true };

/** Returns the mails that an owner has chosen; null for any other member, who gets none of them. */
export const findMailChoice = ({ role: memberRole, mail = DEFAULT_CHOICE }: Member): MailChoice | null =>
  memberRole === 'owner' ? mail : null;
