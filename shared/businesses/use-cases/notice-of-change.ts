import type { Business } from '#shared/businesses/domain/business.ts';
import { type Notice, newNotice } from '#shared/businesses/domain/notice.ts';
import type { Role } from '#shared/platform/kernel/role.ts';
import type { Runtime } from '#shared/platform/ports.ts';
import type { ChangeRecord } from './record-change.ts';

/** Whether a change needed a passkey that was used just now. */
const usedPasskey = (change: ChangeRecord): boolean => 'usedPasskey' in change && change.usedPasskey;

/** Who is told of a change beside the owners, and whether anybody is. */
interface NoticeOptions {
  /** The member whom it concerns, who is told too. */
  readonly userId?: string | null;
  /** The role in which that member is invited: the mail then says how to sign in. */
  readonly invitedAs?: Role | undefined;
  readonly isTold?: boolean;
}

/**
 * What the owners of a business are mailed of a change, to be written with it: by default of what needed a passkey. Undefined where nobody is
 * told: of what operators change, who tell people themselves, and where a business has no owner.
 */
export const noticeOfChange = (
  { now, newId }: Pick<Runtime, 'now' | 'newId'>,
  { id, members }: Pick<Business, 'id' | 'members'>,
  change: ChangeRecord,
  { userId = null, invitedAs, isTold = usedPasskey(change) }: NoticeOptions = {},
): Notice | undefined => {
  if ('who' in change || !isTold) return undefined;
  if (userId === null && !members.some(({ role }) => role === 'owner')) return undefined;
  const about =
    invitedAs !== undefined && 'email' in change
      ? ({ kind: 'invitation', change, role: invitedAs } as const)
      : ({ kind: 'change', change } as const);
  return newNotice({ id: newId('ntc'), businessIds: [id], userId, about }, now());
};
