import { checkoutStore } from '#shared/adapters/dynamodb/checkouts/checkout-store.ts';
import { connectTable } from '#shared/adapters/dynamodb/table/table.ts';
import { apiDeps } from '#shared/composition/api.ts';
import { checkoutView } from '#shared/contract/checkouts/checkout-view.ts';
import { listCheckouts as contract } from '#shared/contract/checkouts/list-checkouts.ts';
import { apiEnv, readEnv } from '#shared/env/base.ts';
import { api } from '#shared/http/api.ts';
import type { ApiDeps } from '#shared/http/kernel/types.ts';
import { listReply, openPage } from '#shared/http/page.ts';
import type { CheckoutReader } from '#shared/ports/checkouts.ts';

const LIST = 'checkouts';

/** Lists checkouts: all, or the one with a merchant reference. */
export const listCheckouts = (deps: ApiDeps & { checkouts: CheckoutReader }) =>
  api(contract, deps, async ({ caller, query }) => {
    const wanted = openPage(deps.hashKey, caller, LIST, query);
    if (query.merchant_reference !== undefined) {
      const found = await deps.checkouts.findByMerchantReference(caller, query.merchant_reference);
      return listReply(deps.hashKey, caller, LIST, { items: found ? [found] : [], next: null }, checkoutView);
    }
    return listReply(deps.hashKey, caller, LIST, await deps.checkouts.list(caller, wanted), checkoutView);
  });

const env = readEnv(apiEnv, process.env);
const table = connectTable(env);
export const handler = listCheckouts({ ...apiDeps(table, env), checkouts: checkoutStore(table) });
