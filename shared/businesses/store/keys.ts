import type { UsageKind } from '#shared/businesses/domain/usage-limits.ts';
import type { Millis } from '#shared/platform/kernel/time.ts';
import { inList, type Key, makeKey } from '#shared/platform/table/keys.ts';

export const businessKey = (id: string): Key => makeKey('BIZ', id);
/** The key of the daily summary that the owners of a business are mailed next. */
export const summaryKey = (businessId: string): Key => makeKey('DAILY', businessId);
/** The partition of operators' changes at a business, or at the whole stage. */
export const auditPartition = (businessId: string | null): string => `AUDIT#${businessId ?? 'stage'}`;
export const operatorChangeKey = (businessId: string | null, id: string): Key => ({
  pk: auditPartition(businessId),
  sk: `LOG#${id}`,
});
export const apiKeyKey = (hash: string): Key => makeKey('KEY', hash);
/** The key of the time at which a key was used last. */
export const lastUseKey = (keyId: string): Key => makeKey('LAST', keyId);
/** The key of the count of actions of a kind in a window. `id`: the endpoint, business or member. */
export const usageKey = (id: string, kind: UsageKind, window: number): Key => ({
  pk: `HAND#${id}`,
  sk: `HAND#${kind}#${window}`,
});
export const logoKey = (id: string): Key => makeKey('LOGO', id);
export const BUSINESSES = 'BUSINESSES';
/** The partition of all changes by operators. */
export const AUDIT = 'AUDIT';
export const apiKeyById = (id: string): string => `KEY#${id}`;
export const inBusinesses = (at: Millis, id: string) => inList(BUSINESSES, at, id);
export const inAudit = (at: Millis, id: string) => inList(AUDIT, at, id);
export const inApiKeys = (id: string) => ({ gsi1pk: apiKeyById(id), gsi1sk: id });
