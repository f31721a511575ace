import { api } from '#shared/api/api.ts';
import { apiEnv } from '#shared/api/env.ts';
import type { ApiDeps } from '#shared/api/http/types.ts';
import { listReply, readPageRequest } from '#shared/api/list-cursor.ts';
import { searchUsageId } from '#shared/businesses/domain/usage-limits.ts';
import { chargeUsageLimit, type UsageLimitDeps } from '#shared/businesses/use-cases/charge-usage-limit.ts';
import { searchPaymentsDeps } from '#shared/payments/compose-lists.ts';
import { listPaymentsContract } from '#shared/payments/contract/list-payments.ts';
import { toPaymentFilter } from '#shared/payments/contract/payment-filters.ts';
import { recordedPaymentView } from '#shared/payments/contract/recorded-payment-view.ts';
import { isPaymentSearch } from '#shared/payments/domain/payment-filter.ts';
import type { PaymentSearch } from '#shared/payments/ports.ts';
import { readEnv } from '#shared/platform/env.ts';

/** Lists the payments of a business, newest first. */
export const listPaymentsHandler = (deps: ApiDeps & UsageLimitDeps & { payments: PaymentSearch }) =>
  api(listPaymentsContract, deps, async ({ caller, query }) => {
    const filter = toPaymentFilter(query);
    // A cursor is valid only for the same list with the same filters.
    const list = `payments ${JSON.stringify(Object.values(filter))}`;
    const pageRequest = readPageRequest(deps.hashKey, caller, list, query);
    if (isPaymentSearch(filter)) await chargeUsageLimit(deps, 'search', [searchUsageId(caller)]);
    const page = await deps.payments.list(caller, filter, pageRequest);
    return listReply(deps.hashKey, caller, list, page, recordedPaymentView);
  });

export const handler = listPaymentsHandler(searchPaymentsDeps(readEnv(apiEnv, process.env)));
