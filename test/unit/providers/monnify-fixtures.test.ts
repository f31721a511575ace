import { SECOND } from '#shared/platform/kernel/time.ts';
import { makeContent } from '#shared/providers/domain/notification-content.ts';
import { monnify } from '#shared/providers/monnify/monnify.ts';
import { MONNIFY_FIXTURES } from '#shared/providers/monnify/simulator/fixtures.ts';
import type { ProviderAdapter } from '#shared/providers/ports.ts';
import { MONNIFY, NOON, naira } from '#test/unit/api/examples.ts';

const { answers, rows, events } = MONNIFY_FIXTURES;
type AnswerName = keyof typeof answers;

const ERROR_STATUSES: Partial<Record<AnswerName, number>> = {
  expiredToken: 401,
  repeatedAccountReference: 422,
  secondAccount: 422,
  repeatedPaymentReference: 422,
  unknownTransaction: 404,
};

/** Creates the adapter. After its login the adapter gets these answers in this order. */
const adapterThatGets = (...names: readonly AnswerName[]): ProviderAdapter => {
  const remaining = [...names];
  return monnify({
    settings: MONNIFY,
    credentials: async () => ({ apiKey: 'MK_PROD_1', secretKey: 'first' }),
    http: async ({ path }) => {
      const name = path === '/api/v1/auth/login' ? 'logIn' : remaining.shift();
      if (name === undefined) throw new Error(`Not in the script: ${path}`);
      return { status: ERROR_STATUSES[name] ?? 200, json: answers[name].body };
    },
    now: () => NOON,
  });
};

const ACCOUNT = 'va_01KB000000000000000000000A';
const REFERENCE = 'PAY-7H2KQ9XW4M1ZB8T5RC3N';
const TRANSACTION = 'MNFY|17|20261120130811|000340';
const BUKOLA = { name: 'Bukola Eze', phone: null, email: 'bukola@example.com', bvn: '22212345678', nin: null };
const ISSUED = {
  accountNumber: '6000000017',
  accountName: 'Bukola Eze',
  bankName: 'Moniepoint',
  bankCode: '50515',
  providerId: null,
};
const REQUEST = {
  reference: REFERENCE,
  amount: naira(5_000),
  accountName: 'Ada Fabrics',
  payerName: 'Chidi Eze',
  payerEmail: 'chidi@example.com',
  expiresAt: NOON,
};
const PAYMENT_ACCOUNT = {
  account: {
    accountNumber: '2209149705',
    accountName: 'Simshop-Ada Fabrics',
    bankName: 'Sterling bank',
    bankCode: '232',
    providerId: null,
  },
  providerReference: REFERENCE,
  amountToPay: naira(5_000),
  expiresAt: NOON + 2_400 * SECOND,
};
const PARTICULARS = {
  providerReference: TRANSACTION,
  fee: naira(75),
  paidAt: Date.UTC(2026, 10, 20, 12, 10, 42, 615),
  senderName: 'CHIDI EZE',
  senderBank: '058',
};
const total = (keptNaira: number, returned: number, fee = naira(75)) => ({
  ...PARTICULARS,
  kind: 'cumulative_report',
  payee: { by: 'our_reference', reference: REFERENCE },
  asked: naira(5_000),
  kept: naira(keptNaira),
  returned: naira(returned),
  fee,
});

const reserve = (...names: readonly AnswerName[]) => adapterThatGets(...names).createAccount(BUKOLA, ACCOUNT);
const open = (...names: readonly AnswerName[]) => adapterThatGets(...names).createPaymentAccount(REQUEST);
const lookUp = (...names: readonly AnswerName[]) =>
  adapterThatGets(...names).lookUp({ by: 'our_reference', value: REFERENCE });

const READINGS: Record<AnswerName, readonly [read: () => Promise<unknown>, reading: unknown]> = {
  logIn: [() => lookUp('unknownTransaction'), 'unknown'],
  expiredToken: [() => lookUp('expiredToken', 'unknownTransaction'), 'unknown'],
  reserveAccount: [() => reserve('reserveAccount'), ISSUED],
  reserveAccountNumericBank: [() => reserve('reserveAccountNumericBank'), ISSUED],
  findAccount: [() => adapterThatGets('findAccount').findAccount(BUKOLA, ACCOUNT), ISSUED],
  closeAccount: [() => adapterThatGets('closeAccount').closeAccount(ISSUED, ACCOUNT), undefined],
  initialiseTransaction: [() => open('initialiseTransaction', 'initialiseTransfer'), PAYMENT_ACCOUNT],
  initialiseTransfer: [() => open('initialiseTransaction', 'initialiseTransfer'), PAYMENT_ACCOUNT],
  lookUpPending: [() => lookUp('lookUpPending'), { money: [], state: 'open' }],
  lookUpPaid: [() => lookUp('lookUpPaid'), { money: [total(5_000, 0)], state: 'complete' }],
  lookUpPaidToAccount: [
    () => lookUp('lookUpPaidToAccount'),
    {
      money: [
        {
          ...PARTICULARS,
          kind: 'transfer',
          transferId: TRANSACTION,
          payee: { by: 'our_reference', reference: ACCOUNT },
          amount: naira(5_000),
          outcome: 'accepted',
        },
      ],
      state: 'open',
    },
  ],
  lookUpRefunded: [() => lookUp('lookUpRefunded'), { money: [total(0, 5_000)], state: 'open' }],
  lookUpReversed: [() => lookUp('lookUpReversed'), { money: [total(0, 5_000)], state: 'open' }],
  lookUpPartlyRefunded: [() => lookUp('lookUpPartlyRefunded'), { money: [total(5_000, 0)], state: 'complete' }],
  lookUpReduced: [
    () => lookUp('lookUpReduced'),
    { money: [{ ...total(4_000, 0, naira(0)), leftOut: naira(1_000) }], state: 'complete' },
  ],
  searchPage: [
    () => adapterThatGets('searchPage').listPayments({ from: 0, to: NOON, cursor: null }),
    { payments: [], next: null },
  ],
  repeatedAccountReference: [() => reserve('repeatedAccountReference', 'findAccount'), ISSUED],
  secondAccount: [() => reserve('secondAccount', 'findAccount'), ISSUED],
  repeatedPaymentReference: [
    () => open('repeatedPaymentReference', 'lookUpPending', 'initialiseTransfer'),
    PAYMENT_ACCOUNT,
  ],
  unknownTransaction: [() => lookUp('unknownTransaction'), 'unknown'],
};

test.each(Object.entries(READINGS))('Monnify’s answer %s is read', async (_, [read, reading]) => {
  await expect(read()).resolves.toEqual(reading);
});

const PART = { kind: 'part', reference: REFERENCE, reached: naira(5_000), falls: 0 };
const LISTED: Record<keyof typeof rows, readonly object[]> = {
  pending: [],
  paid: [{ origin: PART, isReturned: false }],
  paidWithAmount: [{ origin: PART, isReturned: false }],
  paidToAccount: [{ origin: { kind: 'transfer', transferId: TRANSACTION }, isReturned: false }],
  refunded: [{ origin: PART, isReturned: true }],
  partlyRefunded: [{ origin: PART, isReturned: true }],
};

test.each(Object.entries(LISTED))('the row %s of Monnify’s list is read', async (name, expected) => {
  const { body } = answers.searchPage;
  const content = [rows[name as keyof typeof rows].body];
  const adapter = monnify({
    settings: MONNIFY,
    credentials: async () => ({ apiKey: 'MK_PROD_1', secretKey: 'first' }),
    http: async ({ path }) => ({
      status: 200,
      json:
        path === '/api/v1/auth/login'
          ? answers.logIn.body
          : { ...body, responseBody: { ...(body.responseBody as object), content } },
    }),
    now: () => NOON,
  });
  await expect(adapter.listPayments({ from: 0, to: NOON, cursor: null })).resolves.toEqual({
    payments: expected.map((payment) => ({ query: { by: 'transaction', value: TRANSACTION }, ...payment })),
    next: null,
  });
});

const QUERY = { by: 'transaction', value: 'MNFY|04|20261120112842|000170' } as const;
const ASKS = makeContent({ queries: [QUERY] });
const CONTENTS: Record<keyof typeof events, unknown> = {
  paidToAccount: ASKS,
  paid: ASKS,
  paidDayFirst: ASKS,
  paidAtAgent: ASKS,
  rejected: {
    ...makeContent(),
    rejected: [
      {
        kind: 'rejection',
        rejectionId: '090405261120112842000000000017',
        payee: { by: 'our_reference', reference: REFERENCE },
        providerReference: QUERY.value,
        amount: naira(2_000),
        fee: naira(0),
        paidAt: null,
        senderName: 'CHIDI EZE',
        senderBank: '50515',
      },
    ],
  },
  refunded: { ...ASKS, refunds: [{ query: QUERY, refund: { id: 'RF-000001', amount: naira(1_000) } }] },
  refundFailed: ASKS,
  settlement: makeContent(),
  disbursement: makeContent(),
  mandate: makeContent(),
  accountActivity: makeContent(),
  lowBalance: makeContent(),
};

test.each(Object.entries(CONTENTS))('Monnify’s notification %s is read', (name, expected) => {
  const { body } = events[name as keyof typeof events];
  expect(adapterThatGets().read(Buffer.from(JSON.stringify(body)))).toEqual(expected);
});
