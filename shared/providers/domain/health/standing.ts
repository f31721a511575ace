import type { Millis } from '#shared/platform/kernel/time.ts';
import type { ProviderName } from '#shared/providers/domain/provider.ts';
import type { ProviderHealth } from './health.ts';

/** A provider's health for businesses. `since`: start of the state; null if the provider was never judged. */
export interface ProviderStanding extends Pick<ProviderHealth, 'state' | 'landing'> {
  readonly provider: ProviderName;
  readonly isEnabled: boolean;
  readonly since: Millis | null;
}

/** Describes a provider by its last judged health (undefined: never judged). A provider that is not enabled is not judged and counts as healthy. */
export const describeStanding = (
  provider: ProviderName,
  isEnabled: boolean,
  judged: ProviderHealth | undefined,
): ProviderStanding => {
  const { state, landing, since } = (isEnabled && judged) || { state: 'healthy', landing: null, since: null };
  return { provider, isEnabled, state, landing, since };
};
