import { latestAttempt } from '#shared/checkouts/domain/attempt.ts';
import {
  beginCheckout,
  type OpeningCheckout,
  postponeSettling,
  wantedOf,
} from '#shared/checkouts/domain/opening-checkout.ts';
import type { CheckoutIntents } from '#shared/checkouts/ports.ts';
import { type MatchWaitingDeps, matchWaiting } from '#shared/payments/use-cases/match-waiting.ts';
import { NoReferenceLeft, ProviderRefusal, requireProvider } from '#shared/providers/domain/errors.ts';
import type { IssuedPaymentAccount, LiveProviders } from '#shared/providers/ports.ts';
import { settleIntent } from '#shared/providers/use-cases/settle-intent.ts';

export interface SettleOpeningDeps extends MatchWaitingDeps {
  readonly checkoutIntents: CheckoutIntents;
  readonly liveProviders: LiveProviders;
}

/**
 * The account that the provider returns; undefined when there is none, when it expired without money, or when none will ever be returned: each
 * reference is used, or the provider refuses another account after the expiry. Money in an account that nobody was shown is then unmatched.
 */
const findIssued = async (
  deps: SettleOpeningDeps,
  before: OpeningCheckout,
): Promise<IssuedPaymentAccount | undefined> => {
  // A request that the sandbox let wait: no provider has heard of it.
  if (before.mode === 'test') return undefined;
  const { reference, businessId } = before;
  const { provider: name, reference: asked, expiresAt } = latestAttempt(before);
  const enabled = deps.liveProviders(name);
  const isExpired = deps.now() >= expiresAt;
  if (!enabled && isExpired) return undefined;
  const provider = requireProvider(enabled);
  const report = await provider.lookUp({ by: 'our_reference', value: asked });
  if (report === 'unknown' || (isExpired && report.money.length === 0)) return undefined;
  // The provider knows the payment: requesting it again returns its account.
  try {
    return await provider.createPaymentAccount(wantedOf(before));
  } catch (error) {
    const isFinal = error instanceof NoReferenceLeft || (isExpired && error instanceof ProviderRefusal);
    if (!isFinal) throw error;
    deps.log('checkout_removed', { reference, business_id: businessId, provider: name }, error);
    return undefined;
  }
};

/**
 * Settles a checkout whose request was interrupted. If the provider returns an account, the checkout is created, so that its money
 * has an owner; otherwise the intent is deleted, at the latest when the checkout would have expired. Nothing is announced, because nobody
 * has seen the checkout.
 * @returns false when the checkout is not being opened.
 * @throws what the provider's calls throw; then it is settled later.
 */
export const settleOpeningCheckout = async (deps: SettleOpeningDeps, reference: string): Promise<boolean> => {
  const found = await deps.checkoutIntents.find(reference);
  if (found?.kind !== 'opening') return false;
  const before = found.intent;
  await settleIntent(
    deps,
    before,
    async () => {
      const issued = await findIssued(deps, before);
      const outcome = issued
        ? ({ kind: 'created', before, object: beginCheckout(before, issued, deps.now()) } as const)
        : ({ kind: 'dropped', before } as const);
      const settled = await deps.checkoutIntents.settle([outcome]);
      const { provider } = latestAttempt(before);
      if (settled === 'settled' && issued) await matchWaiting(deps, [{ provider, reference, accountNumber: null }]);
    },
    (failure) => {
      const after = postponeSettling(before, deps.now(), failure);
      return deps.checkoutIntents.settle([{ kind: 'postponed', before, after }]);
    },
  );
  return true;
};
