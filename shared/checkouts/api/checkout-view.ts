import { checkoutAnswerView } from '#shared/checkouts/contract/checkout-view.ts';
import type { Checkout } from '#shared/checkouts/domain/checkout.ts';
import { pageLink } from '#shared/checkouts/domain/page-link.ts';
import type { ReadKeys } from '#shared/platform/ports.ts';

/** Dependencies of an endpoint that shows checkouts: the keys that sign payment page links. */
export interface CheckoutViewDeps {
  readonly pageLinkKeys: ReadKeys;
}

/**
 * Makes a function that shows checkouts with the address of their payment page, on the server that the caller used (`server-address.ts`).
 * Call it before any work begins: if the keys cannot be read, nothing is left half done.
 * @throws what `pageLinkKeys` throws.
 */
export const createCheckoutView = async ({ pageLinkKeys }: CheckoutViewDeps, server: string) => {
  const [key] = await pageLinkKeys();
  return (checkout: Checkout) => checkoutAnswerView(checkout, `${server}/pay/${pageLink(key, checkout.reference)}`);
};
