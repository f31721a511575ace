import { api } from '#shared/api/api.ts';
import type { ApiDeps } from '#shared/api/http/types.ts';
import { listReply, readPageRequest } from '#shared/api/list-cursor.ts';
import { searchUsageId } from '#shared/businesses/domain/usage-limits.ts';
import { chargeUsageLimit, type UsageLimitDeps } from '#shared/businesses/use-cases/charge-usage-limit.ts';
import { type CheckoutViewDeps, createCheckoutView } from '#shared/checkouts/api/checkout-view.ts';
import { listCheckoutsDeps } from '#shared/checkouts/compose.ts';
import { listCheckoutsContract } from '#shared/checkouts/contract/list-checkouts.ts';
import { isCheckoutSearch } from '#shared/checkouts/domain/checkout-filter.ts';
import { showingCheckoutsEnv } from '#shared/checkouts/env-page-links.ts';
import type { CheckoutSearch } from '#shared/checkouts/ports.ts';
import { readEnv } from '#shared/platform/env.ts';

/** Lists all checkouts, or those that match a filter. */
export const listCheckoutsHandler = (
  deps: ApiDeps & CheckoutViewDeps & UsageLimitDeps & { checkouts: CheckoutSearch },
) =>
  api(listCheckoutsContract, deps, async ({ caller, query, serverUrl: server }) => {
    const { from = null, to = null, status = null, payer_email, merchant_reference, account_number } = query;
    const payerEmail = payer_email ?? null;
    const merchantReference = merchant_reference ?? null;
    const accountNumber = account_number ?? null;
    // A cursor is valid only for the same list with the same filters.
    const filter = { from, to, status, payerEmail, merchantReference, accountNumber };
    const list = `checkouts ${JSON.stringify(Object.values({ ...filter, payerEmail: payerEmail?.toLowerCase() }))}`;
    const view = await createCheckoutView(deps, server);
    const pageRequest = readPageRequest(deps.hashKey, caller, list, query);
    if (isCheckoutSearch(filter)) await chargeUsageLimit(deps, 'search', [searchUsageId(caller)]);
    const page = await deps.checkouts.search(caller, filter, pageRequest);
    return listReply(deps.hashKey, caller, list, page, view);
  });

export const handler = listCheckoutsHandler(listCheckoutsDeps(readEnv(showingCheckoutsEnv, process.env)));
