import type { Fixture } from '#shared/providers/common/simulator/fixture.ts';

const REFERENCE = 'PAY-7H2KQ9XW4M1ZB8T5RC3N';

const CUSTOMER = {
  id: 7454290,
  first_name: null,
  last_name: null,
  email: 'pay-7h2kq9xw4m1zb8t5rc3n@accounts.example.com',
  customer_code: 'CUS_1eq06yu8efl8u63',
  phone: null,
  metadata: null,
  risk_action: 'default',
  international_format_phone: null,
};

const SENDER = {
  authorization_code: 'AUTH_q5nfynycgm',
  bin: '008XXX',
  last4: 'X553',
  exp_month: '11',
  exp_year: '2026',
  card_type: 'transfer',
  bank: null,
  country_code: 'NG',
  brand: 'Managed Account',
  reusable: false,
  signature: null,
  sender_country: 'NG',
  sender_bank: null,
  sender_bank_account_number: 'XXXXXXX553',
  sender_name: 'Babatunde Adewale',
  narration: 'NIP: Babatunde Adewale',
};

const MONEY = {
  domain: 'live',
  status: 'success',
  amount: 1850000,
  message: null,
  gateway_response: 'Approved',
  paid_at: '2026-11-20T12:04:31.000Z',
  created_at: '2026-11-20T12:00:00.000Z',
  currency: 'NGN',
  ip_address: null,
  fees: 27750,
  fees_split: null,
  split: {},
  subaccount: {},
  order_id: null,
  paidAt: '2026-11-20T12:04:31.000Z',
  requested_amount: 1850000,
  pos_transaction_data: null,
};
const ON_CHARGE = {
  ...MONEY,
  id: 3104021987,
  reference: REFERENCE,
  channel: 'bank_transfer',
  customer: CUSTOMER,
  authorization: { ...SENDER, channel: 'bank_transfer', account_name: null },
};
const ON_ACCOUNT = {
  ...MONEY,
  id: 3104021988,
  reference: '1795694400-k2m9q8-example',
  channel: 'dedicated_nuban',
  customer: { ...CUSTOMER, email: 'va_01m7wkjh1ayhzzzjzra12rnzvs@accounts.example.com' },
  authorization: {
    ...SENDER,
    bank: 'First City Monument Bank',
    channel: 'dedicated_nuban',
    sender_bank: 'First City Monument Bank',
    receiver_bank_account_number: '9930000902',
    receiver_bank: 'Titan Paystack',
  },
  metadata: { receiver_account_number: '9930000902', receiver_bank: 'Titan Paystack', custom_fields: [] },
};
const VERIFIED = {
  receipt_number: null,
  log: null,
  plan: null,
  createdAt: '2026-11-20T12:00:00.000Z',
  source: null,
  fees_breakdown: null,
  connect: null,
  transaction_date: '2026-11-20T12:00:00.000Z',
  plan_object: {},
};
const ROW = { log: null, plan: {}, createdAt: '2026-11-20T12:00:00.000Z', source: null, connect: null };
const NOTIFIED = { log: null, plan: {}, fees_breakdown: null, source: null };

const buildAnswer = (data: unknown, message = 'Verification successful') => ({ status: true, message, data });

/** Answers about payment accounts and transactions (providers.md sections 1.1, 1.3 and 1.4). */
export const PAYMENT_ANSWERS = {
  createCharge: {
    source: 'PS-3',
    mark: 'A',
    body: {
      status: true,
      message: 'Charge attempted',
      data: {
        reference: REFERENCE,
        status: 'pending_bank_transfer',
        display_text: 'Please make a transfer to the account specified',
        account_name: 'SIMSHOP CHECKOUT',
        account_number: '9900000001',
        bank: { slug: 'titan-paystack', name: 'Titan Paystack', id: 24 },
        account_expires_at: '2026-11-20T12:30:00.000Z',
      },
    },
  },
  duplicateReference: {
    source: 'PS-6',
    mark: 'C',
    body: { status: false, message: 'Duplicate Transaction Reference' },
  },
  verifyPaid: { source: 'PS-3', mark: 'A', body: buildAnswer({ ...ON_CHARGE, ...VERIFIED, metadata: '' }) },
  verifyCredit: { source: 'PS-3', mark: 'A', body: buildAnswer({ ...ON_ACCOUNT, ...VERIFIED }) },
  verifyReversed: {
    source: 'PS-1',
    mark: 'A',
    body: buildAnswer({ ...ON_CHARGE, ...VERIFIED, metadata: '', status: 'reversed' }),
  },
  unknownReference: {
    source: 'PS-3',
    mark: 'A',
    body: {
      status: false,
      message: 'Transaction not found',
      meta: { nextStep: 'Ensure that the reference is one of yours' },
      type: 'validation_error',
      code: 'transaction_not_found',
    },
  },
  unknownCharge: { source: 'PS-3', mark: 'A', body: { status: false, message: 'Transaction reference is invalid' } },
  wrongKey: { source: 'PS-3', mark: 'A', body: { status: false, message: 'Invalid key' } },
  rateLimited: {
    source: 'PS-2',
    mark: 'B',
    body: { status: false, message: 'Too many requests', type: 'api_error', code: 'rate_limited' },
    optional: ['type'],
  },
  serverFault: {
    source: 'PS-3',
    mark: 'A',
    body: { status: false, code: 'unknown', type: 'api_error', message: 'An error occurred' },
  },
  pagesByNumber: {
    source: 'PS-2',
    mark: 'B',
    body: {
      status: true,
      message: 'Transactions retrieved',
      data: [],
      meta: { total: 7316, total_volume: 397800, skipped: 0, perPage: 50, page: 1, pageCount: 147 },
    },
    optional: ['meta.total_volume'],
  },
  pagesByCursor: {
    source: 'PS-3',
    mark: 'A',
    body: {
      status: true,
      message: 'Transactions retrieved',
      data: [],
      meta: { next: 'dHdpbjoyMDI2MTEyMA==', previous: null, perPage: 50 },
    },
    optional: ['meta.next'],
  },
} as const satisfies Readonly<Record<string, Fixture>>;

/** Rows of lists (providers.md sections 1.4 and 1.6). */
export const PAYMENT_ROWS = {
  transaction: { source: 'PS-3', mark: 'A', body: { ...ON_CHARGE, ...ROW, metadata: null } },
  credit: { source: 'PS-3', mark: 'A', body: { ...ON_ACCOUNT, ...ROW } },
  refund: {
    source: 'PS-3',
    mark: 'A',
    body: {
      id: 3018284,
      integration: 100043,
      domain: 'live',
      transaction: 3104021987,
      dispute: null,
      amount: 50000,
      deducted_amount: 50000,
      currency: 'NGN',
      channel: 'bank_transfer',
      fully_deducted: null,
      refunded_by: 'support@example.com',
      refunded_at: '2026-11-21T10:54:47.000Z',
      expected_at: '2026-11-22T10:54:47.000Z',
      settlement: null,
      customer_note: 'Refund for the order',
      merchant_note: 'Refund for the order',
      created_at: '2026-11-21T09:10:59.000Z',
      updated_at: '2026-11-21T10:54:47.000Z',
      status: 'processed',
    },
    optional: ['refunded_at', 'deducted_amount'],
  },
} as const satisfies Readonly<Record<string, Fixture>>;

const UNPROCESSED = {
  transaction_reference: REFERENCE,
  currency: 'NGN',
  customer: { first_name: null, last_name: null, email: CUSTOMER.email },
  integration: 100043,
  domain: 'live',
};
const REFUND = { ...UNPROCESSED, processor: 'instant-transfer' };
const TRANSFER = 'TRF_9vgfawjnoz58uxy';

/** Events about money (providers.md section 1.5). */
export const PAYMENT_EVENTS = {
  chargeSuccess: {
    source: 'PS-3',
    mark: 'A',
    body: { event: 'charge.success', data: { ...ON_CHARGE, ...NOTIFIED, metadata: '' } },
  },
  chargeSuccessVirtual: {
    source: 'PS-6',
    mark: 'C',
    body: { event: 'charge.success', data: { ...ON_ACCOUNT, ...NOTIFIED } },
  },
  transferRejected: {
    source: 'PS-3',
    mark: 'A',
    body: {
      event: 'bank.transfer.rejected',
      data: {
        bank_transfer: {
          amount: '1800000',
          message: 'incorrect amount sent',
          message_type: 'INCORRECT_AMOUNT',
          transaction_id: '3103959930',
        },
        customer: {
          first_name: null,
          last_name: null,
          email: CUSTOMER.email,
          phone: null,
          metadata: null,
          domain: 'live',
          customer_code: CUSTOMER.customer_code,
          risk_action: 'default',
          id: CUSTOMER.id,
          integration: 100043,
          createdAt: '2026-11-20T12:00:00.000Z',
          updatedAt: '2026-11-20T12:00:00.000Z',
        },
      },
    },
  },
  refundPending: {
    source: 'PS-3',
    mark: 'A',
    body: { event: 'refund.pending', data: { ...REFUND, status: 'pending', refund_reference: null, amount: '50000' } },
  },
  refundProcessing: {
    source: 'PS-3',
    mark: 'A',
    body: {
      event: 'refund.processing',
      data: { ...REFUND, status: 'processing', refund_reference: null, amount: '50000' },
    },
  },
  refundNeedsAttention: {
    source: 'PS-3',
    mark: 'A',
    body: {
      event: 'refund.needs-attention',
      data: {
        ...UNPROCESSED,
        status: 'needs-attention',
        refund_reference: TRANSFER,
        amount: 50000,
        id: '3018284',
        customer_note: 'Refund for the order',
        merchant_note: 'Refund for the order',
      },
    },
  },
  refundProcessed: {
    source: 'PS-3',
    mark: 'A',
    body: {
      event: 'refund.processed',
      data: { ...REFUND, status: 'processed', refund_reference: TRANSFER, amount: '50000' },
    },
  },
  // Pending refunds have no reference yet. No source says that a processed one always has a reference.
  refundProcessedWithoutId: {
    source: 'PS-3',
    mark: 'NC',
    body: {
      event: 'refund.processed',
      data: { ...REFUND, status: 'processed', refund_reference: null, amount: '50000' },
    },
  },
  refundFailed: {
    source: 'PS-3',
    mark: 'A',
    body: { event: 'refund.failed', data: { ...REFUND, status: 'failed', refund_reference: TRANSFER, amount: 50000 } },
  },
} as const satisfies Readonly<Record<string, Fixture>>;
