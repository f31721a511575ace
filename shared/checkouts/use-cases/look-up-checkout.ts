import { shownAttempt } from '#shared/checkouts/domain/attempt.ts';
import { askLater, type Checkout, isToldByList, passTime } from '#shared/checkouts/domain/checkout.ts';
import type { ReconciliationStore } from '#shared/payments/ports.ts';
import { changeCheckout } from '#shared/payments/use-cases/change-checkout.ts';
import type { LandDeps } from '#shared/payments/use-cases/land-money.ts';
import { lookUpPayment } from '#shared/payments/use-cases/look-up-payment.ts';
import type { Tenant } from '#shared/platform/kernel/tenant.ts';
import { isOfProvider, requireProvider } from '#shared/providers/domain/errors.ts';
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
  checkout: Checkout,
  by: 'lookUp' | 'enquire',
): Promise<'current' | 'stale'> => {
  const { provider: name, reference } = shownAttempt(checkout);
  const provider = requireProvider(deps.liveProviders(name));
  const query = { by: 'our_reference', value: reference } as const;
  const report = await lookUpPayment(deps, name, { lookUp: provider[by] }, query);
  return report === 'stale' ? report : 'current';
};

export interface LookUpCheckoutDeps extends LookUpDeps {
  readonly reconciliations: Pick<ReconciliationStore, 'findLists'>;
}

/** Until when the list of a checkout's provider tells of late money; 0 where a look-up tells more. */
const listedUntil = async ({ liveProviders, reconciliations }: LookUpCheckoutDeps, checkout: Checkout) => {
  const { provider } = shownAttempt(checkout);
  if (checkout.status !== 'expired' || !liveProviders(provider)?.listShowsLateMoney) return 0;
  // Where that cannot be read, the provider is asked.
  const lists = await reconciliations.findLists(provider, 'hours').catch(() => []);
  return lists.length > 0 ? Math.min(...lists.map(({ comparedUntil }) => comparedUntil)) : 0;
};

/**
 * Does a checkout's due work. A test checkout expires. A live checkout is looked up at its provider three times around its expiry, and
 * expires after its grace if the provider reports no money. An expiry is announced; money that is recorded meanwhile wins. The third look-up is
 * left out where the provider's list has told what it would find.
 * A look-up that failed or was stale is repeated: no live checkout expires without its provider's answer.
 * @throws what the look-up throws.
 */
export const lookUpCheckout = async (deps: LookUpCheckoutDeps, tenant: Tenant, reference: string): Promise<void> => {
  const found = await deps.ledger.readCheckout(tenant, reference);
  if (!found) return;
  const askedAt = deps.now();
  const isLive = tenant.mode === 'live';
  const until = isLive ? await listedUntil(deps, found.checkout) : 0;
  if (isToldByList(found.checkout, until)) {
    // Money that landed meanwhile may have been returned: then it is due at once, and looked up.
    await changeCheckout(deps, tenant, reference, (checkout) =>
      isToldByList(checkout, until) ? passTime(checkout, askedAt, true) : undefined,
    );
    return;
  }
  try {
    if (isLive && (await askProvider(deps, found.checkout, 'lookUp')) === 'stale') {
      await changeCheckout(deps, tenant, reference, (checkout) => askLater(checkout, askedAt, undefined));
      return;
    }
  } catch (error) {
    if (isOfProvider(error))
      await changeCheckout(deps, tenant, reference, (checkout) => askLater(checkout, askedAt, error));
    throw error;
  }
  await changeCheckout(deps, tenant, reference, (checkout) => passTime(checkout, askedAt, isLive));
};
