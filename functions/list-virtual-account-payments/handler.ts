import { paymentStore } from '#shared/adapters/dynamodb/money/payment-store.ts';
import { connectTable } from '#shared/adapters/dynamodb/table/table.ts';
import { virtualAccountStore } from '#shared/adapters/dynamodb/virtual-accounts/virtual-account-store.ts';
import { apiDeps } from '#shared/composition/api.ts';
import { paymentView } from '#shared/contract/money/payment-view.ts';
import { listVirtualAccountPayments as contract } from '#shared/contract/virtual-accounts/list-virtual-account-payments.ts';
import { Refusal } from '#shared/domain/kernel/errors.ts';
import { apiEnv, readEnv } from '#shared/env/base.ts';
import { api } from '#shared/http/api.ts';
import type { ApiDeps } from '#shared/http/kernel/types.ts';
import { listReply, openPage } from '#shared/http/page.ts';
import type { PaymentReader } from '#shared/ports/money.ts';
import type { VirtualAccountReader } from '#shared/ports/virtual-accounts.ts';

/** Lists what landed on a virtual account. */
export const listVirtualAccountPayments = (
  deps: ApiDeps & { virtualAccounts: VirtualAccountReader; payments: PaymentReader },
) =>
  api(contract, deps, async ({ caller, params: { id }, query }) => {
    const list = `payments of ${id}`;
    const wanted = openPage(deps.hashKey, caller, list, query);
    const account = await deps.virtualAccounts.find(caller, id);
    if (!account) throw new Refusal('virtual_account_not_found');
    const page = await deps.payments.listOf({ kind: 'virtual_account', id }, wanted);
    return listReply(deps.hashKey, caller, list, page, paymentView);
  });

const env = readEnv(apiEnv, process.env);
const table = connectTable(env);
export const handler = listVirtualAccountPayments({
  ...apiDeps(table, env),
  virtualAccounts: virtualAccountStore(table, env.HASH_KEY),
  payments: paymentStore(table),
});
