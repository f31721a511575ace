import { toOurReference } from '#shared/providers/common/texts.ts';
import type { PaymentQuery } from '#shared/providers/domain/report.ts';

/** The channel of money into a virtual account. Such a payment has a reference of Paystack's (providers.md section 1.5). */
export const VIRTUAL_ACCOUNT_CHANNEL = 'dedicated_nuban';
/** The channel of money into a payment account. Such a payment has our reference. */
const PAYMENT_ACCOUNT_CHANNEL = 'bank_transfer';

/** Whether a channel is a bank transfer. The same merchant account may also take cards, which do not concern us. */
export const isTransferChannel = (channel: string): boolean =>
  channel === VIRTUAL_ACCOUNT_CHANNEL || channel === PAYMENT_ACCOUNT_CHANNEL;

/** Builds the query that looks up a payment of a channel; undefined if the channel is no bank transfer. */
export const buildChargeQuery = (channel: string, reference: string): PaymentQuery | undefined =>
  isTransferChannel(channel)
    ? { by: channel === PAYMENT_ACCOUNT_CHANNEL ? 'our_reference' : 'transaction', value: reference }
    : undefined;

/** Builds the query that looks up a payment by its reference alone. The form of the reference tells whether it is ours or Paystack's. */
export const buildReferenceQuery = (reference: string): PaymentQuery => ({
  by: toOurReference(reference) ? 'our_reference' : 'transaction',
  value: reference,
});
