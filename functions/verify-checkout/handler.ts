import { readCheckoutsDeps } from '#shared/composition/checkouts.ts';
import { verifyCheckoutContract } from '#shared/contract/checkouts/verify-checkout.ts';
import { notFound } from '#shared/domain/kernel/not-found.ts';
import { readEnv } from '#shared/env/kernel.ts';
import { showingCheckoutsEnv } from '#shared/env/page-links.ts';
import { api } from '#shared/http/api.ts';
import { type CheckoutViewDeps, checkoutViewOn } from '#shared/http/checkout-view.ts';
import type { ApiDeps } from '#shared/http/kernel/types.ts';
import type { CheckoutReader } from '#shared/ports/checkouts.ts';

/** Shows a checkout with its payment status. */
export const verifyCheckoutHandler = (deps: ApiDeps & CheckoutViewDeps & { checkouts: CheckoutReader }) =>
  api(verifyCheckoutContract, deps, async ({ caller, server, params }) => {
    const view = await checkoutViewOn(deps, server);
    const checkout = await deps.checkouts.find(caller, params.reference);
    if (!checkout) throw notFound('checkout_not_found', params.reference);
    return { status: 200, body: { status: true, data: view(checkout) } };
  });

export const handler = verifyCheckoutHandler(readCheckoutsDeps(readEnv(showingCheckoutsEnv, process.env)));
