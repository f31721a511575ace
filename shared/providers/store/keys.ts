import type { Millis } from '#shared/platform/kernel/time.ts';
import { type Key, sortable } from '#shared/platform/table/keys.ts';
import type { ProviderCalls, ProviderName } from '#shared/providers/domain/provider.ts';
import type { QuotaWork } from '#shared/providers/domain/quota.ts';

/** How much of its quota at a provider a share of a business used in a window: its servers, its browsers, or one address of these. */
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
/** The counts of a provider's health in a minute. Minutes sort by time, and its state sorts behind them. */
export const healthMinuteKey = (provider: ProviderName, minute: Millis): Key => ({
  pk: `HEALTH#${provider}`,
  sk: `MINUTE#${sortable(minute)}`,
});
export const healthStateKey = (provider: ProviderName): Key => ({ pk: `HEALTH#${provider}`, sk: 'STATE' });
