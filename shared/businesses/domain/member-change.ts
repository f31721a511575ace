import * as z from 'zod/mini';
import { idSchema } from '#shared/platform/kernel/ids.ts';
import { mode } from '#shared/platform/kernel/mode.ts';
import { role } from '#shared/platform/kernel/role.ts';
import { boolean, millis, nonEmptyString, text } from '#shared/platform/kernel/schemas.ts';
import { userId } from './member.ts';

/** A member who makes a request, and the IP address of the request. */
export const author = z.object({
  userId,
  email: text,
  mode,
  /** The lowest role that may make this request. */
  needs: role,
  /**
   * Whether the request was allowed only within ten minutes after the member used a passkey. Owners get a mail about the change that such a
   * request makes.
   */
  usedPasskey: boolean,
  /** The IP address that API Gateway saw. */
  address: text,
  /** The endpoint that was called, by method and path. */
  action: nonEmptyString,
});
export type Author = z.infer<typeof author>;

/** A live secret key that makes a change about which owners get a mail, and the IP address of its request. */
export const keyAuthor = z.object({ keyId: idSchema('key'), mode, address: text, action: nonEmptyString });
export type KeyAuthor = z.infer<typeof keyAuthor>;

const entry = {
  id: idSchema('log'),
  businessId: idSchema('biz'),
  at: millis,
  what: nonEmptyString,
  /** The ids that the request named. */
  target: text,
};

/** The outcome of a request that did not succeed; absent if it succeeded. */
const outcomeFields = {
  outcome: z.optional(z.enum(['refused', 'unknown'])),
  /** The code of the error. */
  error: z.optional(text),
};

/**
 * The record of a member's request in the audit log of a business. It is written together with the change, or before the change as a draft. A
 * refused request may have a record, too.
 */
export const memberChange = z.extend(author, { ...entry, ...outcomeFields });
export type MemberChange = z.infer<typeof memberChange>;

/** A record of a change by a key. */
const keyChange = z.extend(keyAuthor, entry);
export type KeyChange = z.infer<typeof keyChange>;

/** An entry of a business's audit log. */
export const auditEntry = z.union([memberChange, keyChange]);
export type AuditEntry = MemberChange | KeyChange;
