import { api } from '#shared/api/api.ts';
import type { ApiDeps } from '#shared/api/http/types.ts';
import { readEnv } from '#shared/platform/env.ts';
import { deactivatedReply } from '#shared/virtual-accounts/api/deactivated-reply.ts';
import { deactivateVirtualAccountDeps } from '#shared/virtual-accounts/compose.ts';
import { deleteVirtualAccountContract } from '#shared/virtual-accounts/contract/delete-virtual-account.ts';
import { deactivateVirtualAccountEnv } from '#shared/virtual-accounts/env.ts';
import {
  type DeactivateDeps,
  deactivateVirtualAccount,
} from '#shared/virtual-accounts/use-cases/deactivate-virtual-account.ts';

/** Deactivates a virtual account. */
export const deleteVirtualAccountHandler = (deps: ApiDeps & DeactivateDeps) =>
  api(deleteVirtualAccountContract, deps, async ({ caller, params, query, commit }) =>
    commit(() => deactivateVirtualAccount(deps, caller, params.id, query.provider), deactivatedReply),
  );

export const handler = deleteVirtualAccountHandler(
  deactivateVirtualAccountDeps(readEnv(deactivateVirtualAccountEnv, process.env)),
);
