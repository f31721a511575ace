import type { Ledger, RecordResult } from '#shared/payments/ports.ts';
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

/** An account with its business. Its outcome at the provider is not known. */
export type UnsettledWithBusiness = NonNullable<Awaited<ReturnType<Ledger['readUnsettled']>>>;

/** Writes the outcome of an account at its provider, and announces it. */
const announce = (
  deps: LandDeps,
  { business, virtualAccount: before }: UnsettledWithBusiness,
  after: VirtualAccount,
  type: 'virtual_account.activated' | 'virtual_account.failed',
): Promise<RecordResult> => {
  const entries = { virtualAccount: { before, after } };
  return post(deps, { business, mode: after.mode, entries, events: [{ type, data: virtualAccountView(after) }] });
};

/** Writes the outcome of an account at its provider, and announces it: the provider has issued the account, or it has failed (`account` is undefined). */
export const announceOutcome = (
  deps: LandDeps,
  unsettled: UnsettledWithBusiness,
  before: PendingVirtualAccount | OpeningVirtualAccount,
  account: ReceivingAccount | undefined,
): Promise<RecordResult> =>
  account
    ? announce(deps, unsettled, activate(before, account), 'virtual_account.activated')
    : announce(deps, unsettled, markFailed(before), 'virtual_account.failed');

/** Queues the money that arrived before its account number was known, so that it is matched with the account. */
export const matchMoney = (
  deps: LandDeps & QueueMoneyDeps,
  { provider, id }: UnsettledVirtualAccount,
  { accountNumber }: ReceivingAccount,
): Promise<unknown> => matchWaiting(deps, [{ provider, reference: id, accountNumber }]);

/**
 * Ends the opening of an account with the number that the provider issued, or as failed. It also fails if the issued number belongs to another
 * virtual account. False if another process wrote the account meanwhile.
 */
export const endOpening = async (
  deps: LandDeps & QueueMoneyDeps,
  unsettled: UnsettledWithBusiness,
  before: PendingVirtualAccount | OpeningVirtualAccount,
  account: ReceivingAccount | undefined,
): Promise<boolean> => {
  const recorded = await announceOutcome(deps, unsettled, before, account);
  if (recorded === 'number_taken') return endOpening(deps, unsettled, before, undefined);
  if (recorded === 'recorded' && account) await matchMoney(deps, before, account);
  return recorded === 'recorded';
};
