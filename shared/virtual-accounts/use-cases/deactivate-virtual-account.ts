import type { Ledger } from '#shared/payments/ports.ts';
import type { Decision } from '#shared/platform/commit.ts';
import { invalid } from '#shared/platform/kernel/errors.ts';
import { notFound } from '#shared/platform/kernel/not-found.ts';
import type { Caller } from '#shared/platform/kernel/tenant.ts';
import type { Runtime } from '#shared/platform/ports.ts';
import { isUnanswered, ProviderBusy, ProviderError } from '#shared/providers/domain/errors.ts';
import type { ProviderName } from '#shared/providers/domain/provider.ts';
import type { Providers, QuotaMeter } from '#shared/providers/ports.ts';
import { providerBusy } from '#shared/providers/use-cases/provider-busy.ts';
import { providerFailed } from '#shared/providers/use-cases/provider-failed.ts';
import { withTimeout } from '#shared/providers/use-cases/with-timeout.ts';
import {
  type ActiveVirtualAccount,
  deactivate,
  type VirtualAccount,
} from '#shared/virtual-accounts/domain/virtual-account.ts';

export interface DeactivateDeps extends Pick<Runtime, 'now' | 'wait'> {
  readonly ledger: Ledger;
  readonly providers: Providers;
  readonly quotaMeter: QuotaMeter;
}

/** Milliseconds for closing the account at the provider. The function has 15 s and must still write the outcome. */
const CLOSE_TIMEOUT = 10_000;

/** Closes an active account at its provider. In live mode, closing is charged to a quota of the business, as opening is. */
const closeAtProvider = async (deps: DeactivateDeps, caller: Caller, before: ActiveVirtualAccount): Promise<void> => {
  const { provider, account, id } = before;
  const adapter = deps.providers(caller.mode, provider);
  if (!adapter) throw providerFailed(before);
  const quotaError = caller.mode === 'live' && (await deps.quotaMeter.charge(caller, provider, 'closings'));
  if (quotaError) throw providerBusy(before, quotaError);
  try {
    await withTimeout(deps, CLOSE_TIMEOUT, adapter.closeAccount(account, id));
  } catch (error) {
    if (error instanceof ProviderBusy) throw providerBusy(before, error);
    throw error instanceof ProviderError || isUnanswered(error) ? providerFailed(before, error) : error;
  }
};

/**
 * Closes a virtual account at its provider, and returns the writes that deactivate it here. A pending account is only deactivated here; if
 * the provider issues it after all, the sweeper closes it there. Repeating it changes nothing.
 * @throws ApiError virtual_account_not_found; validation_failed if the account's provider is not the `expected` one; provider_error and
 * provider_busy (the account stays active).
 */
export const deactivateVirtualAccount = async (
  deps: DeactivateDeps,
  caller: Caller,
  id: string,
  expected: ProviderName | undefined,
): Promise<Decision<VirtualAccount>> => {
  const before = (await deps.ledger.readVirtualAccount(caller, id))?.virtualAccount;
  if (!before) throw notFound('virtual_account_not_found', id);
  const { provider } = before;
  if (expected !== undefined && expected !== provider) {
    throw invalid({ field: 'provider', message: `provider must be ${provider}, the provider of this account.` });
  }
  if (before.status === 'inactive') return { result: before, writes: [] };
  if (before.status === 'active') await closeAtProvider(deps, caller, before);
  const after = deactivate(before, deps.now());
  return { result: after, writes: deps.ledger.buildWrites({ virtualAccount: { before, after } }) };
};
