import type { Millis } from '#shared/platform/kernel/time.ts';
import { inList, type Key, makeKey } from '#shared/platform/table/keys.ts';

export const userKey = (id: string): Key => makeKey('USR', id);
export const challengeKey = (hash: string): Key => makeKey('CHAL', hash);
export const signInKey = (tokenHash: string): Key => makeKey('SGN', tokenHash);
export const sessionKey = (tokenHash: string): Key => makeKey('SES', tokenHash);
/**
 * The key of the item that counts codes, challenges or mails against a limit. `bucket` names what shares the limit. `length` is the length of a
 * window in milliseconds, and `window` is its number since the epoch.
 */
export const codesKey = (bucket: string, length: Millis, window: number): Key => ({
  pk: `SIGN#${bucket}`,
  sk: `SIGN#${length}#${window}`,
});
/** The partition of a user's sessions. */
export const sessionPartition = (userId: string): string => `USR#${userId}#SES`;
export const inSessions = (userId: string, at: Millis, id: string) => inList(sessionPartition(userId), at, id);
/** The partition of a business's audit log. */
export const memberChangePartition = (businessId: string): string => `ALOG#${businessId}`;
/** The partition of the drafts of a business's audit log: requests that are not closed yet. */
export const draftPartition = (businessId: string): string => `ASK#${businessId}`;
export const draftKey = (businessId: string, id: string): Key => ({ pk: draftPartition(businessId), sk: `LOG#${id}` });
export const memberChangeKey = (businessId: string, id: string): Key => ({
  pk: memberChangePartition(businessId),
  sk: `LOG#${id}`,
});
export const noticeKey = (id: string): Key => makeKey('MAIL', id);
