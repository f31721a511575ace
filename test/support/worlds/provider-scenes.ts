import { crc32 } from 'node:zlib';
import { PROVIDERS } from '#shared/providers/domain/names.ts';
import type { ProviderName } from '#shared/providers/domain/provider.ts';
import { describeUnplayed, isLongRun, isRestOfRun, longTest } from '#test/support/jest/long.ts';
import { SEED } from '#test/support/jest/seed.ts';
import { reconcileAt } from './scene-provider.ts';

/** Chooses the provider of a run for scenes with this title, or the provider that comes `next` places after it. Half of Jest's seeds are negative. */
const chooseProvider = (title: string, next = 0): ProviderName =>
  PROVIDERS[(crc32(title) + Math.abs(SEED) + next) % PROVIDERS.length] as ProviderName;

/** Decides whether `.ci/run` plays these scenes at a second provider: a third of all titles, another third under another seed. */
const isPlayedTwice = (title: string): boolean =>
  (crc32(title) + Math.floor(Math.abs(SEED) / PROVIDERS.length)) % 3 === 0;

/** Lists the providers for scenes with this title: one for `npm test`, perhaps a second one for the rest of `.ci/run`, all for a long run. */
const listPlayed = (title: string): readonly ProviderName[] => {
  if (isRestOfRun)
    return isPlayedTwice(title) ? [chooseProvider(title), chooseProvider(title, 1)] : [chooseProvider(title)];
  return isLongRun ? PROVIDERS : [chooseProvider(title)];
};

/**
 * Describes scenes at a provider, which `%s` in the title names. `npm run test:long` plays them at every provider. `npm test` plays them at
 * one provider, chosen by title and seed. The rest of `.ci/run` plays a third of the titles at a second provider. Another seed chooses otherwise.
 */
export const describeAtProviders = (title: string, scenes: (provider: ProviderName) => void): void => {
  const chosen = chooseProvider(title);
  describe.each(listPlayed(title))(title, (provider) => {
    reconcileAt(provider);
    if (provider === chosen) scenes(provider);
    else describeUnplayed(() => scenes(provider));
  });
};

/**
 * Describes long scenes at a provider, which `%s` in the title names. Every run plays them at one provider, chosen by title and seed. The
 * next run may choose another provider.
 */
export const describeAtOneProvider = (title: string, scenes: (provider: ProviderName) => void): void => {
  describe.each([chooseProvider(title)])(title, (provider) => {
    reconcileAt(provider);
    scenes(provider);
  });
};

/**
 * Makes a long test among scenes of `describeAtProviders`. The test uses the same code of ours at every provider, so a run plays it at one
 * provider only, chosen by name and seed.
 */
export const longTestOnceAt =
  (provider: ProviderName) =>
  (...test: Parameters<jest.It>): void => {
    if (provider === chooseProvider(test[0] as string)) longTest(...test);
  };
