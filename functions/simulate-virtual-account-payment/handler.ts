import { simulateVirtualAccountPaymentDeps } from '#shared/composition/virtual-accounts.ts';
import { recordedPaymentView } from '#shared/contract/money/recorded-payment-view.ts';
import { simulateVirtualAccountPaymentContract } from '#shared/contract/virtual-accounts/simulate-virtual-account-payment.ts';
import type { Payment } from '#shared/domain/money/payment.ts';
import { simulatingApiEnv } from '#shared/env/api.ts';
import { readEnv } from '#shared/env/kernel.ts';
import { api } from '#shared/http/api.ts';
import type { ApiDeps, Reply } from '#shared/http/kernel/types.ts';
import {
  type SimulateVirtualAccountDeps,
  simulateVirtualAccountPayment,
} from '#shared/use-cases/virtual-accounts/simulate-virtual-account-payment.ts';

const reply = (payment: Payment): Reply => ({
  status: 200,
  body: { status: true, data: recordedPaymentView(payment) },
});

/** Lands a transfer on a test virtual account, or returns the newest one. */
export const simulateVirtualAccountPaymentHandler = (deps: ApiDeps & SimulateVirtualAccountDeps) =>
  api(simulateVirtualAccountPaymentContract, deps, async ({ caller, params, body, commit }) => {
    const input = { id: params.id, transfer: body };
    return commit(() => simulateVirtualAccountPayment(deps, caller, input), reply);
  });

export const handler = simulateVirtualAccountPaymentHandler(
  simulateVirtualAccountPaymentDeps(readEnv(simulatingApiEnv, process.env)),
);
