import type { Business } from '#shared/domain/businesses/business.ts';
import type { MemberChange } from '#shared/domain/businesses/member-change.ts';
import type { OperatorChange } from '#shared/domain/businesses/operator-change.ts';
import { changeNotice } from '#shared/domain/members/notice-text.ts';
import type { MailQueue } from '#shared/ports/members.ts';

export interface MailOwnersDeps {
  /** Absent where only operators make changes: they tell people themselves. */
  readonly mails?: MailQueue;
}

/** What was written, and the record of it. */
export interface Written {
  readonly business: Business;
  readonly change: OperatorChange | MemberChange;
  /** The member whom it concerns, who is told too. */
  readonly userId?: string | null;
}

/**
 * Has the owners mailed of a change that needed a passkey. A crash before it loses the mail; the audit log, which was written with the
 * change, has it.
 */
export const mailOwners = async (
  { mails }: MailOwnersDeps,
  { business, change, userId = null }: Written,
): Promise<void> => {
  if ('who' in change || !change.usedPasskey || !mails) return;
  await mails.send({ kind: 'notice', businessId: business.id, userId, ...changeNotice(business, change) });
};
