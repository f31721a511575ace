import type { Millis } from '#shared/platform/kernel/time.ts';
import { type Key, listed, single } from '#shared/platform/table/keys.ts';

export const userKey = (id: string): Key => single('USR', id);
export const challengeKey = (hash: string): Key => single('CHAL', hash);
export const signInKey = (tokenHash: string): Key => single('SGN', tokenHash);
export const sessionKey = (tokenHash: string): Key => single('SES', tokenHash);
/** The key of a count of codes for a user or a block of addresses in a window, or of mails that a business caused. */
export const codesKey = (bucket: string, length: Millis, window: number): Key => ({
  pk: `SIGN#${bucket}`,
  sk: `SIGN#${length}#${window}`,
});
/** The partition of a user's sessions. */
export const sessionPartition = (userId: string): string => `USR#${userId}#SES`;
export const inSessions = (userId: string, at: Millis, id: string) => listed(sessionPartition(userId), at, id);
/** The partition of a business's audit log. */
export const memberChangePartition = (businessId: string): string => `ALOG#${businessId}`;
/** The partition of the drafts of a business's audit log: requests that are not closed yet. */
export const draftPartition = (businessId: string): string => `ASK#${businessId}`;
export const draftKey = (businessId: string, id: string): Key => ({ pk: draftPartition(businessId), sk: `LOG#${id}` });
export const memberChangeKey = (businessId: string, id: string): Key => ({
  pk: memberChangePartition(businessId),
  sk: `LOG#${id}`,
});
export const noticeKey = (id: string): Key => single('MAIL', id);
