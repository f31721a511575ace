import { getPaymentDeps } from '#shared/composition/payments.ts';
import { getPaymentContract } from '#shared/contract/money/get-payment.ts';
import { recordedPaymentView } from '#shared/contract/money/recorded-payment-view.ts';
import { notFound } from '#shared/domain/kernel/not-found.ts';
import { apiEnv } from '#shared/env/api.ts';
import { readEnv } from '#shared/env/kernel.ts';
import { api } from '#shared/http/api.ts';
import type { ApiDeps } from '#shared/http/kernel/types.ts';
import type { Runtime } from '#shared/ports/kernel.ts';
import type { PaymentReader } from '#shared/ports/money.ts';
import { findPayment } from '#shared/use-cases/money/find-payment.ts';

/** Answers with a payment. */
export const getPaymentHandler = (deps: ApiDeps & Pick<Runtime, 'wait'> & { payments: PaymentReader }) =>
  api(getPaymentContract, deps, async ({ caller, params: { id } }) => {
    const found = await findPayment(deps, caller, id);
    if (!found) throw notFound('payment_not_found', id);
    return { status: 200, body: { status: true, data: recordedPaymentView(found) } };
  });

export const handler = getPaymentHandler(getPaymentDeps(readEnv(apiEnv, process.env)));
