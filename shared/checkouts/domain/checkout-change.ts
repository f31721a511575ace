import type { PaymentEntries } from '#shared/payments/domain/payment-entries.ts';
import type { Checkout, CheckoutStep } from './checkout.ts';

/** A change of a checkout with the payments that cause it. */
export interface CheckoutChange extends CheckoutStep, PaymentEntries {}

/** Returns the entries and events of a change. Every write increments `revision`, the optimistic lock. */
export const checkoutEntries = (before: Checkout, { checkout, announce, ...payments }: CheckoutChange) => {
  const after = { ...checkout, revision: before.revision + 1 };
  return { entries: { ...payments, checkout: { before, after } }, events: announce ? [{ type: announce }] : [] };
};

/** Returns the fields that all payments of a checkout share. */
export const sharedPaymentFields = ({ mode, businessId, reference, merchantReference }: Checkout) => ({
  mode,
  businessId,
  owner: { kind: 'checkout', reference } as const,
  ...(merchantReference !== null && { merchantReference }),
});
