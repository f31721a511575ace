import type { Kobo } from '#shared/platform/kernel/money.ts';
import type { ProviderName } from '#shared/providers/domain/provider.ts';

/** A provider that a checkout may go to, as far as it is known before it is asked. */
export interface Candidate {
  readonly provider: ProviderName;
  readonly isEnabled: boolean;
  /** The limits of one payment's amount in kobo, as far as the provider publishes them. */
  readonly amountLimits?: { readonly least: Kobo; readonly most?: Kobo } | undefined;
  /** Its breaker of creations is open, or it limits our creations, as far as this container knows. */
  readonly isSuspended: boolean;
}

/** A provider that a checkout does not go to, and why. `quota`: its business has used up what it may open there. */
export interface PassedOver {
  readonly provider: ProviderName;
  readonly why: 'not_enabled' | 'amount' | 'suspended' | 'quota';
}

/** The providers that a checkout may go to, in the order in which they are asked. */
export interface Choice {
  readonly order: readonly ProviderName[];
  readonly passedOver: readonly PassedOver[];
}

/** Whether an amount is within a provider's published limits. */
export const isWithinLimits = ({ amountLimits }: Pick<Candidate, 'amountLimits'>, amount: Kobo): boolean =>
  amountLimits === undefined || (amount >= amountLimits.least && amount <= (amountLimits.most ?? amount));

const findObstacle = (candidate: Candidate, amount: Kobo): PassedOver['why'] | undefined => {
  if (!candidate.isEnabled) return 'not_enabled';
  if (!isWithinLimits(candidate, amount)) return 'amount';
  return candidate.isSuspended ? 'suspended' : undefined;
};

/**
 * Chooses the providers that a checkout of an amount may go to. Their order stays. Where all others are out of the question,
 * those that are suspended are asked all the same: they may be up again.
 */
export const chooseCandidates = (candidates: readonly Candidate[], amount: Kobo): Choice => {
  const judged = candidates.map((candidate) => ({ candidate, why: findObstacle(candidate, amount) }));
  const free = judged.filter(({ why }) => why === undefined);
  const taken = free.length > 0 ? free : judged.filter(({ why }) => why === 'suspended');
  const passedOver = judged
    .filter((entry) => !taken.includes(entry))
    .flatMap(({ candidate: { provider }, why }) => (why ? [{ provider, why }] : []));
  return { order: taken.map(({ candidate: { provider } }) => provider), passedOver };
};
