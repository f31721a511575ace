import { checkoutAnswerView } from '#shared/checkouts/contract/checkout-view.ts';
import type { Checkout } from '#shared/checkouts/domain/checkout.ts';
import { pageLink } from '#shared/checkouts/domain/page-link.ts';
import type { ReadKeys } from '#shared/platform/ports.ts';

/** What an endpoint that shows checkouts needs: the keys of their pages' links. */
export interface CheckoutViewDeps {
  readonly pageLinkKeys: ReadKeys;
}

/**
 * Shows checkouts with the address of their payment page, on the server that was called (`server-address.ts`). It is made before any work
 * begins, so that keys that cannot be read stop nothing halfway. @throws what `pageLinkKeys` throws.
 */
export const checkoutViewOn = async ({ pageLinkKeys }: CheckoutViewDeps, server: string) => {
  const [key] = await pageLinkKeys();
  return (checkout: Checkout) => checkoutAnswerView(checkout, `${server}/pay/${pageLink(key, checkout.reference)}`);
};
