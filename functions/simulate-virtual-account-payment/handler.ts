import { api } from '#shared/api/api.ts';
import { simulatingApiEnv } from '#shared/api/env.ts';
import type { ApiDeps, Reply } from '#shared/api/http/types.ts';
import { recordedPaymentView } from '#shared/payments/contract/recorded-payment-view.ts';
import type { Payment } from '#shared/payments/domain/payment.ts';
import { readEnv } from '#shared/platform/env.ts';
import { simulateVirtualAccountPaymentDeps } from '#shared/virtual-accounts/compose.ts';
import { simulateVirtualAccountPaymentContract } from '#shared/virtual-accounts/contract/simulate-virtual-account-payment.ts';
import {
  type SimulateVirtualAccountDeps,
  simulateVirtualAccountPayment,
} from '#shared/virtual-accounts/use-cases/simulate-virtual-account-payment.ts';

const reply = (payment: Payment): Reply => ({
  status: 200,
  body: { status: true, data: recordedPaymentView(payment) },
});

/** Simulates a transfer to a test virtual account, or the return of the newest transfer. */
export const simulateVirtualAccountPaymentHandler = (deps: ApiDeps & SimulateVirtualAccountDeps) =>
  api(simulateVirtualAccountPaymentContract, deps, async ({ caller, params, body, commit }) => {
    const input = { id: params.id, transfer: body };
    return commit(() => simulateVirtualAccountPayment(deps, caller, input), reply);
  });

export const handler = simulateVirtualAccountPaymentHandler(
  simulateVirtualAccountPaymentDeps(readEnv(simulatingApiEnv, process.env)),
);
