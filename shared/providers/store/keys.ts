import type { Millis } from '#shared/platform/kernel/time.ts';
import { type Key, sortable } from '#shared/platform/table/keys.ts';
import type { ProviderCalls, ProviderName } from '#shared/providers/domain/provider.ts';
import type { QuotaWork } from '#shared/providers/domain/quota.ts';

/** Builds the key of the item that counts how much of a share of a provider quota was used in a window. */
export const usedQuotaKey = (
  share: { work: QuotaWork; provider: ProviderName; businessId: string; bucket: string },
  window: number,
): Key => ({
  pk: ['USED', share.work, share.provider, share.businessId, share.bucket].join('#'),
  sk: `USED#${window}`,
});
export const providerBreakerKey = (provider: ProviderName, calls: ProviderCalls): Key => ({
  pk: `PROV#${provider}`,
  sk: `BREAKER#${calls}`,
});
/** Builds the key of a provider's counts of a minute. Minutes sort by time, and the item of the state sorts after them. */
export const healthMinuteKey = (provider: ProviderName, minute: Millis): Key => ({
  pk: `HEALTH#${provider}`,
  sk: `MINUTE#${sortable(minute)}`,
});
export const healthStateKey = (provider: ProviderName): Key => ({ pk: `HEALTH#${provider}`, sk: 'STATE' });
