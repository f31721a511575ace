import { isForeignTo } from '#shared/checkouts/domain/attempt.ts';
import { failedAtProvider } from '#shared/checkouts/domain/checkout.ts';
import { toCheckoutReference } from '#shared/providers/domain/attempt-reference.ts';
import type { ProviderName } from '#shared/providers/domain/provider.ts';
import type { PaymentQuery, PaymentReport } from '#shared/providers/domain/report.ts';
import type { LiveProvider } from '#shared/providers/ports.ts';
import { changeCheckout } from './change-checkout.ts';
import { type LandDeps, landMoney } from './land-money.ts';

/**
 * The provider accepts no money any more under a reference: its pending checkout fails, unless it has another account, or has used a later reference.
 * What another provider, or test mode, was asked for is none of this provider's: that is counted.
 */
const failCheckout = async (deps: LandDeps, provider: ProviderName, reference: string): Promise<void> => {
  const owner = { kind: 'checkout', reference: toCheckoutReference(reference) } as const;
  const tenant = await deps.ledger.findTenant(owner);
  if (!tenant) return;
  let isForeign = false;
  await changeCheckout(deps, tenant, owner.reference, (checkout) => {
    isForeign = isForeignTo(provider, checkout, reference);
    return isForeign ? undefined : failedAtProvider(checkout, reference, deps.now());
  });
  if (isForeign) deps.metrics('foreign_reports', 1);
};

/**
 * Asks a provider about a payment and lands what it reports. Status and amount are taken from look-ups only.
 * @returns the report; `unknown` when the provider does not know the payment; `stale` for a cumulative report that may be older than what
 * counts: everything else has landed, and it is looked up again later.
 * @throws OutcomeUnknown, ProviderUnavailable, ProviderError when it could not be asked.
 */
export const lookUpPayment = async (
  deps: LandDeps,
  name: ProviderName,
  provider: Pick<LiveProvider, 'lookUp'>,
  query: PaymentQuery,
): Promise<PaymentReport | 'unknown' | 'stale'> => {
  const askedAt = deps.now();
  const report = await provider.lookUp(query);
  if (report === 'unknown') return report;
  let isStale = false;
  // One after the other: they are often for the same checkout.
  for (const money of report.money) {
    const landed = await landMoney(deps, name, money, { state: report.state, askedAt });
    if (landed === 'stale') isStale = true;
  }
  if (isStale) return 'stale';
  if (report.state === 'failed' && query.by === 'our_reference') await failCheckout(deps, name, query.value);
  return report;
};
