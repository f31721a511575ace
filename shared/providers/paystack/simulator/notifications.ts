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

/* Simulates Paystack's notifications (providers.md section 1.5). */

const signNotification = (secret: string, write: (extra: Kobo) => unknown): Notification => ({
  secret,
  body: (extra) => JSON.stringify(write(extra)),
  // The API's own secret key signs the whole body (providers.md section 1.5).
  headers: (body, key) => ({ 'x-paystack-signature': createHmac('sha512', key).update(body).digest('hex') }),
});

/** Notifies of a payment: `charge.success`, with the transaction's state at `now` (providers.md section 1.5). */
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

/** Notifies of a rejected transfer: `bank.transfer.rejected` (providers.md section 1.5). It has no reference; amount and id are texts. */
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

/** Builds the fields of an event that identify the refund. They may be empty before the refund is paid out. */
const refundIdFields = ({ id, stage }: PaystackRefund, refundId: PaystackReading['refundId']) => {
  if (stage === 'pending' || stage === 'processing') return { refund_reference: null };
  const transfer = `TRF_simulator${id}`;
  if (stage !== 'processed') return { refund_reference: transfer };
  return refundId === 'id' ? { id } : { refund_reference: refundId === 'none' ? null : transfer };
};

/** Notifies of a refund at its stage (providers.md section 1.5). */
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
        // A number in these two events, a text in the other three (providers.md section 1.5).
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

/** Notifies of the end of a validation: `customeridentification.success` or `.failed` (providers.md section 1.2). */
export const identificationEvent = (customer: PaystackCustomer, isValid: boolean, secret: string): Notification =>
  signNotification(secret, () => ({
    event: `customeridentification.${isValid ? 'success' : 'failed'}`,
    data: {
      // Paystack sends a text for a success, and a number for a failure.
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

/** Notifies of an assignment: `dedicatedaccount.assign.success`, or `.failed` without an account (providers.md section 1.2). */
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
