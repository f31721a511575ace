import { api } from '#shared/api/api.ts';
import type { ApiDeps } from '#shared/api/http/types.ts';
import { type CheckoutViewDeps, createCheckoutView } from '#shared/checkouts/api/checkout-view.ts';
import { requeryCheckoutDeps } from '#shared/checkouts/compose.ts';
import { requeryCheckoutContract } from '#shared/checkouts/contract/requery-checkout.ts';
import { requeryCheckoutEnv } from '#shared/checkouts/env.ts';
import { type RequeryCheckoutDeps, requeryCheckout } from '#shared/checkouts/use-cases/requery-checkout.ts';
import { readEnv } from '#shared/platform/env.ts';

/** Asks the provider now whether money arrived for a checkout. */
export const requeryCheckoutHandler = (deps: ApiDeps & CheckoutViewDeps & RequeryCheckoutDeps) =>
  api(requeryCheckoutContract, deps, async ({ caller, params, serverUrl: server }) => {
    const view = await createCheckoutView(deps, server);
    const checkout = await requeryCheckout(deps, caller, params.reference);
    return { status: 200, body: { status: true, data: view(checkout) } };
  });

export const handler = requeryCheckoutHandler(requeryCheckoutDeps(readEnv(requeryCheckoutEnv, process.env)));
