import type { ReceivingAccount } from '#shared/domain/provider.ts';
import { isProviderAway } from '#shared/domain/provider-errors.ts';
import type { Tenant } from '#shared/domain/tenant.ts';
import {
  activate,
  askAgain,
  giveUp,
  isGivenUp,
  type UnsettledVirtualAccount,
  type VirtualAccount,
  virtualAccountView,
} from '#shared/domain/virtual-account.ts';
import type { AccountIssuer, IntentStore, Providers } from '#shared/ports.ts';
import { announcement, sendNow } from './announce.ts';
import type { LandDeps } from './land-money.ts';
import { matchWaiting } from './match-waiting.ts';

export interface SettleDeps extends LandDeps {
  readonly providers: Providers;
  readonly intents: IntentStore;
}

/** The provider's account; undefined when it has none, `silent` when it does not say. */
const find = async (
  issuer: AccountIssuer | undefined,
  { customerName, id }: UnsettledVirtualAccount,
): Promise<ReceivingAccount | undefined | 'silent'> => {
  if (!issuer) return 'silent';
  try {
    return await issuer.findAccount({ name: customerName }, id);
  } catch (error) {
    if (isProviderAway(error)) return 'silent';
    throw error;
  }
};

/**
 * Asks the provider what became of an account whose creation timed out or broke off, and announces it. Only a look-up: nothing
 * is created. A provider that is silent again, or does not have it yet, is asked later. An account that nobody has seen and that the provider does not
 * have is forgotten. Does nothing when somebody else has settled it.
 */
export const settleVirtualAccount = async (deps: SettleDeps, tenant: Tenant, id: string): Promise<void> => {
  const found = await deps.ledger.readUnsettled(tenant, id);
  if (!found || found.virtualAccount.settleAt > deps.now()) return;
  const { business, virtualAccount: before } = found;
  const account = await find(deps.providers(before.mode, before.provider), before);
  // A live provider's no may be too early; test mode's is what it rehearses.
  const isOpen = account === 'silent' || (!account && tenant.mode === 'live' && !isGivenUp(before, deps.now()));
  if (isOpen) {
    await deps.ledger.record({ virtualAccount: { before, after: askAgain(before, deps.now()) } });
    return;
  }
  if (!account && before.status === 'opening') {
    await deps.intents.settle([{ before, after: 'dropped' }], undefined);
    return;
  }
  const settle = async (after: VirtualAccount, type: 'virtual_account.activated' | 'virtual_account.failed') => {
    const { event, deliveries } = announcement(deps, business, after.mode, type, virtualAccountView(after));
    const recorded = await deps.ledger.record({ virtualAccount: { before, after }, event, deliveries });
    if (recorded === 'recorded') await sendNow(deps, deliveries);
    return recorded;
  };
  const recorded = account
    ? await settle(activate(before, account), 'virtual_account.activated')
    : await settle(giveUp(before), 'virtual_account.failed');
  // The provider names an account that is another one's of ours: this one does not exist.
  if (recorded === 'number_taken') await settle(giveUp(before), 'virtual_account.failed');
  if (recorded !== 'recorded') return;
  const { provider } = before;
  if (account) await matchWaiting(deps, [{ provider, reference: id, accountNumber: account.accountNumber }]);
};
