import type { ProviderName } from '#shared/providers/domain/provider.ts';
import type { ProviderHealth } from './health.ts';
import { type Cause, computeBadShare } from './samples.ts';

/** Every twentieth checkout asks a failing provider first, to find out whether it works again. */
const TRIED_EVERY = 20;

/** The order in which candidates are asked, and for the log the reasons why it differs from the stage's order. */
export interface PreferredOrder {
  readonly order: readonly [ProviderName, ...ProviderName[]];
  /** The failing providers, which come last, with the cause of each. */
  readonly last: readonly { readonly provider: ProviderName; readonly why: Cause }[];
  /** The failing provider that this checkout tries first. */
  readonly triedFirst: ProviderName | null;
  /** Whether all candidates are failing. Then the stage's order is kept. */
  readonly areAllFailing: boolean;
}

/** The part of a provider's health that decides its place in the order. */
export type Standing = Pick<ProviderHealth, 'state' | 'cause' | 'creations' | 'sent'>;

const findBadShare = ({ cause, creations, sent }: Standing): number =>
  computeBadShare(cause === 'creations_fail' ? creations : sent);

/**
 * Sorts failing providers to the end, the worst one last. No candidate is removed: the last one is asked if the others open no account.
 * `draw` is a random number from 0 to below 1. One draw in twenty puts a failing provider first.
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
    return { order: candidates, last: [], triedFirst: null, areAllFailing: failing.length > 0 };
  const worstLast = failing.toSorted((a, b) => findBadShare(a.standing) - findBadShare(b.standing));
  const last = worstLast.map(({ provider, why }) => ({ provider, why }));
  // A draw below 1/20 chooses one of the failing providers, each with the same probability.
  const triedFirst = last[Math.floor(draw * TRIED_EVERY * last.length)]?.provider ?? null;
  const names = last.map(({ provider }) => provider);
  const healthy = candidates.filter((provider) => !names.includes(provider));
  const [first = candidates[0], ...others] =
    triedFirst === null ? [...healthy, ...names] : [triedFirst, ...healthy, ...names];
  return { order: [first, ...others.filter((name) => name !== first)], last, triedFirst, areAllFailing: false };
};
