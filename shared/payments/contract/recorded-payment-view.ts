import { getBookedAt, type Payment, summarizePayment } from '#shared/payments/domain/payment.ts';
import { isoMicros } from '#shared/platform/kernel/time.ts';
import { paymentView } from './payment-view.ts';

/** Renders a payment with its mode, and the checkout or the virtual account that it is on. */
export const recordedPaymentView = (payment: Payment) => {
  const { mode, owner, merchantReference = null } = payment;
  return {
    ...paymentView(summarizePayment(payment)),
    mode,
    currency: 'NGN' as const,
    checkout_reference: owner.kind === 'checkout' ? owner.reference : null,
    merchant_reference: merchantReference,
    virtual_account_id: owner.kind === 'virtual_account' ? owner.id : null,
    recorded_at: isoMicros(getBookedAt(payment)),
  };
};
