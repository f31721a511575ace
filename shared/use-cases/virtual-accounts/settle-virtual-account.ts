import { virtualAccountView } from '#shared/contract/virtual-accounts/virtual-account-view.ts';
import type { Tenant } from '#shared/domain/kernel/tenant.ts';
import { ProviderRefusal, ProviderUnavailable } from '#shared/domain/providers/errors.ts';
import type { ReceivingAccount } from '#shared/domain/providers/provider.ts';
import {
  activate,
  beginClosing,
  type ClosingVirtualAccount,
  endClosing,
  isAbsenceFinal,
  isClosingGivenUp,
  markFailed,
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

/** The provider's account, or undefined when it will not have one any more; `early` when its no may be too early. */
const find = async (
  deps: SettleDeps,
  issuer: AccountIssuer,
  before: UnsettledVirtualAccount,
): Promise<ReceivingAccount | undefined | 'early'> => {
  const account = await issuer.findAccount({ name: before.customerName }, before.id);
  // Test mode's no is what it rehearses.
  return account ?? (before.mode === 'live' && !isAbsenceFinal(before, deps.now()) ? 'early' : undefined);
};

/** Money that came before its account was known lands now. */
const matchMoney = (deps: SettleDeps, { provider, id }: UnsettledVirtualAccount, account: ReceivingAccount) =>
  matchWaiting(deps, [{ provider, reference: id, accountNumber: account.accountNumber }]);

/** Announces what became of an account that its business waits for. */
const announce = async (
  deps: SettleDeps,
  { business, virtualAccount: before }: Found,
  after: VirtualAccount,
  type: 'virtual_account.activated' | 'virtual_account.failed',
) => {
  const { event, deliveries } = announcement(deps, business, after.mode, type, virtualAccountView(after));
  const recorded = await deps.ledger.record({ virtualAccount: { before, after }, event, deliveries });
  if (recorded === 'recorded') await sendNow(deps, deliveries);
  return recorded;
};

/** Closes it; an account that the provider refuses to close for good is left open for a person. */
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
 * Closes what the provider has issued for an account that was deactivated while it was pending. First the account is written down:
 * then money on it has an owner, a crash knows what to close, and of two sweepers one closes it. Its business hears nothing.
 */
const close = async (
  deps: SettleDeps,
  issuer: AccountIssuer,
  before: ClosingVirtualAccount,
  account: ReceivingAccount,
): Promise<void> => {
  const closing = beginClosing(before, account, deps.now());
  const recorded = await deps.ledger.record({ virtualAccount: { before, after: closing } });
  // The provider names an account that is another one's of ours, and that one stays open.
  if (recorded === 'number_taken') await deps.ledger.record({ virtualAccount: { before, after: endClosing(before) } });
  if (recorded !== 'recorded') return;
  // Each time: whoever wrote it down first may have died before.
  await matchMoney(deps, before, account);
  await closeAtProvider(deps, issuer, closing, account);
  await deps.ledger.record({ virtualAccount: { before: closing, after: endClosing(closing) } });
};

const settle = async (deps: SettleDeps, issuer: AccountIssuer, found: Found): Promise<void> => {
  const { virtualAccount: before } = found;
  const known = before.status === 'inactive' ? before.account : null;
  const account = known ?? (await find(deps, issuer, before));
  if (account === 'early') {
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
  const recorded = account
    ? await announce(deps, found, activate(before, account), 'virtual_account.activated')
    : await announce(deps, found, markFailed(before), 'virtual_account.failed');
  // The provider names an account that is another one's of ours: this one does not exist.
  if (recorded === 'number_taken') await announce(deps, found, markFailed(before), 'virtual_account.failed');
  if (recorded === 'recorded' && account) await matchMoney(deps, before, account);
};

/**
 * Asks the provider what became of an account whose creation timed out or broke off, and announces it; one that was deactivated
 * meanwhile is closed there. Only a look-up: nothing is created. A provider that does not have it yet is asked later. An account
 * that nobody has seen and that the provider does not have is forgotten. Does nothing when somebody else has settled it.
 * @throws OutcomeUnknown, ProviderUnavailable when the provider is away or not enabled; ProviderRefusal when it said no, but for a
 * closing that it has refused for 72 hours: that is left to a person. Whatever is thrown, it is asked again, at growing gaps.
 */
export const settleVirtualAccount = async (deps: SettleDeps, tenant: Tenant, id: string): Promise<void> => {
  const found = await deps.ledger.readUnsettled(tenant, id);
  if (!found || found.virtualAccount.settleAt > deps.now()) return;
  const { virtualAccount: before } = found;
  try {
    const issuer = deps.providers(before.mode, before.provider);
    if (!issuer) throw new ProviderUnavailable('The stage has not enabled it.');
    await settle(deps, issuer, found);
  } catch (error) {
    // Void where it was being closed: that was written with its next time.
    await deps.ledger.record({ virtualAccount: { before, after: postponeSettling(before, deps.now(), error) } });
    throw error;
  }
};
