import { connectTable } from '#shared/adapters/dynamodb/table/table.ts';
import { virtualAccountStore } from '#shared/adapters/dynamodb/virtual-accounts/virtual-account-store.ts';
import { apiDeps } from '#shared/composition/api.ts';
import { getVirtualAccount as contract } from '#shared/contract/virtual-accounts/get-virtual-account.ts';
import { virtualAccountView } from '#shared/contract/virtual-accounts/virtual-account-view.ts';
import { Refusal } from '#shared/domain/kernel/errors.ts';
import { apiEnv, readEnv } from '#shared/env/base.ts';
import { api } from '#shared/http/api.ts';
import type { ApiDeps } from '#shared/http/kernel/types.ts';
import type { VirtualAccountReader } from '#shared/ports/virtual-accounts.ts';

/** Shows one virtual account. */
export const getVirtualAccount = (deps: ApiDeps & { virtualAccounts: VirtualAccountReader }) =>
  api(contract, deps, async ({ caller, params }) => {
    const account = await deps.virtualAccounts.find(caller, params.id);
    if (!account) throw new Refusal('virtual_account_not_found');
    return { status: 200, body: { status: true, data: virtualAccountView(account) } };
  });

const env = readEnv(apiEnv, process.env);
const table = connectTable(env);
export const handler = getVirtualAccount({
  ...apiDeps(table, env),
  virtualAccounts: virtualAccountStore(table, env.HASH_KEY),
});
