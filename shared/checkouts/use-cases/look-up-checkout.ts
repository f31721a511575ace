import { askLater, type Checkout, passTime } from '#shared/checkouts/domain/checkout.ts';
import { changeCheckout } from '#shared/payments/use-cases/change-checkout.ts';
import type { LandDeps } from '#shared/payments/use-cases/land-money.ts';
import { lookUpPayment } from '#shared/payments/use-cases/look-up-payment.ts';
import type { Tenant } from '#shared/platform/kernel/tenant.ts';
import { requireProvider } from '#shared/providers/domain/errors.ts';
import type { LiveProviders } from '#shared/providers/ports.ts';

export interface LookUpDeps extends LandDeps {
  readonly liveProviders: LiveProviders;
}

/**
 * Looks up a live checkout at its provider and lands its money: `lookUp` when we decide so, `enquire` when a business causes it.
 * `stale`: the answer may be older than what counts, and changed nothing of that. Throws what the look-up throws.
 */
export const askProvider = async (
  deps: LookUpDeps,
  { provider: name, providerReference }: Checkout,
  by: 'lookUp' | 'enquire',
): Promise<'current' | 'stale'> => {
  const provider = requireProvider(deps.liveProviders(name));
  const query = { by: 'our_reference', value: providerReference } as const;
  const report = await lookUpPayment(deps, name, { lookUp: provider[by] }, query);
  return report === 'stale' ? report : 'current';
};

/**
 * Does a checkout's due work. A test checkout expires. A live checkout is looked up at its provider three times around its expiry, and
 * expires after its grace if the provider reports no money. An expiry is announced; money that is recorded meanwhile wins.
 * A look-up that failed or was stale is repeated: no live checkout expires without its provider's answer.
 * @throws what the look-up throws.
 */
export const lookUpCheckout = async (deps: LookUpDeps, tenant: Tenant, reference: string): Promise<void> => {
  const found = await deps.ledger.readCheckout(tenant, reference);
  if (!found) return;
  const askedAt = deps.now();
  const isLive = tenant.mode === 'live';
  try {
    if (isLive && (await askProvider(deps, found.checkout, 'lookUp')) === 'stale') {
      await changeCheckout(deps, tenant, reference, (checkout) => askLater(checkout, askedAt, undefined));
      return;
    }
  } catch (error) {
    await changeCheckout(deps, tenant, reference, (checkout) => askLater(checkout, askedAt, error));
    throw error;
  }
  await changeCheckout(deps, tenant, reference, (checkout) => passTime(checkout, askedAt, isLive));
};
