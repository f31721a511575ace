import { isoMicros } from '#shared/platform/kernel/time.ts';
import type { ProviderStanding } from '#shared/providers/domain/health/standing.ts';

/** Converts a provider's standing to the form of API answers. */
export const providerView = ({ provider, isEnabled, state, landing, since }: ProviderStanding) => ({
  provider,
  enabled: isEnabled,
  state,
  landing_seconds: landing,
  since: since === null ? null : isoMicros(since),
});
