import { searchPaymentsDeps } from '#shared/composition/payments.ts';
import { listPaymentsContract } from '#shared/contract/money/list-payments.ts';
import { paymentFilterOf } from '#shared/contract/money/payment-filters.ts';
import { recordedPaymentView } from '#shared/contract/money/recorded-payment-view.ts';
import { isPaymentSearch } from '#shared/domain/money/payment-filter.ts';
import { searchesOf } from '#shared/domain/webhooks/allowance.ts';
import { apiEnv } from '#shared/env/api.ts';
import { readEnv } from '#shared/env/kernel.ts';
import { api } from '#shared/http/api.ts';
import type { ApiDeps } from '#shared/http/kernel/types.ts';
import { listReply, openPage } from '#shared/http/page.ts';
import type { PaymentSearch } from '#shared/ports/money.ts';
import { type AllowanceDeps, takeAllowance } from '#shared/use-cases/kernel/take-allowance.ts';

/** Lists the payments of a business, newest first. */
export const listPaymentsHandler = (deps: ApiDeps & AllowanceDeps & { payments: PaymentSearch }) =>
  api(listPaymentsContract, deps, async ({ caller, query }) => {
    const filter = paymentFilterOf(query);
    // A cursor is valid for the list that it came from, filters included.
    const list = `payments ${JSON.stringify(Object.values(filter))}`;
    const wanted = openPage(deps.hashKey, caller, list, query);
    if (isPaymentSearch(filter)) await takeAllowance(deps, 'search', [searchesOf(caller)]);
    const page = await deps.payments.list(caller, filter, wanted);
    return listReply(deps.hashKey, caller, list, page, recordedPaymentView);
  });

export const handler = listPaymentsHandler(searchPaymentsDeps(readEnv(apiEnv, process.env)));
