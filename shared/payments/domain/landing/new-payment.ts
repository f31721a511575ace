import { findPaidAttempt } from '#shared/checkouts/domain/attempt.ts';
import { isLate } from '#shared/checkouts/domain/checkout.ts';
import { sharedPaymentFields } from '#shared/checkouts/domain/checkout-change.ts';
import { type NewPaymentContext, type Payment, paymentFrom } from '#shared/payments/domain/payment.ts';
import type { MoneyReport } from '#shared/providers/domain/report.ts';
import type { LandingOwner } from './landing.ts';

/**
 * Builds the payment of reported money that is about to be recorded on its owner. If the provider reports no time of payment, the payment
 * is not late: such a provider rejects late money itself. A payment on a virtual account is never late.
 */
export const newPayment = (
  owner: LandingOwner,
  { provider, money }: Pick<MoneyReport, 'provider' | 'money'>,
  context: NewPaymentContext,
  recorded: Pick<Payment, 'amount' | 'origin' | 'outcome'>,
): Payment => {
  if (owner.kind === 'checkout') {
    const { payee, paidAt } = money;
    const attempt = findPaidAttempt(owner.checkout, provider, payee.by === 'our_reference' ? payee.reference : '');
    const late = paidAt !== null && attempt !== undefined && isLate(attempt, paidAt);
    return paymentFrom(context, { ...sharedPaymentFields(owner.checkout), provider }, money, { ...recorded, late });
  }
  const { id, mode, businessId } = owner.virtualAccount;
  const account = { mode, businessId, provider, owner: { kind: 'virtual_account', id } } as const;
  return paymentFrom(context, account, money, { ...recorded, late: false });
};
