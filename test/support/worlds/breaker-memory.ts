import { healthyProvider, type ProviderBreaker } from '#shared/providers/domain/breaker.ts';
import type { ProviderBreakerStore } from '#shared/providers/ports.ts';

/** Makes a store of provider breakers in memory, for tests without a table. */
export const createMemoryBreakers = (): ProviderBreakerStore => {
  const rows = new Map<string, ProviderBreaker>();
  const makeName = ({ provider, calls }: Pick<ProviderBreaker, 'provider' | 'calls'>): string => `${provider} ${calls}`;
  const find = (key: Pick<ProviderBreaker, 'provider' | 'calls'>) =>
    rows.get(makeName(key)) ?? healthyProvider(key.provider, key.calls);
  return {
    find: async (provider, calls) => find({ provider, calls }),
    save: async (after) => {
      if (find(after).version === after.version - 1) rows.set(makeName(after), after);
      return find(after);
    },
  };
};
