import { type Attempt, shownAttempt } from '#shared/checkouts/domain/attempt.ts';
import {
  askLater,
  type Checkout,
  type CheckoutStep,
  expireByTime,
  isCoveredByList,
  nextLookUp,
  settleAttempt,
} from '#shared/checkouts/domain/checkout.ts';
import type { ReconciliationStore } from '#shared/payments/ports.ts';
import { changeCheckout } from '#shared/payments/use-cases/change-checkout.ts';
import type { LandDeps } from '#shared/payments/use-cases/land-money.ts';
import { lookUpPayment } from '#shared/payments/use-cases/look-up-payment.ts';
import type { Tenant } from '#shared/platform/kernel/tenant.ts';
import { isProviderError, OutcomeUnknown, requireProvider } from '#shared/providers/domain/errors.ts';
import type { LiveProviders } from '#shared/providers/ports.ts';

export interface LookUpDeps extends LandDeps {
  readonly liveProviders: LiveProviders;
}

/**
 * Looks up an account of a live checkout at its provider and lands its money. `by`: `lookUp` if we decided to ask; `requery` if a business
 * or its payer caused the request.
 * `stale`: the answer may be older than our records and changed nothing.
 * @throws what the look-up throws.
 */
export const askProvider = async (
  deps: LookUpDeps,
  { provider: name, reference }: Attempt,
  by: 'lookUp' | 'requery',
): Promise<'current' | 'stale'> => {
  const provider = requireProvider(deps.liveProviders(name));
  const query = { by: 'our_reference', value: reference } as const;
  const report = await lookUpPayment(deps, name, { lookUp: provider[by] }, query);
  return report === 'stale' ? report : 'current';
};

export interface LookUpCheckoutDeps extends LookUpDeps {
  readonly reconciliations: Pick<ReconciliationStore, 'findLists'>;
}

/**
 * Returns the time up to which our books were compared with the provider's list. Returns 0 if a look-up is needed in any case: the checkout
 * has not expired, the list does not show late money, or nothing was compared yet.
 */
const findListedUntil = async (
  { liveProviders, reconciliations }: LookUpCheckoutDeps,
  checkout: Checkout,
  { provider }: Attempt,
) => {
  if (checkout.status !== 'expired' || !liveProviders(provider)?.listShowsLateMoney) return 0;
  // If the progress cannot be read, ask the provider.
  const lists = await reconciliations.findLists(provider, 'hours').catch(() => []);
  return lists.length > 0 ? Math.min(...lists.map(({ comparedUntil }) => comparedUntil)) : 0;
};

/** Asks a provider about an attempt with an unknown outcome, and lands its money. */
const askAboutUnknown = async (
  deps: LookUpCheckoutDeps,
  { provider: name, reference }: Attempt,
): Promise<'found' | 'absent' | 'refused' | Error> => {
  const { lookUp } = requireProvider(deps.liveProviders(name));
  const report = await lookUpPayment(deps, name, { lookUp }, { by: 'our_reference', value: reference });
  if (report === 'unknown') return 'absent';
  if (report === 'stale') return new OutcomeUnknown('The answer may be older than our records.');
  return report.state === 'failed' && report.money.length === 0 ? 'refused' : 'found';
};

/**
 * Settles an attempt whose provider did not answer in time, or whose request was interrupted. Nobody saw the attempt's account, so the
 * attempt never prevents the checkout's expiry.
 * @throws what the look-up throws; then the provider is asked again later.
 */
const settleUnknown = async (
  deps: LookUpCheckoutDeps,
  tenant: Tenant,
  { reference, mode }: Checkout,
  attempt: Attempt,
): Promise<void> => {
  const now = deps.now();
  const settle = (result: 'found' | 'absent' | 'refused' | Error) =>
    changeCheckout(deps, tenant, reference, (checkout) => settleAttempt(checkout, attempt, { now, result }));
  try {
    // In test mode the attempt exists only in the sandbox.
    await settle(mode === 'test' ? 'refused' : await askAboutUnknown(deps, attempt));
  } catch (error) {
    if (error instanceof Error && isProviderError(error)) await settle(error);
    throw error;
  }
};

/**
 * Asks the provider about an account that was shown to the payer. Money on the account lands, and the checkout may expire.
 * @throws what the look-up throws.
 */
const lookUpShown = async (deps: LookUpCheckoutDeps, tenant: Tenant, before: Checkout, due: Attempt): Promise<void> => {
  const askedAt = deps.now();
  const change = (decide: (checkout: Checkout) => CheckoutStep | undefined) =>
    changeCheckout(deps, tenant, before.reference, decide);
  const until = await findListedUntil(deps, before, due);
  if (isCoveredByList(before, due, until)) {
    // Meanwhile money may have landed and been returned, so that the checkout is pending again. Then the list does not replace the look-up:
    // nothing is changed, and the look-up is due at once.
    await change((checkout) =>
      isCoveredByList(checkout, due, until) ? expireByTime(checkout, askedAt, due.reference) : undefined,
    );
    return;
  }
  try {
    const isStale = (await askProvider(deps, due, 'lookUp')) === 'stale';
    await change((checkout) =>
      isStale ? askLater(checkout, due.reference, askedAt, undefined) : expireByTime(checkout, askedAt, due.reference),
    );
  } catch (error) {
    if (isProviderError(error)) await change((checkout) => askLater(checkout, due.reference, askedAt, error));
    throw error;
  }
};

/**
 * Does a checkout's due work. If an attempt with an unknown outcome is due first, it is settled, and nothing else is done. A test checkout
 * expires. For a live checkout, the provider of each account that the payer saw is asked 0, 5 and 60 minutes after the account's expiry.
 * The checkout expires if every account was looked up five minutes after its expiry or later, and no provider reports money. An event
 * announces that the checkout has expired. If money is recorded meanwhile, the checkout does not expire. The third look-up is omitted if
 * the provider's list already covers it. A failed or stale look-up is repeated: no live checkout expires without an answer of each
 * provider.
 * @throws what the look-up throws.
 */
export const lookUpCheckout = async (deps: LookUpCheckoutDeps, tenant: Tenant, reference: string): Promise<void> => {
  const stored = await deps.ledger.readCheckout(tenant, reference);
  if (!stored) return;
  const attempt = nextLookUp(stored.checkout)?.attempt ?? shownAttempt(stored.checkout);
  if (attempt.shownAt === undefined) return settleUnknown(deps, tenant, stored.checkout, attempt);
  if (tenant.mode === 'live') return lookUpShown(deps, tenant, stored.checkout, attempt);
  const now = deps.now();
  await changeCheckout(deps, tenant, reference, (checkout) => expireByTime(checkout, now));
};
