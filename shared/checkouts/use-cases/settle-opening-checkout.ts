import { type Attempt, leaveAttempt } from '#shared/checkouts/domain/attempt.ts';
import type { Checkout } from '#shared/checkouts/domain/checkout.ts';
import {
  beginCheckout,
  type OpeningCheckout,
  postponeSettling,
  toAccountRequest,
} from '#shared/checkouts/domain/opening-checkout.ts';
import type { CheckoutIntents } from '#shared/checkouts/ports.ts';
import type { MatchWaitingDeps } from '#shared/payments/use-cases/match-waiting.ts';
import { isProviderError, NoReferenceLeft, ProviderError, requireProvider } from '#shared/providers/domain/errors.ts';
import type { IntentOutcome } from '#shared/providers/intent-ports.ts';
import type { IssuedPaymentAccount, LiveProviders } from '#shared/providers/ports.ts';
import { settleIntent } from '#shared/providers/use-cases/settle-intent.ts';
import { matchEarlierMoney } from './match-earlier-money.ts';

export interface SettleOpeningDeps extends MatchWaitingDeps {
  readonly checkoutIntents: CheckoutIntents;
  readonly liveProviders: LiveProviders;
}

/**
 * Finds the account that the provider of an attempt returns. `none`: the provider has no account; or the account has expired, and either it
 * has no money or its provider is no longer enabled. `unobtainable`: an account exists, but the provider will never return it: all
 * references are used up, or the provider rejects requests after the expiry.
 */
const findIssued = async (
  deps: SettleOpeningDeps,
  before: OpeningCheckout,
  attempt: Attempt,
): Promise<IssuedPaymentAccount | 'none' | 'unobtainable'> => {
  const { provider: name, reference: attemptReference, expiresAt, state } = attempt;
  // In test mode the attempt exists only in the sandbox.
  if (before.mode === 'test' || state === 'refused') return 'none';
  const enabled = deps.liveProviders(name);
  const isExpired = deps.now() >= expiresAt;
  if (!enabled && isExpired) return 'none';
  const provider = requireProvider(enabled);
  const report = await provider.lookUp({ by: 'our_reference', value: attemptReference });
  if (report === 'unknown' || (isExpired && report.money.length === 0)) return 'none';
  // The provider knows the payment, so the same request returns its account.
  try {
    return await provider.createPaymentAccount(toAccountRequest(before, attempt));
  } catch (error) {
    const isFinal = error instanceof NoReferenceLeft || (isExpired && error instanceof ProviderError);
    if (!isFinal) throw error;
    const { reference, businessId } = before;
    deps.log('checkout_removed', { reference, business_id: businessId, provider: name }, error);
    return 'unobtainable';
  }
};

/**
 * Decides how an intent ends: with the account of its newest attempt that has one, or with none. Money on an `unobtainable` account counts
 * if the checkout opens with another account; otherwise it is unmatched.
 * @throws the failure of a provider that may have an account.
 */
const findOutcome = async (
  deps: SettleOpeningDeps,
  before: OpeningCheckout,
): Promise<IntentOutcome<OpeningCheckout, Checkout>> => {
  const attemptsByReference = new Map(before.attempts.map((attempt) => [attempt.reference, attempt]));
  let failure: unknown;
  for (const attempt of before.attempts.toReversed()) {
    try {
      const issued = await findIssued(deps, before, attempt);
      if (typeof issued === 'object') {
        const known = { ...before, attempts: [...attemptsByReference.values()] };
        return { kind: 'created', before, object: beginCheckout(known, attempt, issued, deps.now()) };
      }
      attemptsByReference.set(attempt.reference, leaveAttempt(attempt, issued === 'unobtainable'));
    } catch (error) {
      if (!isProviderError(error)) throw error;
      failure ??= error;
    }
  }
  if (failure !== undefined) throw failure;
  return { kind: 'dropped', before };
};

/**
 * Settles a checkout whose request was interrupted. If a provider returns an account, the checkout is created, so that its money has an
 * owner. Otherwise the intent is deleted, at the latest at the expiry. Nothing is announced, because nobody has seen the checkout.
 * @returns false if the checkout is not being opened.
 * @throws what the provider's calls throw; then the checkout is settled later.
 */
export const settleOpeningCheckout = async (deps: SettleOpeningDeps, reference: string): Promise<boolean> => {
  const existing = await deps.checkoutIntents.find(reference);
  if (existing?.kind !== 'opening') return false;
  const before = existing.intent;
  await settleIntent(
    deps,
    before,
    async () => {
      const outcome = await findOutcome(deps, before);
      const settled = await deps.checkoutIntents.settle([outcome]);
      if (settled === 'settled' && outcome.kind === 'created') await matchEarlierMoney(deps, outcome.object);
    },
    (failure) => {
      const after = postponeSettling(before, deps.now(), failure);
      return deps.checkoutIntents.settle([{ kind: 'postponed', before, after }]);
    },
  );
  return true;
};
