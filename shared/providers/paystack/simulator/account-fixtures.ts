import type { Fixture } from '#shared/providers/common/simulator/fixture.ts';

const CUSTOMER = {
  id: 7454289,
  first_name: 'Adaeze',
  last_name: 'Obi',
  email: 'va_01m7wkjh1ayhzzzjzra12rnzvs@accounts.example.com',
  customer_code: 'CUS_8k2mz1q7t4w9x0y',
  phone: '+2348031234567',
  risk_action: 'default',
};

/** Answers about customers and virtual accounts (providers.md section 1.2). */
export const ACCOUNT_ANSWERS = {
  createCustomer: {
    source: 'PS-3',
    mark: 'A',
    body: {
      status: true,
      message: 'Customer created',
      data: {
        email: CUSTOMER.email,
        integration: 100043,
        domain: 'live',
        customer_code: CUSTOMER.customer_code,
        id: CUSTOMER.id,
        identified: false,
        identifications: null,
        createdAt: '2026-11-20T12:00:00.000Z',
        updatedAt: '2026-11-20T12:00:00.000Z',
      },
    },
  },
  fetchCustomer: {
    source: 'PS-3',
    mark: 'A',
    body: {
      status: true,
      message: 'Customer retrieved',
      data: {
        transactions: [],
        subscriptions: [],
        authorizations: [],
        first_name: 'Adaeze',
        last_name: 'Obi',
        email: CUSTOMER.email,
        phone: '+2348031234567',
        metadata: null,
        domain: 'live',
        customer_code: CUSTOMER.customer_code,
        risk_action: 'default',
        id: CUSTOMER.id,
        integration: 100043,
        createdAt: '2026-11-20T12:00:00.000Z',
        updatedAt: '2026-11-20T12:00:00.000Z',
        created_at: '2026-11-20T12:00:00.000Z',
        updated_at: '2026-11-20T12:00:00.000Z',
        total_transactions: 0,
        total_transaction_value: [],
        dedicated_account: null,
        identified: false,
        identifications: null,
      },
    },
    optional: ['data.first_name', 'data.last_name', 'data.phone'],
  },
  noCustomer: {
    source: 'PS-3',
    mark: 'A',
    body: { status: false, message: 'Customer email is invalid for your live domain.' },
  },
  createDedicated: {
    source: 'PS-3',
    mark: 'A',
    body: {
      status: true,
      message: 'NUBAN successfully created',
      data: {
        bank: { name: 'Titan Paystack', id: 1, slug: 'titan-paystack' },
        account_name: 'SIMSHOP/ADAEZE OBI',
        account_number: '9930000902',
        assigned: true,
        currency: 'NGN',
        metadata: null,
        active: true,
        id: 253,
        created_at: '2026-11-20T12:00:01.000Z',
        updated_at: '2026-11-20T12:00:01.000Z',
        assignment: {
          integration: 100043,
          assignee_id: CUSTOMER.id,
          assignee_type: 'Customer',
          expired: false,
          account_type: 'PAY-WITH-TRANSFER-RECURRING',
          assigned_at: '2026-11-20T12:00:01.764Z',
        },
        customer: CUSTOMER,
      },
    },
  },
  removeDedicated: {
    source: 'PS-3',
    mark: 'A',
    body: {
      status: true,
      message: 'Managed Account Successfully Unassigned',
      data: {
        bank: { name: 'Titan Paystack', id: 1, slug: 'titan-paystack' },
        account_name: 'SIMSHOP/ADAEZE OBI',
        account_number: '9930000902',
        assigned: false,
        currency: 'NGN',
        metadata: null,
        active: true,
        id: 253,
        created_at: '2026-11-20T12:00:01.000Z',
        updated_at: '2026-11-21T09:30:00.000Z',
        assignment: {
          assignee_id: 100043,
          assignee_type: 'Integration',
          assigned_at: '2026-11-20T12:00:01.000Z',
          integration: 100043,
          account_type: 'PAY-WITH-TRANSFER-RECURRING',
        },
      },
    },
  },
  assign: {
    source: 'PS-3',
    mark: 'A',
    body: { status: true, message: 'Assign dedicated account in progress' },
  },
  wrongBvn: { source: 'PS-3', mark: 'A', body: { status: false, message: 'Invalid BVN' } },
} as const satisfies Readonly<Record<string, Fixture>>;

/** A row of `GET /dedicated_account`; `GET /dedicated_account/{id}` has the same fields. */
export const DEDICATED_ROW = {
  source: 'PS-3',
  mark: 'A',
  body: {
    customer: { ...CUSTOMER, international_format_phone: null },
    bank: { name: 'Titan Paystack', id: 1, slug: 'titan-paystack' },
    id: 253,
    account_name: 'SIMSHOP/ADAEZE OBI',
    account_number: '9930000902',
    created_at: '2026-11-20T12:00:01.000Z',
    updated_at: '2026-11-20T12:00:01.000Z',
    currency: 'NGN',
    split_config: null,
    active: true,
    assigned: true,
  },
} as const satisfies Fixture;

const identification = {
  country: 'NG',
  type: 'bank_account',
  bvn: '222*****678',
  account_number: '012****789',
  bank_code: '058',
};
const customer = { ...CUSTOMER, metadata: {}, international_format_phone: '+2348031234567' };

/** Events about the opening of a virtual account. An event identifies the account only by its customer. */
export const ACCOUNT_EVENTS = {
  assignSuccess: {
    source: 'PS-3',
    mark: 'A',
    body: {
      event: 'dedicatedaccount.assign.success',
      data: {
        customer,
        dedicated_account: {
          bank: { name: 'Titan Paystack', id: 1, slug: 'titan-paystack' },
          account_name: 'SIMSHOP/ADAEZE OBI',
          account_number: '9930000902',
          assigned: true,
          currency: 'NGN',
          metadata: null,
          active: true,
          id: 253,
          created_at: '2026-11-20T12:00:01.000Z',
          updated_at: '2026-11-20T12:00:01.000Z',
          assignment: {
            integration: 100043,
            assignee_id: CUSTOMER.id,
            assignee_type: 'Customer',
            expired: false,
            account_type: 'PAY-WITH-TRANSFER-RECURRING',
            assigned_at: '2026-11-20T12:00:01.614Z',
            expired_at: null,
          },
        },
        identification: { status: 'success' },
      },
    },
    optional: ['data.dedicated_account.assignment.expired_at'],
  },
  assignFailed: {
    source: 'PS-3',
    mark: 'A',
    body: {
      event: 'dedicatedaccount.assign.failed',
      data: { customer, dedicated_account: null, identification: { status: 'failed' } },
    },
  },
  identificationSuccess: {
    source: 'PS-3',
    mark: 'A',
    body: {
      event: 'customeridentification.success',
      data: {
        // Paystack's sample has a text here, and a number in the event of a failure.
        customer_id: '7454289',
        customer_code: CUSTOMER.customer_code,
        email: CUSTOMER.email,
        identification: { country: 'NG', type: 'bvn', value: '222*****678' },
      },
    },
  },
  identificationFailed: {
    source: 'PS-3',
    mark: 'A',
    body: {
      event: 'customeridentification.failed',
      data: {
        customer_id: CUSTOMER.id,
        customer_code: CUSTOMER.customer_code,
        email: CUSTOMER.email,
        identification,
        reason: 'Account number or BVN is incorrect',
      },
    },
  },
} as const satisfies Readonly<Record<string, Fixture>>;
