import { comparableName } from '#shared/platform/kernel/comparable-name.ts';
import { isSameAddress } from '#shared/platform/kernel/email-address.ts';
import type { Kobo } from '#shared/platform/kernel/money.ts';
import type { Millis } from '#shared/platform/kernel/time.ts';
import type { Payment } from './payment.ts';

/** Which payments of a business are wanted; null where it does not matter. */
export interface PaymentFilter {
  /** Recorded at this time or later. */
  readonly from: Millis | null;
  /** Recorded before this time. */
  readonly to: Millis | null;
  readonly outcome: Payment['outcome'] | null;
  /** At least, and at most, so many kobo. */
  readonly minAmount: Kobo | null;
  readonly maxAmount: Kobo | null;
  /** A part of the sender's name, as `comparableName` compares it. */
  readonly sender: string | null;
  /** The e-mail address of the checkout's payer, or of the virtual account's customer. */
  readonly payerEmail: string | null;
}

/** Whether more payments must be looked at than are wanted. */
export const isPaymentSearch = ({ outcome, minAmount, maxAmount, sender, payerEmail }: PaymentFilter): boolean =>
  [outcome, minAmount, maxAmount, sender, payerEmail].some((value) => value !== null);

/** Whether a payment has the outcome and the amount that are asked for, as its index entry tells. */
export const hasAmountAndOutcome = (
  { outcome, minAmount, maxAmount }: PaymentFilter,
  payment: { readonly outcome: Payment['outcome']; readonly amount: number },
): boolean =>
  (outcome === null || payment.outcome === outcome) &&
  (minAmount === null || payment.amount >= minAmount) &&
  (maxAmount === null || payment.amount <= maxAmount);

/** Whether the sender's name has the part that is asked for. A part of which nothing can be compared is in no name. */
export const isFromSender = ({ sender }: PaymentFilter, { senderName }: Pick<Payment, 'senderName'>): boolean => {
  if (sender === null) return true;
  const namePart = comparableName(sender);
  return senderName !== null && namePart !== '' && comparableName(senderName).includes(namePart);
};

/** Whether an e-mail address is the one that is asked for. */
export const isOfPayer = ({ payerEmail }: Pick<PaymentFilter, 'payerEmail'>, email: string | null): boolean =>
  payerEmail === null || isSameAddress(email, payerEmail);
