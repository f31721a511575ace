import { api } from '#shared/api/api.ts';
import { apiEnv } from '#shared/api/env.ts';
import type { ApiDeps } from '#shared/api/http/types.ts';
import { listReply, readPageRequest } from '#shared/api/list-cursor.ts';
import { recordedPaymentView } from '#shared/payments/contract/recorded-payment-view.ts';
import type { PaymentReader } from '#shared/payments/ports.ts';
import { readEnv } from '#shared/platform/env.ts';
import { notFound } from '#shared/platform/kernel/not-found.ts';
import { listVirtualAccountPaymentsDeps } from '#shared/virtual-accounts/compose.ts';
import { listVirtualAccountPaymentsContract } from '#shared/virtual-accounts/contract/list-virtual-account-payments.ts';
import type { VirtualAccountReader } from '#shared/virtual-accounts/ports.ts';

/** Lists the payments of a virtual account. */
export const listVirtualAccountPaymentsHandler = (
  deps: ApiDeps & { virtualAccounts: VirtualAccountReader; payments: PaymentReader },
) =>
  api(listVirtualAccountPaymentsContract, deps, async ({ caller, params: { id }, query }) => {
    const list = `payments of ${id}`;
    const pageRequest = readPageRequest(deps.hashKey, caller, list, query);
    const account = await deps.virtualAccounts.find(caller, id);
    if (!account) throw notFound('virtual_account_not_found', id);
    const page = await deps.payments.listByOwner({ kind: 'virtual_account', id }, pageRequest);
    return listReply(deps.hashKey, caller, list, page, recordedPaymentView);
  });

export const handler = listVirtualAccountPaymentsHandler(listVirtualAccountPaymentsDeps(readEnv(apiEnv, process.env)));
