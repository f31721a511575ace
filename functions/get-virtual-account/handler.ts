import { api } from '#shared/api/api.ts';
import { apiEnv } from '#shared/api/env.ts';
import type { ApiDeps } from '#shared/api/http/types.ts';
import { readEnv } from '#shared/platform/env.ts';
import { notFound } from '#shared/platform/kernel/not-found.ts';
import { readVirtualAccountsDeps } from '#shared/virtual-accounts/compose.ts';
import { getVirtualAccountContract } from '#shared/virtual-accounts/contract/get-virtual-account.ts';
import { virtualAccountView } from '#shared/virtual-accounts/contract/virtual-account-view.ts';
import type { VirtualAccountReader } from '#shared/virtual-accounts/ports.ts';

/** Shows one virtual account. */
export const getVirtualAccountHandler = (deps: ApiDeps & { virtualAccounts: VirtualAccountReader }) =>
  api(getVirtualAccountContract, deps, async ({ caller, params }) => {
    const account = await deps.virtualAccounts.find(caller, params.id);
    if (!account) throw notFound('virtual_account_not_found', params.id);
    return { status: 200, body: { status: true, data: virtualAccountView(account) } };
  });

export const handler = getVirtualAccountHandler(readVirtualAccountsDeps(readEnv(apiEnv, process.env)));
