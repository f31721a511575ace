import { api } from '#shared/api/api.ts';
import type { ApiDeps, Reply } from '#shared/api/http/types.ts';
import { type CheckoutViewDeps, createCheckoutView } from '#shared/checkouts/api/checkout-view.ts';
import { initializeCheckoutDeps } from '#shared/checkouts/compose.ts';
import { initializeCheckoutContract } from '#shared/checkouts/contract/initialize-checkout.ts';
import type { Checkout } from '#shared/checkouts/domain/checkout.ts';
import { initializeCheckoutEnv } from '#shared/checkouts/env.ts';
import { type InitializeCheckoutDeps, initializeCheckout } from '#shared/checkouts/use-cases/initialize-checkout.ts';
import { readEnv } from '#shared/platform/env.ts';

/** Starts a checkout. */
export const initializeCheckoutHandler = (deps: ApiDeps & CheckoutViewDeps & InitializeCheckoutDeps) =>
  api(initializeCheckoutContract, deps, async ({ caller, body, serverUrl: server, keyed, commit }) => {
    const view = await createCheckoutView(deps, server);
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
