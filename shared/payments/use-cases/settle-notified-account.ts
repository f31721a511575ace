import type { Notice } from '#shared/providers/domain/notice.ts';
import type { ProviderName } from '#shared/providers/domain/provider.ts';
import type { LiveProvider } from '#shared/providers/ports.ts';
import { endOpening } from './end-opening.ts';
import type { LandDeps } from './land-money.ts';
import type { QueueMoneyDeps } from './queue-money-work.ts';

/**
 * Settles the virtual account of which a provider says that it has issued or refused it: looks it up, and announces the outcome. The look-up
 * decides, so that no account is failed here that exists there. Does nothing for an account of another provider or mode, and for one that
 * is settled, or that was deactivated meanwhile, which the sweeper closes. False when it has to be done again later: the request that opens
 * the account is still under way, or another process wrote the account meanwhile. Where the account is not shown yet, the sweeper goes on.
 * @throws what the provider's look-up throws.
 */
export const settleNotifiedAccount = async (
  deps: LandDeps & QueueMoneyDeps,
  name: ProviderName,
  provider: Pick<LiveProvider, 'findAccount'>,
  { reference: id, outcome }: Notice['accounts'][number],
): Promise<boolean> => {
  const tenant = await deps.ledger.findTenant({ kind: 'virtual_account', id });
  const unsettled = tenant && (await deps.ledger.readUnsettled(tenant, id));
  if (!unsettled) return true;
  const { virtualAccount: before } = unsettled;
  if (before.provider !== name || before.mode !== 'live' || before.status === 'inactive') return true;
  if (before.status === 'opening' && before.settleAt > deps.now()) return false;
  const account = await provider.findAccount({ name: before.customerName, email: before.customerEmail }, id);
  if (account) return endOpening(deps, unsettled, before, account);
  // Its business has never seen an account that is still being opened: the sweeper removes it.
  return outcome === 'issued' || before.status === 'opening' || endOpening(deps, unsettled, before, undefined);
};
