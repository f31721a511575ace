import { type ShownAttempt, shownAttempts } from '#shared/checkouts/domain/attempt.ts';
import type { Checkout } from '#shared/checkouts/domain/checkout.ts';
import type { Requester } from '#shared/platform/kernel/tenant.ts';
import type { Runtime } from '#shared/platform/ports.ts';
import { isUnanswered, ProviderBusy, ProviderError } from '#shared/providers/domain/errors.ts';
import type { QuotaWork } from '#shared/providers/domain/quota.ts';
import type { QuotaMeter } from '#shared/providers/ports.ts';
import { providerBusy } from '#shared/providers/use-cases/provider-busy.ts';
import { providerFailed } from '#shared/providers/use-cases/provider-failed.ts';
import { withTimeout } from '#shared/providers/use-cases/with-timeout.ts';
import { askProvider, type LookUpDeps } from './look-up-checkout.ts';

export interface RequeryDeps extends LookUpDeps, Pick<Runtime, 'wait'> {
  readonly quotaMeter: QuotaMeter;
}

/** Milliseconds for asking the provider. The function has 15 s and must still write the outcome. */
const ASK_TIMEOUT = 10_000;

/** Asks the provider of one account. */
const requeryAt = async (
  deps: RequeryDeps,
  asker: Requester,
  { mode }: Checkout,
  attempt: ShownAttempt,
  work: QuotaWork,
): Promise<'current' | 'stale'> => {
  const { provider } = attempt;
  const about = { provider, mode };
  const quotaError = await deps.quotaMeter.charge(asker, provider, work);
  if (quotaError) throw providerBusy(about, quotaError);
  try {
    return await withTimeout(deps, ASK_TIMEOUT, askProvider(deps, attempt, 'requery'));
  } catch (error) {
    if (error instanceof ProviderBusy) throw providerBusy(about, error);
    throw error instanceof ProviderError || isUnanswered(error) ? providerFailed(about, error) : error;
  }
};

/**
 * Asks the providers of all accounts of a live checkout that the payer saw, all at the same time, and lands the money that they report. The
 * business's quota is charged, so that its requeries leave the provider capacity for the look-ups that land money. `stale`: an answer may
 * be older than our records, and changed nothing.
 * @throws ApiError provider_error and provider_busy; nothing of the provider that failed was recorded.
 */
export const requery = async (
  deps: RequeryDeps,
  asker: Requester,
  checkout: Checkout,
  work: QuotaWork,
): Promise<'current' | 'stale'> => {
  // Money that one provider reports lands, even if another provider does not answer.
  const results = await Promise.allSettled(
    shownAttempts(checkout).map((attempt) => requeryAt(deps, asker, checkout, attempt, work)),
  );
  const failed = results.find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
  return results.some((result) => result.status === 'fulfilled' && result.value === 'stale') ? 'stale' : 'current';
};
