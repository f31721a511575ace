import { api } from '#shared/api/api.ts';
import { apiEnv } from '#shared/api/env.ts';
import type { ApiDeps } from '#shared/api/http/types.ts';
import { getPaymentDeps } from '#shared/payments/compose-lists.ts';
import { getPaymentContract } from '#shared/payments/contract/get-payment.ts';
import { recordedPaymentView } from '#shared/payments/contract/recorded-payment-view.ts';
import type { PaymentReader } from '#shared/payments/ports.ts';
import { findPayment } from '#shared/payments/use-cases/find-payment.ts';
import { readEnv } from '#shared/platform/env.ts';
import { notFound } from '#shared/platform/kernel/not-found.ts';
import type { Runtime } from '#shared/platform/ports.ts';

/** Shows one payment. */
export const getPaymentHandler = (deps: ApiDeps & Pick<Runtime, 'wait'> & { payments: PaymentReader }) =>
  api(getPaymentContract, deps, async ({ caller, params: { id } }) => {
    const payment = await findPayment(deps, caller, id);
    if (!payment) throw notFound('payment_not_found', id);
    return { status: 200, body: { status: true, data: recordedPaymentView(payment) } };
  });

export const handler = getPaymentHandler(getPaymentDeps(readEnv(apiEnv, process.env)));
