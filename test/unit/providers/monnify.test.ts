import { MINUTE, SECOND } from '#shared/platform/kernel/time.ts';
import type { ProviderAnswer, ProviderRequest } from '#shared/providers/common/http.ts';
import { InputError, NoReferenceLeft, OutcomeUnknown, ProviderUnavailable } from '#shared/providers/domain/errors.ts';
import { monnify } from '#shared/providers/monnify/monnify.ts';
import { MONNIFY, NOON, naira } from '#test/unit/api/examples.ts';

type Played = ProviderAnswer | Error;

const LOGIN = 'POST /api/v1/auth/login';
const RESERVE = 'POST /api/v2/bank-transfer/reserved-accounts';
const INIT = 'POST /api/v1/merchant/transactions/init-transaction';
const TRANSFER_ACCOUNT = 'POST /api/v1/merchant/bank-transfer/init-payment';
const ACCOUNT = 'va_01KA0000000000000000000001';
const FIND = `GET /api/v2/bank-transfer/reserved-accounts/${ACCOUNT}`;
const REFERENCE = 'PAY-7H2KQ9XW4M1ZB8T5RC3N';
const queried = (reference: string) => `GET /api/v2/merchant/transactions/query?paymentReference=${reference}`;
const TRANSACTION = 'MNFY|17|20261120130811|000340';
const BY_TRANSACTION = 'GET /api/v2/transactions/MNFY%7C17%7C20261120130811%7C000340';

const success = (responseBody: unknown): ProviderAnswer => ({
  status: 200,
  json: { requestSuccessful: true, responseMessage: 'success', responseCode: '0', responseBody },
});
const failure = (status: number, responseMessage: string, responseCode = '99'): ProviderAnswer => ({
  status,
  json: { requestSuccessful: false, responseMessage, responseCode },
});
/** An expired token's answer is not the usual envelope (providers.md section 2.1). */
const EXPIRED: ProviderAnswer = {
  status: 401,
  json: { error: 'invalid_token', error_description: 'Access token expired: eyJhb' },
};
const SAME_REFERENCE = failure(422, 'Sorry, you cannot reserve two accounts with the same reference.');
const NO_TRANSACTION = failure(404, `Could not find transaction with payment reference ${REFERENCE}`);
const DUPLICATE = failure(422, 'Duplicate payment reference');

const loginOf = (accessToken: string, expiresIn: unknown = 3_599) => success({ accessToken, expiresIn });

/** The adapter over scripted answers: for each call its answers in order, of which the last one repeats. */
const stage = (
  script: Record<string, readonly Played[]>,
  {
    secrets = ['first'],
    refreshed = 'first',
    settings = {},
  }: { secrets?: readonly string[]; refreshed?: string; settings?: Partial<typeof MONNIFY> } = {},
) => {
  const plays = new Map(Object.entries({ [LOGIN]: [loginOf('token-1')], ...script }).map(([k, v]) => [k, [...v]]));
  const requests: ProviderRequest[] = [];
  let clock = NOON;
  let reads = 0;
  const live = monnify({
    settings: { ...MONNIFY, ...settings },
    credentials: async (options) => {
      reads += 1;
      const secretKey = options?.refresh ? refreshed : (secrets[Math.min(reads, secrets.length) - 1] ?? '');
      return { apiKey: 'MK_PROD_1', secretKey };
    },
    http: async (request) => {
      requests.push(request);
      const line = plays.get(`${request.method} ${request.path}`);
      const played = line && line.length > 1 ? line.shift() : line?.[0];
      if (played === undefined) throw new Error(`Not in the script: ${request.method} ${request.path}`);
      // Answers are asynchronous, as on a network.
      await new Promise(setImmediate);
      if (played instanceof Error) throw played;
      return played;
    },
    now: () => clock,
  });
  return {
    live,
    requests,
    calls: () => requests.map(({ method, path }) => `${method} ${path}`).filter((call) => call !== LOGIN),
    logins: () => requests.filter(({ path }) => path === '/api/v1/auth/login'),
    bodyOf: (call: string) => requests.find(({ method, path }) => `${method} ${path}` === call)?.body,
    pass: (millis: number) => {
      clock += millis;
    },
  };
};

const transaction = (of: object = {}) =>
  success({
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
    accountDetails: { accountName: 'CHIDI EZE', accountNumber: '******7503', bankCode: '50515', amountPaid: '5000.00' },
    accountPayments: [{ accountName: 'CHIDI EZE', accountNumber: '******7503', bankCode: '50515' }],
    cardDetails: null,
    customer: { email: 'chidi@example.com', name: 'Ada Fabrics' },
    ...of,
  });
const PENDING = {
  amountPaid: '0.00',
  totalPayable: '0.00',
  settlementAmount: null,
  paidOn: null,
  paymentStatus: 'PENDING',
  accountDetails: null,
  accountPayments: [],
};
const ASK = { by: 'our_reference', value: REFERENCE } as const;
const ASK_TRANSACTION = { by: 'transaction', value: TRANSACTION } as const;

describe('a token', () => {
  test('is requested with Basic authentication, once for ten concurrent calls, and sent with each', async () => {
    const { live, requests, logins } = stage({ [queried(REFERENCE)]: [transaction()] });
    await Promise.all(Array.from({ length: 10 }, () => live.lookUp(ASK)));
    expect(logins()).toHaveLength(1);
    expect(logins()[0]?.headers).toEqual({ authorization: 'Basic TUtfUFJPRF8xOmZpcnN0' });
    expect(logins()[0]?.body).toBeUndefined();
    const sent = requests.slice(1).map(({ headers }) => headers.authorization);
    expect(sent).toEqual(Array.from({ length: 10 }, () => 'Bearer token-1'));
  });

  test.each([3_599, '3599'])('is used until a minute before its end: %j s', async (expiresIn) => {
    const { live, logins, pass } = stage({
      [LOGIN]: [loginOf('token-1', expiresIn), loginOf('token-2')],
      [queried(REFERENCE)]: [transaction()],
    });
    await live.lookUp(ASK);
    pass(3_539 * SECOND - 1);
    await live.lookUp(ASK);
    expect(logins()).toHaveLength(1);
    pass(1);
    await Promise.all([live.lookUp(ASK), live.lookUp(ASK), live.lookUp(ASK)]);
    expect(logins()).toHaveLength(2);
  });

  test('belongs to its credentials: after a change there is a new login', async () => {
    const { live, logins } = stage({ [queried(REFERENCE)]: [transaction()] }, { secrets: ['first', 'second'] });
    await live.lookUp(ASK);
    await live.lookUp(ASK);
    await live.lookUp(ASK);
    expect(logins().map(({ headers }) => headers.authorization)).toEqual([
      'Basic TUtfUFJPRF8xOmZpcnN0',
      'Basic TUtfUFJPRF8xOnNlY29uZA==',
    ]);
  });

  test('is dropped after a 401 and the call sent once more; ten calls share one new login', async () => {
    const answers = [...Array.from({ length: 10 }, () => EXPIRED), transaction()];
    const { live, logins, calls } = stage({
      [LOGIN]: [loginOf('token-1'), loginOf('token-2')],
      [queried(REFERENCE)]: answers,
    });
    const reports = await Promise.all(Array.from({ length: 10 }, () => live.lookUp(ASK)));
    expect(reports).toHaveLength(10);
    expect(logins()).toHaveLength(2);
    expect(calls()).toHaveLength(20);
  });

  test('that is refused twice is a refusal of our credentials', async () => {
    const { live, calls } = stage({ [queried(REFERENCE)]: [EXPIRED] });
    await expect(live.lookUp(ASK)).rejects.toThrow('The provider did not accept our credentials.');
    expect(calls()).toHaveLength(2);
  });

  test.each([
    ['a 401', { status: 401, json: { error: 'unauthorized' } }],
    ['an envelope with a failure', failure(400, 'Invalid client credentials')],
    ['a 200 with a failure', failure(200, 'Invalid client credentials')],
  ])('is asked for with credentials read again after %s', async (_, expectedError) => {
    const { live, logins } = stage(
      { [LOGIN]: [expectedError, loginOf('token-2')], [queried(REFERENCE)]: [transaction()] },
      { refreshed: 'second' },
    );
    await live.lookUp(ASK);
    expect(logins().map(({ headers }) => headers.authorization)).toEqual([
      'Basic TUtfUFJPRF8xOmZpcnN0',
      'Basic TUtfUFJPRF8xOnNlY29uZA==',
    ]);
  });

  test('is refused when there are no other credentials, or those are refused too', async () => {
    for (const [refreshed, times] of [
      ['first', 1],
      ['second', 2],
    ] as const) {
      const { live, logins, calls } = stage({ [LOGIN]: [failure(401, 'Unauthorized')] }, { refreshed });
      await expect(live.lookUp(ASK)).rejects.toThrow('The provider did not accept our credentials.');
      expect(logins()).toHaveLength(times);
      expect(calls()).toEqual([]);
    }
  });

  test.each([
    ['silence', new OutcomeUnknown('No answer in time.')],
    ['a closed door', new ProviderUnavailable('ECONNREFUSED')],
    ['another envelope', { status: 200, json: { token: 'x' } }],
    ['no token', success({ expiresIn: 3_599 })],
    ['a token with a line break', loginOf('token\n-1')],
    ['a gateway page', { status: 403, json: undefined }],
  ])('that %s keeps from us means that nothing was done; the next call logs in anew', async (_, played) => {
    const { live, logins, calls } = stage({
      [LOGIN]: [played, loginOf('token-2')],
      [queried(REFERENCE)]: [transaction()],
    });
    const both = await Promise.allSettled([live.lookUp(ASK), live.lookUp(ASK)]);
    for (const one of both) expect(one).toMatchObject({ reason: expect.any(ProviderUnavailable) });
    expect(calls()).toEqual([]);
    await expect(live.lookUp(ASK)).resolves.toMatchObject({ state: 'complete' });
    expect(logins()).toHaveLength(2);
  });
});

const ADA = { name: 'Ada Obi', phone: null, email: 'ada@example.com', bvn: '22212345678', nin: null };
const MONIEPOINT = { bankCode: '50515', bankName: 'Moniepoint', accountNumber: '1000000001', accountName: 'Ada Obi' };
const STERLING = { bankCode: '232', bankName: 'Sterling bank', accountNumber: '2200000001', accountName: 'Ada Obi' };
const reserved = (...accounts: object[]) =>
  success({ accountReference: ACCOUNT, accountName: 'Ada Obi', accounts, status: 'ACTIVE', createdOn: 'x' });
const ISSUED = { ...MONIEPOINT, providerId: null };

describe('a virtual account', () => {
  test('is opened under our reference, at one bank', async () => {
    const { live, calls, bodyOf } = stage({ [RESERVE]: [reserved(STERLING, MONIEPOINT)] });
    await expect(live.createAccount(ADA, ACCOUNT)).resolves.toEqual(ISSUED);
    expect(calls()).toEqual([RESERVE]);
    expect(bodyOf(RESERVE)).toEqual({
      accountReference: ACCOUNT,
      accountName: 'Ada Obi',
      currencyCode: 'NGN',
      contractCode: '7059707855',
      customerEmail: 'ada@example.com',
      customerName: 'Ada Obi',
      bvn: '22212345678',
      getAllAvailableBanks: false,
      preferredBanks: ['50515'],
    });
  });

  test('is the first one when our bank is not among them', async () => {
    const { live } = stage({ [RESERVE]: [reserved({ ...STERLING, accountName: undefined, bankCode: '' })] });
    await expect(live.createAccount({ ...ADA, bvn: null, nin: '12345678901' }, ACCOUNT)).resolves.toEqual({
      ...STERLING,
      bankCode: null,
      providerId: null,
    });
  });

  test.each([50_515, '50515'])('is found at our bank by its code, a number or a text: %j', async (bankCode) => {
    const { live } = stage({ [RESERVE]: [reserved(STERLING, { ...MONIEPOINT, bankCode })] });
    await expect(live.createAccount(ADA, ACCOUNT)).resolves.toEqual(ISSUED);
  });

  test('has a bank code whose zeros a number has lost', async () => {
    const { live } = stage({ [RESERVE]: [reserved({ ...STERLING, bankCode: 35 })] }, { settings: { bank: '035' } });
    await expect(live.createAccount(ADA, ACCOUNT)).resolves.toMatchObject({ bankCode: '035' });
  });

  test('has names that are mended', async () => {
    const names = { accountName: 'Ada\ud83d Obi\u202e', bankName: 'Monie\u001bpoint' };
    const { live } = stage({ [RESERVE]: [reserved({ ...MONIEPOINT, ...names })] });
    const issued = await live.createAccount(ADA, ACCOUNT);
    expect(issued).toEqual({ ...ISSUED, accountName: 'Ada Obi', bankName: 'Monie point' });
  });

  test.each([null, '12345', '10000000 1', 1_000_000_001])(
    'whose number is %j is not read, and hides no other',
    async (accountNumber) => {
      const { live } = stage({
        [RESERVE]: [reserved({ ...MONIEPOINT, accountNumber }, STERLING), reserved({ ...MONIEPOINT, accountNumber })],
      });
      await expect(live.createAccount(ADA, ACCOUNT)).resolves.toMatchObject({ accountNumber: '2200000001' });
      await expect(live.createAccount(ADA, ACCOUNT)).rejects.toBeInstanceOf(OutcomeUnknown);
    },
  );

  const ORPHAN = failure(422, 'You can not reserve more than 1 account(s) for a customer', 'R42');

  test.each([
    ['the same reference', SAME_REFERENCE],
    ['the same reference as a 400', { ...SAME_REFERENCE, status: 400 }],
    ['the same reference as a 200', { ...SAME_REFERENCE, status: 200 }],
    ['R42', ORPHAN],
    ['R42 by its text', failure(400, 'Cannot reserve more than 1 account(s) for a customer')],
  ])('that was opened before is looked up: %s', async (_, answer) => {
    const { live, calls } = stage({ [RESERVE]: [answer], [FIND]: [reserved(MONIEPOINT)] });
    await expect(live.createAccount(ADA, ACCOUNT)).resolves.toEqual(ISSUED);
    expect(calls()).toEqual([RESERVE, FIND]);
  });

  test('is refused when the customer has one under another reference', async () => {
    const { live } = stage({ [RESERVE]: [ORPHAN], [FIND]: [failure(404, 'Cannot find reserved account')] });
    await expect(live.createAccount(ADA, ACCOUNT)).rejects.toThrow(
      'The provider has an account for this customer already.',
    );
  });

  test.each([
    ['silence', new OutcomeUnknown('No answer in time.')],
    ['a closed door', new ProviderUnavailable('ECONNREFUSED')],
    ['another refusal', failure(400, 'Something went wrong')],
  ])('that was opened before stays unknown while the look-up meets %s', async (_, played) => {
    const { live } = stage({ [RESERVE]: [SAME_REFERENCE], [FIND]: [played] });
    await expect(live.createAccount(ADA, ACCOUNT)).rejects.toBeInstanceOf(OutcomeUnknown);
  });

  test.each([
    [
      failure(400, 'BVN 22212345678 is invalid, must be 11 digits'),
      'The provider could not verify the identity number.',
    ],
    [failure(404, 'Could not find contract'), 'The provider has not enabled this kind of account for us.'],
    [failure(400, 'Invalid contract code'), 'The provider has not enabled this kind of account for us.'],
    [failure(403, 'Access denied'), 'The provider has not enabled this kind of account for us.'],
    [
      failure(400, 'Virtual accounts from bank with bank code 035 not supported'),
      'The provider does not offer accounts at this bank at the moment.',
    ],
    [failure(400, 'Invalid customer email'), 'The provider did not accept the customer data.'],
    [failure(400, 'Bank failed for Ada Obi'), 'The provider refused the request.'],
    [failure(200, 'Bank failed for Ada Obi'), 'The provider refused the request.'],
    [{ status: 422, json: { requestSuccessful: false } }, 'The provider refused the request.'],
  ])('is refused in our own words: %j', async (answer, sentence) => {
    const { live } = stage({ [RESERVE]: [answer] });
    await expect(live.createAccount(ADA, ACCOUNT)).rejects.toThrow(
      expect.objectContaining({ name: 'ProviderError', message: sentence }),
    );
  });

  test.each([
    ['HTML', { status: 404, json: undefined }],
    ['no envelope', { status: 400, json: { timestamp: 1, error: 'Bad Request' } }],
    ['a success with HTTP 400', { ...reserved(MONIEPOINT), status: 400 }],
    ['no account', reserved()],
    ['silence', new OutcomeUnknown('No answer in time.')],
  ])('is unknown after %s', async (_, played) => {
    const { live } = stage({ [RESERVE]: [played] });
    await expect(live.createAccount(ADA, ACCOUNT)).rejects.toBeInstanceOf(OutcomeUnknown);
  });

  test('is found under its reference, or not at all', async () => {
    const { live } = stage({
      [FIND]: [reserved(STERLING, MONIEPOINT), failure(404, 'No such thing'), failure(400, 'Could not find account')],
    });
    await expect(live.findAccount(ADA, ACCOUNT)).resolves.toEqual(ISSUED);
    await expect(live.findAccount(ADA, ACCOUNT)).resolves.toBeUndefined();
    await expect(live.findAccount(ADA, ACCOUNT)).resolves.toBeUndefined();
  });

  test('is not taken to be absent when a gateway answers 404', async () => {
    const { live } = stage({ [FIND]: [{ status: 404, json: undefined }] });
    await expect(live.findAccount(ADA, ACCOUNT)).rejects.toBeInstanceOf(OutcomeUnknown);
  });

  test('is closed by its reference, also when there is none', async () => {
    const CLOSE = `DELETE /api/v1/bank-transfer/reserved-accounts/reference/${ACCOUNT}`;
    const { live, calls } = stage({
      [CLOSE]: [reserved(MONIEPOINT), failure(404, 'Cannot find reserved account'), failure(400, 'Bank is down')],
    });
    await live.closeAccount(ISSUED, ACCOUNT);
    await live.closeAccount(ISSUED, ACCOUNT);
    await expect(live.closeAccount(ISSUED, ACCOUNT)).rejects.toThrow('The provider refused the request.');
    expect(calls()).toEqual([CLOSE, CLOSE, CLOSE]);
  });
});

const WANTED = {
  reference: REFERENCE,
  amount: naira(5_000.1),
  accountName: 'Ada Fabrics',
  payerName: 'Chidi Eze',
  payerEmail: 'chidi@example.com',
  expiresAt: NOON + 30 * MINUTE,
};
const INITIALISED = success({ transactionReference: TRANSACTION, paymentReference: REFERENCE, checkoutUrl: 'x' });
const given = (of: object = {}) =>
  success({
    accountNumber: '2209149705',
    accountName: 'Shop-Ada Fabrics',
    bankName: 'Sterling bank',
    bankCode: '232',
    accountDurationSeconds: 2_400,
    ussdPayment: null,
    requestTime: '2026-11-20T13:00:00.596774984',
    expiresOn: '2026-11-20T13:40:00',
    amount: 5_000.1,
    fee: 0,
    totalPayable: 5_000.1,
    ...of,
  });
const PAYMENT_ACCOUNT = {
  account: {
    accountNumber: '2209149705',
    accountName: 'Shop-Ada Fabrics',
    bankName: 'Sterling bank',
    bankCode: '232',
    providerId: null,
  },
  providerReference: REFERENCE,
  amountToPay: naira(5_000.1),
  expiresAt: NOON + 40 * MINUTE,
};

describe('a payment account', () => {
  test('is opened in two calls, and expires by our clock', async () => {
    const { live, calls, bodyOf } = stage({ [INIT]: [INITIALISED], [TRANSFER_ACCOUNT]: [given()] });
    await expect(live.createPaymentAccount(WANTED)).resolves.toEqual(PAYMENT_ACCOUNT);
    expect(calls()).toEqual([INIT, TRANSFER_ACCOUNT]);
    expect(bodyOf(INIT)).toEqual({
      amount: 5000.1,
      customerName: 'Chidi Eze',
      customerEmail: 'chidi@example.com',
      paymentReference: REFERENCE,
      paymentDescription: 'Ada Fabrics',
      currencyCode: 'NGN',
      contractCode: '7059707855',
      paymentMethods: ['ACCOUNT_TRANSFER'],
    });
    expect(JSON.stringify(bodyOf(INIT))).toContain('"amount":5000.1,');
    expect(bodyOf(TRANSFER_ACCOUNT)).toEqual({ transactionReference: TRANSACTION });
  });

  test.each([5_075.1, '5075.10'])('asks the payer for the total: %j', async (totalPayable) => {
    const { live } = stage({ [INIT]: [INITIALISED], [TRANSFER_ACCOUNT]: [given({ totalPayable, fee: 75 })] });
    await expect(live.createPaymentAccount(WANTED)).resolves.toMatchObject({ amountToPay: naira(5_075.1) });
  });

  test.each([
    ['a total below the amount', given({ totalPayable: '0.00' })],
    ['no life time', given({ accountDurationSeconds: null })],
    ['no number', given({ accountNumber: '' })],
    ['silence', new OutcomeUnknown('No answer in time.')],
  ])('is unknown after %s', async (_, played) => {
    const { live } = stage({ [INIT]: [INITIALISED], [TRANSFER_ACCOUNT]: [played] });
    await expect(live.createPaymentAccount(WANTED)).rejects.toBeInstanceOf(OutcomeUnknown);
  });

  test('continues the transaction of an earlier call whose answer was lost', async () => {
    const { live, calls, bodyOf } = stage({
      [INIT]: [new OutcomeUnknown('No answer in time.'), DUPLICATE],
      [queried(REFERENCE)]: [transaction(PENDING)],
      [TRANSFER_ACCOUNT]: [given()],
    });
    await expect(live.createPaymentAccount(WANTED)).rejects.toBeInstanceOf(OutcomeUnknown);
    await expect(live.createPaymentAccount(WANTED)).resolves.toEqual(PAYMENT_ACCOUNT);
    expect(calls()).toEqual([INIT, INIT, queried(REFERENCE), TRANSFER_ACCOUNT]);
    expect(bodyOf(TRANSFER_ACCOUNT)).toEqual({ transactionReference: TRANSACTION });
  });

  test.each([
    ['is not found', { [queried(REFERENCE)]: [NO_TRANSACTION], [TRANSFER_ACCOUNT]: [given()] }],
    [
      'gives no account any more',
      { [queried(REFERENCE)]: [transaction(PENDING)], [TRANSFER_ACCOUNT]: [failure(400, 'Expired'), given()] },
    ],
  ])('goes on under the next reference where the earlier transaction %s', async (_, script) => {
    const { live, requests } = stage({ [INIT]: [DUPLICATE, INITIALISED], ...script });
    const issued = await live.createPaymentAccount(WANTED);
    expect(issued).toEqual({ ...PAYMENT_ACCOUNT, providerReference: `${REFERENCE}-2` });
    const inits = requests.filter(({ path }) => path.endsWith('init-transaction'));
    expect(inits.map(({ body }) => body)).toMatchObject([
      { paymentReference: REFERENCE },
      { paymentReference: `${REFERENCE}-2` },
    ]);
  });

  test.each([
    ['Invalid customer email', true],
    ['Merchant BVN not verified', false],
    ['Merchant is suspended. Contact support by email', false],
  ])('%s lies in what the payer sent: %p', async (message, isInput) => {
    const { live } = stage({ [INIT]: [failure(400, message)] });
    const error: unknown = await live.createPaymentAccount(WANTED).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: 'ProviderError' });
    expect(error instanceof InputError).toBe(isInput);
  });

  test('is refused when every reference is used up', async () => {
    const names = [REFERENCE, `${REFERENCE}-2`, `${REFERENCE}-3`];
    const { live, calls } = stage({
      [INIT]: [DUPLICATE],
      ...Object.fromEntries(names.map((name) => [queried(name), [NO_TRANSACTION]])),
    });
    await expect(live.createPaymentAccount(WANTED)).rejects.toBeInstanceOf(NoReferenceLeft);
    expect(calls()).toEqual(names.flatMap((name) => [INIT, queried(name)]));
  });

  test.each([
    ['the first call', { [INIT]: [failure(400, 'Invalid contract code')] }],
    ['the second call', { [INIT]: [INITIALISED], [TRANSFER_ACCOUNT]: [failure(400, 'Contract is not active')] }],
  ])('is refused when %s is, without another reference', async (_, script) => {
    const { live, calls } = stage(script);
    await expect(live.createPaymentAccount(WANTED)).rejects.toThrow('has not enabled this kind of account');
    expect(calls()).toHaveLength(Object.keys(script).length);
  });

  test('is unknown when the look-up of the earlier transaction is', async () => {
    const { live } = stage({ [INIT]: [DUPLICATE], [queried(REFERENCE)]: [new OutcomeUnknown('No answer in time.')] });
    await expect(live.createPaymentAccount(WANTED)).rejects.toBeInstanceOf(OutcomeUnknown);
  });
});

const TOTAL = {
  kind: 'cumulative_report',
  payee: { by: 'our_reference', reference: REFERENCE },
  providerReference: TRANSACTION,
  asked: naira(5_000),
  kept: naira(5_000),
  returned: naira(0),
  fee: naira(75),
  paidAt: Date.UTC(2026, 10, 20, 12, 10, 42, 615),
  senderName: 'CHIDI EZE',
  senderBank: '50515',
};
const { payee: _payee, kind: _kind, asked: _asked, kept: _kept, returned: _returned, ...MONEY } = TOTAL;
const RESERVED = { product: { type: 'RESERVED_ACCOUNT', reference: ACCOUNT }, paymentReference: TRANSACTION };
const TRANSFER = {
  ...MONEY,
  kind: 'transfer',
  transferId: TRANSACTION,
  amount: naira(5_000),
  outcome: 'accepted',
  payee: { by: 'our_reference', reference: ACCOUNT },
};

describe('a look-up', () => {
  const lookedUp = async (of: object, settings: Partial<typeof MONNIFY> = {}) =>
    stage(
      // Asked about our own spelling, Monnify answers with the same transaction.
      { [BY_TRANSACTION]: [transaction(of)], [queried(REFERENCE)]: [transaction(of)] },
      { settings },
    ).live.lookUp(ASK_TRANSACTION);

  test('asks by our reference, and by theirs with its pipes encoded', async () => {
    const { live, calls } = stage({ [queried(REFERENCE)]: [transaction()], [BY_TRANSACTION]: [transaction()] });
    await expect(live.lookUp(ASK)).resolves.toEqual({ money: [TOTAL], state: 'complete' });
    await expect(live.lookUp(ASK_TRANSACTION)).resolves.toEqual({ money: [TOTAL], state: 'complete' });
    expect(calls()).toEqual([queried(REFERENCE), BY_TRANSACTION]);
  });

  test.each([
    ['PAID', 'complete', 'accepted'],
    ['OVERPAID', 'complete', 'accepted'],
    ['PARTIALLY_PAID', 'open', 'accepted'],
    ['UNDERPAID', 'open', 'accepted'],
    ['REVERSED', 'open', 'reversed'],
    ['REFUNDED', 'open', 'reversed'],
  ])('of a payment account reports the cumulative report: %s', async (paymentStatus, state, outcome) => {
    const reversed = { ...TOTAL, kept: naira(0), returned: naira(5_000) };
    const money = [outcome === 'accepted' ? TOTAL : reversed];
    await expect(lookedUp({ paymentStatus })).resolves.toEqual({ money, state });
  });

  test.each([
    ['another amount', '50.00', naira(50)],
    ['a number', 4999.99, naira(4_999.99)],
    ['nothing where it is missing', null, undefined],
    ['nothing where it is invalid', '5,000.00', undefined],
  ])('of a payment account says what was asked for: %s', async (_, totalPayable, asked) => {
    await expect(lookedUp({ totalPayable })).resolves.toEqual({ money: [{ ...TOTAL, asked }], state: 'complete' });
  });

  describe('of a wrong amount', () => {
    const PARTLY = { paymentStatus: 'PARTIALLY_PAID', amountPaid: '3000.00', settlementAmount: null };
    const UNDER = { ...PARTLY, paymentStatus: 'UNDERPAID' };
    const OVER = { paymentStatus: 'OVERPAID', amountPaid: '7000.00', settlementAmount: null };
    const kept = (amount: number) => ({ ...TOTAL, kept: naira(amount), fee: naira(0) });

    test.each([
      ['an underpayment counts when all is kept', PARTLY, 'all', { money: [kept(3_000)], state: 'open' }],
      ['an underpayment does not count when it is returned', PARTLY, 'what_was_asked', { money: [], state: 'open' }],
      ['the same under its other name', UNDER, 'what_was_asked', { money: [], state: 'open' }],
      ['an overpayment counts in full when all is kept', OVER, 'all', { money: [kept(7_000)], state: 'complete' }],
      [
        'of an overpayment the amount asked for counts',
        OVER,
        'what_was_asked',
        { money: [kept(5_000)], state: 'complete' },
      ],
    ] as const)('%s', async (_, of, wrongAmountsKeep, report) => {
      await expect(lookedUp(of, { wrongAmountsKeep })).resolves.toEqual(report);
    });

    test('counts all by default', () => {
      expect(MONNIFY.wrongAmountsKeep).toBe('all');
    });

    test('the right amount counts, and any amount on a virtual account, whatever is set', async () => {
      const bound = { wrongAmountsKeep: 'what_was_asked' } as const;
      await expect(lookedUp({}, bound)).resolves.toEqual({ money: [TOTAL], state: 'complete' });
      const toVirtual = { ...RESERVED, paymentStatus: 'PARTIALLY_PAID' };
      await expect(lookedUp(toVirtual, bound)).resolves.toEqual({ money: [TRANSFER], state: 'open' });
    });

    test('is unknown when the amount asked for is missing', async () => {
      const withoutTotal = lookedUp({ ...OVER, totalPayable: null }, { wrongAmountsKeep: 'what_was_asked' });
      await expect(withoutTotal).rejects.toBeInstanceOf(OutcomeUnknown);
    });
  });

  test.each(['PENDING', 'EXPIRED', 'CANCELLED', 'FAILED', 'ABANDONED'])(
    'reports no money of %s and leaves the end to the expiry of ours',
    async (paymentStatus) => {
      await expect(lookedUp({ ...PENDING, paymentStatus })).resolves.toEqual({ money: [], state: 'open' });
    },
  );

  test.each(['PAID', 'OVERPAID', 'PARTIALLY_PAID'])(
    'of a virtual account reports one transfer, and stays open: %s',
    async (paymentStatus) => {
      await expect(lookedUp({ ...RESERVED, paymentStatus })).resolves.toEqual({ money: [TRANSFER], state: 'open' });
    },
  );

  test.each(['REVERSED', 'REFUNDED'])(
    'of a virtual account reports it under the same transfer: %s',
    async (paymentStatus) => {
      await expect(lookedUp({ ...RESERVED, paymentStatus })).resolves.toEqual({
        money: [{ ...TRANSFER, outcome: 'reversed' }],
        state: 'open',
      });
    },
  );

  test('of a virtual account brings its reference to our spelling', async () => {
    for (const reference of [ACCOUNT.toUpperCase(), ACCOUNT.toLowerCase(), ` ${ACCOUNT}`]) {
      const product = { type: 'RESERVED_ACCOUNT', reference };
      await expect(lookedUp({ ...RESERVED, product })).resolves.toEqual({ money: [TRANSFER], state: 'open' });
    }
  });

  test.each(['PARTIALLY_REFUNDED', 'PARTIALLY_REVERSED'])(
    'keeps what it says was paid after a part went back: %s',
    async (paymentStatus) => {
      const rest = { paymentStatus, amountPaid: '3000.00', settlementAmount: null };
      const kept = { ...TOTAL, kept: naira(3_000), leftOut: naira(2_000), fee: 0 };
      await expect(lookedUp(rest)).resolves.toEqual({ money: [kept], state: 'complete' });
      await expect(lookedUp(rest, { wrongAmountsKeep: 'what_was_asked' })).resolves.toEqual({
        money: [kept],
        state: 'complete',
      });
      const transfer = { ...TRANSFER, amount: naira(3_000), leftOut: naira(2_000), fee: 0 };
      await expect(lookedUp({ ...RESERVED, ...rest })).resolves.toEqual({ money: [transfer], state: 'open' });
    },
  );

  test.each(['0.00', null, 'none'])(
    'reports what was asked for as returned where the amount paid reads %j',
    async (amountPaid) => {
      const gone = { paymentStatus: 'REFUNDED', amountPaid, settlementAmount: null };
      await expect(lookedUp(gone)).resolves.toMatchObject({ money: [{ kept: 0, returned: naira(5_000) }] });
      await expect(lookedUp({ ...RESERVED, ...gone })).resolves.toMatchObject({
        money: [{ outcome: 'reversed', amount: naira(5_000) }],
      });
    },
  );

  test.each([
    [{ amountPaid: 5_000, settlementAmount: 4_925 }, naira(75)],
    [{ amountPaid: '5000.00', settlementAmount: '4999.95' }, naira(0.05)],
    [{ settlementAmount: null }, 0],
    [{ settlementAmount: undefined }, 0],
    [{ settlementAmount: '5000.01' }, 0],
    [{ settlementAmount: '-1.00' }, 0],
    [{ settlementAmount: 'soon' }, 0],
    [{ settlementAmount: '' }, 0],
    [{ settlementAmount: '4925.005' }, 0],
    [{ settlementAmount: {} }, 0],
  ])('takes what was not settled as the fee: %j', async (of, fee) => {
    await expect(lookedUp(of)).resolves.toMatchObject({ money: [{ kept: naira(5_000), fee }] });
  });

  test.each([
    ['13:10:42 the day first', { paidOn: '20/11/2026 1:10:42 PM' }, { paidAt: Date.UTC(2026, 10, 20, 12, 10, 42) }],
    ['no time', { paidOn: null }, { paidAt: null }],
    ['a time that cannot be read as none', { paidOn: '11/20/2026 1:10 PM' }, { paidAt: null }],
    ['a time that is no text as none', { paidOn: 1_795_000_000_000 }, { paidAt: null }],
    ['naira in small letters', { currency: 'ngn' }, { kept: naira(5_000) }],
    ['no currency', { currency: null }, { kept: naira(5_000) }],
    ['a status in small letters', { paymentStatus: 'paid ' }, { kept: naira(5_000) }],
    [
      'half an emoji in a name',
      { accountDetails: { accountName: '\ud83dCHIDI\u202e EZE' } },
      { senderName: 'CHIDI EZE' },
    ],
    ['a bank code that is a number', { accountDetails: { accountName: 'C', bankCode: 58 } }, { senderBank: '058' }],
    [
      'a sender among others that cannot be read',
      { accountDetails: 'x', accountPayments: [null, { accountName: 'CHIDI EZE' }] },
      { senderName: 'CHIDI EZE' },
    ],
    ['our reference in small letters', { paymentReference: REFERENCE.toLowerCase() }, { payee: TOTAL.payee }],
    ['our reference among spaces', { paymentReference: ` ${REFERENCE} ` }, { payee: TOTAL.payee }],
    ['no sender', { accountDetails: null, accountPayments: null }, { senderName: null, senderBank: null }],
    ['an empty sender', { accountDetails: {}, accountPayments: {} }, { senderName: null, senderBank: null }],
    ['a sender in the list', { accountDetails: {} }, { senderName: 'CHIDI EZE', senderBank: '50515' }],
    [
      'a blank bank',
      { accountDetails: { accountName: 'CHIDI EZE', bankCode: '' } },
      { senderName: 'CHIDI EZE', senderBank: null },
    ],
    ['no product', { product: null }, { kind: 'cumulative_report', payee: TOTAL.payee }],
  ])('reads %s', async (_, of, money) => {
    await expect(lookedUp(of)).resolves.toMatchObject({ money: [money] });
  });

  test.each([
    ['a status that is not documented', { paymentStatus: 'SETTLING' }],
    ['a status that names something of JavaScript', { paymentStatus: 'constructor' }],
    ['a paid amount of zero', { amountPaid: '0.00' }],
    ['no amount', { amountPaid: null }],
    ['a third of a kobo', { amountPaid: '5000.003' }],
    ['a reference with a control character', { transactionReference: 'MNFY|\u0000' }],
    ['a payee with a control character', { paymentReference: `${REFERENCE}\u0000` }],
    [
      'a virtual account whose reference cannot be read',
      { product: { type: 'RESERVED_ACCOUNT', reference: '\ud83d' } },
    ],
    ['dollars', { currency: 'USD' }],
    ['no payee', { product: null, paymentReference: TRANSACTION }],
    ['no reference', { transactionReference: undefined }],
  ])('does not guess at %s', async (_, of) => {
    await expect(lookedUp(of)).rejects.toBeInstanceOf(OutcomeUnknown);
  });

  test('knows nothing of a transaction that Monnify does not know', async () => {
    const { live } = stage({
      [queried(REFERENCE)]: [NO_TRANSACTION, failure(400, 'Could not find transaction with reference')],
    });
    await expect(live.lookUp(ASK)).resolves.toBe('unknown');
    await expect(live.lookUp(ASK)).resolves.toBe('unknown');
  });

  test.each([
    ['a gateway page', { status: 404, json: undefined }, OutcomeUnknown],
    ['silence', new OutcomeUnknown('No answer in time.'), OutcomeUnknown],
    ['a 429', new ProviderUnavailable('The provider limits our requests.'), ProviderUnavailable],
  ])('says so after %s', async (_, played, kind) => {
    const { live } = stage({ [queried(REFERENCE)]: [played] });
    await expect(live.lookUp(ASK)).rejects.toBeInstanceOf(kind);
  });
});

describe('the list of payments', () => {
  const FROM = NOON - 60 * MINUTE;
  const listed = (page: number) => `GET /api/v1/transactions/search?page=${page}&size=100&from=${FROM}&to=${NOON}`;
  const row = (of: object) => ({
    transactionReference: TRANSACTION,
    paymentReference: REFERENCE,
    paymentStatus: 'PAID',
    createdOn: '2026-11-20T11:08:11.000+00:00',
    amount: 5_000,
    completed: true,
    ...of,
  });
  const span = { from: FROM, to: NOON };
  const listOf = (rows: readonly unknown[], settings: Partial<typeof MONNIFY> = {}) =>
    stage({ [listed(0)]: [success({ content: rows, last: true })] }, { settings }).live.listPayments({
      ...span,
      cursor: null,
    });
  const part = (reached: number) => ({ kind: 'part', reference: REFERENCE, reached: naira(reached), falls: 0 });
  const PAID = { query: ASK_TRANSACTION, origin: part(5_000), isReturned: false };

  test('has the payments with money, a page at a time', async () => {
    const transfer = row({ transactionReference: 'MNFY|04|1', paymentReference: 'MNFY|04|1' });
    const { live } = stage({
      [listed(0)]: [
        success({
          content: [
            transfer,
            row({}),
            row({ paymentStatus: 'PENDING' }),
            row({ paymentStatus: 'EXPIRED' }),
            { ...transfer, paymentStatus: 'REVERSED' },
            { ...transfer, paymentStatus: 'REFUNDED' },
          ],
          number: 0,
          last: false,
        }),
      ],
      [listed(1)]: [success({ content: [row({ amountPaid: '5000.00' })], number: 1, last: true })],
    });
    const toAccount = {
      query: { by: 'transaction', value: 'MNFY|04|1' },
      origin: { kind: 'transfer', transferId: 'MNFY|04|1' },
    };
    await expect(live.listPayments({ ...span, cursor: null })).resolves.toEqual({
      payments: [
        { ...toAccount, isReturned: false },
        PAID,
        { ...toAccount, isReturned: true },
        { ...toAccount, isReturned: true },
      ],
      next: '1',
    });
    await expect(live.listPayments({ ...span, cursor: '1' })).resolves.toEqual({ payments: [PAID], next: null });
  });

  test.each([
    ['what was paid', { amountPaid: '5000.00' }, part(5_000)],
    ['what was to be paid', { amount: 5_000, payableAmount: 5_075, fee: 75 }, part(5_075)],
    ['what was asked for', { amount: '5000.00' }, part(5_000)],
    ['a payable amount of zero', { amount: 5_000, payableAmount: 0, totalPayable: '0.00' }, part(5_000)],
    ['our reference among spaces', { paymentReference: ` ${REFERENCE}` }, part(5_000)],
    ['an account', { collectionChannel: 'RESERVED_ACCOUNT' }, { kind: 'transfer', transferId: TRANSACTION }],
  ])('knows a payment by %s', async (_, of, origin) => {
    await expect(listOf([row(of)])).resolves.toEqual({ payments: [{ ...PAID, origin }], next: null });
  });

  test.each([
    ['OVERPAID', 'all', { amountPaid: 7_000 }, { origin: part(7_000), isReturned: false }],
    ['OVERPAID', 'all', {}, { origin: null, isReturned: true }],
    ['OVERPAID', 'what_was_asked', { amountPaid: 7_000 }, { origin: part(5_000), isReturned: false }],
    ['OVERPAID', 'what_was_asked', {}, { origin: part(5_000), isReturned: false }],
    ['PARTIALLY_PAID', 'all', { amountPaid: 3_000 }, { origin: part(3_000), isReturned: false }],
    ['PARTIALLY_PAID', 'all', {}, { origin: null, isReturned: true }],
    ['PARTIALLY_PAID', 'what_was_asked', { amountPaid: 3_000 }, undefined],
    ['PAID', 'all', { amount: null }, { origin: null, isReturned: true }],
    ['PAID', 'all', { amountPaid: 4_000 }, { origin: part(5_000), isReturned: true }],
    ['PARTIALLY_REFUNDED', 'all', { amountPaid: 4_000 }, { origin: part(5_000), isReturned: true }],
    ['REFUNDED', 'all', { amountPaid: '0.00' }, { origin: part(5_000), isReturned: true }],
    ['SETTLING', 'all', {}, { origin: part(5_000), isReturned: true }],
    ['', 'all', {}, { origin: part(5_000), isReturned: true }],
  ] as const)('knows of %s where Monnify keeps %s by %j', async (paymentStatus, wrongAmountsKeep, of, expected) => {
    const { payments } = await listOf([row({ paymentStatus, ...of })], { wrongAmountsKeep });
    expect(payments).toEqual(expected ? [{ query: ASK_TRANSACTION, ...expected }] : []);
  });

  test('looks a row without Monnify’s reference up by ours', async () => {
    const query = { by: 'our_reference', value: REFERENCE };
    for (const transactionReference of [undefined, '', 'MNFY|\u0000']) {
      const { payments } = await listOf([row({ transactionReference })]);
      expect(payments).toEqual([{ ...PAID, query }]);
    }
  });

  test('leaves it to a look-up whose the payment is under our reference in small letters', async () => {
    const { payments } = await listOf([row({ paymentReference: REFERENCE.toLowerCase() })]);
    expect(payments).toEqual([{ query: ASK_TRANSACTION, origin: null, isReturned: true }]);
  });

  test('counts rows that cannot be read, and goes on after them', async () => {
    const nameless = row({ transactionReference: null, paymentReference: 'somebody’s' });
    const pending = { ...nameless, paymentStatus: 'PENDING' };
    await expect(listOf([null, 'row', nameless, pending, row({})])).resolves.toEqual({
      payments: [PAID],
      next: null,
      unreadable: 3,
    });
  });

  test.each([
    ['an empty page', { content: [], last: false }, null],
    ['a short page that does not say', { content: [row({})] }, null],
    ['a full page that does not say', { content: Array.from({ length: 100 }, () => row({})) }, '1'],
    ['a full page that is the last', { content: Array.from({ length: 100 }, () => row({})), last: true }, null],
  ])('goes on or ends after %s', async (_, body, next) => {
    const { live } = stage({ [listed(0)]: [success(body)] });
    await expect(live.listPayments({ from: FROM, to: NOON, cursor: null })).resolves.toMatchObject({ next });
  });

  test('throws Monnify’s refusal', async () => {
    const { live } = stage({ [listed(0)]: [failure(400, 'Bad range')] });
    await expect(live.listPayments({ from: FROM, to: NOON, cursor: null })).rejects.toThrow('refused the request');
  });
});
