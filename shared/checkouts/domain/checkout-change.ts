import type { PaymentEntries } from '#shared/payments/domain/payment-entries.ts';
import type { Checkout, CheckoutStep } from './checkout.ts';

/** A step of a checkout with the payments that cause it. */
export interface CheckoutChange extends CheckoutStep, PaymentEntries {}

/** What a change of a checkout writes and announces. Each write counts `revision`, which is the lock. */
export const checkoutEntries = (before: Checkout, { checkout, announce, ...payments }: CheckoutChange) => {
  const after = { ...checkout, revision: before.revision + 1 };
  return { entries: { ...payments, checkout: { before, after } }, events: announce ? [{ type: announce }] : [] };
};

/** The fields that all payments of a checkout have in common, at whatever provider. */
export const paymentsOn = ({ mode, businessId, reference, merchantReference }: Checkout) => ({
  mode,
  businessId,
  owner: { kind: 'checkout', reference } as const,
  ...(merchantReference !== null && { merchantReference }),
});
