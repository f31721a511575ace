import { createHmac } from 'node:crypto';
import type { Kobo } from '#infra/local/twin/money.ts';
import type { Notification } from '#infra/local/twin/notifier.ts';
import { type PaystackCustomer, type PaystackTransaction, transactionView } from './shapes.ts';

/* Paystack's notifications (providers.md section 1.5). */

const signed = (secret: string, write: (extra: Kobo) => unknown): Notification => ({
  secret,
  body: (extra) => JSON.stringify(write(extra)),
  // providers.md section 1.5: over the whole body, with the API's own secret key.
  headers: (body, key) => ({ 'x-paystack-signature': createHmac('sha512', key).update(body).digest('hex') }),
});

/** providers.md section 1.5: `charge.success`, with the transaction as it is at `now`. */
export const chargeSuccess = (transaction: PaystackTransaction, now: number, secret: string): Notification => {
  const data = transactionView(transaction, now);
  return signed(secret, (extra) => ({
    event: 'charge.success',
    data: { ...data, amount: data.amount + extra, requested_amount: data.requested_amount + extra },
  }));
};

/** providers.md section 1.5: `bank.transfer.rejected`. It has no reference, and its amount and id are texts. */
export const transferRejected = (
  transactionId: number,
  amount: Kobo,
  { id, email, code }: PaystackCustomer,
  secret: string,
): Notification =>
  signed(secret, (extra) => ({
    event: 'bank.transfer.rejected',
    data: {
      bank_transfer: {
        amount: String(amount + extra),
        message: 'incorrect amount sent',
        message_type: 'INCORRECT_AMOUNT',
        transaction_id: String(transactionId),
      },
      customer: { id, email, customer_code: code, domain: 'live', integration: 100043 },
    },
  }));

/** `refund.processed`: the whole amount was returned. From Paystack's page on refunds; the refund has no reference. */
export const refundProcessed = (
  { id, reference, amount, customer }: PaystackTransaction,
  secret: string,
): Notification =>
  signed(secret, (extra) => ({
    event: 'refund.processed',
    data: {
      status: 'processed',
      transaction_reference: reference,
      refund_reference: `twin-refund-${id}`,
      amount: String(amount + extra),
      currency: 'NGN',
      processor: 'instant-transfer',
      customer: { first_name: customer.firstName, last_name: customer.lastName, email: customer.email },
      integration: 100043,
      domain: 'live',
    },
  }));
