import { checkoutAnswerView } from '#shared/contract/checkouts/checkout-view.ts';
import type { Checkout } from '#shared/domain/checkouts/checkout.ts';
import { pageLink } from '#shared/domain/checkouts/page-link.ts';

/** Shows checkouts with the address of their payment page, on the server that was called (`server-address.ts`). */
export const checkoutViewOn = (hashKey: string, server: string) => (checkout: Checkout) =>
  checkoutAnswerView(checkout, `${server}/pay/${pageLink(hashKey, checkout.reference)}`);
