import type { NotificationContent } from '#shared/providers/domain/notification-content.ts';
import type { ProviderName } from '#shared/providers/domain/provider.ts';
import type { LiveProvider } from '#shared/providers/ports.ts';
import { endOpening } from './end-opening.ts';
import type { LandDeps } from './land-money.ts';
import type { QueueMoneyDeps } from './queue-money-work.ts';

/**
 * Settles a virtual account after a notification that the provider has issued or rejected it. It looks the account up and announces the outcome.
 * The look-up decides, not the notification: an account that exists at the provider is marked as failed only if its number belongs to another
 * account. It does nothing for an account of another provider, an account of test mode, or a settled account. It also does nothing for a
 * deactivated account: the account's own due work closes it (settleVirtualAccount). If the provider has issued the account and the look-up
 * does not show it yet, the account's own due work asks again.
 * @returns false if it must be tried again later: the request that opens the account is still under way, or another process wrote the account
 * meanwhile.
 * @throws the errors of the provider's look-up.
 */
export const settleNotifiedAccount = async (
  deps: LandDeps & QueueMoneyDeps,
  name: ProviderName,
  provider: Pick<LiveProvider, 'findAccount'>,
  { reference: id, outcome }: NotificationContent['accounts'][number],
): Promise<boolean> => {
  const tenant = await deps.ledger.findTenant({ kind: 'virtual_account', id });
  const unsettled = tenant && (await deps.ledger.readUnsettled(tenant, id));
  if (!unsettled) return true;
  const { virtualAccount: before } = unsettled;
  if (before.provider !== name || before.mode !== 'live' || before.status === 'inactive') return true;
  if (before.status === 'opening' && before.settleAt > deps.now()) return false;
  const account = await provider.findAccount({ name: before.customerName, email: before.customerEmail }, id);
  if (account) return endOpening(deps, unsettled, before, account);
  // If the provider has issued the account, or the account is still opening, its own due work goes on. It removes an account that is still opening
  // without an event, because the business never saw it. A pending account that the provider has rejected fails now.
  return outcome === 'issued' || before.status === 'opening' || endOpening(deps, unsettled, before, undefined);
};
