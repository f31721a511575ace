import { readVirtualAccountsDeps } from '#shared/composition/virtual-accounts.ts';
import { getVirtualAccountContract } from '#shared/contract/virtual-accounts/get-virtual-account.ts';
import { virtualAccountView } from '#shared/contract/virtual-accounts/virtual-account-view.ts';
import { notFound } from '#shared/domain/kernel/not-found.ts';
import { apiEnv } from '#shared/env/api.ts';
import { readEnv } from '#shared/env/kernel.ts';
import { api } from '#shared/http/api.ts';
import type { ApiDeps } from '#shared/http/kernel/types.ts';
import type { VirtualAccountReader } from '#shared/ports/virtual-accounts.ts';

/** Shows one virtual account. */
export const getVirtualAccountHandler = (deps: ApiDeps & { virtualAccounts: VirtualAccountReader }) =>
  api(getVirtualAccountContract, deps, async ({ caller, params }) => {
    const account = await deps.virtualAccounts.find(caller, params.id);
    if (!account) throw notFound('virtual_account_not_found', params.id);
    return { status: 200, body: { status: true, data: virtualAccountView(account) } };
  });

export const handler = getVirtualAccountHandler(readVirtualAccountsDeps(readEnv(apiEnv, process.env)));
