import type { Mode } from '#shared/platform/kernel/mode.ts';
import { describeStanding, type ProviderStanding } from '#shared/providers/domain/health/standing.ts';
import { type ProviderName, providerName } from '#shared/providers/domain/provider.ts';
import type { HealthReader } from '#shared/providers/health-ports.ts';

export interface ListProvidersDeps {
  readonly health: HealthReader;
  /** The providers that the stage has enabled for live mode. */
  readonly judgedProviders: readonly ProviderName[];
}

/** Lists the health of each provider in a mode. In test mode all providers are sandboxes, and no provider is judged. */
export const listProviders = async (
  { health, judgedProviders }: ListProvidersDeps,
  mode: Mode,
): Promise<readonly ProviderStanding[]> => {
  if (mode === 'test') return providerName.options.map((name) => describeStanding(name, true, undefined));
  const judged = await health.readHealth();
  return providerName.options.map((name) => describeStanding(name, judgedProviders.includes(name), judged[name]));
};
