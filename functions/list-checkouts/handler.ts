import { listCheckoutsDeps } from '#shared/composition/checkouts.ts';
import { listCheckoutsContract } from '#shared/contract/checkouts/list-checkouts.ts';
import { isCheckoutSearch } from '#shared/domain/checkouts/checkout-filter.ts';
import { searchesOf } from '#shared/domain/webhooks/allowance.ts';
import { readEnv } from '#shared/env/kernel.ts';
import { showingCheckoutsEnv } from '#shared/env/page-links.ts';
import { api } from '#shared/http/api.ts';
import { type CheckoutViewDeps, checkoutViewOn } from '#shared/http/checkout-view.ts';
import type { ApiDeps } from '#shared/http/kernel/types.ts';
import { listReply, openPage } from '#shared/http/page.ts';
import type { CheckoutSearch } from '#shared/ports/checkouts.ts';
import { type AllowanceDeps, takeAllowance } from '#shared/use-cases/kernel/take-allowance.ts';

/** Lists checkouts: all, or those that are asked for. */
export const listCheckoutsHandler = (
  deps: ApiDeps & CheckoutViewDeps & AllowanceDeps & { checkouts: CheckoutSearch },
) =>
  api(listCheckoutsContract, deps, async ({ caller, query, server }) => {
    const { from = null, to = null, status = null, payer_email, merchant_reference, account_number } = query;
    const payerEmail = payer_email ?? null;
    const merchantReference = merchant_reference ?? null;
    const accountNumber = account_number ?? null;
    // A cursor is valid for the list that it came from, filters included.
    const filter = { from, to, status, payerEmail, merchantReference, accountNumber };
    const list = `checkouts ${JSON.stringify(Object.values({ ...filter, payerEmail: payerEmail?.toLowerCase() }))}`;
    const view = await checkoutViewOn(deps, server);
    const wanted = openPage(deps.hashKey, caller, list, query);
    if (isCheckoutSearch(filter)) await takeAllowance(deps, 'search', [searchesOf(caller)]);
    const page = await deps.checkouts.search(caller, filter, wanted);
    return listReply(deps.hashKey, caller, list, page, view);
  });

export const handler = listCheckoutsHandler(listCheckoutsDeps(readEnv(showingCheckoutsEnv, process.env)));
