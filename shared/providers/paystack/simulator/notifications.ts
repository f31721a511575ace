import { createHmac } from 'node:crypto';
import type { Kobo } from '#shared/providers/common/simulator/money.ts';
import type { Notification } from '#shared/providers/common/simulator/provider.ts';
import type { PaystackReading } from './readings.ts';
import {
  assignedDedicatedView,
  customerView,
  iso,
  type PaystackCustomer,
  type PaystackDedicatedAccount,
} from './shapes.ts';
import { notifiedView, type PaystackRefund, type PaystackTransaction } from './transaction.ts';

/* Paystack's notifications (providers.md section 1.5). */

const signNotification = (secret: string, write: (extra: Kobo) => unknown): Notification => ({
  secret,
  body: (extra) => JSON.stringify(write(extra)),
  // providers.md section 1.5: over the whole body, with the API's own secret key.
  headers: (body, key) => ({ 'x-paystack-signature': createHmac('sha512', key).update(body).digest('hex') }),
});

/** providers.md section 1.5: `charge.success`, with the transaction as it is at `now`. */
export const chargeSuccess = (
  transaction: PaystackTransaction,
  reading: PaystackReading,
  now: number,
  secret: string,
): Notification => {
  const data = notifiedView(transaction, reading, now);
  return signNotification(secret, (extra) => ({
    event: 'charge.success',
    data: { ...data, amount: data.amount + extra, requested_amount: data.requested_amount + extra },
  }));
};

/** providers.md section 1.5: `bank.transfer.rejected`. It has no reference, and its amount and id are texts. */
export const transferRejected = (
  transactionId: number,
  amount: Kobo,
  customer: PaystackCustomer,
  secret: string,
): Notification =>
  signNotification(secret, (extra) => ({
    event: 'bank.transfer.rejected',
    data: {
      bank_transfer: {
        amount: String(amount + extra),
        message: 'incorrect amount sent',
        message_type: 'INCORRECT_AMOUNT',
        transaction_id: String(transactionId),
      },
      customer: {
        ...customerView(customer),
        metadata: null,
        domain: 'live',
        integration: 100043,
        createdAt: iso(customer.createdAt),
        updatedAt: iso(customer.createdAt),
      },
    },
  }));

/** The fields of a refund's event that say which refund it is. Before it is paid out it may have none. */
const refundIdFields = ({ id, stage }: PaystackRefund, refundId: PaystackReading['refundId']) => {
  if (stage === 'pending' || stage === 'processing') return { refund_reference: null };
  const transfer = `TRF_simulator${id}`;
  if (stage !== 'processed') return { refund_reference: transfer };
  return refundId === 'id' ? { id } : { refund_reference: refundId === 'none' ? null : transfer };
};

/** providers.md section 1.5: the event of a refund, by its stage. */
export const refundEvent = (
  { reference, customer }: PaystackTransaction,
  refund: PaystackRefund,
  { refundId }: PaystackReading,
  secret: string,
): Notification => {
  const status = refund.stage === 'needs_attention' ? 'needs-attention' : refund.stage;
  return signNotification(secret, (extra) => {
    const amount = refund.amount + extra;
    return {
      event: `refund.${status}`,
      data: {
        status,
        transaction_reference: reference,
        ...refundIdFields(refund, refundId),
        // A number where the refund is in trouble, else a text: so in the same source.
        amount: status === 'failed' || status === 'needs-attention' ? amount : String(amount),
        currency: 'NGN',
        customer: { first_name: customer.firstName, last_name: customer.lastName, email: customer.email },
        integration: 100043,
        domain: 'live',
        ...(status === 'needs-attention'
          ? { id: String(refund.id), customer_note: 'Refund for the order', merchant_note: 'Refund for the order' }
          : { processor: 'instant-transfer' }),
      },
    };
  });
};

/** providers.md section 1.2: `customeridentification.success` or `.failed`. */
export const identificationEvent = (customer: PaystackCustomer, isValid: boolean, secret: string): Notification =>
  signNotification(secret, () => ({
    event: `customeridentification.${isValid ? 'success' : 'failed'}`,
    data: {
      // A text when it succeeds and a number when it fails, in the same source.
      customer_id: isValid ? String(customer.id) : customer.id,
      customer_code: customer.code,
      email: customer.email,
      ...(isValid
        ? { identification: { country: 'NG', type: 'bvn', value: '222*****678' } }
        : {
            identification: {
              country: 'NG',
              type: 'bank_account',
              bvn: '222*****678',
              account_number: '012****789',
              bank_code: '058',
            },
            reason: 'Account number or BVN is incorrect',
          }),
    },
  }));

/** providers.md section 1.2: `dedicatedaccount.assign.success`, or `.failed` where there is no account. */
export const assignmentEvent = (
  customer: PaystackCustomer,
  dedicated: PaystackDedicatedAccount | undefined,
  secret: string,
): Notification =>
  signNotification(secret, () => ({
    event: `dedicatedaccount.assign.${dedicated ? 'success' : 'failed'}`,
    data: {
      customer: { ...customerView(customer), metadata: {}, international_format_phone: customer.phone },
      dedicated_account: dedicated ? assignedDedicatedView(dedicated) : null,
      identification: { status: dedicated ? 'success' : 'failed' },
    },
  }));
