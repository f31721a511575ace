import { connectTable } from '#shared/adapters/dynamodb/table/table.ts';
import { virtualAccountStore } from '#shared/adapters/dynamodb/virtual-accounts/virtual-account-store.ts';
import { apiDeps } from '#shared/composition/api.ts';
import { listVirtualAccounts as contract } from '#shared/contract/virtual-accounts/list-virtual-accounts.ts';
import { virtualAccountView } from '#shared/contract/virtual-accounts/virtual-account-view.ts';
import { apiEnv, readEnv } from '#shared/env/base.ts';
import { api } from '#shared/http/api.ts';
import type { ApiDeps } from '#shared/http/kernel/types.ts';
import { listReply, openPage } from '#shared/http/page.ts';
import type { VirtualAccountReader } from '#shared/ports/virtual-accounts.ts';

/** Lists virtual accounts: all, or those of one customer. */
export const listVirtualAccounts = (deps: ApiDeps & { virtualAccounts: VirtualAccountReader }) =>
  api(contract, deps, async ({ caller, query }) => {
    const { customer_email: email } = query;
    const list = email === undefined ? 'virtual accounts' : `virtual accounts of ${email.toLowerCase()}`;
    const wanted = openPage(deps.hashKey, caller, list, query);
    const page =
      email === undefined
        ? await deps.virtualAccounts.list(caller, wanted)
        : await deps.virtualAccounts.listOfCustomer(caller, email, wanted);
    return listReply(deps.hashKey, caller, list, page, virtualAccountView);
  });

const env = readEnv(apiEnv, process.env);
const table = connectTable(env);
export const handler = listVirtualAccounts({
  ...apiDeps(table, env),
  virtualAccounts: virtualAccountStore(table, env.HASH_KEY),
});
