import { createHmac } from 'node:crypto';
import type { Account, Incoming } from '#infra/local/twin/ledger.ts';
import { type Kobo, nairaNumber, nairaText } from '#infra/local/twin/money.ts';
import type { Notification } from '#infra/local/twin/notifier.ts';
import { lagos, type MonnifyTransaction, paidOn, paidStatus, senderBankCode, settlementOf } from './shapes.ts';

/* Monnify's notifications (providers.md section 2.5). */

const signed = (secret: string, write: (extra: Kobo) => unknown): Notification => ({
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
  { transactionReference, paymentReference, product, amount, description, customer }: MonnifyTransaction,
  account: Account,
  incoming: Incoming,
  secret: string,
): Notification =>
  signed(secret, (extra) => {
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
        settlementAmount: nairaText(settlementOf(paid)),
        paymentStatus: paidStatus(incoming.amount, amount),
        customer,
      },
    };
  });

/** providers.md section 2.5: `REJECTED_PAYMENT`. The source is one object here, and a key is in snake case. */
export const rejectedPayment = (
  { transactionReference, paymentReference, product, amount, description, customer, createdAt }: MonnifyTransaction,
  account: Account,
  incoming: Incoming,
  secret: string,
): Notification =>
  signed(secret, (extra) => ({
    eventType: 'REJECTED_PAYMENT',
    eventData: {
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
    },
  }));
