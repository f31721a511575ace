import type { Ledger, Recorded } from '#shared/payments/ports.ts';
import type { ReceivingAccount } from '#shared/providers/domain/provider.ts';
import { virtualAccountView } from '#shared/virtual-accounts/contract/virtual-account-view.ts';
import {
  activate,
  markFailed,
  type OpeningVirtualAccount,
  type PendingVirtualAccount,
  type UnsettledVirtualAccount,
  type VirtualAccount,
} from '#shared/virtual-accounts/domain/virtual-account.ts';
import type { LandDeps } from './land-money.ts';
import { matchWaiting } from './match-waiting.ts';
import { post } from './post.ts';
import type { QueueMoneyDeps } from './queue-money-work.ts';

/** An account whose outcome at the provider is not known, with its business. */
export type Unsettled = NonNullable<Awaited<ReturnType<Ledger['readUnsettled']>>>;

/** Writes and announces the outcome of a pending account. */
const announce = (
  deps: LandDeps,
  { business, virtualAccount: before }: Unsettled,
  after: VirtualAccount,
  type: 'virtual_account.activated' | 'virtual_account.failed',
): Promise<Recorded> => {
  const entries = { virtualAccount: { before, after } };
  return post(deps, { business, mode: after.mode, entries, events: [{ type, data: virtualAccountView(after) }] });
};

/** Writes and announces that the provider has issued a pending account, or has none. */
export const announceOutcome = (
  deps: LandDeps,
  found: Unsettled,
  before: PendingVirtualAccount | OpeningVirtualAccount,
  account: ReceivingAccount | undefined,
): Promise<Recorded> =>
  account
    ? announce(deps, found, activate(before, account), 'virtual_account.activated')
    : announce(deps, found, markFailed(before), 'virtual_account.failed');

/** Queues money that arrived before its account was known. */
export const matchMoney = (
  deps: LandDeps & QueueMoneyDeps,
  { provider, id }: UnsettledVirtualAccount,
  { accountNumber }: ReceivingAccount,
): Promise<unknown> => matchWaiting(deps, [{ provider, reference: id, accountNumber }]);

/**
 * Ends the opening of an account as the provider has it: with its number, or failed. An account that belongs to another virtual account is
 * none for this one. False when another process wrote it meanwhile.
 */
export const endOpening = async (
  deps: LandDeps & QueueMoneyDeps,
  found: Unsettled,
  before: PendingVirtualAccount | OpeningVirtualAccount,
  account: ReceivingAccount | undefined,
): Promise<boolean> => {
  const recorded = await announceOutcome(deps, found, before, account);
  if (recorded === 'number_taken') return endOpening(deps, found, before, undefined);
  if (recorded === 'recorded' && account) await matchMoney(deps, before, account);
  return recorded === 'recorded';
};
