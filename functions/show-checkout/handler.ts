import { checkoutAssets } from '#infra/pages/checkout-assets.ts';
import { payerPageDeps } from '#shared/composition/payer-page.ts';
import { readEnv } from '#shared/env/kernel.ts';
import { payerPageEnv } from '#shared/env/page-links.ts';
import type { PublicDeps } from '#shared/http/kernel/types.ts';
import { pageOf, payerPage } from '#shared/http/payer-page.ts';
import type { CheckoutAssets } from '#shared/pages/checkout/assets.ts';
import { findLinked, type ShowDeps, showToPayer } from '#shared/use-cases/checkouts/show-to-payer.ts';

/** Shows the payer of a checkout where to send what, and what has arrived. */
export const showCheckoutHandler = (deps: PublicDeps & ShowDeps & { readonly assets: () => CheckoutAssets }) =>
  payerPage(deps, async (event, asked) => {
    const checkout = await findLinked(deps, asked.link);
    return pageOf(event, asked, await showToPayer(deps, checkout, asked.sentAt), deps.assets());
  });

export const handler = showCheckoutHandler({
  ...payerPageDeps(readEnv(payerPageEnv, process.env)),
  assets: checkoutAssets,
});
