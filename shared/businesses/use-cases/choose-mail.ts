import { firstSummary, isSummarised } from '#shared/businesses/domain/daily-summary.ts';
import { findMailChoice, type MailChoice } from '#shared/businesses/domain/member.ts';
import type { Author } from '#shared/businesses/domain/member-change.ts';
import { changeMember, findMember } from '#shared/businesses/domain/members.ts';
import { ApiError } from '#shared/platform/kernel/errors.ts';
import type { Runtime } from '#shared/platform/ports.ts';
import { findBusiness } from './find-business.ts';
import { makeChangeRecord } from './record-change.ts';
import { type WriteBusinessDeps, writeBusiness } from './write-business.ts';

export interface ChooseMailDeps extends WriteBusinessDeps, Pick<Runtime, 'now' | 'newId'> {}

const MAIL_NAMES = { summary: 'the daily summary', endpoints: 'mails about webhook endpoints' } as const;

/** Describes the mails that an owner switched, for the audit log. */
const describeSwitches = (before: MailChoice, after: MailChoice): string[] =>
  (['summary', 'endpoints'] as const)
    .filter((kind) => before[kind] !== after[kind])
    .map((kind) => `${MAIL_NAMES[kind]} ${after[kind] ? 'on' : 'off'}`);

/**
 * Changes which mails about a business an owner gets. A choice that is absent stays as it is. If no owner had chosen the daily summary
 * before and one does now, the summaries of the business begin. If nothing changes, nothing is written. @throws ApiError `forbidden_role`
 * for a member who is no owner.
 */
export const chooseMail = (
  deps: ChooseMailDeps,
  {
    businessId,
    actor: author,
    choice,
  }: { readonly businessId: string; readonly actor: Author; readonly choice: Partial<MailChoice> },
): Promise<MailChoice> =>
  writeBusiness(
    deps,
    () => findBusiness(deps, businessId),
    (before) => {
      const member = findMember(before, author.userId);
      const chosen = findMailChoice(member);
      if (!chosen) throw new ApiError('forbidden_role');
      const mail = { ...chosen, ...choice };
      const changes = describeSwitches(chosen, mail);
      if (changes.length === 0) return { result: mail };
      const after = changeMember(before, { ...member, mail });
      const change = makeChangeRecord(
        deps,
        { businessId, actor: author, target: author.userId },
        `switched ${changes.join(' and ')}`,
      );
      const summary = isSummarised(after) && !isSummarised(before) ? firstSummary(businessId, deps.now()) : undefined;
      return { result: mail, write: { after, change, summary } };
    },
  );
