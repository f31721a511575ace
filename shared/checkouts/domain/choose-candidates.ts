import type { Kobo } from '#shared/platform/kernel/money.ts';
import type { ProviderName } from '#shared/providers/domain/provider.ts';

/** A provider that a checkout may go to, before it is asked. */
export interface Candidate {
  readonly provider: ProviderName;
  readonly isEnabled: boolean;
  /** Limits of a payment's amount in kobo, if the provider publishes them. */
  readonly amountLimits?: { readonly least: Kobo; readonly most?: Kobo } | undefined;
  /** Whether, as far as this container knows, the provider opens no accounts now: its breaker for creations is open, or the provider limits them. */
  readonly isBreakerOpen: boolean;
}

/** A provider that a checkout does not go to, and why. `quota`: the business has used up its quota there. */
export interface PassedOverProvider {
  readonly provider: ProviderName;
  readonly why: 'not_enabled' | 'amount' | 'breaker_open' | 'quota';
}

/** The providers that a checkout may go to, in the order of asking. */
export interface ProviderChoice {
  readonly order: readonly ProviderName[];
  readonly passedOver: readonly PassedOverProvider[];
}

/** Whether an amount is within a provider's published limits. */
export const isWithinLimits = ({ amountLimits }: Pick<Candidate, 'amountLimits'>, amount: Kobo): boolean =>
  amountLimits === undefined || (amount >= amountLimits.least && amount <= (amountLimits.most ?? amount));

const findObstacle = (candidate: Candidate, amount: Kobo): PassedOverProvider['why'] | undefined => {
  if (!candidate.isEnabled) return 'not_enabled';
  if (!isWithinLimits(candidate, amount)) return 'amount';
  return candidate.isBreakerOpen ? 'breaker_open' : undefined;
};

/**
 * Chooses the providers that a checkout may go to, in their order. If every provider has an obstacle, the providers are chosen that have no
 * other obstacle than an open breaker, because they may work again.
 */
export const chooseCandidates = (candidates: readonly Candidate[], amount: Kobo): ProviderChoice => {
  const judged = candidates.map((candidate) => ({ candidate, why: findObstacle(candidate, amount) }));
  const free = judged.filter(({ why }) => why === undefined);
  const chosen = free.length > 0 ? free : judged.filter(({ why }) => why === 'breaker_open');
  const passedOver = judged
    .filter((entry) => !chosen.includes(entry))
    .flatMap(({ candidate: { provider }, why }) => (why ? [{ provider, why }] : []));
  return { order: chosen.map(({ candidate: { provider } }) => provider), passedOver };
};
