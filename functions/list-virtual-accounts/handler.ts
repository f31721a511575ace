import { readVirtualAccountsDeps } from '#shared/composition/virtual-accounts.ts';
import { listVirtualAccountsContract } from '#shared/contract/virtual-accounts/list-virtual-accounts.ts';
import { virtualAccountView } from '#shared/contract/virtual-accounts/virtual-account-view.ts';
import { apiEnv } from '#shared/env/api.ts';
import { readEnv } from '#shared/env/kernel.ts';
import { api } from '#shared/http/api.ts';
import type { ApiDeps } from '#shared/http/kernel/types.ts';
import { listReply, openPage } from '#shared/http/page.ts';
import type { VirtualAccountReader } from '#shared/ports/virtual-accounts.ts';

/** Lists virtual accounts: all, or those of one customer. */
export const listVirtualAccountsHandler = (deps: ApiDeps & { virtualAccounts: VirtualAccountReader }) =>
  api(listVirtualAccountsContract, deps, async ({ caller, query }) => {
    const { customer_email: email } = query;
    const list = email === undefined ? 'virtual accounts' : `virtual accounts of ${email.toLowerCase()}`;
    const wanted = openPage(deps.hashKey, caller, list, query);
    const page =
      email === undefined
        ? await deps.virtualAccounts.list(caller, wanted)
        : await deps.virtualAccounts.listOfCustomer(caller, email, wanted);
    return listReply(deps.hashKey, caller, list, page, virtualAccountView);
  });

export const handler = listVirtualAccountsHandler(readVirtualAccountsDeps(readEnv(apiEnv, process.env)));
