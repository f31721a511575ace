import type { Millis } from '#shared/platform/kernel/time.ts';
import type { MinuteCounts } from '#shared/providers/domain/health/counts.ts';
import type { ProviderHealth } from '#shared/providers/domain/health/health.ts';
import type { PreferredOrder } from '#shared/providers/domain/health/prefer-healthy.ts';
import type { ProviderName } from '#shared/providers/domain/provider.ts';

/** Stores the counts and the health of providers. */
export interface HealthStore {
  /** Reads a provider's counts since a time, and its last judged health; undefined if it was never judged. The read may lag by a second. */
  readCounts(
    provider: ProviderName,
    since: Millis,
  ): Promise<{ readonly minutes: readonly MinuteCounts[]; readonly judged: ProviderHealth | undefined }>;
  /** Replaces the previous version of a provider's health. Returns false if another process has replaced it already. */
  save(health: ProviderHealth): Promise<boolean>;
}

/** The last judged health by provider. A provider that was never judged is missing. */
export type JudgedProviders = { readonly [P in ProviderName]?: ProviderHealth | undefined };

/** Reads the last judged health of all providers. */
export interface HealthReader {
  readHealth(): Promise<JudgedProviders>;
}

/** Counts how many accounts providers open and fail to open. */
export interface OpeningCounter {
  /** Remembers in this process that a provider opened an account. It writes nothing. */
  recordOpened(provider: ProviderName): void;
  /** Counts a failed opening for a business, together with the successful ones that this process remembers. Never throws. */
  recordFailed(provider: ProviderName, businessId: string): Promise<void>;
}

/** Sorts the candidates of one opening by their health. Never throws. */
export type HealthyFirst = (candidates: readonly [ProviderName, ...ProviderName[]]) => Promise<PreferredOrder>;
