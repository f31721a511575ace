import { readCheckoutsDeps } from '#shared/composition/checkouts.ts';
import { verifyCheckoutContract } from '#shared/contract/checkouts/verify-checkout.ts';
import { Refusal } from '#shared/domain/kernel/errors.ts';
import { apiEnv } from '#shared/env/api.ts';
import { readEnv } from '#shared/env/kernel.ts';
import { apiReading } from '#shared/http/api.ts';
import { checkoutViewOn } from '#shared/http/checkout-view.ts';
import type { ApiDeps } from '#shared/http/kernel/types.ts';
import type { CheckoutReader } from '#shared/ports/checkouts.ts';

/** Shows a checkout with its payment status. */
export const verifyCheckoutHandler = (deps: ApiDeps & { checkouts: CheckoutReader }) =>
  apiReading(
    verifyCheckoutContract,
    deps,
    (tenant, { params }) => deps.checkouts.find(tenant, params.reference),
    async ({ server, read }) => {
      const checkout = await read();
      if (!checkout) throw new Refusal('checkout_not_found');
      return { status: 200, body: { status: true, data: checkoutViewOn(deps.hashKey, server)(checkout) } };
    },
  );

export const handler = verifyCheckoutHandler(readCheckoutsDeps(readEnv(apiEnv, process.env)));
