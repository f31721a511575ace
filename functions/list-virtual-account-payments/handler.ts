import { listVirtualAccountPaymentsDeps } from '#shared/composition/virtual-accounts.ts';
import { recordedPaymentView } from '#shared/contract/money/recorded-payment-view.ts';
import { listVirtualAccountPaymentsContract } from '#shared/contract/virtual-accounts/list-virtual-account-payments.ts';
import { notFound } from '#shared/domain/kernel/not-found.ts';
import { apiEnv } from '#shared/env/api.ts';
import { readEnv } from '#shared/env/kernel.ts';
import { api } from '#shared/http/api.ts';
import type { ApiDeps } from '#shared/http/kernel/types.ts';
import { listReply, openPage } from '#shared/http/page.ts';
import type { PaymentReader } from '#shared/ports/money.ts';
import type { VirtualAccountReader } from '#shared/ports/virtual-accounts.ts';

/** Lists the payments of a virtual account. */
export const listVirtualAccountPaymentsHandler = (
  deps: ApiDeps & { virtualAccounts: VirtualAccountReader; payments: PaymentReader },
) =>
  api(listVirtualAccountPaymentsContract, deps, async ({ caller, params: { id }, query }) => {
    const list = `payments of ${id}`;
    const wanted = openPage(deps.hashKey, caller, list, query);
    const account = await deps.virtualAccounts.find(caller, id);
    if (!account) throw notFound('virtual_account_not_found', id);
    const page = await deps.payments.listOf({ kind: 'virtual_account', id }, wanted);
    return listReply(deps.hashKey, caller, list, page, recordedPaymentView);
  });

export const handler = listVirtualAccountPaymentsHandler(listVirtualAccountPaymentsDeps(readEnv(apiEnv, process.env)));
