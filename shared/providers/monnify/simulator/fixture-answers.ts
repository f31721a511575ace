import type { Fixture } from '#shared/providers/common/simulator/fixture.ts';

const buildSuccess = (responseBody: unknown) => ({
  requestSuccessful: true,
  responseMessage: 'success',
  responseCode: '0',
  responseBody,
});

const buildError = (responseMessage: string, responseCode = '99') => ({
  requestSuccessful: false,
  responseMessage,
  responseCode,
});

const buildReservation = (bankCode: string | number) =>
  buildSuccess({
    contractCode: '4934121686',
    accountReference: 'va_01KB000000000000000000000A',
    accountName: 'Bukola Eze',
    currencyCode: 'NGN',
    customerEmail: 'bukola@example.com',
    customerName: 'Bukola Eze',
    accounts: [{ bankCode, bankName: 'Moniepoint', accountNumber: '6000000017', accountName: 'Bukola Eze' }],
    collectionChannel: 'RESERVED_ACCOUNT',
    reservationReference: 'SIMULATOR0001',
    reservedAccountType: 'GENERAL',
    status: 'ACTIVE',
    createdOn: '2026-11-20 10:19:13.511864338',
    incomeSplitConfig: [],
    restrictPaymentSource: false,
  });

const TRANSACTION = 'MNFY|17|20261120130811|000340';
const REFERENCE = 'PAY-7H2KQ9XW4M1ZB8T5RC3N';
const SENDER = { accountName: 'CHIDI EZE', accountNumber: '******7503', bankCode: '058', amountPaid: '5000.00' };

const buildLookUp = (changes: object) => ({
  transactionReference: TRANSACTION,
  paymentReference: REFERENCE,
  amountPaid: '5000.00',
  totalPayable: '5000.00',
  settlementAmount: '4925.00',
  paidOn: '2026-11-20 13:10:42.615',
  paymentStatus: 'PAID',
  paymentDescription: 'Ada Fabrics',
  currency: 'NGN',
  paymentMethod: 'ACCOUNT_TRANSFER',
  product: { type: 'API_NOTIFICATION', reference: REFERENCE },
  cardDetails: null,
  accountDetails: SENDER,
  accountPayments: [SENDER],
  customer: { email: 'chidi@example.com', name: 'Chidi Eze' },
  metaData: {},
  ...changes,
});

/** Fields that a look-up of an unpaid transaction lacks in the SDK's samples. */
const FIELDS_OF_PAID = ['responseBody.accountDetails', 'responseBody.accountPayments', 'responseBody.metaData'];

/** Monnify's answers to the calls of our adapter. */
export const answers = {
  logIn: {
    source: 'MN-1',
    mark: 'A',
    body: buildSuccess({ accessToken: 'eyJhbGciOiJIUzI1NiJ9.example', expiresIn: 3_599 }),
  },
  expiredToken: {
    source: 'MN-6',
    mark: 'C',
    body: { error: 'invalid_token', error_description: 'Access token expired' },
  },
  reserveAccount: { source: 'MN-1', mark: 'A', body: buildReservation('50515') },
  /** In an old sample the bank's code is a number. */
  reserveAccountNumericBank: { source: 'MN-5', mark: 'B', body: buildReservation(50_515) },
  findAccount: { source: 'MN-1', mark: 'A', body: buildReservation('50515') },
  closeAccount: { source: 'MN-1', mark: 'A', body: buildReservation('50515') },
  initialiseTransaction: {
    source: 'MN-1',
    mark: 'A',
    optional: ['responseBody.redirectUrl'],
    body: buildSuccess({
      transactionReference: TRANSACTION,
      paymentReference: REFERENCE,
      merchantName: 'Simshop',
      apiKey: 'MK_PROD_EXAMPLE',
      redirectUrl: 'https://shop.example/paid',
      enabledPaymentMethod: ['ACCOUNT_TRANSFER'],
      checkoutUrl: 'https://checkout.example/simulator',
    }),
  },
  initialiseTransfer: {
    source: 'MN-1',
    mark: 'A',
    body: buildSuccess({
      accountNumber: '2209149705',
      accountName: 'Simshop-Ada Fabrics',
      bankName: 'Sterling bank',
      bankCode: '232',
      accountDurationSeconds: 2_400,
      ussdPayment: null,
      requestTime: '2026-11-20T13:08:14.596774984',
      expiresOn: '2026-11-20T13:48:14',
      transactionReference: TRANSACTION,
      paymentReference: REFERENCE,
      amount: 5_000,
      fee: 0,
      totalPayable: 5_000,
      collectionChannel: 'API_NOTIFICATION',
    }),
  },
  lookUpPending: {
    source: 'MN-1',
    mark: 'A',
    optional: FIELDS_OF_PAID,
    body: buildSuccess(
      buildLookUp({
        amountPaid: '0.00',
        totalPayable: '0.00',
        settlementAmount: null,
        paidOn: null,
        paymentStatus: 'PENDING',
        accountDetails: null,
        accountPayments: null,
      }),
    ),
  },
  lookUpPaid: { source: 'MN-5', mark: 'B', body: buildSuccess(buildLookUp({})) },
  lookUpPaidToAccount: {
    source: 'MN-5',
    mark: 'B',
    body: buildSuccess(
      buildLookUp({
        paymentReference: TRANSACTION,
        product: { type: 'RESERVED_ACCOUNT', reference: 'va_01KB000000000000000000000A' },
      }),
    ),
  },
  lookUpRefunded: { source: 'MN-5', mark: 'NC', body: buildSuccess(buildLookUp({ paymentStatus: 'REFUNDED' })) },
  lookUpReversed: { source: 'MN-5', mark: 'NC', body: buildSuccess(buildLookUp({ paymentStatus: 'REVERSED' })) },
  lookUpPartlyRefunded: {
    source: 'MN-5',
    mark: 'NC',
    body: buildSuccess(buildLookUp({ paymentStatus: 'PARTIALLY_REFUNDED' })),
  },
  lookUpReduced: { source: 'MN-5', mark: 'NC', body: buildSuccess(buildLookUp({ amountPaid: '4000.00' })) },
  searchPage: {
    source: 'MN-1',
    mark: 'A',
    body: buildSuccess({
      content: [],
      totalElements: 0,
      totalPages: 0,
      number: 0,
      size: 100,
      first: true,
      last: true,
    }),
  },
  repeatedAccountReference: {
    source: 'MN-6',
    mark: 'C',
    body: buildError('You cannot reserve two accounts with the same reference'),
  },
  secondAccount: {
    source: 'MN-6',
    mark: 'C',
    body: buildError('You cannot reserve more than 1 account(s) for a customer', 'R42'),
  },
  repeatedPaymentReference: { source: 'MN-6', mark: 'C', body: buildError('Duplicate payment reference') },
  unknownTransaction: {
    source: 'MN-6',
    mark: 'C',
    body: buildError('Could not find transaction with the specified reference'),
  },
} satisfies Record<string, Fixture>;
