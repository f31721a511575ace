import type { Millis } from '#shared/platform/kernel/time.ts';
import type { ProviderName } from '#shared/providers/domain/provider.ts';
import type { ProviderHealth } from './health.ts';

/** How a provider stands, for businesses. `since`: when its state began; null while nothing is known of it. */
export interface ProviderStanding extends Pick<ProviderHealth, 'state' | 'landing'> {
  readonly provider: ProviderName;
  readonly isEnabled: boolean;
  readonly since: Millis | null;
}

/** How a provider stands by how it was judged last; undefined: never. One that is not enabled is not judged, and counts as healthy. */
export const describeStanding = (
  provider: ProviderName,
  isEnabled: boolean,
  judged: ProviderHealth | undefined,
): ProviderStanding => {
  const { state, landing, since } = (isEnabled && judged) || { state: 'healthy', landing: null, since: null };
  return { provider, isEnabled, state, landing, since };
};
