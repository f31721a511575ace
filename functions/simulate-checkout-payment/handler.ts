import { api } from '#shared/api/api.ts';
import type { ApiDeps, Reply } from '#shared/api/http/types.ts';
import { type CheckoutViewDeps, createCheckoutView } from '#shared/checkouts/api/checkout-view.ts';
import { simulateCheckoutPaymentDeps } from '#shared/checkouts/compose.ts';
import { simulateCheckoutPaymentContract } from '#shared/checkouts/contract/simulate-checkout-payment.ts';
import type { Checkout } from '#shared/checkouts/domain/checkout.ts';
import { simulateCheckoutEnv } from '#shared/checkouts/env-page-links.ts';
import { simulateCheckoutPayment } from '#shared/checkouts/use-cases/simulate-checkout-payment.ts';
import type { ChangeDeps } from '#shared/payments/use-cases/change-checkout.ts';
import { readEnv } from '#shared/platform/env.ts';

/** Simulates the payment or the failure of a test checkout. */
export const simulateCheckoutPaymentHandler = (deps: ApiDeps & CheckoutViewDeps & ChangeDeps) =>
  api(simulateCheckoutPaymentContract, deps, async ({ caller, body, serverUrl: server, commit }) => {
    const view = await createCheckoutView(deps, server);
    const reply = (checkout: Checkout): Reply => ({ status: 200, body: { status: true, data: view(checkout) } });
    const input = {
      reference: body.reference,
      outcome: body.status === 'failed' ? ('fail' as const) : (body.outcome ?? ('accepted' as const)),
      amount: body.amount,
      late: body.late,
      senderName: body.sender_name,
      senderBank: body.sender_bank,
      accountNumber: body.account_number,
    };
    return commit(() => simulateCheckoutPayment(deps, caller, input), reply);
  });

export const handler = simulateCheckoutPaymentHandler(
  simulateCheckoutPaymentDeps(readEnv(simulateCheckoutEnv, process.env)),
);
