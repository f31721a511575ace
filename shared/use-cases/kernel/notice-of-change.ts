import type { Business } from '#shared/domain/businesses/business.ts';
import { type Notice, newNotice } from '#shared/domain/businesses/notice.ts';
import type { Runtime } from '#shared/ports/kernel.ts';
import type { ChangeRecord } from './record-change.ts';

/**
 * What the owners of a business are mailed of a change, to be written with it: what needed a passkey. Undefined for anything else, and for
 * what operators change: they tell people themselves. `userId`: the member whom it concerns, who is told too.
 */
export const noticeOfChange = (
  { now, newId }: Pick<Runtime, 'now' | 'newId'>,
  { id }: Pick<Business, 'id'>,
  change: ChangeRecord,
  userId: string | null = null,
): Notice | undefined => {
  if ('who' in change || !change.usedPasskey) return undefined;
  return newNotice({ id: newId('ntc'), businessIds: [id], userId, about: { kind: 'change', change } }, now());
};
