import { connectTable } from '#shared/adapters/dynamodb/table.ts';
import { virtualAccountStore } from '#shared/adapters/dynamodb/virtual-account-store.ts';
import { getVirtualAccount as contract } from '#shared/contract/get-virtual-account.ts';
import { Refusal } from '#shared/domain/errors.ts';
import { virtualAccountView } from '#shared/domain/virtual-account.ts';
import { apiEnv, readEnv } from '#shared/env.ts';
import { api } from '#shared/http/api.ts';
import { apiDeps } from '#shared/http/api-deps.ts';
import type { ApiDeps } from '#shared/http/types.ts';
import type { VirtualAccountReader } from '#shared/ports.ts';

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
