import type { Fixture } from '#shared/providers/common/simulator/fixture.ts';

const TRANSACTION = 'MNFY|04|20261120112842|000170';
const REFERENCE = 'PAY-7H2KQ9XW4M1ZB8T5RC3N';
const SOURCE = {
  bankCode: '',
  amountPaid: 5_000,
  accountName: 'CHIDI EZE',
  sessionId: '090405261120112842000000000017',
  accountNumber: '0065432190',
};
const CUSTOMER = { name: 'Bukola Eze', email: 'bukola@example.com' };

const buildPaid = (changes: object) => ({
  eventType: 'SUCCESSFUL_TRANSACTION',
  eventData: {
    product: { reference: REFERENCE, type: 'API_NOTIFICATION' },
    transactionReference: TRANSACTION,
    paymentReference: REFERENCE,
    paidOn: '2026-11-20 11:28:42.615',
    paymentDescription: 'Ada Fabrics',
    metaData: {},
    paymentSourceInformation: [SOURCE],
    destinationAccountInformation: { bankCode: '232', bankName: 'Sterling bank', accountNumber: '6000140770' },
    amountPaid: 5_000,
    totalPayable: 5_000,
    cardDetails: {},
    paymentMethod: 'ACCOUNT_TRANSFER',
    currency: 'NGN',
    settlementAmount: '4925.00',
    paymentStatus: 'PAID',
    customer: CUSTOMER,
    ...changes,
  },
});

const buildRefund = (eventType: string, refundStatus: string) => ({
  eventType,
  eventData: {
    merchantReason: 'Order cancelled',
    transactionReference: TRANSACTION,
    completedOn: '20/11/2026 4:24:05 PM',
    refundStatus,
    customerNote: 'Order cancelled',
    createdOn: '20/11/2026 4:23:37 PM',
    refundReference: 'RF-000001',
    refundAmount: 1_000,
  },
});

/** Monnify's notifications. If only the type of a notification is read, most of its fields are left out here. */
export const events = {
  paidToAccount: {
    source: 'MN-1',
    mark: 'A',
    body: buildPaid({
      product: { reference: 'va_01KB000000000000000000000A', type: 'RESERVED_ACCOUNT' },
      paymentReference: TRANSACTION,
    }),
  },
  paid: { source: 'MN-5', mark: 'B', body: buildPaid({}) },
  paidDayFirst: { source: 'MN-5', mark: 'B', body: buildPaid({ paidOn: '20/11/2026 11:28:42 AM' }) },
  paidAtAgent: {
    source: 'MN-1',
    mark: 'A',
    body: buildPaid({
      product: { reference: 'MNF-0001', type: 'OFFLINE_PAYMENT_AGENT' },
      paymentSourceInformation: {},
      destinationAccountInformation: {},
    }),
  },
  rejected: {
    source: 'MN-1',
    mark: 'A',
    body: {
      eventType: 'REJECTED_PAYMENT',
      eventData: {
        product: { reference: REFERENCE, type: 'API_NOTIFICATION' },
        amount: 5_000,
        paymentSourceInformation: { ...SOURCE, bankCode: '50515', amountPaid: 2_000 },
        transactionReference: TRANSACTION,
        created_on: '2026-11-20 11:53:55.0',
        paymentReference: REFERENCE,
        paymentRejectionInformation: {
          bankCode: '035',
          destinationAccountNumber: '7023576853',
          bankName: 'Wema bank',
          rejectionReason: 'UNDER_PAYMENT',
          expectedAmount: 5_000,
        },
        paymentDescription: 'Ada Fabrics',
        customer: CUSTOMER,
      },
    },
  },
  refunded: { source: 'MN-1', mark: 'A', body: buildRefund('SUCCESSFUL_REFUND', 'COMPLETED') },
  refundFailed: { source: 'MN-1', mark: 'A', body: buildRefund('FAILED_REFUND', 'FAILED') },
  settlement: {
    source: 'MN-1',
    mark: 'A',
    body: {
      eventType: 'SETTLEMENT',
      eventData: {
        amount: '4925.00',
        settlementTime: '20/11/2026 10:00:00 PM',
        settlementReference: 'SETTLE0001',
        transactionsCount: 1,
        transactions: [{ transactionReference: TRANSACTION, paymentReference: REFERENCE, amountPaid: '5000.00' }],
      },
    },
  },
  disbursement: {
    source: 'MN-1',
    mark: 'A',
    body: { eventType: 'REVERSED_DISBURSEMENT', eventData: { amount: 1_000, status: 'REVERSED' } },
  },
  mandate: {
    source: 'MN-1',
    mark: 'A',
    body: { eventType: 'MANDATE_UPDATE', eventData: { mandateStatus: 'CANCELLED', mandateCode: 'MTDD|1' } },
  },
  accountActivity: {
    source: 'MN-1',
    mark: 'A',
    body: {
      eventType: 'ACCOUNT_ACTIVITY',
      eventData: { activityType: 'TRANSACTION', amount: 100, reference: 'MFY_WTP_1' },
      metaData: { senderAccount: 'Monnify Service' },
    },
  },
  lowBalance: {
    source: 'MN-1',
    mark: 'A',
    body: { eventType: 'LOW_BALANCE_ALERT', eventData: { walletBalance: 0, lowBalanceThreshold: 2_000 } },
  },
} satisfies Record<string, Fixture>;
