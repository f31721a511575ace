import { requeryCheckoutDeps } from '#shared/composition/checkouts.ts';
import { requeryCheckoutContract } from '#shared/contract/checkouts/requery-checkout.ts';
import { requeryCheckoutEnv } from '#shared/env/checkouts.ts';
import { readEnv } from '#shared/env/kernel.ts';
import { api } from '#shared/http/api.ts';
import { type CheckoutViewDeps, checkoutViewOn } from '#shared/http/checkout-view.ts';
import type { ApiDeps } from '#shared/http/kernel/types.ts';
import { type RequeryCheckoutDeps, requeryCheckout } from '#shared/use-cases/checkouts/requery-checkout.ts';

/** Asks the provider of a checkout now. */
export const requeryCheckoutHandler = (deps: ApiDeps & CheckoutViewDeps & RequeryCheckoutDeps) =>
  api(requeryCheckoutContract, deps, async ({ caller, params, server }) => {
    const view = await checkoutViewOn(deps, server);
    const checkout = await requeryCheckout(deps, caller, params.reference);
    return { status: 200, body: { status: true, data: view(checkout) } };
  });

export const handler = requeryCheckoutHandler(requeryCheckoutDeps(readEnv(requeryCheckoutEnv, process.env)));
