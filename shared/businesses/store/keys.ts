import type { UsageKind } from '#shared/businesses/domain/usage-limits.ts';
import type { Millis } from '#shared/platform/kernel/time.ts';
import { type Key, listed, single } from '#shared/platform/table/keys.ts';

export const businessKey = (id: string): Key => single('BIZ', id);
/** Which day's summary the owners are mailed next. */
export const summaryKey = (businessId: string): Key => single('DAILY', businessId);
/** The partition of what operators changed at a business, or at the stage as a whole. */
export const auditPartition = (businessId: string | null): string => `AUDIT#${businessId ?? 'stage'}`;
export const operatorChangeKey = (businessId: string | null, id: string): Key => ({
  pk: auditPartition(businessId),
  sk: `LOG#${id}`,
});
export const apiKeyKey = (hash: string): Key => single('KEY', hash);
/** When a key was used last. */
export const lastUseKey = (keyId: string): Key => single('LAST', keyId);
/** How much an endpoint was sent by hand, or a business started, in a window. */
export const usageKey = (id: string, kind: UsageKind, window: number): Key => ({
  pk: `HAND#${id}`,
  sk: `HAND#${kind}#${window}`,
});
export const logoKey = (id: string): Key => single('LOGO', id);
export const BUSINESSES = 'BUSINESSES';
/** Every change by an operator, whatever it concerns. */
export const AUDIT = 'AUDIT';
export const apiKeyById = (id: string): string => `KEY#${id}`;
export const inBusinesses = (at: Millis, id: string) => listed(BUSINESSES, at, id);
export const inAudit = (at: Millis, id: string) => listed(AUDIT, at, id);
export const inApiKeys = (id: string) => ({ gsi1pk: apiKeyById(id), gsi1sk: id });
