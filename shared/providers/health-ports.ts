import type { Millis } from '#shared/platform/kernel/time.ts';
import type { MinuteCounts } from '#shared/providers/domain/health/counts.ts';
import type { ProviderHealth } from '#shared/providers/domain/health/health.ts';
import type { PreferredOrder } from '#shared/providers/domain/health/prefer-healthy.ts';
import type { ProviderName } from '#shared/providers/domain/provider.ts';

/** The counts of providers, and how they were judged by them. */
export interface HealthStore {
  /** The counts of the minutes from `since` on, and how the provider was judged last; undefined: never. It may be a second old. */
  readCounts(
    provider: ProviderName,
    since: Millis,
  ): Promise<{ readonly minutes: readonly MinuteCounts[]; readonly judged: ProviderHealth | undefined }>;
  /** Saves how a provider is judged now, in place of the version before. False where somebody else has judged it since. */
  save(health: ProviderHealth): Promise<boolean>;
}

/** How providers were judged last, without those that never were. */
export type JudgedProviders = { readonly [P in ProviderName]?: ProviderHealth | undefined };

/** Reads how providers were judged last. */
export interface HealthReader {
  readHealth(): Promise<JudgedProviders>;
}

/** Counts what becomes of accounts that providers are asked to open. */
export interface OpeningCounter {
  /** Remembers in this process that a provider opened an account. It calls nothing. */
  recordOpened(provider: ProviderName): void;
  /** Counts that a provider failed to open one for a business, and how many it has opened since this process counted last. Never throws. */
  recordFailed(provider: ProviderName, businessId: string): Promise<void>;
}

/** Puts the candidates of one opening in order. Never throws. */
export type HealthyFirst = (candidates: readonly [ProviderName, ...ProviderName[]]) => Promise<PreferredOrder>;
