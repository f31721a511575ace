import { simulateCheckoutPaymentDeps } from '#shared/composition/checkouts.ts';
import { simulateCheckoutPaymentContract } from '#shared/contract/checkouts/simulate-checkout-payment.ts';
import type { Checkout } from '#shared/domain/checkouts/checkout.ts';
import { readEnv } from '#shared/env/kernel.ts';
import { simulateCheckoutEnv } from '#shared/env/page-links.ts';
import { api } from '#shared/http/api.ts';
import { type CheckoutViewDeps, checkoutViewOn } from '#shared/http/checkout-view.ts';
import type { ApiDeps, Reply } from '#shared/http/kernel/types.ts';
import { simulateCheckoutPayment } from '#shared/use-cases/checkouts/simulate-checkout-payment.ts';
import type { ChangeDeps } from '#shared/use-cases/money/change-checkout.ts';

/** Pays or fails a test checkout. */
export const simulateCheckoutPaymentHandler = (deps: ApiDeps & CheckoutViewDeps & ChangeDeps) =>
  api(simulateCheckoutPaymentContract, deps, async ({ caller, body, server, commit }) => {
    const view = await checkoutViewOn(deps, server);
    const reply = (checkout: Checkout): Reply => ({ status: 200, body: { status: true, data: view(checkout) } });
    const input = {
      reference: body.reference,
      outcome: body.status === 'failed' ? ('fail' as const) : (body.outcome ?? ('accepted' as const)),
      amount: body.amount,
      late: body.late,
      senderName: body.sender_name,
      senderBank: body.sender_bank,
    };
    return commit(() => simulateCheckoutPayment(deps, caller, input), reply);
  });

export const handler = simulateCheckoutPaymentHandler(
  simulateCheckoutPaymentDeps(readEnv(simulateCheckoutEnv, process.env)),
);
