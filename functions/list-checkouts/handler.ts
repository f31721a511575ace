import { readCheckoutsDeps } from '#shared/composition/checkouts.ts';
import { checkoutView } from '#shared/contract/checkouts/checkout-view.ts';
import { listCheckoutsContract } from '#shared/contract/checkouts/list-checkouts.ts';
import { apiEnv } from '#shared/env/api.ts';
import { readEnv } from '#shared/env/kernel.ts';
import { api } from '#shared/http/api.ts';
import type { ApiDeps } from '#shared/http/kernel/types.ts';
import { listReply, openPage } from '#shared/http/page.ts';
import type { CheckoutReader } from '#shared/ports/checkouts.ts';

/** Lists checkouts: all, or those that bear a merchant reference. */
export const listCheckoutsHandler = (deps: ApiDeps & { checkouts: CheckoutReader }) =>
  api(listCheckoutsContract, deps, async ({ caller, query }) => {
    const { merchant_reference: named } = query;
    const list = named === undefined ? 'checkouts' : `checkouts named ${named}`;
    const wanted = openPage(deps.hashKey, caller, list, query);
    const page =
      named === undefined
        ? await deps.checkouts.list(caller, wanted)
        : await deps.checkouts.listByMerchantReference(caller, named, wanted);
    return listReply(deps.hashKey, caller, list, page, checkoutView);
  });

export const handler = listCheckoutsHandler(readCheckoutsDeps(readEnv(apiEnv, process.env)));
