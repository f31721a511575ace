import { crc32 } from 'node:zlib';
import { PROVIDERS } from '#shared/providers/domain/names.ts';
import type { ProviderName } from '#shared/providers/domain/provider.ts';
import { describeUnplayed, isLongRun, longTest } from '#test/support/jest/long.ts';
import { SEED } from '#test/support/jest/seed.ts';
import { reconcileAt } from './scene-provider.ts';

/** The provider of a run for scenes with this title. Half of Jest's seeds are negative. */
const chosenFor = (title: string): ProviderName =>
  PROVIDERS[(crc32(title) + Math.abs(SEED)) % PROVIDERS.length] as ProviderName;

/**
 * Describes scenes at a provider, which `%s` in the title names. `npm run test:long` plays them at every provider; a quicker run at
 * one, which the title and the seed of the run choose.
 */
export const describeAtProviders = (title: string, scenes: (provider: ProviderName) => void): void => {
  const chosen = chosenFor(title);
  describe.each(isLongRun ? PROVIDERS : [chosen])(title, (provider) => {
    reconcileAt(provider);
    if (provider === chosen) scenes(provider);
    else describeUnplayed(() => scenes(provider));
  });
};

/**
 * Describes scenes that take long, at a provider, which `%s` in the title names. Every run plays them at one, which the title and its seed
 * choose: the next run may play another.
 */
export const describeAtOneProvider = (title: string, scenes: (provider: ProviderName) => void): void => {
  describe.each([chosenFor(title)])(title, (provider) => {
    reconcileAt(provider);
    scenes(provider);
  });
};

/**
 * A long test among scenes of `describeAtProviders` whose way through our code is the same at every provider. A run plays it at one, which the
 * name and its seed choose.
 */
export const longTestOnceAt =
  (provider: ProviderName) =>
  (...test: Parameters<jest.It>): void => {
    if (provider === chosenFor(test[0] as string)) longTest(...test);
  };
