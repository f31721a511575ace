import { api } from '#shared/api/api.ts';
import type { ApiDeps, Reply } from '#shared/api/http/types.ts';
import { type CheckoutViewDeps, createCheckoutView } from '#shared/checkouts/api/checkout-view.ts';
import { expireCheckoutDeps } from '#shared/checkouts/compose.ts';
import { expireCheckoutContract } from '#shared/checkouts/contract/expire-checkout.ts';
import type { Checkout } from '#shared/checkouts/domain/checkout.ts';
import { expireCheckoutEnv } from '#shared/checkouts/env.ts';
import { expireCheckout } from '#shared/checkouts/use-cases/expire-checkout.ts';
import type { RequeryDeps } from '#shared/checkouts/use-cases/requery.ts';
import { readEnv } from '#shared/platform/env.ts';

/** Expires a checkout that has received no money, before its expiry time. */
export const expireCheckoutHandler = (deps: ApiDeps & CheckoutViewDeps & RequeryDeps) =>
  api(expireCheckoutContract, deps, async ({ caller, params, serverUrl: server, commit }) => {
    const view = await createCheckoutView(deps, server);
    const reply = (checkout: Checkout): Reply => ({ status: 200, body: { status: true, data: view(checkout) } });
    return commit(() => expireCheckout(deps, caller, params.reference), reply);
  });

export const handler = expireCheckoutHandler(expireCheckoutDeps(readEnv(expireCheckoutEnv, process.env)));
