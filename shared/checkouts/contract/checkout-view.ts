import { type ShownAttempt, shownAttempt, shownAttempts } from '#shared/checkouts/domain/attempt.ts';
import type { Checkout } from '#shared/checkouts/domain/checkout.ts';
import { paymentView } from '#shared/payments/contract/payment-view.ts';
import { metadataView } from '#shared/platform/contract/metadata-view.ts';
import { nairaDifference, nairaFromKobo } from '#shared/platform/kernel/money.ts';
import { isoMicros } from '#shared/platform/kernel/time.ts';

/** Shows an account that the payer can pay into. */
const accountView = ({ provider, account, amountToPay, expiresAt }: ShownAttempt) => ({
  provider,
  account_number: account.accountNumber,
  account_name: account.accountName,
  bank_name: account.bankName,
  bank_code: account.bankCode,
  amount_to_pay: nairaFromKobo(amountToPay),
  expires_at: isoMicros(expiresAt),
});

/** Shows a checkout to webhook receivers and operators. The ten fields of the service description come first. */
export const checkoutView = (state: Checkout) => {
  const current = shownAttempt(state);
  const { amount_to_pay, expires_at, ...account } = accountView(current);
  const paid = state.status === 'paid' ? state : undefined;
  return {
    mode: state.mode,
    reference: state.reference,
    amount: nairaFromKobo(state.amount),
    status: state.status,
    paid: paid !== undefined,
    payer_email: state.payerEmail,
    paid_amount: nairaFromKobo(state.paidAmount),
    paid_at: paid ? isoMicros(paid.paidAt) : null,
    sender_name: paid?.senderName ?? null,
    sender_bank: paid?.senderBank ?? null,
    currency: 'NGN' as const,
    created_with: state.createdWith,
    description: state.description,
    amount_to_pay,
    ...account,
    payer_name: state.payerName,
    merchant_reference: state.merchantReference,
    metadata: metadataView(state.metadata),
    expires_at,
    created_at: isoMicros(state.createdAt),
    version: state.version,
    payments: state.payments.map(paymentView),
    difference: nairaDifference(state.paidAmount, state.amount),
    accounts: shownAttempts(state).map((attempt) => ({ ...accountView(attempt), current: attempt === current })),
  };
};

/** Shows a checkout in an API answer: with the address of its payment page and its return URLs. */
export const checkoutAnswerView = (state: Checkout, checkoutUrl: string) => ({
  ...checkoutView(state),
  checkout_url: checkoutUrl,
  callback_url: state.callbackUrl,
  cancel_url: state.cancelUrl,
});
