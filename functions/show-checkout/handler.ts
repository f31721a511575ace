import { checkoutAssets } from '#infra/pages/checkout-assets.ts';
import type { ChainDeps } from '#shared/api/http/types.ts';
import { payerPageRoute, renderPage } from '#shared/api/payer-page.ts';
import { payerPageDeps } from '#shared/checkouts/compose-payer-page.ts';
import { payerPageEnv } from '#shared/checkouts/env-page-links.ts';
import { findLinked, type ShowDeps, showToPayer } from '#shared/checkouts/use-cases/show-to-payer.ts';
import type { CheckoutAssets } from '#shared/pages/checkout/assets.ts';
import { readEnv } from '#shared/platform/env.ts';

/** Shows the payment page: the account to pay into, the amount, and the money that has arrived. */
export const showCheckoutHandler = (deps: ChainDeps & ShowDeps & { readonly assets: () => CheckoutAssets }) =>
  payerPageRoute(deps, async (event, request) => {
    const checkout = await findLinked(deps, request.link);
    return renderPage(event, request, await showToPayer(deps, checkout, request.sentAt), deps.assets());
  });

export const handler = showCheckoutHandler({
  ...payerPageDeps(readEnv(payerPageEnv, process.env)),
  assets: checkoutAssets,
});
