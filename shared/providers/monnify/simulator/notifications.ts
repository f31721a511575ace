import { createHmac } from 'node:crypto';
import type { Account, Incoming } from '#shared/providers/common/simulator/ledger.ts';
import { type Kobo, nairaNumber, nairaText } from '#shared/providers/common/simulator/money.ts';
import type { Notification } from '#shared/providers/common/simulator/provider.ts';
import type { MonnifyPreference } from './preferences.ts';
import { lagos, paidOn, paidOnDayFirst, senderBankCode } from './shapes.ts';
import type { MonnifyTransaction } from './transaction.ts';
import { monnifyFee, paidStatus, showReferences } from './transactions.ts';

/* Monnify's notifications (providers.md section 2.5). */

/** The secret that notifications are signed with, and how they are written when they are sent. */
interface Sending {
  readonly secret: string;
  readonly preference: () => MonnifyPreference;
}

const signNotification = (secret: string, write: (extra: Kobo) => unknown): Notification => ({
  secret,
  body: (extra) => JSON.stringify(write(extra)),
  // providers.md section 2.5: the HMAC over the whole compact body, not the hash that Monnify's prose describes.
  headers: (body, key) => ({ 'monnify-signature': createHmac('sha512', key).update(body).digest('hex') }),
});

const source = (incoming: Incoming, paid: Kobo) => ({
  bankCode: senderBankCode(incoming),
  amountPaid: nairaNumber(paid),
  accountName: incoming.senderName ?? '',
  sessionId: incoming.transferId,
  accountNumber: '0065432190',
});

/** providers.md section 2.5: `SUCCESSFUL_TRANSACTION`, with amounts as numbers and texts mixed. */
export const successfulTransaction = (
  transaction: MonnifyTransaction,
  account: Account,
  incoming: Incoming,
  { secret, preference }: Sending,
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
        paidOn: paidOn(incoming.paidAt),
        paymentDescription: description,
        metaData: {},
        paymentSourceInformation: [source(incoming, paid)],
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

/** providers.md section 2.5: `REJECTED_PAYMENT`. The source is one object here, and a key is in snake case. */
export const rejectedPayment = (
  transaction: MonnifyTransaction,
  account: Account,
  incoming: Incoming,
  { secret, preference }: Sending,
): Notification =>
  signNotification(secret, (extra) => {
    const { transactionReference, amount, description, customer, createdAt } = transaction;
    const { paymentReference, product } = showReferences(transaction, preference());
    const eventData = {
      product,
      amount: nairaNumber(amount),
      paymentSourceInformation: source(incoming, incoming.amount + extra),
      transactionReference,
      created_on: lagos(createdAt).replace('T', ' ').slice(0, 21),
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

/** A refund of a transaction, as the merchant asked for it. */
export interface MonnifyRefund {
  /** The merchant's own id of it. */
  readonly reference: string;
  readonly amount: Kobo;
  /** When it was asked for, in milliseconds since the epoch. */
  readonly createdAt: number;
  readonly isPaidOut: boolean;
}

/** providers.md section 2.5: `SUCCESSFUL_REFUND` and `FAILED_REFUND`. */
export const refundNotification = (
  { transactionReference }: MonnifyTransaction,
  { reference, amount, createdAt, isPaidOut }: MonnifyRefund,
  secret: string,
): Notification =>
  // No fault changes its amount: a refund is believed as it is reported.
  signNotification(secret, () => ({
    eventType: isPaidOut ? 'SUCCESSFUL_REFUND' : 'FAILED_REFUND',
    eventData: {
      merchantReason: 'Order cancelled',
      transactionReference,
      completedOn: paidOnDayFirst(createdAt + 1_000),
      refundStatus: isPaidOut ? 'COMPLETED' : 'FAILED',
      customerNote: 'Order cancelled',
      createdOn: paidOnDayFirst(createdAt),
      refundReference: reference,
      refundAmount: nairaNumber(amount),
    },
  }));
