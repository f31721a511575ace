import { comparableName } from '#shared/platform/kernel/comparable-name.ts';
import { isSameAddress } from '#shared/platform/kernel/email-address.ts';
import type { Kobo } from '#shared/platform/kernel/money.ts';
import type { Millis } from '#shared/platform/kernel/time.ts';
import type { Payment } from './payment.ts';

/** Selects payments of a business. A null field selects all. */
export interface PaymentFilter {
  /** Recorded at this time or later. */
  readonly from: Millis | null;
  /** Recorded before this time. */
  readonly to: Millis | null;
  readonly outcome: Payment['outcome'] | null;
  /** Bounds of the amount in kobo, both included. */
  readonly minAmount: Kobo | null;
  readonly maxAmount: Kobo | null;
  /** A part of the sender's name, as `comparableName` compares it. */
  readonly sender: string | null;
  /** The e-mail address of the checkout's payer, or of the virtual account's customer. */
  readonly payerEmail: string | null;
}

/** Whether payments must be examined one by one, because the filter selects by more than time. */
export const isPaymentSearch = ({ outcome, minAmount, maxAmount, sender, payerEmail }: PaymentFilter): boolean =>
  [outcome, minAmount, maxAmount, sender, payerEmail].some((value) => value !== null);

/** Whether a payment has the outcome and the amount of a filter. An index entry has both fields. */
export const hasAmountAndOutcome = (
  { outcome, minAmount, maxAmount }: PaymentFilter,
  payment: { readonly outcome: Payment['outcome']; readonly amount: number },
): boolean =>
  (outcome === null || payment.outcome === outcome) &&
  (minAmount === null || payment.amount >= minAmount) &&
  (maxAmount === null || payment.amount <= maxAmount);

/** Whether the sender's name contains the filter's part of a name. A part without comparable characters is in no name. */
export const isFromSender = ({ sender }: PaymentFilter, { senderName }: Pick<Payment, 'senderName'>): boolean => {
  if (sender === null) return true;
  const namePart = comparableName(sender);
  return senderName !== null && namePart !== '' && comparableName(senderName).includes(namePart);
};

/** Whether an e-mail address is that of the filter. True for every address if the filter has none. */
export const isOfPayer = ({ payerEmail }: Pick<PaymentFilter, 'payerEmail'>, email: string | null): boolean =>
  payerEmail === null || isSameAddress(email, payerEmail);
