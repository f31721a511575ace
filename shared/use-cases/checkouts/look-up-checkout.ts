import { askLater, type Checkout, passTime } from '#shared/domain/checkouts/checkout.ts';
import type { Tenant } from '#shared/domain/kernel/tenant.ts';
import { ProviderUnavailable } from '#shared/domain/providers/errors.ts';
import type { LiveProviders } from '#shared/ports/providers.ts';
import { changeCheckout } from '#shared/use-cases/money/change-checkout.ts';
import type { LandDeps } from '#shared/use-cases/money/land-money.ts';
import { lookUpPayment } from '#shared/use-cases/money/look-up-payment.ts';

export interface LookUpDeps extends LandDeps {
  readonly liveProviders: LiveProviders;
}

/** Asks the provider of a live checkout for money that nobody told us of. */
const askProvider = async (deps: LookUpDeps, { provider: name, providerReference }: Checkout): Promise<void> => {
  const provider = deps.liveProviders(name);
  if (!provider) throw new ProviderUnavailable('The stage has not enabled it.');
  await lookUpPayment(deps, name, provider, { by: 'our_reference', value: providerReference });
};

/**
 * A checkout's time has come: a live one is looked up at its provider around its expiry, three times in all, and expires
 * after its grace when the provider knows of no money; a test one expires. Announced; money that came meanwhile wins.
 * @throws what the look-up throws: the checkout is looked up again later, and is not expired without an answer.
 */
export const lookUpCheckout = async (deps: LookUpDeps, tenant: Tenant, reference: string): Promise<void> => {
  const found = await deps.ledger.readCheckout(tenant, reference);
  if (!found) return;
  const askedAt = deps.now();
  const isLive = tenant.mode === 'live';
  try {
    if (isLive) await askProvider(deps, found.checkout);
  } catch (error) {
    await changeCheckout(deps, tenant, reference, (checkout) => askLater(checkout, askedAt, error));
    throw error;
  }
  await changeCheckout(deps, tenant, reference, (checkout) => passTime(checkout, askedAt, isLive));
};
