import type { Account, Incoming } from '#shared/providers/common/simulator/ledger.ts';
import { type Kobo, sumAmounts } from '#shared/providers/common/simulator/money.ts';
import type { RefundStage } from '#shared/providers/common/simulator/provider.ts';
import type { PaystackReading } from './readings.ts';
import { customerView, iso, type PaystackCustomer } from './shapes.ts';

/** A refund of all or a part of a transaction, in kobo. */
export interface PaystackRefund {
  readonly id: number;
  readonly amount: Kobo;
  readonly createdAt: number;
  stage: RefundStage;
}

/** A payment. The merchant opened it (`bank_transfer`), or a transfer to a static account did (`dedicated_nuban`). */
export interface PaystackTransaction {
  readonly id: number;
  readonly reference: string;
  readonly channel: 'bank_transfer' | 'dedicated_nuban';
  readonly amount: Kobo;
  readonly fees: Kobo;
  readonly account: Account;
  readonly customer: PaystackCustomer;
  readonly createdAt: number;
  /** The transfer that paid the transaction; null before. */
  paidBy: Incoming | null;
  readonly refunds: PaystackRefund[];
}

/** Sums the kobo of a transaction that were paid back. */
export const sumRefunded = ({ refunds }: PaystackTransaction): Kobo =>
  sumAmounts(refunds.map(({ amount, stage }) => (stage === 'processed' ? amount : 0)));

const maskNumber = (number: string): string => `XXXXXXX${number.slice(-3)}`;

const authorizationView = ({ channel, account }: PaystackTransaction, { senderName, senderBank }: Incoming) => ({
  authorization_code: 'AUTH_simulator',
  bin: '413XXX',
  last4: 'X011',
  exp_month: '11',
  exp_year: '2026',
  channel,
  card_type: 'transfer',
  bank: senderBank,
  country_code: 'NG',
  brand: 'Managed Account',
  reusable: false,
  signature: null,
  sender_country: 'NG',
  sender_bank: senderBank,
  sender_bank_account_number: maskNumber('0065432190'),
  sender_name: senderName,
  narration: `NIP: ${senderName ?? ''}`,
  // Only for static accounts (providers.md section 1.5).
  ...(channel === 'dedicated_nuban'
    ? { receiver_bank_account_number: account.number, receiver_bank: account.bankName }
    : { account_name: null }),
});

/** Shows the status and the amount of a paid transaction. */
const paidView = (transaction: PaystackTransaction, { partRefunded, allRefunded }: PaystackReading) => {
  const { amount } = transaction;
  const refunded = sumRefunded(transaction);
  const reading = refunded === amount ? allRefunded : partRefunded;
  if (refunded === 0 || reading === 'unchanged') return { status: 'success', amount };
  return reading === 'reversed' ? { status: 'reversed', amount } : { status: 'success', amount: amount - refunded };
};

/** Shows the common fields of look-ups, list rows and notifications (providers.md sections 1.4 and 1.5). */
const commonView = (transaction: PaystackTransaction, reading: PaystackReading, now: number) => {
  const { id, reference, channel, amount, fees, account, customer, createdAt, paidBy } = transaction;
  const isExpired = account.expiresAt !== null && now >= account.expiresAt;
  const unpaid = { status: isExpired ? 'abandoned' : 'pending', amount };
  const paidAt = paidBy ? iso(paidBy.paidAt) : null;
  return {
    id,
    domain: 'live',
    ...(paidBy ? paidView(transaction, reading) : unpaid),
    reference,
    message: null,
    gateway_response: paidBy ? 'Approved' : null,
    paid_at: paidAt,
    created_at: iso(createdAt),
    channel,
    currency: 'NGN',
    ip_address: null,
    log: null,
    fees: paidBy ? fees : null,
    fees_split: null,
    authorization: paidBy ? authorizationView(transaction, paidBy) : {},
    customer: { ...customerView(customer), metadata: null, international_format_phone: null },
    split: {},
    subaccount: {},
    order_id: null,
    paidAt,
    requested_amount: amount,
    pos_transaction_data: null,
    source: null,
  };
};

/** Shows the metadata of a transfer to a static account (providers.md section 1.5). A payment account has none. */
const metadataView = ({ channel, account }: PaystackTransaction, otherwise: '' | null) =>
  channel === 'dedicated_nuban'
    ? { receiver_account_number: account.number, receiver_bank: account.bankName, custom_fields: [] }
    : otherwise;

/** Shows a look-up (providers.md section 1.4). */
export const verifyView = (transaction: PaystackTransaction, reading: PaystackReading, now: number) => ({
  ...commonView(transaction, reading, now),
  metadata: metadataView(transaction, ''),
  receipt_number: null,
  plan: null,
  createdAt: iso(transaction.createdAt),
  fees_breakdown: null,
  connect: null,
  transaction_date: iso(transaction.createdAt),
  plan_object: {},
});

/** Shows a row of the list (providers.md section 1.4). */
export const transactionRow = (transaction: PaystackTransaction, reading: PaystackReading, now: number) => ({
  ...commonView(transaction, reading, now),
  metadata: metadataView(transaction, null),
  plan: {},
  createdAt: iso(transaction.createdAt),
  connect: null,
});

/** Shows the data of `charge.success` (providers.md section 1.5). */
export const notifiedView = (transaction: PaystackTransaction, reading: PaystackReading, now: number) => ({
  ...commonView(transaction, reading, now),
  metadata: metadataView(transaction, ''),
  plan: {},
  fees_breakdown: null,
});

/** Shows a row of the list of refunds (providers.md section 1.6). */
export const refundRow = (transaction: PaystackTransaction, { id, amount, stage, createdAt }: PaystackRefund) => ({
  id,
  integration: 100043,
  domain: 'live',
  transaction: transaction.id,
  dispute: null,
  amount,
  deducted_amount: stage === 'processed' ? amount : null,
  currency: 'NGN',
  channel: transaction.channel,
  fully_deducted: null,
  refunded_by: 'support@example.com',
  refunded_at: stage === 'processed' ? iso(createdAt) : null,
  expected_at: iso(createdAt),
  settlement: null,
  customer_note: `Refund for transaction ${transaction.reference}`,
  merchant_note: `Refund for transaction ${transaction.reference}`,
  created_at: iso(createdAt),
  updated_at: iso(createdAt),
  status: stage === 'needs_attention' ? 'needs-attention' : stage,
});
