import type { Mode } from '#shared/platform/kernel/mode.ts';
import type { Metrics } from '#shared/platform/observability/metrics.ts';
import type { ProviderName } from '#shared/providers/domain/provider.ts';
import type { OpeningCounter } from '#shared/providers/health-ports.ts';

export interface CountOpeningDeps {
  readonly metrics: Metrics;
  readonly openings: OpeningCounter;
}

/** The account that a provider was asked to open, and its business. */
export interface CountedIntent {
  readonly mode: Mode;
  readonly provider: ProviderName;
  readonly businessId: string;
}

/** Counts for the health of a live provider whether it opened an account. A success writes nothing. */
export const countOpening = async (
  { metrics, openings }: CountOpeningDeps,
  { mode, provider, businessId }: CountedIntent,
  outcome: 'opened' | 'failed',
): Promise<void> => {
  if (mode !== 'live') return;
  if (outcome === 'opened') return openings.recordOpened(provider);
  metrics('provider_failures', 1);
  await openings.recordFailed(provider, businessId);
};
