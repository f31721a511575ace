import type { Fixture } from '#shared/providers/common/simulator/fixture.ts';

/* Korapay's documented answers, list rows and events, with our own values. The keys of the sources are in providers.md section 6. */

const OURS = 'PAY-7H2KQ9XW4M1ZB8T5RC3N';
const OUR_ACCOUNT = 'va_01KA0000000000000000000001';
const PAYER = { bank_name: 'Access Bank', account_name: 'CHIDI EZE', account_number: '0022330331' };
const CUSTOMER = { name: 'Ngozi Bello', email: 'ngozi.bello@example.ng' };

const buildAnswer = (message: string, data: unknown) => ({ status: true, message, data });
const buildError = (message: string) => ({ status: false, message, data: null });

const account: Fixture = {
  source: 'KO-3',
  mark: 'B',
  body: buildAnswer('Virtual bank account created successfully', {
    account_name: 'Ngozi Bello',
    account_number: '7720011223',
    bank_code: '035',
    bank_name: 'wema',
    account_reference: OUR_ACCOUNT,
    unique_id: 'KPY-VA-8sJd2',
    account_status: 'active',
    created_at: '2026-11-20T12:00:00.000Z',
    currency: 'NGN',
    customer: CUSTOMER,
  }),
  optional: ['data.customer.email'],
};

/** Builds a look-up. `differing` replaces fields of a charge that was paid exactly. */
const buildLookUp = (source: string, differing: object): Fixture => ({
  source,
  mark: 'B',
  body: buildAnswer('Charge retrieved successfully', {
    reference: OURS,
    payment_reference: 'KPY-PAY-2bT',
    status: 'success',
    amount: 5_000,
    amount_paid: '5000.00',
    amount_accepted: '5000.00',
    fee: 50,
    vat: 3.75,
    currency: 'NGN',
    description: 'Order 1042',
    customer: CUSTOMER,
    metadata: null,
    ...differing,
  }),
  optional: ['data.payment_reference', 'data.customer.name', 'data.customer.email'],
});

const buildWrongAmount = (event: string, amount: string) => ({
  bank_transfer: {
    payer_bank_account: PAYER,
    payment_event: event,
    message: 'The amount differs.',
    reversal: { status: 'success', amount, destination: 'payer_bank_account', currency: 'NGN' },
  },
});

const ANSWERS = {
  createAccount: account,
  findAccount: account,
  createCharge: {
    source: 'KO-1',
    mark: 'B',
    body: buildAnswer('Bank transfer initiated successfully', {
      currency: 'NGN',
      amount: 5_000,
      amount_expected: 5_000,
      fee: 50,
      vat: 3.75,
      reference: OURS,
      payment_reference: 'KPY-PAY-2bT',
      status: 'processing',
      narration: 'Order 1042',
      merchant_bears_cost: true,
      bank_account: {
        account_name: 'Ada Stores',
        account_number: '9977001122',
        bank_name: 'wema',
        bank_code: '035',
        expiry_date_in_utc: '2026-11-20T12:30:00.000Z',
      },
      customer: CUSTOMER,
    }),
    optional: ['data.customer.name'],
  },
  lookUpWaiting: buildLookUp('KO-1', {
    status: 'processing',
    amount_paid: '0.00',
    amount_accepted: '0.00',
    bank_transfer: {},
  }),
  lookUpPaid: buildLookUp('KO-1', { bank_transfer: { payer_bank_account: PAYER } }),
  lookUpOverpaid: buildLookUp('KO-4', { amount_paid: '7000.00', ...buildWrongAmount('overpayment', '2000.00') }),
  lookUpUnderpaid: buildLookUp('KO-4', {
    status: 'processing',
    amount_paid: '3000.00',
    amount_accepted: '0.00',
    ...buildWrongAmount('underpayment', '3000.00'),
  }),
  lookUpOfAccount: buildLookUp('KO-3', {
    reference: 'KPY-PAY-x9Qm2LwT',
    payment_reference: 'KPY-PAY-x9Qm2LwT',
    virtual_bank_account: {
      account_name: 'Ngozi Bello',
      account_number: '7720011223',
      account_reference: OUR_ACCOUNT,
      bank_name: 'wema',
      permanent: true,
      payer_bank_account: PAYER,
    },
  }),
  notFound: { source: 'KO-1', mark: 'B', body: buildError('Charge not found') },
  duplicate: { source: 'KO-1', mark: 'B', body: buildError('Duplicate payment reference') },
  unauthorised: { source: 'KO-1', mark: 'B', body: buildError('Invalid authorization key') },
} satisfies Record<string, Fixture>;

/** Builds a row of the list of pay-ins with the given references. */
const buildRow = (mark: Fixture['mark'], references: object): Fixture => ({
  source: 'KO-7',
  mark,
  body: {
    pointer: 'cus_7087',
    ...references,
    status: 'success',
    amount: '5000.00',
    amount_paid: '5000.00',
    amount_expected: '5000.00',
    fee: '53.75',
    currency: 'NGN',
    description: 'Order 1042',
    payment_method: 'bank_transfer',
    message: 'Successful',
    date_created: '2026-11-20 12:24:29',
    date_completed: '2026-11-20 12:25:10',
  },
  optional: ['message', 'date_completed'],
});

const ROWS = {
  payIn: buildRow('B', { reference: 'KPY-PAY-2bT' }),
  payInUnderOurs: buildRow('NC', { reference: OURS }),
  payInWithBoth: buildRow('NC', { reference: 'KPY-PAY-2bT', payment_reference: OURS }),
} satisfies Record<string, Fixture>;

const buildCharge = (event: string, status: string, references: object) => ({
  event,
  data: { fee: 53.75, amount: 5_000, status, currency: 'NGN', payment_method: 'bank_transfer', ...references },
});
const OUR_REFERENCES = { reference: OURS, payment_reference: OURS };

/** Builds the event of a refund. `differing` has the dates, whose names differ from page to page. */
const buildRefund = (status: string, differing: object) => ({
  event: `refund.${status}`,
  data: { amount: 1_200, status, currency: 'NGN', reference: 'RFD-000042', payment_reference: OURS, ...differing },
});
const REFUND_DATES = { refund_date: '2026-11-20T10:00:04.000Z', completion_date: '2026-11-20T11:30:00.000Z' };

const EVENTS = {
  chargeSuccessTransfer: { source: 'KO-2', mark: 'B', body: buildCharge('charge.success', 'success', OUR_REFERENCES) },
  chargeSuccessKorapaysSecond: {
    source: 'KO-1',
    mark: 'B',
    body: buildCharge('charge.success', 'success', { reference: OURS, payment_reference: 'KPY-PAY-2bT' }),
  },
  chargeSuccessKorapaysFirst: {
    source: 'KO-9',
    mark: 'B',
    body: {
      event: 'charge.success',
      data: {
        reference: 'KPY-C-cQbT&98n8b',
        currency: 'NGN',
        amount: '5000',
        amount_expected: '5000',
        fee: '25',
        status: 'success',
        payment_reference: OURS,
        transaction_status: 'success',
        metadata: { order: '1042' },
      },
    },
  },
  chargeFailed: { source: 'KO-2', mark: 'B', body: buildCharge('charge.failed', 'failed', OUR_REFERENCES) },
  chargeSuccessAccount: {
    source: 'KO-2',
    mark: 'B',
    body: {
      event: 'charge.success',
      data: {
        fee: 150,
        amount: 24_500,
        status: 'success',
        currency: 'NGN',
        reference: 'KPY-PAY-x9Qm2LwT',
        transaction_date: '2026-11-20 10:00:04',
        payment_reference: 'KPY-PAY-x9Qm2LwT',
        virtual_bank_account_details: {
          payer_bank_account: PAYER,
          virtual_bank_account: {
            bank_name: 'wema',
            permanent: true,
            account_name: 'Ngozi Bello',
            account_number: '7720011223',
            account_reference: OUR_ACCOUNT,
          },
        },
      },
    },
  },
  refundSuccess: { source: 'KO-2', mark: 'B', body: buildRefund('success', REFUND_DATES) },
  refundSuccessKorapays: {
    source: 'KO-8',
    mark: 'B',
    body: buildRefund('success', {
      payment_reference: 'KPY-PAY-2bT',
      refund_date: '2026-11-20 10:00:04',
      completion_date: '2026-11-20 11:30:00',
    }),
  },
  refundSuccessSandbox: {
    source: 'KO-8',
    mark: 'B',
    body: buildRefund('success', {
      status_reason: 'simulated',
      created_at: '2026-11-20T10:00:04.285Z',
      completed_at: '2026-11-20T10:00:04.342Z',
    }),
  },
  refundFailed: { source: 'KO-2', mark: 'B', body: buildRefund('failed', REFUND_DATES) },
  payout: {
    source: 'KO-2',
    mark: 'B',
    body: {
      event: 'transfer.success',
      data: { fee: 15, amount: 150.99, status: 'success', currency: 'NGN', reference: 'Z78EYMA4BQ5' },
    },
  },
} satisfies Record<string, Fixture>;

/** Every answer, list row and event of Korapay that the adapter reads. */
export const KORAPAY_FIXTURES = { answers: ANSWERS, rows: ROWS, events: EVENTS };
