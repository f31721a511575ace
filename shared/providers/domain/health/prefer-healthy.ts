import type { ProviderName } from '#shared/providers/domain/provider.ts';
import type { ProviderHealth } from './health.ts';
import { badShare, type Cause } from './samples.ts';

/** One checkout of so many goes to a failing provider first, so that it is found out when it works again. */
const TRIED_EVERY = 20;

/** Candidates in the order in which they are asked, and why it is another than that of the stage: for the log. */
export interface PreferredOrder {
  readonly order: readonly [ProviderName, ...ProviderName[]];
  /** Those that come last, with why. */
  readonly last: readonly { readonly provider: ProviderName; readonly why: Cause }[];
  /** The failing provider that this checkout tries first. */
  readonly tried: ProviderName | null;
  /** All candidates are failing: nobody is switched about, and the order of the stage decides. */
  readonly isSlowEverywhere: boolean;
}

/** The facts that decide about a provider's place. */
export type Standing = Pick<ProviderHealth, 'state' | 'cause' | 'creations' | 'sent'>;

const findBadShare = ({ cause, creations, sent }: Standing): number =>
  badShare(cause === 'creations_fail' ? creations : sent);

/**
 * Puts failing providers last, the least failing one first among them. None is left out: of three candidates two always stay ahead of the
 * worst, and whoever is last is asked when the others do not open. `draw`: a random number from 0, below 1. Every twentieth draw asks a
 * failing provider first.
 */
export const preferHealthy = (
  candidates: readonly [ProviderName, ...ProviderName[]],
  health: { readonly [P in ProviderName]?: Standing | undefined },
  draw: number,
): PreferredOrder => {
  const failing = candidates.flatMap((provider) => {
    const standing = health[provider];
    return standing?.state === 'failing' && standing.cause ? [{ provider, standing, why: standing.cause }] : [];
  });
  if (failing.length === candidates.length || failing.length === 0)
    return { order: candidates, last: [], tried: null, isSlowEverywhere: failing.length > 0 };
  const worstLast = failing.toSorted((a, b) => findBadShare(a.standing) - findBadShare(b.standing));
  const last = worstLast.map(({ provider, why }) => ({ provider, why }));
  // The first of twenty parts of the draw is shared among them.
  const tried = last[Math.floor(draw * TRIED_EVERY * last.length)]?.provider ?? null;
  const names = last.map(({ provider }) => provider);
  const well = candidates.filter((provider) => !names.includes(provider));
  const [first = candidates[0], ...others] = tried === null ? [...well, ...names] : [tried, ...well, ...names];
  return { order: [first, ...others.filter((name) => name !== first)], last, tried, isSlowEverywhere: false };
};
