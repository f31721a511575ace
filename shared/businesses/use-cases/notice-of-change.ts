import type { Business } from '#shared/businesses/domain/business.ts';
import { type Notice, newNotice } from '#shared/businesses/domain/notice.ts';
import type { Role } from '#shared/platform/kernel/role.ts';
import type { Runtime } from '#shared/platform/ports.ts';
import type { ChangeRecord } from './record-change.ts';

/** Checks whether the change was allowed only within ten minutes after the member used a passkey. */
const usedPasskey = (change: ChangeRecord): boolean => 'usedPasskey' in change && change.usedPasskey;

/** A reader of the notice besides the owners, and whether there is a notice at all. */
interface NoticeOptions {
  /** The member whom the change concerns, who is mailed too. */
  readonly userId?: string | null;
  /** The role in which that member is invited. The mail then says how to sign in. */
  readonly invitedAs?: Role | undefined;
  /** Whether the change has a notice. */
  readonly hasNotice?: boolean;
}

/**
 * Makes the notice of a change, to be written together with the change. By default only a change that needed a passkey has a notice. Returns
 * undefined for an operator's change, because operators inform people themselves. It also returns undefined if nobody would read the notice: the
 * business has no owner, and `userId` is null.
 */
export const noticeOfChange = (
  { now, newId }: Pick<Runtime, 'now' | 'newId'>,
  { id, members }: Pick<Business, 'id' | 'members'>,
  change: ChangeRecord,
  { userId = null, invitedAs, hasNotice = usedPasskey(change) }: NoticeOptions = {},
): Notice | undefined => {
  if ('who' in change || !hasNotice) return undefined;
  if (userId === null && !members.some(({ role }) => role === 'owner')) return undefined;
  const about =
    invitedAs !== undefined && 'email' in change
      ? ({ kind: 'invitation', change, role: invitedAs } as const)
      : ({ kind: 'change', change } as const);
  return newNotice({ id: newId('ntc'), businessIds: [id], userId, about }, now());
};
