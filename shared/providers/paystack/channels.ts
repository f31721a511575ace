import { ourReference } from '#shared/providers/common/texts.ts';
import type { PaymentQuery } from '#shared/providers/domain/report.ts';

/** Money into a virtual account; its reference is Paystack's (providers.md section 1.5). */
export const VIRTUAL_ACCOUNT_CHANNEL = 'dedicated_nuban';
/** Money into a payment account; its reference is ours. */
const PAYMENT_ACCOUNT_CHANNEL = 'bank_transfer';

/** Whether a channel is one of bank transfers. The same merchant account may also take cards, which do not concern us. */
export const isTransferChannel = (channel: string): boolean =>
  channel === VIRTUAL_ACCOUNT_CHANNEL || channel === PAYMENT_ACCOUNT_CHANNEL;

/** The query that looks up a payment of a channel; undefined when it is not a bank transfer. */
export const buildChargeQuery = (channel: string, reference: string): PaymentQuery | undefined =>
  isTransferChannel(channel)
    ? { by: channel === PAYMENT_ACCOUNT_CHANNEL ? 'our_reference' : 'transaction', value: reference }
    : undefined;

/** The query that looks up a payment of which only the reference is known: by the reference's form it is ours or Paystack's. */
export const buildReferenceQuery = (reference: string): PaymentQuery => ({
  by: ourReference(reference) ? 'our_reference' : 'transaction',
  value: reference,
});
