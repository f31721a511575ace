import { api } from '#shared/api/api.ts';
import type { ApiDeps } from '#shared/api/http/types.ts';
import { type CheckoutViewDeps, createCheckoutView } from '#shared/checkouts/api/checkout-view.ts';
import { readCheckoutsDeps } from '#shared/checkouts/compose.ts';
import { verifyCheckoutContract } from '#shared/checkouts/contract/verify-checkout.ts';
import { showingCheckoutsEnv } from '#shared/checkouts/env-page-links.ts';
import type { CheckoutReader } from '#shared/checkouts/ports.ts';
import { readEnv } from '#shared/platform/env.ts';
import { notFound } from '#shared/platform/kernel/not-found.ts';

/** Shows a checkout with its payment status. */
export const verifyCheckoutHandler = (deps: ApiDeps & CheckoutViewDeps & { checkouts: CheckoutReader }) =>
  api(verifyCheckoutContract, deps, async ({ caller, serverUrl: server, params }) => {
    const view = await createCheckoutView(deps, server);
    const checkout = await deps.checkouts.find(caller, params.reference);
    if (!checkout) throw notFound('checkout_not_found', params.reference);
    return { status: 200, body: { status: true, data: view(checkout) } };
  });

export const handler = verifyCheckoutHandler(readCheckoutsDeps(readEnv(showingCheckoutsEnv, process.env)));
