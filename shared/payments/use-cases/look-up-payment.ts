import { isForeignReference } from '#shared/checkouts/domain/attempt.ts';
import { endAccountAtProvider } from '#shared/checkouts/domain/checkout.ts';
import { toCheckoutReference } from '#shared/providers/domain/attempt-reference.ts';
import type { ProviderName } from '#shared/providers/domain/provider.ts';
import type { PaymentQuery, PaymentReport } from '#shared/providers/domain/report.ts';
import type { LiveProvider } from '#shared/providers/ports.ts';
import { changeCheckout } from './change-checkout.ts';
import { type LandDeps, landMoney } from './land-money.ts';

/**
 * Records that a provider accepts no more money under a reference of a pending checkout. The checkout fails if none of the other accounts that its
 * payer was shown accepts money, and no other account is being opened (endAccountAtProvider). Nothing changes if the checkout has used a later
 * reference at this provider. Nothing changes either if the reference belongs to another provider or to test mode; a metric counts that.
 */
const failCheckout = async (deps: LandDeps, provider: ProviderName, reference: string): Promise<void> => {
  const owner = { kind: 'checkout', reference: toCheckoutReference(reference) } as const;
  const tenant = await deps.ledger.findTenant(owner);
  if (!tenant) return;
  let isForeign = false;
  await changeCheckout(deps, tenant, owner.reference, (checkout) => {
    isForeign = isForeignReference(provider, checkout, reference);
    return isForeign ? undefined : endAccountAtProvider(checkout, reference, deps.now());
  });
  if (isForeign) deps.metrics('foreign_reports', 1);
};

/**
 * Asks a provider about a payment and lands the reported money. Status and amount come from look-ups only.
 * @returns the report; `unknown` if the provider does not know the payment; `stale` if a cumulative report may be older than our records: all other
 * money has landed, and the caller looks the payment up again later.
 * @throws OutcomeUnknown, ProviderUnavailable or ProviderBusy if the provider gave no usable answer or was not called; ProviderError if it rejected
 * the request; the errors of landMoney.
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
  // One after the other, because they are often for the same checkout.
  for (const money of report.money) {
    const landed = await landMoney(deps, name, money, { state: report.state, askedAt });
    if (landed === 'stale') isStale = true;
  }
  if (isStale) return 'stale';
  if (report.state === 'failed' && query.by === 'our_reference') await failCheckout(deps, name, query.value);
  return report;
};
