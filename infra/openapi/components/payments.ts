import { totalOfDay } from '#shared/payments/contract/get-totals.ts';
import { paymentAnswer } from '#shared/payments/contract/payment-answer.ts';
import { recordedPaymentAnswer } from '#shared/payments/contract/recorded-payment-answer.ts';
import { paymentOnVirtualAccount } from '#shared/webhooks/contract/webhooks.ts';
import { component } from './component.ts';

const paymentFields = {
  id: 'Identifies the payment.',
  amount: 'The amount that landed, in naira.',
  fee: 'The provider’s fee for the payment, in naira; 0 if the provider does not report it.',
  outcome:
    '`accepted`: it counts. `rejected`: the provider sent it back on arrival. `reversed`: it counted first, and was returned later.',
  paid_at: 'The time of the transfer, as the provider reports it.',
  late: 'True if the transfer was made after the `expires_at` of its account. A late payment counts like any other. Always false on a virtual account.',
  sender_name: 'The sender, as the bank reports it.',
  sender_bank: 'The sender’s bank.',
  provider: 'The provider that received it.',
  provider_reference:
    'The provider’s reference. Two payments of a checkout may share one, so use `id` to tell payments apart.',
};

/** The components of payments. */
export const PAYMENT_COMPONENTS = [
  component(paymentAnswer, 'Payment', 'One bank transfer that arrived.', paymentFields),
  component(
    recordedPaymentAnswer,
    'RecordedPayment',
    'A payment with the checkout or the virtual account that it belongs to.',
    {
      ...paymentFields,
      mode: 'The mode that it landed in.',
      currency: 'Always `NGN`.',
      checkout_reference: 'The `reference` of its checkout; null if it is on a virtual account.',
      merchant_reference:
        'The `merchant_reference` of its checkout; null if the checkout has none, or if the payment is on a virtual account.',
      virtual_account_id: 'The `id` of its virtual account; null if it is on a checkout.',
      recorded_at:
        'The time when we recorded it. Lists, filters and totals use this time. If a payment was returned in part, the payment of the kept rest has the `recorded_at` of the original.',
    },
  ),
  component(totalOfDay, 'DailyTotal', 'The payments of one day, by their `recorded_at` and their present outcome.', {
    date: 'The day in Lagos.',
    count: 'The number of accepted payments.',
    amount: 'The sum of the accepted payments, in naira.',
    rejected: 'The sum that providers sent back on arrival, in naira.',
    reversed:
      'The sum that counted first and was returned later, in naira. If only a part of a payment was returned, the kept part is in `amount`.',
  }),
  component(
    paymentOnVirtualAccount,
    'PaymentOnVirtualAccount',
    'A payment on a virtual account that landed or was reversed.',
    { payment: 'The payment.', virtual_account: 'The account that it was paid into.' },
  ),
];
