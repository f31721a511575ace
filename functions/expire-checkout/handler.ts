import { expireCheckoutDeps } from '#shared/composition/checkouts.ts';
import { expireCheckoutContract } from '#shared/contract/checkouts/expire-checkout.ts';
import type { Checkout } from '#shared/domain/checkouts/checkout.ts';
import { expireCheckoutEnv } from '#shared/env/checkouts.ts';
import { readEnv } from '#shared/env/kernel.ts';
import { api } from '#shared/http/api.ts';
import { type CheckoutViewDeps, checkoutViewOn } from '#shared/http/checkout-view.ts';
import type { ApiDeps, Reply } from '#shared/http/kernel/types.ts';
import type { EnquireDeps } from '#shared/use-cases/checkouts/enquire.ts';
import { expireCheckout } from '#shared/use-cases/checkouts/expire-checkout.ts';

/** Ends a checkout that has no money, before its time. */
export const expireCheckoutHandler = (deps: ApiDeps & CheckoutViewDeps & EnquireDeps) =>
  api(expireCheckoutContract, deps, async ({ caller, params, server, commit }) => {
    const view = await checkoutViewOn(deps, server);
    const reply = (checkout: Checkout): Reply => ({ status: 200, body: { status: true, data: view(checkout) } });
    return commit(() => expireCheckout(deps, caller, params.reference), reply);
  });

export const handler = expireCheckoutHandler(expireCheckoutDeps(readEnv(expireCheckoutEnv, process.env)));
