import type { Account } from '#shared/providers/common/simulator/ledger.ts';
import { type Answer, slicePage } from '#shared/providers/common/simulator/wire.ts';
import type { PaystackReading } from './readings.ts';

/** A customer. The e-mail address identifies it: a second creation returns the same customer. */
export interface PaystackCustomer {
  readonly id: number;
  readonly code: string;
  readonly email: string;
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly phone: string | null;
  readonly createdAt: number;
}

/** A static account at Paystack. A call with its `id` closes the account and unassigns it from its customer. */
export interface PaystackDedicatedAccount {
  readonly id: number;
  readonly account: Account;
  readonly customer: PaystackCustomer;
  readonly createdAt: number;
}

/** Formats milliseconds since the epoch as an ISO 8601 time. */
export const iso = (at: number): string => new Date(at).toISOString();

/** Builds a success answer (providers.md section 1.1). */
export const paystackSuccess = (message: string, data?: unknown, meta?: unknown): Answer => ({
  status: 200,
  json: { status: true, message, ...(data !== undefined && { data }), ...(meta !== undefined && { meta }) },
});

/** Builds an error answer (providers.md section 1.1). Many endpoints leave out type and code. */
export const paystackError = (status: number, message: string, detail: Record<string, unknown> = {}): Answer => ({
  status,
  json: { status: false, message, ...detail },
});

/** Builds the answer to an invalid request. */
export const invalidParams = (): Answer =>
  paystackError(400, 'Invalid parameters', { type: 'validation_error', code: 'invalid_params' });

/** Builds the requested list page. Pages count from 1 (providers.md section 1.4). */
export const paystackPage = (
  message: string,
  all: readonly unknown[],
  query: URLSearchParams,
  { pageSize, countsPages }: Pick<PaystackReading, 'pageSize' | 'countsPages'>,
) => {
  const perPage = Number(query.get(pageSize) ?? 50);
  const page = Number(query.get('page') ?? 1);
  if (!(perPage >= 1 && perPage <= 100 && page >= 1)) return invalidParams();
  const { items, total, pages } = slicePage(all, (page - 1) * perPage, perPage);
  const counted = { total, skipped: (page - 1) * perPage, perPage, page, pageCount: pages };
  return paystackSuccess(message, items, countsPages ? counted : { next: null, previous: null, perPage });
};

/** Shows a customer within other objects. */
export const customerView = ({ id, code, email, firstName, lastName, phone }: PaystackCustomer) => ({
  id,
  first_name: firstName,
  last_name: lastName,
  email,
  customer_code: code,
  phone,
  risk_action: 'default',
});

const showDates = ({ createdAt }: PaystackCustomer) => ({ createdAt: iso(createdAt), updatedAt: iso(createdAt) });
const UNIDENTIFIED = { identified: false, identifications: null };

/** Shows a new customer (providers.md section 1.2). */
export const createdCustomerView = (customer: PaystackCustomer) => ({
  email: customer.email,
  integration: 100043,
  domain: 'live',
  customer_code: customer.code,
  id: customer.id,
  ...UNIDENTIFIED,
  ...showDates(customer),
});

/** Shows a customer that is fetched (providers.md section 1.2). */
export const fetchedCustomerView = (customer: PaystackCustomer, dedicated: PaystackDedicatedAccount | undefined) => ({
  ...customerView(customer),
  transactions: [],
  subscriptions: [],
  authorizations: [],
  metadata: null,
  domain: 'live',
  integration: 100043,
  ...showDates(customer),
  created_at: iso(customer.createdAt),
  updated_at: iso(customer.createdAt),
  total_transactions: 0,
  total_transaction_value: [],
  dedicated_account: dedicated ? createdDedicatedView(dedicated) : null,
  ...UNIDENTIFIED,
});

/** Shows the fields that every answer about a static account has. They include no bank code of the Central Bank of Nigeria, only a slug. */
const dedicatedView = ({ id, account, createdAt }: PaystackDedicatedAccount) => ({
  bank: { name: account.bankName, id: 1, slug: account.bankCode },
  account_name: account.name,
  account_number: account.number,
  assigned: account.open,
  active: true,
  currency: 'NGN',
  id,
  created_at: iso(createdAt),
  updated_at: iso(createdAt),
});

const assignmentView = ({ account, customer, createdAt }: PaystackDedicatedAccount) => ({
  integration: 100043,
  assignee_id: account.open ? customer.id : 100043,
  assignee_type: account.open ? 'Customer' : 'Integration',
  account_type: 'PAY-WITH-TRANSFER-RECURRING',
  assigned_at: iso(createdAt),
});

/** Shows a new static account (providers.md section 1.2). */
export const createdDedicatedView = (dedicated: PaystackDedicatedAccount) => ({
  ...dedicatedView(dedicated),
  metadata: null,
  assignment: { ...assignmentView(dedicated), expired: false },
  customer: customerView(dedicated.customer),
});

/** Shows a static account that was just closed (providers.md section 1.2). */
export const removedDedicatedView = (dedicated: PaystackDedicatedAccount) => ({
  ...dedicatedView(dedicated),
  metadata: null,
  assignment: assignmentView(dedicated),
});

/** Shows a static account in a list, or fetched by its id (providers.md section 1.2). A closed one has no customer. */
export const dedicatedRow = (dedicated: PaystackDedicatedAccount) => ({
  ...dedicatedView(dedicated),
  split_config: null,
  customer: dedicated.account.open ? { ...customerView(dedicated.customer), international_format_phone: null } : null,
});

/** Shows a static account within an event (providers.md section 1.2). */
export const assignedDedicatedView = (dedicated: PaystackDedicatedAccount) => ({
  ...dedicatedView(dedicated),
  metadata: null,
  assignment: { ...assignmentView(dedicated), expired: false, expired_at: null },
});

/** Shows a payment account (providers.md section 1.3). It has neither the amount nor an id of the transaction. */
export const chargeView = ({ reference, account }: { readonly reference: string; readonly account: Account }) => ({
  reference,
  status: 'pending_bank_transfer',
  display_text: 'Please make a transfer to the account specified',
  account_name: account.name,
  account_number: account.number,
  bank: { slug: account.bankCode, name: account.bankName, id: 24 },
  account_expires_at: iso(account.expiresAt ?? 0),
});
