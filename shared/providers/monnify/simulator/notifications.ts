import { createHmac } from 'node:crypto';
import type { Account, Incoming } from '#shared/providers/common/simulator/ledger.ts';
import { type Kobo, nairaNumber, nairaText } from '#shared/providers/common/simulator/money.ts';
import type { Notification } from '#shared/providers/common/simulator/provider.ts';
import type { MonnifyPreference } from './preferences.ts';
import { findSenderBankCode, formatDayFirst, formatLagosTime, formatPaidOn } from './shapes.ts';
import type { MonnifyTransaction } from './transaction.ts';
import { monnifyFee, paidStatus, showReferences } from './transactions.ts';

/* Simulates Monnify's notifications (providers.md section 2.5). */

/** The secret that signs notifications, and the current preference, which decides how they are written. */
interface SigningContext {
  readonly secret: string;
  readonly preference: () => MonnifyPreference;
}

const signNotification = (secret: string, write: (extra: Kobo) => unknown): Notification => ({
  secret,
  body: (extra) => JSON.stringify(write(extra)),
  // The HMAC covers the whole compact body, although Monnify's prose describes another hash (providers.md section 2.5).
  headers: (body, key) => ({ 'monnify-signature': createHmac('sha512', key).update(body).digest('hex') }),
});

const buildSource = (incoming: Incoming, paid: Kobo) => ({
  bankCode: findSenderBankCode(incoming),
  amountPaid: nairaNumber(paid),
  accountName: incoming.senderName ?? '',
  sessionId: incoming.transferId,
  accountNumber: '0065432190',
});

/** Notifies of a payment: `SUCCESSFUL_TRANSACTION` (providers.md section 2.5). Its amounts are partly numbers and partly texts. */
export const successfulTransaction = (
  transaction: MonnifyTransaction,
  account: Account,
  incoming: Incoming,
  { secret, preference }: SigningContext,
): Notification =>
  signNotification(secret, (extra) => {
    const { transactionReference, amount, description, customer } = transaction;
    const { paymentReference, product } = showReferences(transaction, preference());
    const paid = incoming.amount + extra;
    return {
      eventType: 'SUCCESSFUL_TRANSACTION',
      eventData: {
        product,
        transactionReference,
        paymentReference,
        paidOn: formatPaidOn(incoming.paidAt),
        paymentDescription: description,
        metaData: {},
        paymentSourceInformation: [buildSource(incoming, paid)],
        destinationAccountInformation: {
          bankCode: account.bankCode,
          bankName: account.bankName,
          accountNumber: account.number,
        },
        amountPaid: nairaNumber(paid),
        totalPayable: nairaNumber(product.type === 'RESERVED_ACCOUNT' ? paid : amount),
        cardDetails: {},
        paymentMethod: 'ACCOUNT_TRANSFER',
        currency: 'NGN',
        settlementAmount: nairaText(paid - monnifyFee(paid)),
        paymentStatus: paidStatus(incoming.amount, amount),
        customer,
      },
    };
  });

/** Notifies of a rejected transfer: `REJECTED_PAYMENT` (providers.md section 2.5). The source is a single object, and one key is in snake case. */
export const rejectedPayment = (
  transaction: MonnifyTransaction,
  account: Account,
  incoming: Incoming,
  { secret, preference }: SigningContext,
): Notification =>
  signNotification(secret, (extra) => {
    const { transactionReference, amount, description, customer, createdAt } = transaction;
    const { paymentReference, product } = showReferences(transaction, preference());
    const eventData = {
      product,
      amount: nairaNumber(amount),
      paymentSourceInformation: buildSource(incoming, incoming.amount + extra),
      transactionReference,
      created_on: formatLagosTime(createdAt).replace('T', ' ').slice(0, 21),
      paymentReference,
      paymentRejectionInformation: {
        bankCode: account.bankCode,
        bankName: account.bankName,
        destinationAccountNumber: account.number,
        rejectionReason: incoming.amount < amount ? 'UNDER_PAYMENT' : 'OVER_PAYMENT',
        expectedAmount: nairaNumber(amount),
      },
      paymentDescription: description,
      customer,
    };
    return { eventType: 'REJECTED_PAYMENT', eventData };
  });

/** A refund of a transaction that the merchant requested. */
export interface MonnifyRefund {
  /** The merchant's own id of the refund. */
  readonly reference: string;
  readonly amount: Kobo;
  /** The time of the request, in milliseconds since the epoch. */
  readonly createdAt: number;
  readonly isPaidOut: boolean;
}

/** Notifies of a refund: `SUCCESSFUL_REFUND` or `FAILED_REFUND` (providers.md section 2.5). */
export const refundNotification = (
  { transactionReference }: MonnifyTransaction,
  { reference, amount, createdAt, isPaidOut }: MonnifyRefund,
  secret: string,
): Notification =>
  // `extra` is ignored: we record a refund as its notification reports it, so the fault `wrong_amount` must not change the amount.
  signNotification(secret, () => ({
    eventType: isPaidOut ? 'SUCCESSFUL_REFUND' : 'FAILED_REFUND',
    eventData: {
      merchantReason: 'Order cancelled',
      transactionReference,
      completedOn: formatDayFirst(createdAt + 1_000),
      refundStatus: isPaidOut ? 'COMPLETED' : 'FAILED',
      customerNote: 'Order cancelled',
      createdOn: formatDayFirst(createdAt),
      refundReference: reference,
      refundAmount: nairaNumber(amount),
    },
  }));
