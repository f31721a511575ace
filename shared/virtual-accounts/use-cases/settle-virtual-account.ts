import { endOpening, matchMoney, type UnsettledWithBusiness } from '#shared/payments/use-cases/end-opening.ts';
import type { LandDeps } from '#shared/payments/use-cases/land-money.ts';
import type { QueueMoneyDeps } from '#shared/payments/use-cases/queue-money-work.ts';
import type { Tenant } from '#shared/platform/kernel/tenant.ts';
import type { Metrics } from '#shared/platform/observability/metrics.ts';
import { ProviderError, requireProvider } from '#shared/providers/domain/errors.ts';
import type { ReceivingAccount } from '#shared/providers/domain/provider.ts';
import type { AccountIssuer, Providers } from '#shared/providers/ports.ts';
import { settleIntent } from '#shared/providers/use-cases/settle-intent.ts';
import {
  beginClosing,
  type ClosingVirtualAccount,
  endClosing,
  isAbsenceFinal,
  isClosingGivenUp,
  postponeSettling,
  type UnsettledVirtualAccount,
} from '#shared/virtual-accounts/domain/virtual-account.ts';
import type { VirtualAccountIntents } from '#shared/virtual-accounts/ports.ts';

export interface SettleDeps extends LandDeps, QueueMoneyDeps {
  readonly providers: Providers;
  readonly accountIntents: VirtualAccountIntents;
  readonly metrics: Metrics;
}

/** Finds the account at the provider. Undefined: it will never exist. `unknown`: the provider may still show it later. */
const findAtProvider = async (
  deps: SettleDeps,
  issuer: AccountIssuer,
  before: UnsettledVirtualAccount,
): Promise<ReceivingAccount | undefined | 'unknown'> => {
  const account = await issuer.findAccount({ name: before.customerName, email: before.customerEmail }, before.id);
  const isFinal = before.mode === 'test' || isAbsenceFinal(before, deps.now(), issuer.opensWithin);
  return account ?? (isFinal ? undefined : 'unknown');
};

/**
 * Closes the account at its provider. If the provider has rejected the closing for 72 hours, the account stays open, and an alarm tells
 * operators.
 */
const closeAtProvider = async (
  deps: SettleDeps,
  issuer: AccountIssuer,
  closing: ClosingVirtualAccount,
  account: ReceivingAccount,
): Promise<void> => {
  try {
    await issuer.closeAccount(account, closing.id);
  } catch (error) {
    if (!(error instanceof ProviderError) || !isClosingGivenUp(closing, deps.now())) throw error;
    deps.log('closing_given_up', { provider: closing.provider, virtual_account_id: closing.id }, error);
    deps.metrics('provider_failures', 1);
    deps.metrics('closings_given_up', 1);
  }
};

/**
 * Closes an account that the provider issued after its deactivation. The account is recorded first. So its money has an owner, a crash
 * loses nothing, and only one of two sweepers closes the account. Nothing is announced.
 */
const close = async (
  deps: SettleDeps,
  issuer: AccountIssuer,
  before: ClosingVirtualAccount,
  account: ReceivingAccount,
): Promise<void> => {
  const closing = beginClosing(before, account, deps.now());
  const recorded = await deps.ledger.record({ virtualAccount: { before, after: closing } });
  // The number belongs to another virtual account, which stays open.
  if (recorded === 'number_taken') await deps.ledger.record({ virtualAccount: { before, after: endClosing(before) } });
  if (recorded !== 'recorded') return;
  // Every run matches money again, because an earlier process may have crashed before it did.
  await matchMoney(deps, before, account);
  await closeAtProvider(deps, issuer, closing, account);
  await deps.ledger.record({ virtualAccount: { before: closing, after: endClosing(closing) } });
};

const settle = async (deps: SettleDeps, issuer: AccountIssuer, unsettled: UnsettledWithBusiness): Promise<void> => {
  const { virtualAccount: before } = unsettled;
  const known = before.status === 'inactive' ? before.account : null;
  const account = known ?? (await findAtProvider(deps, issuer, before));
  if (account === 'unknown') {
    await deps.ledger.record({ virtualAccount: { before, after: postponeSettling(before, deps.now()) } });
    return;
  }
  if (before.status === 'inactive') {
    if (account) return close(deps, issuer, before, account);
    await deps.ledger.record({ virtualAccount: { before, after: endClosing(before) } });
    return;
  }
  if (!account && before.status === 'opening') {
    await deps.accountIntents.settle([{ kind: 'dropped', before }]);
    return;
  }
  await endOpening(deps, unsettled, before, account);
};

/**
 * Settles an account whose creation timed out or was interrupted: looks it up at the provider and announces the outcome. It opens no
 * account. An account that was deactivated meanwhile is closed at the provider. While the provider may still show the account, it is asked
 * again later. An intent without an account at the provider is deleted. Does nothing if another process has settled it.
 * @throws OutcomeUnknown or ProviderUnavailable if the provider is down or not enabled; ProviderError if it rejected the call, except a
 * closing that it has rejected for 72 hours. After each of these errors the provider is asked again, at growing intervals.
 */
export const settleVirtualAccount = async (deps: SettleDeps, tenant: Tenant, id: string): Promise<void> => {
  const unsettled = await deps.ledger.readUnsettled(tenant, id);
  if (!unsettled) return;
  const { virtualAccount: before } = unsettled;
  await settleIntent(
    deps,
    before,
    () => settle(deps, requireProvider(deps.providers(before.mode, before.provider)), unsettled),
    // While closing, this conflicts and writes nothing: beginClosing has already set the next time.
    (failure) =>
      deps.ledger.record({ virtualAccount: { before, after: postponeSettling(before, deps.now(), failure) } }),
  );
};
