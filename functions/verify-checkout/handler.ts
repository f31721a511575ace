import { readCheckoutsDeps } from '#shared/composition/checkouts.ts';
import { verifyCheckoutContract } from '#shared/contract/checkouts/verify-checkout.ts';
import { Refusal } from '#shared/domain/kernel/errors.ts';
import { readEnv } from '#shared/env/kernel.ts';
import { showingCheckoutsEnv } from '#shared/env/page-links.ts';
import { apiReading } from '#shared/http/api.ts';
import { type CheckoutViewDeps, checkoutViewOn } from '#shared/http/checkout-view.ts';
import type { ApiDeps } from '#shared/http/kernel/types.ts';
import type { CheckoutReader } from '#shared/ports/checkouts.ts';

/** Shows a checkout with its payment status. */
export const verifyCheckoutHandler = (deps: ApiDeps & CheckoutViewDeps & { checkouts: CheckoutReader }) =>
  apiReading(
    verifyCheckoutContract,
    deps,
    (tenant, { params }) => deps.checkouts.find(tenant, params.reference),
    async ({ server, read }) => {
      const view = await checkoutViewOn(deps, server);
      const checkout = await read();
      if (!checkout) throw new Refusal('checkout_not_found');
      return { status: 200, body: { status: true, data: view(checkout) } };
    },
  );

export const handler = verifyCheckoutHandler(readCheckoutsDeps(readEnv(showingCheckoutsEnv, process.env)));
