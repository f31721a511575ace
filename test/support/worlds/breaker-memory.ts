import { healthyProvider, type ProviderBreaker } from '#shared/domain/providers/breaker.ts';
import type { ProviderBreakerStore } from '#shared/ports/providers.ts';

/** A store of provider breakers in memory, for tests without a table. */
export const breakersInMemory = (): ProviderBreakerStore => {
  const rows = new Map<string, ProviderBreaker>();
  const find = (provider: ProviderBreaker['provider']) => rows.get(provider) ?? healthyProvider(provider);
  return {
    find: async (provider) => find(provider),
    save: async (after) => {
      if (find(after.provider).version === after.version - 1) rows.set(after.provider, after);
      return find(after.provider);
    },
  };
};
