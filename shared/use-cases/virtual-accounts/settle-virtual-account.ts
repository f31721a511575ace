import { virtualAccountView } from '#shared/contract/virtual-accounts/virtual-account-view.ts';
import type { Tenant } from '#shared/domain/kernel/tenant.ts';
import { ProviderRefusal, requireProvider } from '#shared/domain/providers/errors.ts';
import type { ReceivingAccount } from '#shared/domain/providers/provider.ts';
import {
  activate,
  beginClosing,
  type ClosingVirtualAccount,
  endClosing,
  isAbsenceFinal,
  isClosingGivenUp,
  markFailed,
  type OpeningVirtualAccount,
  type PendingVirtualAccount,
  postponeSettling,
  type UnsettledVirtualAccount,
  type VirtualAccount,
} from '#shared/domain/virtual-accounts/virtual-account.ts';
import type { Metrics } from '#shared/observability/metrics.ts';
import type { Ledger } from '#shared/ports/money.ts';
import type { AccountIssuer, Providers } from '#shared/ports/providers.ts';
import type { VirtualAccountIntents } from '#shared/ports/requests.ts';
import type { LandDeps } from '#shared/use-cases/money/land-money.ts';
import { matchWaiting } from '#shared/use-cases/money/match-waiting.ts';
import { announcement, sendNow } from '#shared/use-cases/webhooks/announce.ts';

export interface SettleDeps extends LandDeps {
  readonly providers: Providers;
  readonly accountIntents: VirtualAccountIntents;
  readonly metrics: Metrics;
}

type Found = NonNullable<Awaited<ReturnType<Ledger['readUnsettled']>>>;

/** The account at the provider; undefined when it will never exist; `unknown` while the provider may still show it. */
const find = async (
  deps: SettleDeps,
  issuer: AccountIssuer,
  before: UnsettledVirtualAccount,
): Promise<ReceivingAccount | undefined | 'unknown'> => {
  const account = await issuer.findAccount({ name: before.customerName, email: before.customerEmail }, before.id);
  // In test mode an absence is final at once.
  return account ?? (before.mode === 'live' && !isAbsenceFinal(before, deps.now()) ? 'unknown' : undefined);
};

/** Records money that arrived before its account was known. */
const matchMoney = (deps: SettleDeps, { provider, id }: UnsettledVirtualAccount, account: ReceivingAccount) =>
  matchWaiting(deps, [{ provider, reference: id, accountNumber: account.accountNumber }]);

/** Writes and announces the outcome of a pending account. */
const announce = async (
  deps: LandDeps,
  { business, virtualAccount: before }: Found,
  after: VirtualAccount,
  type: 'virtual_account.activated' | 'virtual_account.failed',
) => {
  const { event, deliveries } = announcement(deps, business, after.mode, type, virtualAccountView(after));
  const recorded = await deps.ledger.record({ virtualAccount: { before, after }, event, deliveries });
  if (recorded === 'recorded') await sendNow(deps, deliveries);
  return recorded;
};

/** Writes and announces that the provider has issued a pending account, or has none. */
export const announceOutcome = (
  deps: LandDeps,
  found: Found,
  before: PendingVirtualAccount | OpeningVirtualAccount,
  account: ReceivingAccount | undefined,
) =>
  account
    ? announce(deps, found, activate(before, account), 'virtual_account.activated')
    : announce(deps, found, markFailed(before), 'virtual_account.failed');

/** Closes the account. After the provider has refused for 72 hours, it is left open and reported to operators. */
const closeAtProvider = async (
  deps: SettleDeps,
  issuer: AccountIssuer,
  closing: ClosingVirtualAccount,
  account: ReceivingAccount,
): Promise<void> => {
  try {
    await issuer.closeAccount(account, closing.id);
  } catch (error) {
    if (!(error instanceof ProviderRefusal) || !isClosingGivenUp(closing, deps.now())) throw error;
    deps.log('closing_given_up', { provider: closing.provider, virtual_account_id: closing.id }, error);
    deps.metrics('provider_failures', 1);
    deps.metrics('closings_given_up', 1);
  }
};

/**
 * Closes an account that the provider issued after it was deactivated. The account is written first: then its money has an owner, a
 * crash loses nothing, and only one of two sweepers closes it. Nothing is announced.
 */
const close = async (
  deps: SettleDeps,
  issuer: AccountIssuer,
  before: ClosingVirtualAccount,
  account: ReceivingAccount,
): Promise<void> => {
  const closing = beginClosing(before, account, deps.now());
  const recorded = await deps.ledger.record({ virtualAccount: { before, after: closing } });
  // The account belongs to another virtual account, which stays open.
  if (recorded === 'number_taken') await deps.ledger.record({ virtualAccount: { before, after: endClosing(before) } });
  if (recorded !== 'recorded') return;
  // Repeated by every run: the process that wrote the account may have crashed before this.
  await matchMoney(deps, before, account);
  await closeAtProvider(deps, issuer, closing, account);
  await deps.ledger.record({ virtualAccount: { before: closing, after: endClosing(closing) } });
};

const settle = async (deps: SettleDeps, issuer: AccountIssuer, found: Found): Promise<void> => {
  const { virtualAccount: before } = found;
  const known = before.status === 'inactive' ? before.account : null;
  const account = known ?? (await find(deps, issuer, before));
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
    await deps.accountIntents.settle([{ kind: 'dropped', before }], undefined);
    return;
  }
  const recorded = await announceOutcome(deps, found, before, account);
  // The account belongs to another virtual account, so this one does not exist.
  if (recorded === 'number_taken') await announceOutcome(deps, found, before, undefined);
  if (recorded === 'recorded' && account) await matchMoney(deps, before, account);
};

/**
 * Settles an account whose creation timed out or was interrupted: looks it up at the provider and announces the outcome. It creates
 * nothing. An account that was deactivated meanwhile is closed at the provider. While the provider may still show the account, it is
 * asked again later. An intent without an account at the provider is deleted. Does nothing when another process has settled it.
 * @throws OutcomeUnknown or ProviderUnavailable when the provider is down or not enabled; ProviderRefusal when it refused, except for a
 * closing that it has refused for 72 hours. After any error it is asked again, at growing intervals.
 */
export const settleVirtualAccount = async (deps: SettleDeps, tenant: Tenant, id: string): Promise<void> => {
  const found = await deps.ledger.readUnsettled(tenant, id);
  if (!found || found.virtualAccount.settleAt > deps.now()) return;
  const { virtualAccount: before } = found;
  try {
    const issuer = requireProvider(deps.providers(before.mode, before.provider));
    await settle(deps, issuer, found);
  } catch (error) {
    // Not written (conflict) while closing: beginClosing has already set the next time.
    await deps.ledger.record({ virtualAccount: { before, after: postponeSettling(before, deps.now(), error) } });
    throw error;
  }
};
