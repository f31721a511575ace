import { type Checkout, passTime } from '#shared/domain/checkout.ts';
import type { Tenant } from '#shared/domain/tenant.ts';
import type { LiveProviders } from '#shared/ports.ts';
import { changeCheckout } from './change-checkout.ts';
import type { LandDeps } from './land-money.ts';
import { lookUpPayment } from './look-up-payment.ts';

export interface LookUpDeps extends LandDeps {
  readonly liveProviders: LiveProviders;
}

/** Asks the provider of a live checkout for money that nobody told us of. False when the stage does not have the provider. */
const askProvider = async (deps: LookUpDeps, { provider: name, providerReference }: Checkout): Promise<boolean> => {
  const provider = deps.liveProviders(name);
  if (!provider) return false;
  await lookUpPayment(deps, name, provider, { by: 'our_reference', value: providerReference });
  return true;
};

/**
 * A checkout's time has come: a live one is looked up at its provider around its expiry, three times in all, and expires
 * after its grace when the provider knows of no money; a test one expires. Announced; money that came meanwhile wins.
 * @throws what the look-up throws: the checkout stays due, and is not expired without an answer.
 */
export const lookUpCheckout = async (deps: LookUpDeps, tenant: Tenant, reference: string): Promise<void> => {
  const found = await deps.ledger.readCheckout(tenant, reference);
  if (!found) return;
  const askedAt = deps.now();
  const asked = tenant.mode === 'live' && (await askProvider(deps, found.checkout));
  await changeCheckout(deps, tenant, reference, (checkout) => passTime(checkout, askedAt, asked));
};
