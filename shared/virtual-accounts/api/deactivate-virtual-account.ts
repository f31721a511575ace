import { api } from '#shared/api/api.ts';
import type { ApiDeps, Reply } from '#shared/api/kernel/types.ts';
import type { Contract } from '#shared/platform/contract/contract.ts';
import type { deleteVirtualAccountContract } from '#shared/virtual-accounts/contract/delete-virtual-account.ts';
import { virtualAccountView } from '#shared/virtual-accounts/contract/virtual-account-view.ts';
import type { VirtualAccount } from '#shared/virtual-accounts/domain/virtual-account.ts';
import {
  type DeactivateDeps,
  deactivateVirtualAccount,
} from '#shared/virtual-accounts/use-cases/deactivate-virtual-account.ts';

const reply = (account: VirtualAccount): Reply => ({
  status: 200,
  body: { status: true, message: 'Virtual account deactivated.', data: virtualAccountView(account) },
});

type DeactivationContract = Pick<typeof deleteVirtualAccountContract, 'params' | 'query' | 'body' | 'success'> &
  Contract;

/** Both ways to deactivate a virtual account: DELETE, and POST for clients that cannot send it (service-description.md section 4.3). */
export const deactivateVirtualAccountHandler = (contract: DeactivationContract, deps: ApiDeps & DeactivateDeps) =>
  api(contract, deps, async ({ caller, params, query, commit }) =>
    commit(() => deactivateVirtualAccount(deps, caller, params.id, query.provider), reply),
  );
