import { initializeCheckoutDeps } from '#shared/composition/checkouts.ts';
import { initializeCheckoutContract } from '#shared/contract/checkouts/initialize-checkout.ts';
import type { Checkout } from '#shared/domain/checkouts/checkout.ts';
import { initializeCheckoutEnv } from '#shared/env/checkouts.ts';
import { readEnv } from '#shared/env/kernel.ts';
import { api } from '#shared/http/api.ts';
import { type CheckoutViewDeps, checkoutViewOn } from '#shared/http/checkout-view.ts';
import type { ApiDeps, Reply } from '#shared/http/kernel/types.ts';
import { type InitializeCheckoutDeps, initializeCheckout } from '#shared/use-cases/checkouts/initialize-checkout.ts';

/** Starts a checkout. */
export const initializeCheckoutHandler = (deps: ApiDeps & CheckoutViewDeps & InitializeCheckoutDeps) =>
  api(initializeCheckoutContract, deps, async ({ caller, body, server, keyed, commit }) => {
    const view = await checkoutViewOn(deps, server);
    const reply = (checkout: Checkout): Reply => ({
      status: 201,
      created: [checkout.reference],
      body: { status: true, message: 'Checkout initialized.', data: view(checkout) },
    });
    const input = {
      ...body,
      createdWith: caller.actor.kind === 'user' ? ('dashboard' as const) : caller.kind,
      payerEmail: body.payer_email,
      payerName: body.payer_name,
      expiresIn: body.expires_in,
      merchantReference: body.merchant_reference,
      callbackUrl: body.callback_url,
      cancelUrl: body.cancel_url,
      keyed,
    };
    return commit(() => initializeCheckout(deps, caller, input), reply);
  });

export const handler = initializeCheckoutHandler(initializeCheckoutDeps(readEnv(initializeCheckoutEnv, process.env)));
