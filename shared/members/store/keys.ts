import type { Millis } from '#shared/platform/kernel/time.ts';
import { type Key, listed, single } from '#shared/platform/table/keys.ts';

export const userKey = (id: string): Key => single('USR', id);
export const challengeKey = (hash: string): Key => single('CHAL', hash);
export const signInKey = (tokenHash: string): Key => single('SGN', tokenHash);
export const sessionKey = (tokenHash: string): Key => single('SES', tokenHash);
/** How many codes a user, or a block of addresses, asked for in a window, or how often a business had people mailed. */
export const codesKey = (bucket: string, length: Millis, window: number): Key => ({
  pk: `SIGN#${bucket}`,
  sk: `SIGN#${length}#${window}`,
});
/** The sessions of a user. */
export const sessionPartition = (userId: string): string => `USR#${userId}#SES`;
export const inSessions = (userId: string, at: Millis, id: string) => listed(sessionPartition(userId), at, id);
/** The partition of what the members of a business changed. */
export const memberChangePartition = (businessId: string): string => `ALOG#${businessId}`;
/** The partition of what members of a business have asked for and what is not done yet. */
export const draftPartition = (businessId: string): string => `ASK#${businessId}`;
export const draftKey = (businessId: string, id: string): Key => ({ pk: draftPartition(businessId), sk: `LOG#${id}` });
export const memberChangeKey = (businessId: string, id: string): Key => ({
  pk: memberChangePartition(businessId),
  sk: `LOG#${id}`,
});
export const noticeKey = (id: string): Key => single('MAIL', id);
