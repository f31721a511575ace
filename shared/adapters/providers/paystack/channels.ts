import { referenceOfAttempt } from '#shared/domain/checkouts/attempt-reference.ts';
import { checkoutReference } from '#shared/domain/kernel/ids.ts';
import type { PaymentQuery } from '#shared/domain/money/report.ts';

/** Money into a virtual account; its reference is Paystack's (providers.md section 1.5). */
export const VIRTUAL_ACCOUNT_CHANNEL = 'dedicated_nuban';
/** Money into a payment account; its reference is ours. */
const PAYMENT_ACCOUNT_CHANNEL = 'bank_transfer';

/** Whether a channel brings the transfers that we take; the same merchant may also take cards, which are none of our business. */
export const isTransferChannel = (channel: string): boolean =>
  channel === VIRTUAL_ACCOUNT_CHANNEL || channel === PAYMENT_ACCOUNT_CHANNEL;

/** How to ask about a payment of a channel, or undefined when it is not one of ours. */
export const queryOfPayment = (channel: string, reference: string): PaymentQuery | undefined =>
  isTransferChannel(channel)
    ? { by: channel === PAYMENT_ACCOUNT_CHANNEL ? 'our_reference' : 'transaction', value: reference }
    : undefined;

/** How to ask about a payment of which nothing but the reference is known. */
export const queryOfReference = (reference: string): PaymentQuery => ({
  by: checkoutReference.safeParse(referenceOfAttempt(reference)).success ? 'our_reference' : 'transaction',
  value: reference,
});
