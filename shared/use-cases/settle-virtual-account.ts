import type { Tenant } from '#shared/domain/tenant.ts';
import {
  activate,
  giveUp,
  nextSettleAt,
  type VirtualAccount,
  virtualAccountView,
} from '#shared/domain/virtual-account.ts';
import { OutcomeUnknown, type Providers } from '#shared/ports.ts';
import { announcement, sendNow } from './announce.ts';
import type { ChangeDeps } from './change-checkout.ts';

/**
 * Asks the provider what became of an account whose creation timed out, and announces it. Only a look-up: nothing is created.
 * A provider that is silent again is asked later. Does nothing when somebody else has settled it.
 */
export const settleVirtualAccount = async (
  deps: ChangeDeps & { providers: Providers },
  tenant: Tenant,
  id: string,
): Promise<void> => {
  const found = await deps.ledger.readVirtualAccount(tenant, id);
  if (found?.virtualAccount.status !== 'pending') return;
  const { business, virtualAccount: before } = found;
  const askAgain = (): Promise<unknown> => {
    const after: VirtualAccount = {
      ...before,
      settleAt: nextSettleAt(before, deps.now()),
      version: before.version + 1,
    };
    return deps.ledger.record({ virtualAccount: { before, after } });
  };

  const adapter = deps.providers(before.mode, before.provider);
  if (!adapter) {
    await askAgain();
    return;
  }
  let account: Awaited<ReturnType<typeof adapter.findAccount>>;
  try {
    account = await adapter.findAccount({ name: before.customerName }, before.id);
  } catch (error) {
    if (!(error instanceof OutcomeUnknown)) throw error;
    await askAgain();
    return;
  }
  const after = account ? activate(before, account) : giveUp(before);
  const type = account ? 'virtual_account.activated' : 'virtual_account.failed';
  const { event, deliveries } = announcement(deps, business, after.mode, type, virtualAccountView(after));
  const recorded = await deps.ledger.record({ virtualAccount: { before, after }, event, deliveries });
  if (recorded === 'recorded') await sendNow(deps, deliveries);
};
