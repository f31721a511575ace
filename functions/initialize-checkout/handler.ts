import { initializeCheckoutDeps } from '#shared/composition/checkouts.ts';
import { checkoutView } from '#shared/contract/checkouts/checkout-view.ts';
import { initializeCheckoutContract } from '#shared/contract/checkouts/initialize-checkout.ts';
import type { Checkout } from '#shared/domain/checkouts/checkout.ts';
import { initializeCheckoutEnv } from '#shared/env/checkouts.ts';
import { readEnv } from '#shared/env/kernel.ts';
import { api } from '#shared/http/api.ts';
import type { ApiDeps, Reply } from '#shared/http/kernel/types.ts';
import { type InitializeCheckoutDeps, initializeCheckout } from '#shared/use-cases/checkouts/initialize-checkout.ts';

const reply = (checkout: Checkout): Reply => ({
  status: 201,
  created: [checkout.reference],
  body: { status: true, message: 'Checkout initialized.', data: checkoutView(checkout) },
});

/** Starts a checkout. */
export const initializeCheckoutHandler = (deps: ApiDeps & InitializeCheckoutDeps) =>
  api(initializeCheckoutContract, deps, async ({ caller, body, claim, seal }) => {
    const { amount, payer_email: payerEmail, payer_name: payerName, provider, metadata } = body;
    const { expires_in: expiresIn, merchant_reference: merchantReference } = body;
    const { description, callback_url: callbackUrl, cancel_url: cancelUrl } = body;
    const createdWith = caller.kind;
    const input = {
      createdWith,
      amount,
      payerEmail,
      payerName,
      provider,
      expiresIn,
      merchantReference,
      metadata,
      description,
      callbackUrl,
      cancelUrl,
      claim,
    };
    return reply(await initializeCheckout(deps, caller, input, (checkout) => seal(reply(checkout))));
  });

export const handler = initializeCheckoutHandler(initializeCheckoutDeps(readEnv(initializeCheckoutEnv, process.env)));
