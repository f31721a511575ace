import type { Business } from '#shared/businesses/domain/business.ts';
import { type Notice, newNotice } from '#shared/businesses/domain/notice.ts';
import type { Runtime } from '#shared/platform/ports.ts';
import type { ChangeRecord } from './record-change.ts';

/** Whether a change needed a passkey that was used just now. */
const usedPasskey = (change: ChangeRecord): boolean => 'usedPasskey' in change && change.usedPasskey;

/**
 * What the owners of a business are mailed of a change, to be written with it: by default of what needed a passkey. Undefined where nobody is
 * told: of what operators change, who tell people themselves, and where a business has no owner. `userId`: the member whom it concerns, who
 * is told too.
 */
export const noticeOfChange = (
  { now, newId }: Pick<Runtime, 'now' | 'newId'>,
  { id, members }: Pick<Business, 'id' | 'members'>,
  change: ChangeRecord,
  { userId = null, isTold = usedPasskey(change) }: { readonly userId?: string | null; readonly isTold?: boolean } = {},
): Notice | undefined => {
  if ('who' in change || !isTold) return undefined;
  if (userId === null && !members.some(({ role }) => role === 'owner')) return undefined;
  return newNotice({ id: newId('ntc'), businessIds: [id], userId, about: { kind: 'change', change } }, now());
};
