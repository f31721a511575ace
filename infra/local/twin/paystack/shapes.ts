import type { Account, Incoming } from '#infra/local/twin/ledger.ts';
import type { Kobo } from '#infra/local/twin/money.ts';
import { type Answer, pageOf } from '#infra/local/twin/wire.ts';

/** A customer, identified by the e-mail address: creating one again returns the same. */
export interface PaystackCustomer {
  readonly id: number;
  readonly code: string;
  readonly email: string;
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly phone: string | null;
}

/** A payment: opened by the merchant (`bank_transfer`), or by a transfer to a static account (`dedicated_nuban`). */
export interface PaystackTransaction {
  readonly id: number;
  readonly reference: string;
  readonly channel: 'bank_transfer' | 'dedicated_nuban';
  readonly amount: Kobo;
  readonly fees: Kobo;
  readonly account: Account;
  readonly customer: PaystackCustomer;
  readonly createdAt: number;
  /** The transfer that paid it. */
  paidBy: Incoming | null;
  reversed: boolean;
}

/** A static account at Paystack. Closing it goes by `id`, and unassigns it from its customer. */
export interface PaystackDedicatedAccount {
  readonly id: number;
  readonly account: Account;
  readonly customer: PaystackCustomer;
  readonly createdAt: number;
}

const iso = (at: number): string => new Date(at).toISOString();
const masked = (number: string): string => `XXXXXX${number.slice(-4)}`;

/** providers.md section 1.1: the success envelope. */
export const paystackSuccess = (message: string, data?: unknown, meta?: unknown): Answer => ({
  status: 200,
  json: { status: true, message, ...(data !== undefined && { data }), ...(meta !== undefined && { meta }) },
});

/** providers.md section 1.1: the error envelope. Many endpoints leave out type and code. */
export const paystackError = (status: number, message: string, detail: Record<string, unknown> = {}): Answer => ({
  status,
  json: { status: false, message, ...detail },
});

/** The answer to an invalid request. */
export const invalidParams = (): Answer =>
  paystackError(400, 'Invalid parameters', { type: 'validation_error', code: 'invalid_params' });

/** A page of a list, as the query asks for it: pages count from 1 (providers.md section 1.4). */
export const paystackPage = (message: string, all: readonly unknown[], query: URLSearchParams) => {
  const perPage = Number(query.get('perPage') ?? 50);
  const page = Number(query.get('page') ?? 1);
  if (!(perPage >= 1 && perPage <= 100 && page >= 1)) return invalidParams();
  const { items, total, pages } = pageOf(all, (page - 1) * perPage, perPage);
  return paystackSuccess(message, items, { total, skipped: (page - 1) * perPage, perPage, page, pageCount: pages });
};

/** A customer within other objects. */
export const customerView = ({ id, code, email, firstName, lastName, phone }: PaystackCustomer) => ({
  id,
  email,
  customer_code: code,
  first_name: firstName,
  last_name: lastName,
  phone,
  metadata: null,
  risk_action: 'default',
});

/** providers.md section 1.2: a static account. It has no CBN bank code. */
export const dedicatedView = ({ id, account, customer, createdAt }: PaystackDedicatedAccount) => ({
  bank: { name: account.bankName, id: 1, slug: account.bankCode },
  account_name: account.name,
  account_number: account.number,
  assigned: account.open,
  active: true,
  currency: 'NGN',
  metadata: null,
  id,
  created_at: iso(createdAt),
  updated_at: iso(createdAt),
  split_config: null,
  assignment: {
    integration: 100043,
    assignee_id: account.open ? customer.id : 100043,
    assignee_type: account.open ? 'Customer' : 'Integration',
    expired: false,
    account_type: 'PAY-WITH-TRANSFER-RECURRING',
    assigned_at: iso(createdAt),
  },
  ...(account.open && { customer: customerView(customer) }),
});

/** providers.md section 1.3: a payment account. It has neither the amount nor an id of the transaction. */
export const chargeView = ({ reference, account }: PaystackTransaction) => ({
  reference,
  status: 'pending_bank_transfer',
  display_text: 'Please make a transfer to the account specified',
  account_name: account.name,
  account_number: account.number,
  bank: { slug: account.bankCode, name: account.bankName, id: 24 },
  account_expires_at: iso(account.expiresAt ?? 0),
});

const authorizationView = ({ channel, account }: PaystackTransaction, { senderName, senderBank }: Incoming) => ({
  authorization_code: 'AUTH_twin',
  bin: '413XXX',
  last4: 'X011',
  channel,
  card_type: 'transfer',
  brand: 'Managed Account',
  reusable: false,
  bank: senderBank,
  country_code: 'NG',
  sender_bank: senderBank,
  sender_bank_account_number: masked('0065432190'),
  sender_country: 'NG',
  sender_name: senderName,
  narration: `NIP: ${senderName ?? ''}`,
  // Only for static accounts (providers.md section 1.5).
  ...(channel === 'dedicated_nuban' && {
    receiver_bank_account_number: account.number,
    receiver_bank: account.bankName,
  }),
});

/** providers.md sections 1.4 and 1.5: a transaction, alike in look-ups, lists and notifications. */
export const transactionView = (transaction: PaystackTransaction, now: number) => {
  const { id, reference, channel, amount, fees, account, customer, createdAt, paidBy, reversed } = transaction;
  const expired = account.expiresAt !== null && now >= account.expiresAt;
  const unpaid = expired ? 'abandoned' : 'pending';
  const status = reversed ? 'reversed' : paidBy ? 'success' : unpaid;
  return {
    id,
    domain: 'live',
    status,
    reference,
    receipt_number: null,
    amount,
    requested_amount: amount,
    currency: 'NGN',
    message: null,
    gateway_response: paidBy ? 'Approved' : null,
    paid_at: paidBy ? iso(paidBy.paidAt) : null,
    created_at: iso(createdAt),
    channel,
    ip_address: null,
    fees: paidBy ? fees : null,
    metadata:
      channel === 'dedicated_nuban'
        ? { receiver_account_number: account.number, receiver_bank: account.bankName, custom_fields: [] }
        : '',
    authorization: paidBy ? authorizationView(transaction, paidBy) : {},
    customer: customerView(customer),
    plan: {},
    subaccount: {},
    split: {},
  };
};
