import { announceOutcome } from '#shared/payments/use-cases/end-opening.ts';
import type { LandDeps } from '#shared/payments/use-cases/land-money.ts';
import { NotPossible } from '#shared/platform/kernel/not-possible.ts';
import type { Tenant } from '#shared/platform/kernel/tenant.ts';
import { type CommitResult, untilCommitted } from '#shared/platform/until-committed.ts';
import type { AccountIssuer } from '#shared/providers/ports.ts';
import type { PendingVirtualAccount, VirtualAccount } from '#shared/virtual-accounts/domain/virtual-account.ts';

export interface SimulateSettlementInput {
  readonly id: string;
  /** Whether the provider turns out to have issued the account. */
  readonly isIssued: boolean;
}

/** Returns the account that the sandbox issues, without the failure that the customer's address may simulate. */
const issueInSandbox = (sandbox: AccountIssuer, { id, customerName }: PendingVirtualAccount) =>
  sandbox.findAccount({ name: customerName, email: null }, id);

/**
 * Settles a pending test account at once, by the steps of the sweeper: it becomes active or failed, and the outcome is announced.
 * @throws NotPossible if there is no such account or it is not pending; what untilCommitted throws.
 */
export const simulateSettlement = (
  deps: LandDeps & { readonly sandbox: (provider: PendingVirtualAccount['provider']) => AccountIssuer },
  tenant: Tenant,
  { id, isIssued }: SimulateSettlementInput,
): Promise<VirtualAccount> =>
  untilCommitted(deps, async (): Promise<CommitResult<VirtualAccount>> => {
    const stored = await deps.ledger.readVirtualAccount(tenant, id);
    if (!stored) throw new NotPossible(`There is no virtual account ${id}.`);
    const { business, virtualAccount: before } = stored;
    if (before.status !== 'pending')
      throw new NotPossible(`${id} is ${before.status}. Only a pending account can be settled.`);
    const account = isIssued ? await issueInSandbox(deps.sandbox(before.provider), before) : undefined;
    const recorded = await announceOutcome(deps, { business, virtualAccount: before }, before, account);
    const after = recorded === 'recorded' && (await deps.ledger.readVirtualAccount(tenant, id));
    return after ? { done: after.virtualAccount } : 'conflict';
  });
