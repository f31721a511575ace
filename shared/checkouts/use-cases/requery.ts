import { type ShownAttempt, shownAttempts } from '#shared/checkouts/domain/attempt.ts';
import type { Checkout } from '#shared/checkouts/domain/checkout.ts';
import type { Asker } from '#shared/platform/kernel/tenant.ts';
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

/** Milliseconds for asking the provider: the function has 15 s, and the outcome has to be written. */
const ASK_TIMEOUT = 10_000;

/** Asks the provider of one account, as `requery` says. */
const requeryAt = async (
  deps: RequeryDeps,
  asker: Asker,
  { mode }: Checkout,
  attempt: ShownAttempt,
  work: QuotaWork,
): Promise<'current' | 'stale'> => {
  const { provider } = attempt;
  const about = { provider, mode };
  const used = await deps.quotaMeter.charge(asker, provider, work);
  if (used) throw providerBusy(about, used);
  try {
    return await withTimeout(deps, ASK_TIMEOUT, askProvider(deps, attempt, 'requery'));
  } catch (error) {
    if (error instanceof ProviderBusy) throw providerBusy(about, error);
    throw error instanceof ProviderError || isUnanswered(error) ? providerFailed(about, error) : error;
  }
};

/**
 * Asks the provider of each account of a live checkout for a business, all at once, and lands money that they know of. A business causes this look-up,
 * so it is a requery and charged to the business's quota: it must not use up the look-ups that land money. `stale`: an answer may be older than
 * what counts, and changed nothing of that.
 * @throws the refusals provider_error and provider_busy: of the provider in question nothing was recorded.
 */
export const requery = async (
  deps: RequeryDeps,
  asker: Asker,
  checkout: Checkout,
  work: QuotaWork,
): Promise<'current' | 'stale'> => {
  // Money that one provider knows of lands, whether or not another one answers.
  const results = await Promise.allSettled(
    shownAttempts(checkout).map((attempt) => requeryAt(deps, asker, checkout, attempt, work)),
  );
  const failed = results.find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
  return results.some((result) => result.status === 'fulfilled' && result.value === 'stale') ? 'stale' : 'current';
};
