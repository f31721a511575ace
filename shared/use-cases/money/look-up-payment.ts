import { referenceOfAttempt } from '#shared/domain/checkouts/attempt-reference.ts';
import { failedAtProvider } from '#shared/domain/checkouts/checkout.ts';
import type { PaymentQuery, PaymentReport } from '#shared/domain/money/report.ts';
import { OutdatedAnswer } from '#shared/domain/providers/errors.ts';
import type { ProviderName } from '#shared/domain/providers/provider.ts';
import type { LiveProvider } from '#shared/ports/providers.ts';
import { changeCheckout } from './change-checkout.ts';
import { type LandDeps, landMoney } from './land-money.ts';

/** The provider's final no: a checkout that still waits for this attempt fails. One that has been given up for another has no say. */
const failCheckout = async (deps: LandDeps, reference: string): Promise<void> => {
  const owner = { kind: 'checkout', reference: referenceOfAttempt(reference) } as const;
  const tenant = await deps.ledger.tenantOf(owner);
  if (!tenant) return;
  await changeCheckout(deps, tenant, owner.reference, (checkout) =>
    checkout.providerReference === reference ? failedAtProvider(checkout) : undefined,
  );
};

/**
 * Asks a provider about a payment and lands what it reports. The look-up alone decides about status and amount.
 * @throws OutcomeUnknown, ProviderUnavailable, ProviderRefusal when it could not be asked; OutdatedAnswer, once
 * what goes by other references has landed, for a total that may be older than what counts (landing.ts): a later look-up decides.
 */
export const lookUpPayment = async (
  deps: LandDeps,
  name: ProviderName,
  provider: LiveProvider,
  query: PaymentQuery,
): Promise<PaymentReport | 'unknown'> => {
  const askedAt = deps.now();
  const report = await provider.lookUp(query);
  if (report === 'unknown') return report;
  // One after the other: they are often for the same checkout. After a total that is put off, what else its reference tells is too.
  const putOff = new Set<string>();
  for (const money of report.money) {
    const reference = money.payee.by === 'our_reference' ? money.payee.reference : undefined;
    if (reference !== undefined && putOff.has(reference)) continue;
    const landed = await landMoney(deps, name, money, { state: report.state, askedAt });
    if (landed === 'contradicts' && reference !== undefined) putOff.add(reference);
  }
  if (putOff.size > 0) throw new OutdatedAnswer('The answer may be older than what counts: ask again.');
  if (report.state === 'failed' && query.by === 'our_reference') await failCheckout(deps, query.value);
  return report;
};
