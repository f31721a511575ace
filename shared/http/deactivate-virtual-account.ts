import type { Contract } from '#shared/contract/kernel/contract.ts';
import type { deleteVirtualAccountContract } from '#shared/contract/virtual-accounts/delete-virtual-account.ts';
import { virtualAccountView } from '#shared/contract/virtual-accounts/virtual-account-view.ts';
import type { VirtualAccount } from '#shared/domain/virtual-accounts/virtual-account.ts';
import type { ApiDeps, Reply } from '#shared/http/kernel/types.ts';
import {
  type DeactivateDeps,
  deactivateVirtualAccount,
} from '#shared/use-cases/virtual-accounts/deactivate-virtual-account.ts';
import { api } from './api.ts';

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
