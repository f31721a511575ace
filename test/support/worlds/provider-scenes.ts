import { crc32 } from 'node:zlib';
import { PROVIDERS } from '#shared/providers/domain/names.ts';
import type { ProviderName } from '#shared/providers/domain/provider.ts';
import { describeUnplayed, isLongRun, isRestOfRun, longTest } from '#test/support/jest/long.ts';
import { SEED } from '#test/support/jest/seed.ts';
import { reconcileAt } from './scene-provider.ts';

/** The provider of a run for scenes with this title; `next`: the one after it. Half of Jest's seeds are negative. */
const chosenFor = (title: string, next = 0): ProviderName =>
  PROVIDERS[(crc32(title) + Math.abs(SEED) + next) % PROVIDERS.length] as ProviderName;

/** Whether `.ci/run` plays these scenes at a second provider: a third of all titles, another third under another seed. */
const isPlayedTwice = (title: string): boolean =>
  (crc32(title) + Math.floor(Math.abs(SEED) / PROVIDERS.length)) % 3 === 0;

/** The providers of a run for scenes with this title: one for `npm test`, perhaps a second one for the run that follows it, all for a long run by itself. */
const playedFor = (title: string): readonly ProviderName[] => {
  if (isRestOfRun) return isPlayedTwice(title) ? [chosenFor(title), chosenFor(title, 1)] : [chosenFor(title)];
  return isLongRun ? PROVIDERS : [chosenFor(title)];
};

/**
 * Describes scenes at a provider, which `%s` in the title names. `npm run test:long` plays them at every provider; a quicker run at
 * one, which the title and the seed of the run choose, and what `.ci/run` plays after that at a second one for a third of the titles: the next
 * run has others.
 */
export const describeAtProviders = (title: string, scenes: (provider: ProviderName) => void): void => {
  const chosen = chosenFor(title);
  describe.each(playedFor(title))(title, (provider) => {
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
