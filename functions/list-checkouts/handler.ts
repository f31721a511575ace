import { readCheckoutsDeps } from '#shared/composition/checkouts.ts';
import { checkoutView } from '#shared/contract/checkouts/checkout-view.ts';
import { listCheckoutsContract } from '#shared/contract/checkouts/list-checkouts.ts';
import { apiEnv } from '#shared/env/api.ts';
import { readEnv } from '#shared/env/kernel.ts';
import { api } from '#shared/http/api.ts';
import type { ApiDeps } from '#shared/http/kernel/types.ts';
import { listReply, openPage } from '#shared/http/page.ts';
import type { CheckoutReader } from '#shared/ports/checkouts.ts';

const LIST = 'checkouts';

/** Lists checkouts: all, or the one with a merchant reference. */
export const listCheckoutsHandler = (deps: ApiDeps & { checkouts: CheckoutReader }) =>
  api(listCheckoutsContract, deps, async ({ caller, query }) => {
    const wanted = openPage(deps.hashKey, caller, LIST, query);
    if (query.merchant_reference !== undefined) {
      const found = await deps.checkouts.findByMerchantReference(caller, query.merchant_reference);
      return listReply(deps.hashKey, caller, LIST, { items: found ? [found] : [], next: null }, checkoutView);
    }
    return listReply(deps.hashKey, caller, LIST, await deps.checkouts.list(caller, wanted), checkoutView);
  });

export const handler = listCheckoutsHandler(readCheckoutsDeps(readEnv(apiEnv, process.env)));
