import { shownAttempt } from '#shared/checkouts/domain/attempt.ts';
import { type Checkout, expireByHand } from '#shared/checkouts/domain/checkout.ts';
import { decideCheckout } from '#shared/payments/use-cases/change-checkout.ts';
import type { Decision } from '#shared/platform/commit.ts';
import { notFound } from '#shared/platform/kernel/not-found.ts';
import type { Caller } from '#shared/platform/kernel/tenant.ts';
import { providerFailed } from '#shared/providers/use-cases/provider-failed.ts';
import { type RequeryDeps, requery } from './requery.ts';

/**
 * Expires a checkout before its expiry time. In live mode the providers of its accounts are asked first, so that money without a
 * notification counts. A checkout that has already ended without money is returned unchanged. Money that lands during the request prevents
 * the expiry; money that lands later counts, like all late money.
 * @throws ApiError checkout_not_found, checkout_not_payable; provider_error and provider_busy (the checkout did not expire).
 */
export const expireCheckout = async (
  deps: RequeryDeps,
  caller: Caller,
  reference: string,
): Promise<Decision<Checkout>> => {
  const stored = await deps.ledger.readCheckout(caller, reference);
  if (!stored) throw notFound('checkout_not_found', reference);
  if (!expireByHand(stored.checkout)) return { result: stored.checkout, writes: [] };
  // A live checkout expires only after an answer that is certainly newer than our records.
  if (caller.mode === 'live' && (await requery(deps, caller, stored.checkout, 'expiries')) === 'stale') {
    throw providerFailed({ mode: caller.mode, provider: shownAttempt(stored.checkout).provider });
  }
  const decide = () => decideCheckout(deps, caller, reference, expireByHand);
  return { ...(await decide()), again: decide };
};
