import { type Checkout, expireByHand } from '#shared/domain/checkouts/checkout.ts';
import { Refusal } from '#shared/domain/kernel/errors.ts';
import type { Asker, Caller } from '#shared/domain/kernel/tenant.ts';
import { isUnanswered, ProviderBusy, ProviderRefusal, StaleReport } from '#shared/domain/providers/errors.ts';
import type { SealedAnswer } from '#shared/domain/requests/idempotency.ts';
import type { Metrics } from '#shared/observability/metrics.ts';
import type { Runtime } from '#shared/ports/kernel.ts';
import type { ProviderAllowance } from '#shared/ports/providers.ts';
import { providerBusy } from '#shared/use-cases/kernel/provider-busy.ts';
import { providerFailed } from '#shared/use-cases/kernel/provider-failed.ts';
import { withTimeout } from '#shared/use-cases/kernel/with-timeout.ts';
import { changeNamedCheckout } from '#shared/use-cases/money/change-checkout.ts';
import { askProvider, type LookUpDeps } from './look-up-checkout.ts';

export interface ExpireCheckoutDeps extends LookUpDeps, Pick<Runtime, 'wait'> {
  readonly providerAllowance: ProviderAllowance;
  readonly metrics: Metrics;
}

/** Milliseconds for asking the provider: the function has 15 s, and the outcome has to be written. */
const ASK_TIMEOUT = 10_000;

/**
 * Lands money that the provider knows of. Without its answer no live checkout expires. A business causes this look-up, so it is an enquiry
 * and charged to the business's allowance: it must not use up the look-ups that land money.
 */
const lookUpBeforeExpiry = async (deps: ExpireCheckoutDeps, asker: Asker, checkout: Checkout): Promise<void> => {
  const { provider } = checkout;
  const used = await deps.providerAllowance.charge(asker, provider, 'expiries');
  if (used) throw providerBusy(deps, provider, used);
  try {
    await withTimeout(deps, ASK_TIMEOUT, askProvider(deps, checkout, 'enquire'));
  } catch (error) {
    if (error instanceof ProviderBusy) throw providerBusy(deps, provider, error);
    const isInconclusive = error instanceof ProviderRefusal || error instanceof StaleReport || isUnanswered(error);
    if (!isInconclusive) throw error;
    throw providerFailed(provider, error);
  }
};

/**
 * Expires a checkout before its time (api-decisions.md section 4). In live mode its provider is asked first, so that money without a
 * notification counts. One that has already ended without money is returned as it is. Money that lands meanwhile wins; money that lands
 * later counts, like all late money.
 * @throws the refusals checkout_not_found, checkout_not_payable; provider_error and provider_busy (nothing changed).
 */
export const expireCheckout = async (
  deps: ExpireCheckoutDeps,
  caller: Caller,
  reference: string,
  answer: (checkout: Checkout) => SealedAnswer | undefined,
): Promise<Checkout> => {
  const found = await deps.ledger.readCheckout(caller, reference);
  if (!found) throw new Refusal('checkout_not_found');
  if (!expireByHand(found.checkout)) return found.checkout;
  if (caller.mode === 'live') await lookUpBeforeExpiry(deps, caller, found.checkout);
  return changeNamedCheckout(deps, caller, reference, expireByHand, answer);
};
