import { api } from '#shared/api/api.ts';
import { apiEnv } from '#shared/api/env.ts';
import type { ApiDeps } from '#shared/api/http/types.ts';
import { cursorTo, readPageRequest } from '#shared/api/list-cursor.ts';
import { searchUsageId } from '#shared/businesses/domain/usage-limits.ts';
import { chargeUsageLimit, type UsageLimitDeps } from '#shared/businesses/use-cases/charge-usage-limit.ts';
import { searchPaymentsDeps } from '#shared/payments/compose-lists.ts';
import { exportPaymentsContract, MAX_EXPORT_ROWS } from '#shared/payments/contract/export-payments.ts';
import { paymentCsv } from '#shared/payments/contract/payment-csv.ts';
import { toPaymentFilter } from '#shared/payments/contract/payment-filters.ts';
import type { PaymentSearch } from '#shared/payments/ports.ts';
import { readEnv } from '#shared/platform/env.ts';

/** Exports the payments of a business as CSV. If more follow, the header `x-next-cursor` has the cursor for the next call. */
export const exportPaymentsHandler = (deps: ApiDeps & UsageLimitDeps & { payments: PaymentSearch }) =>
  api(exportPaymentsContract, deps, async ({ caller, query }) => {
    const filter = toPaymentFilter(query);
    const list = `exported payments ${JSON.stringify(Object.values(filter))}`;
    const pageRequest = readPageRequest(deps.hashKey, caller, list, { ...query, limit: MAX_EXPORT_ROWS });
    await chargeUsageLimit(deps, 'export', [searchUsageId(caller)]);
    const { items, next } = await deps.payments.list(caller, filter, pageRequest);
    const cursor = cursorTo(deps.hashKey, caller, list, next);
    return { status: 200, body: paymentCsv(items), ...(cursor !== null && { headers: { 'x-next-cursor': cursor } }) };
  });

export const handler = exportPaymentsHandler(searchPaymentsDeps(readEnv(apiEnv, process.env)));
