import { searchPaymentsDeps } from '#shared/composition/payments.ts';
import { EXPORTED_AT_ONCE, exportPaymentsContract } from '#shared/contract/money/export-payments.ts';
import { paymentCsv } from '#shared/contract/money/payment-csv.ts';
import { paymentFilterOf } from '#shared/contract/money/payment-filters.ts';
import { searchesOf } from '#shared/domain/webhooks/allowance.ts';
import { apiEnv } from '#shared/env/api.ts';
import { readEnv } from '#shared/env/kernel.ts';
import { api } from '#shared/http/api.ts';
import type { ApiDeps } from '#shared/http/kernel/types.ts';
import { cursorTo, openPage } from '#shared/http/page.ts';
import type { PaymentSearch } from '#shared/ports/money.ts';
import { type AllowanceDeps, takeAllowance } from '#shared/use-cases/kernel/take-allowance.ts';

/** Writes the payments of a business as CSV; the header `x-next-cursor` says where the next call continues. */
export const exportPaymentsHandler = (deps: ApiDeps & AllowanceDeps & { payments: PaymentSearch }) =>
  api(exportPaymentsContract, deps, async ({ caller, query }) => {
    const filter = paymentFilterOf(query);
    const list = `exported payments ${JSON.stringify(Object.values(filter))}`;
    const wanted = openPage(deps.hashKey, caller, list, { ...query, limit: EXPORTED_AT_ONCE });
    await takeAllowance(deps, 'export', [searchesOf(caller)]);
    const { items, next } = await deps.payments.list(caller, filter, wanted);
    const cursor = cursorTo(deps.hashKey, caller, list, next);
    return { status: 200, body: paymentCsv(items), ...(cursor !== null && { headers: { 'x-next-cursor': cursor } }) };
  });

export const handler = exportPaymentsHandler(searchPaymentsDeps(readEnv(apiEnv, process.env)));
