import { MINUTE, SECOND } from '#shared/platform/kernel/time.ts';
import type { ProviderAnswer, ProviderRequest } from '#shared/providers/common/http.ts';
import { InputError, NoReferenceLeft, OutcomeUnknown, ProviderUnavailable } from '#shared/providers/domain/errors.ts';
import { monnify } from '#shared/providers/monnify/monnify.ts';
import { MONNIFY, NOON, naira } from '#test/unit/api/examples.ts';

type ScriptedAnswer = ProviderAnswer | Error;

const LOGIN = 'POST /api/v1/auth/login';
const RESERVE = 'POST /api/v2/bank-transfer/reserved-accounts';
const INIT = 'POST /api/v1/merchant/transactions/init-transaction';
const TRANSFER_ACCOUNT = 'POST /api/v1/merchant/bank-transfer/init-payment';
const ACCOUNT = 'va_01KA0000000000000000000001';
const FIND = `GET /api/v2/bank-transfer/reserved-accounts/${ACCOUNT}`;
const REFERENCE = 'PAY-7H2KQ9XW4M1ZB8T5RC3N';
const queryCall = (reference: string) => `GET /api/v2/merchant/transactions/query?paymentReference=${reference}`;
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
/** The answer to an expired token, which lacks the usual envelope (providers.md section 2.1). */
const EXPIRED: ProviderAnswer = {
  status: 401,
  json: { error: 'invalid_token', error_description: 'Access token expired: eyJhb' },
};
const SAME_REFERENCE = failure(422, 'Sorry, you cannot reserve two accounts with the same reference.');
const NO_TRANSACTION = failure(404, `Could not find transaction with payment reference ${REFERENCE}`);
const DUPLICATE = failure(422, 'Duplicate payment reference');

const buildLogin = (accessToken: string, expiresIn: unknown = 3_599) => success({ accessToken, expiresIn });

/** Creates the adapter with scripted answers. `script` has the answers of each call in their order; the last one repeats. */
const scriptAdapter = (
  script: Record<string, readonly ScriptedAnswer[]>,
  {
    secrets = ['first'],
    refreshed = 'first',
    settings = {},
  }: { secrets?: readonly string[]; refreshed?: string; settings?: Partial<typeof MONNIFY> } = {},
) => {
  const answersByCall = new Map(
    Object.entries({ [LOGIN]: [buildLogin('token-1')], ...script }).map(([k, v]) => [k, [...v]]),
  );
  const requests: ProviderRequest[] = [];
  let clock = NOON;
  let reads = 0;
  const adapter = monnify({
    settings: { ...MONNIFY, ...settings },
    credentials: async (options) => {
      reads += 1;
      const secretKey = options?.refresh ? refreshed : (secrets[Math.min(reads, secrets.length) - 1] ?? '');
      return { apiKey: 'MK_PROD_1', secretKey };
    },
    http: async (request) => {
      requests.push(request);
      const answers = answersByCall.get(`${request.method} ${request.path}`);
      const answer = answers && answers.length > 1 ? answers.shift() : answers?.[0];
      if (answer === undefined) throw new Error(`Not in the script: ${request.method} ${request.path}`);
      // Answers are asynchronous, like those of a network.
      await new Promise(setImmediate);
      if (answer instanceof Error) throw answer;
      return answer;
    },
    now: () => clock,
  });
  return {
    adapter,
    requests,
    calls: () => requests.map(({ method, path }) => `${method} ${path}`).filter((call) => call !== LOGIN),
    logins: () => requests.filter(({ path }) => path === '/api/v1/auth/login'),
    findBody: (call: string) => requests.find(({ method, path }) => `${method} ${path}` === call)?.body,
    pass: (millis: number) => {
      clock += millis;
    },
  };
};

const transaction = (changedFields: object = {}) =>
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
    ...changedFields,
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
const OUR_QUERY = { by: 'our_reference', value: REFERENCE } as const;
const TRANSACTION_QUERY = { by: 'transaction', value: TRANSACTION } as const;

describe('Monnify’s token', () => {
  test('ten concurrent calls share one login with Basic authentication, and each sends the token', async () => {
    const { adapter, requests, logins } = scriptAdapter({ [queryCall(REFERENCE)]: [transaction()] });
    await Promise.all(Array.from({ length: 10 }, () => adapter.lookUp(OUR_QUERY)));
    expect(logins()).toHaveLength(1);
    expect(logins()[0]?.headers).toEqual({ authorization: 'Basic TUtfUFJPRF8xOmZpcnN0' });
    expect(logins()[0]?.body).toBeUndefined();
    const sent = requests.slice(1).map(({ headers }) => headers.authorization);
    expect(sent).toEqual(Array.from({ length: 10 }, () => 'Bearer token-1'));
  });

  test.each([3_599, '3599'])('a token is used until a minute before its end: %j s', async (expiresIn) => {
    const { adapter, logins, pass } = scriptAdapter({
      [LOGIN]: [buildLogin('token-1', expiresIn), buildLogin('token-2')],
      [queryCall(REFERENCE)]: [transaction()],
    });
    await adapter.lookUp(OUR_QUERY);
    pass(3_539 * SECOND - 1);
    await adapter.lookUp(OUR_QUERY);
    expect(logins()).toHaveLength(1);
    pass(1);
    await Promise.all([adapter.lookUp(OUR_QUERY), adapter.lookUp(OUR_QUERY), adapter.lookUp(OUR_QUERY)]);
    expect(logins()).toHaveLength(2);
  });

  test('a change of the credentials causes a new login', async () => {
    const { adapter, logins } = scriptAdapter(
      { [queryCall(REFERENCE)]: [transaction()] },
      { secrets: ['first', 'second'] },
    );
    await adapter.lookUp(OUR_QUERY);
    await adapter.lookUp(OUR_QUERY);
    await adapter.lookUp(OUR_QUERY);
    expect(logins().map(({ headers }) => headers.authorization)).toEqual([
      'Basic TUtfUFJPRF8xOmZpcnN0',
      'Basic TUtfUFJPRF8xOnNlY29uZA==',
    ]);
  });

  test('ten calls with a 401 share one new login, and each is sent once more', async () => {
    const answers = [...Array.from({ length: 10 }, () => EXPIRED), transaction()];
    const { adapter, logins, calls } = scriptAdapter({
      [LOGIN]: [buildLogin('token-1'), buildLogin('token-2')],
      [queryCall(REFERENCE)]: answers,
    });
    const reports = await Promise.all(Array.from({ length: 10 }, () => adapter.lookUp(OUR_QUERY)));
    expect(reports).toHaveLength(10);
    expect(logins()).toHaveLength(2);
    expect(calls()).toHaveLength(20);
  });

  test('a second 401 is an error of our credentials', async () => {
    const { adapter, calls } = scriptAdapter({ [queryCall(REFERENCE)]: [EXPIRED] });
    await expect(adapter.lookUp(OUR_QUERY)).rejects.toThrow('The provider did not accept our credentials.');
    expect(calls()).toHaveLength(2);
  });

  test.each([
    ['a 401', { status: 401, json: { error: 'unauthorized' } }],
    ['an envelope with a failure', failure(400, 'Invalid client credentials')],
    ['a 200 with a failure', failure(200, 'Invalid client credentials')],
  ])('the credentials are read again for another login after %s', async (_, rejectedLogin) => {
    const { adapter, logins } = scriptAdapter(
      { [LOGIN]: [rejectedLogin, buildLogin('token-2')], [queryCall(REFERENCE)]: [transaction()] },
      { refreshed: 'second' },
    );
    await adapter.lookUp(OUR_QUERY);
    expect(logins().map(({ headers }) => headers.authorization)).toEqual([
      'Basic TUtfUFJPRF8xOmZpcnN0',
      'Basic TUtfUFJPRF8xOnNlY29uZA==',
    ]);
  });

  test('the login fails if the credentials have not changed, or if the new ones are rejected, too', async () => {
    for (const [refreshed, times] of [
      ['first', 1],
      ['second', 2],
    ] as const) {
      const { adapter, logins, calls } = scriptAdapter({ [LOGIN]: [failure(401, 'Unauthorized')] }, { refreshed });
      await expect(adapter.lookUp(OUR_QUERY)).rejects.toThrow('The provider did not accept our credentials.');
      expect(logins()).toHaveLength(times);
      expect(calls()).toEqual([]);
    }
  });

  test.each([
    ['silence', new OutcomeUnknown('No answer in time.')],
    ['a refused connection', new ProviderUnavailable('ECONNREFUSED')],
    ['another envelope', { status: 200, json: { token: 'x' } }],
    ['no token', success({ expiresIn: 3_599 })],
    ['a token with a line break', buildLogin('token\n-1')],
    ['a gateway page', { status: 403, json: undefined }],
  ])('a login that ends with %s means that nothing was done, and the next call logs in anew', async (_, answer) => {
    const { adapter, logins, calls } = scriptAdapter({
      [LOGIN]: [answer, buildLogin('token-2')],
      [queryCall(REFERENCE)]: [transaction()],
    });
    const results = await Promise.allSettled([adapter.lookUp(OUR_QUERY), adapter.lookUp(OUR_QUERY)]);
    for (const result of results) expect(result).toMatchObject({ reason: expect.any(ProviderUnavailable) });
    expect(calls()).toEqual([]);
    await expect(adapter.lookUp(OUR_QUERY)).resolves.toMatchObject({ state: 'complete' });
    expect(logins()).toHaveLength(2);
  });
});

const ADA = { name: 'Ada Obi', phone: null, email: 'ada@example.com', bvn: '22212345678', nin: null };
const MONIEPOINT = { bankCode: '50515', bankName: 'Moniepoint', accountNumber: '1000000001', accountName: 'Ada Obi' };
const STERLING = { bankCode: '232', bankName: 'Sterling bank', accountNumber: '2200000001', accountName: 'Ada Obi' };
const reservedAnswer = (...accounts: object[]) =>
  success({ accountReference: ACCOUNT, accountName: 'Ada Obi', accounts, status: 'ACTIVE', createdOn: 'x' });
const ISSUED = { ...MONIEPOINT, providerId: null };

describe('a virtual account at Monnify', () => {
  test('opens under our reference, at one bank', async () => {
    const { adapter, calls, findBody } = scriptAdapter({ [RESERVE]: [reservedAnswer(STERLING, MONIEPOINT)] });
    await expect(adapter.createAccount(ADA, ACCOUNT)).resolves.toEqual(ISSUED);
    expect(calls()).toEqual([RESERVE]);
    expect(findBody(RESERVE)).toEqual({
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

  test('the first account is used if none is at our bank', async () => {
    const { adapter } = scriptAdapter({
      [RESERVE]: [reservedAnswer({ ...STERLING, accountName: undefined, bankCode: '' })],
    });
    await expect(adapter.createAccount({ ...ADA, bvn: null, nin: '12345678901' }, ACCOUNT)).resolves.toEqual({
      ...STERLING,
      bankCode: null,
      providerId: null,
    });
  });

  test.each([50_515, '50515'])('our bank’s account is found by its code, a number or a text: %j', async (bankCode) => {
    const { adapter } = scriptAdapter({ [RESERVE]: [reservedAnswer(STERLING, { ...MONIEPOINT, bankCode })] });
    await expect(adapter.createAccount(ADA, ACCOUNT)).resolves.toEqual(ISSUED);
  });

  test('a bank code regains the zeros that a number lacks', async () => {
    const { adapter } = scriptAdapter(
      { [RESERVE]: [reservedAnswer({ ...STERLING, bankCode: 35 })] },
      { settings: { bank: '035' } },
    );
    await expect(adapter.createAccount(ADA, ACCOUNT)).resolves.toMatchObject({ bankCode: '035' });
  });

  test('characters that nobody can read are removed from names', async () => {
    const names = { accountName: 'Ada\ud83d Obi\u202e', bankName: 'Monie\u001bpoint' };
    const { adapter } = scriptAdapter({ [RESERVE]: [reservedAnswer({ ...MONIEPOINT, ...names })] });
    const issued = await adapter.createAccount(ADA, ACCOUNT);
    expect(issued).toEqual({ ...ISSUED, accountName: 'Ada Obi', bankName: 'Monie point' });
  });

  test.each([null, '12345', '10000000 1', 1_000_000_001])(
    'an account with the number %j is ignored, and does not hide others',
    async (accountNumber) => {
      const { adapter } = scriptAdapter({
        [RESERVE]: [
          reservedAnswer({ ...MONIEPOINT, accountNumber }, STERLING),
          reservedAnswer({ ...MONIEPOINT, accountNumber }),
        ],
      });
      await expect(adapter.createAccount(ADA, ACCOUNT)).resolves.toMatchObject({ accountNumber: '2200000001' });
      await expect(adapter.createAccount(ADA, ACCOUNT)).rejects.toBeInstanceOf(OutcomeUnknown);
    },
  );

  const ORPHAN = failure(422, 'You can not reserve more than 1 account(s) for a customer', 'R42');

  test.each([
    ['the same reference', SAME_REFERENCE],
    ['the same reference as a 400', { ...SAME_REFERENCE, status: 400 }],
    ['the same reference as a 200', { ...SAME_REFERENCE, status: 200 }],
    ['the code R42', ORPHAN],
    ['the text of R42', failure(400, 'Cannot reserve more than 1 account(s) for a customer')],
  ])('an account of an earlier call is looked up after %s', async (_, answer) => {
    const { adapter, calls } = scriptAdapter({ [RESERVE]: [answer], [FIND]: [reservedAnswer(MONIEPOINT)] });
    await expect(adapter.createAccount(ADA, ACCOUNT)).resolves.toEqual(ISSUED);
    expect(calls()).toEqual([RESERVE, FIND]);
  });

  test('a customer with an account under another reference is rejected', async () => {
    const { adapter } = scriptAdapter({ [RESERVE]: [ORPHAN], [FIND]: [failure(404, 'Cannot find reserved account')] });
    await expect(adapter.createAccount(ADA, ACCOUNT)).rejects.toThrow(
      'The provider has an account for this customer already.',
    );
  });

  test.each([
    ['silence', new OutcomeUnknown('No answer in time.')],
    ['a refused connection', new ProviderUnavailable('ECONNREFUSED')],
    ['another error', failure(400, 'Something went wrong')],
  ])('an account of an earlier call stays unknown if its look-up ends with %s', async (_, answer) => {
    const { adapter } = scriptAdapter({ [RESERVE]: [SAME_REFERENCE], [FIND]: [answer] });
    await expect(adapter.createAccount(ADA, ACCOUNT)).rejects.toBeInstanceOf(OutcomeUnknown);
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
  ])('an error is reported in our words: %j', async (answer, sentence) => {
    const { adapter } = scriptAdapter({ [RESERVE]: [answer] });
    await expect(adapter.createAccount(ADA, ACCOUNT)).rejects.toThrow(
      expect.objectContaining({ name: 'ProviderError', message: sentence }),
    );
  });

  test.each([
    ['HTML', { status: 404, json: undefined }],
    ['no envelope', { status: 400, json: { timestamp: 1, error: 'Bad Request' } }],
    ['a success with HTTP 400', { ...reservedAnswer(MONIEPOINT), status: 400 }],
    ['no account', reservedAnswer()],
    ['silence', new OutcomeUnknown('No answer in time.')],
  ])('the outcome is unknown after %s', async (_, answer) => {
    const { adapter } = scriptAdapter({ [RESERVE]: [answer] });
    await expect(adapter.createAccount(ADA, ACCOUNT)).rejects.toBeInstanceOf(OutcomeUnknown);
  });

  test('findAccount finds an account by our reference, or none', async () => {
    const { adapter } = scriptAdapter({
      [FIND]: [
        reservedAnswer(STERLING, MONIEPOINT),
        failure(404, 'No such thing'),
        failure(400, 'Could not find account'),
      ],
    });
    await expect(adapter.findAccount(ADA, ACCOUNT)).resolves.toEqual(ISSUED);
    await expect(adapter.findAccount(ADA, ACCOUNT)).resolves.toBeUndefined();
    await expect(adapter.findAccount(ADA, ACCOUNT)).resolves.toBeUndefined();
  });

  test('findAccount throws if a gateway answers 404', async () => {
    const { adapter } = scriptAdapter({ [FIND]: [{ status: 404, json: undefined }] });
    await expect(adapter.findAccount(ADA, ACCOUNT)).rejects.toBeInstanceOf(OutcomeUnknown);
  });

  test('closeAccount closes an account by our reference, and ignores a missing one', async () => {
    const CLOSE = `DELETE /api/v1/bank-transfer/reserved-accounts/reference/${ACCOUNT}`;
    const { adapter, calls } = scriptAdapter({
      [CLOSE]: [reservedAnswer(MONIEPOINT), failure(404, 'Cannot find reserved account'), failure(400, 'Bank is down')],
    });
    await adapter.closeAccount(ISSUED, ACCOUNT);
    await adapter.closeAccount(ISSUED, ACCOUNT);
    await expect(adapter.closeAccount(ISSUED, ACCOUNT)).rejects.toThrow('The provider refused the request.');
    expect(calls()).toEqual([CLOSE, CLOSE, CLOSE]);
  });
});

const REQUEST = {
  reference: REFERENCE,
  amount: naira(5_000.1),
  accountName: 'Ada Fabrics',
  payerName: 'Chidi Eze',
  payerEmail: 'chidi@example.com',
  expiresAt: NOON + 30 * MINUTE,
};
const INITIALISED = success({ transactionReference: TRANSACTION, paymentReference: REFERENCE, checkoutUrl: 'x' });
const issuedAnswer = (changedFields: object = {}) =>
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
    ...changedFields,
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

describe('a payment account at Monnify', () => {
  test('opens in two calls, and expires by our clock', async () => {
    const { adapter, calls, findBody } = scriptAdapter({ [INIT]: [INITIALISED], [TRANSFER_ACCOUNT]: [issuedAnswer()] });
    await expect(adapter.createPaymentAccount(REQUEST)).resolves.toEqual(PAYMENT_ACCOUNT);
    expect(calls()).toEqual([INIT, TRANSFER_ACCOUNT]);
    expect(findBody(INIT)).toEqual({
      amount: 5000.1,
      customerName: 'Chidi Eze',
      customerEmail: 'chidi@example.com',
      paymentReference: REFERENCE,
      paymentDescription: 'Ada Fabrics',
      currencyCode: 'NGN',
      contractCode: '7059707855',
      paymentMethods: ['ACCOUNT_TRANSFER'],
    });
    expect(JSON.stringify(findBody(INIT))).toContain('"amount":5000.1,');
    expect(findBody(TRANSFER_ACCOUNT)).toEqual({ transactionReference: TRANSACTION });
  });

  test.each([5_075.1, '5075.10'])('the amount to pay is the total that Monnify answers: %j', async (totalPayable) => {
    const { adapter } = scriptAdapter({
      [INIT]: [INITIALISED],
      [TRANSFER_ACCOUNT]: [issuedAnswer({ totalPayable, fee: 75 })],
    });
    await expect(adapter.createPaymentAccount(REQUEST)).resolves.toMatchObject({ amountToPay: naira(5_075.1) });
  });

  test.each([
    ['a total below the amount', issuedAnswer({ totalPayable: '0.00' })],
    ['no duration', issuedAnswer({ accountDurationSeconds: null })],
    ['no number', issuedAnswer({ accountNumber: '' })],
    ['silence', new OutcomeUnknown('No answer in time.')],
  ])('the outcome is unknown after %s', async (_, answer) => {
    const { adapter } = scriptAdapter({ [INIT]: [INITIALISED], [TRANSFER_ACCOUNT]: [answer] });
    await expect(adapter.createPaymentAccount(REQUEST)).rejects.toBeInstanceOf(OutcomeUnknown);
  });

  test('a retry after a lost answer continues the earlier transaction', async () => {
    const { adapter, calls, findBody } = scriptAdapter({
      [INIT]: [new OutcomeUnknown('No answer in time.'), DUPLICATE],
      [queryCall(REFERENCE)]: [transaction(PENDING)],
      [TRANSFER_ACCOUNT]: [issuedAnswer()],
    });
    await expect(adapter.createPaymentAccount(REQUEST)).rejects.toBeInstanceOf(OutcomeUnknown);
    await expect(adapter.createPaymentAccount(REQUEST)).resolves.toEqual(PAYMENT_ACCOUNT);
    expect(calls()).toEqual([INIT, INIT, queryCall(REFERENCE), TRANSFER_ACCOUNT]);
    expect(findBody(TRANSFER_ACCOUNT)).toEqual({ transactionReference: TRANSACTION });
  });

  test.each([
    ['is not found', { [queryCall(REFERENCE)]: [NO_TRANSACTION], [TRANSFER_ACCOUNT]: [issuedAnswer()] }],
    [
      'has no account any more',
      { [queryCall(REFERENCE)]: [transaction(PENDING)], [TRANSFER_ACCOUNT]: [failure(400, 'Expired'), issuedAnswer()] },
    ],
  ])('the next reference is used if the earlier transaction %s', async (_, script) => {
    const { adapter, requests } = scriptAdapter({ [INIT]: [DUPLICATE, INITIALISED], ...script });
    const issued = await adapter.createPaymentAccount(REQUEST);
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
  ])('the error %s is the payer’s fault: %p', async (message, isInput) => {
    const { adapter } = scriptAdapter({ [INIT]: [failure(400, message)] });
    const error: unknown = await adapter.createPaymentAccount(REQUEST).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: 'ProviderError' });
    expect(error instanceof InputError).toBe(isInput);
  });

  test('NoReferenceLeft is thrown if every reference is used', async () => {
    const names = [REFERENCE, `${REFERENCE}-2`, `${REFERENCE}-3`];
    const { adapter, calls } = scriptAdapter({
      [INIT]: [DUPLICATE],
      ...Object.fromEntries(names.map((name) => [queryCall(name), [NO_TRANSACTION]])),
    });
    await expect(adapter.createPaymentAccount(REQUEST)).rejects.toBeInstanceOf(NoReferenceLeft);
    expect(calls()).toEqual(names.flatMap((name) => [INIT, queryCall(name)]));
  });

  test.each([
    ['the first call', { [INIT]: [failure(400, 'Invalid contract code')] }],
    ['the second call', { [INIT]: [INITIALISED], [TRANSFER_ACCOUNT]: [failure(400, 'Contract is not active')] }],
  ])('an error of %s is thrown without trying another reference', async (_, script) => {
    const { adapter, calls } = scriptAdapter(script);
    await expect(adapter.createPaymentAccount(REQUEST)).rejects.toThrow('has not enabled this kind of account');
    expect(calls()).toHaveLength(Object.keys(script).length);
  });

  test('the outcome is unknown if the look-up of the earlier transaction fails', async () => {
    const { adapter } = scriptAdapter({
      [INIT]: [DUPLICATE],
      [queryCall(REFERENCE)]: [new OutcomeUnknown('No answer in time.')],
    });
    await expect(adapter.createPaymentAccount(REQUEST)).rejects.toBeInstanceOf(OutcomeUnknown);
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

describe('a look-up at Monnify', () => {
  const lookUp = async (changedFields: object, settings: Partial<typeof MONNIFY> = {}) =>
    scriptAdapter(
      // A query in our own spelling finds the same transaction.
      { [BY_TRANSACTION]: [transaction(changedFields)], [queryCall(REFERENCE)]: [transaction(changedFields)] },
      { settings },
    ).adapter.lookUp(TRANSACTION_QUERY);

  test('queries our reference, and Monnify’s with encoded pipes', async () => {
    const { adapter, calls } = scriptAdapter({
      [queryCall(REFERENCE)]: [transaction()],
      [BY_TRANSACTION]: [transaction()],
    });
    await expect(adapter.lookUp(OUR_QUERY)).resolves.toEqual({ money: [TOTAL], state: 'complete' });
    await expect(adapter.lookUp(TRANSACTION_QUERY)).resolves.toEqual({ money: [TOTAL], state: 'complete' });
    expect(calls()).toEqual([queryCall(REFERENCE), BY_TRANSACTION]);
  });

  test.each([
    ['PAID', 'complete', 'accepted'],
    ['OVERPAID', 'complete', 'accepted'],
    ['PARTIALLY_PAID', 'open', 'accepted'],
    ['UNDERPAID', 'open', 'accepted'],
    ['REVERSED', 'open', 'reversed'],
    ['REFUNDED', 'open', 'reversed'],
  ])('reports the cumulative report of a payment account: %s', async (paymentStatus, state, outcome) => {
    const reversed = { ...TOTAL, kept: naira(0), returned: naira(5_000) };
    const money = [outcome === 'accepted' ? TOTAL : reversed];
    await expect(lookUp({ paymentStatus })).resolves.toEqual({ money, state });
  });

  test.each([
    ['another amount', '50.00', naira(50)],
    ['a number', 4999.99, naira(4_999.99)],
    ['nothing if it is missing', null, undefined],
    ['nothing if it is invalid', '5,000.00', undefined],
  ])('reports the asked amount of a payment account: %s', async (_, totalPayable, asked) => {
    await expect(lookUp({ totalPayable })).resolves.toEqual({ money: [{ ...TOTAL, asked }], state: 'complete' });
  });

  describe('a wrong amount', () => {
    const PARTLY = { paymentStatus: 'PARTIALLY_PAID', amountPaid: '3000.00', settlementAmount: null };
    const UNDER = { ...PARTLY, paymentStatus: 'UNDERPAID' };
    const OVER = { paymentStatus: 'OVERPAID', amountPaid: '7000.00', settlementAmount: null };
    const reportKept = (amount: number) => ({ ...TOTAL, kept: naira(amount), fee: naira(0) });

    test.each([
      ['an underpayment counts if all is kept', PARTLY, 'all', { money: [reportKept(3_000)], state: 'open' }],
      ['an underpayment does not count if it is returned', PARTLY, 'what_was_asked', { money: [], state: 'open' }],
      ['UNDERPAID does not count if it is returned', UNDER, 'what_was_asked', { money: [], state: 'open' }],
      ['an overpayment counts in full if all is kept', OVER, 'all', { money: [reportKept(7_000)], state: 'complete' }],
      [
        'only the requested amount of an overpayment counts if the excess is returned',
        OVER,
        'what_was_asked',
        { money: [reportKept(5_000)], state: 'complete' },
      ],
    ] as const)('%s', async (_, changedFields, wrongAmountsKeep, report) => {
      await expect(lookUp(changedFields, { wrongAmountsKeep })).resolves.toEqual(report);
    });

    test('any kept amount counts by default', () => {
      expect(MONNIFY.wrongAmountsKeep).toBe('all');
    });

    test('the right amount, and any amount on a virtual account, counts under any setting', async () => {
      const bound = { wrongAmountsKeep: 'what_was_asked' } as const;
      await expect(lookUp({}, bound)).resolves.toEqual({ money: [TOTAL], state: 'complete' });
      const toVirtual = { ...RESERVED, paymentStatus: 'PARTIALLY_PAID' };
      await expect(lookUp(toVirtual, bound)).resolves.toEqual({ money: [TRANSFER], state: 'open' });
    });

    test('OutcomeUnknown is thrown if the requested amount is missing', async () => {
      const withoutTotal = lookUp({ ...OVER, totalPayable: null }, { wrongAmountsKeep: 'what_was_asked' });
      await expect(withoutTotal).rejects.toBeInstanceOf(OutcomeUnknown);
    });
  });

  test.each(['PENDING', 'EXPIRED', 'CANCELLED', 'FAILED', 'ABANDONED'])(
    'reports no money for %s, and the payment stays open',
    async (paymentStatus) => {
      await expect(lookUp({ ...PENDING, paymentStatus })).resolves.toEqual({ money: [], state: 'open' });
    },
  );

  test.each(['PAID', 'OVERPAID', 'PARTIALLY_PAID'])(
    'reports one transfer to a virtual account, which stays open: %s',
    async (paymentStatus) => {
      await expect(lookUp({ ...RESERVED, paymentStatus })).resolves.toEqual({ money: [TRANSFER], state: 'open' });
    },
  );

  test.each(['REVERSED', 'REFUNDED'])(
    'reports the reversal of a transfer to a virtual account under the same id: %s',
    async (paymentStatus) => {
      await expect(lookUp({ ...RESERVED, paymentStatus })).resolves.toEqual({
        money: [{ ...TRANSFER, outcome: 'reversed' }],
        state: 'open',
      });
    },
  );

  test('converts the reference of a virtual account to our spelling', async () => {
    for (const reference of [ACCOUNT.toUpperCase(), ACCOUNT.toLowerCase(), ` ${ACCOUNT}`]) {
      const product = { type: 'RESERVED_ACCOUNT', reference };
      await expect(lookUp({ ...RESERVED, product })).resolves.toEqual({ money: [TRANSFER], state: 'open' });
    }
  });

  test.each(['PARTIALLY_REFUNDED', 'PARTIALLY_REVERSED'])(
    'reports the paid amount as kept after a partial return: %s',
    async (paymentStatus) => {
      const rest = { paymentStatus, amountPaid: '3000.00', settlementAmount: null };
      const report = { ...TOTAL, kept: naira(3_000), leftOut: naira(2_000), fee: 0 };
      await expect(lookUp(rest)).resolves.toEqual({ money: [report], state: 'complete' });
      await expect(lookUp(rest, { wrongAmountsKeep: 'what_was_asked' })).resolves.toEqual({
        money: [report],
        state: 'complete',
      });
      const transfer = { ...TRANSFER, amount: naira(3_000), leftOut: naira(2_000), fee: 0 };
      await expect(lookUp({ ...RESERVED, ...rest })).resolves.toEqual({ money: [transfer], state: 'open' });
    },
  );

  test.each(['0.00', null, 'none'])(
    'reports the requested amount as returned if the paid amount is %j',
    async (amountPaid) => {
      const gone = { paymentStatus: 'REFUNDED', amountPaid, settlementAmount: null };
      await expect(lookUp(gone)).resolves.toMatchObject({ money: [{ kept: 0, returned: naira(5_000) }] });
      await expect(lookUp({ ...RESERVED, ...gone })).resolves.toMatchObject({
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
  ])('reports the unsettled part as the fee: %j', async (changedFields, fee) => {
    await expect(lookUp(changedFields)).resolves.toMatchObject({ money: [{ kept: naira(5_000), fee }] });
  });

  test.each([
    ['a time with the day first', { paidOn: '20/11/2026 1:10:42 PM' }, { paidAt: Date.UTC(2026, 10, 20, 12, 10, 42) }],
    ['no time', { paidOn: null }, { paidAt: null }],
    ['an unreadable time', { paidOn: '11/20/2026 1:10 PM' }, { paidAt: null }],
    ['a time that is no text', { paidOn: 1_795_000_000_000 }, { paidAt: null }],
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
      'a sender after an unreadable one',
      { accountDetails: 'x', accountPayments: [null, { accountName: 'CHIDI EZE' }] },
      { senderName: 'CHIDI EZE' },
    ],
    ['our reference in small letters', { paymentReference: REFERENCE.toLowerCase() }, { payee: TOTAL.payee }],
    ['our reference between spaces', { paymentReference: ` ${REFERENCE} ` }, { payee: TOTAL.payee }],
    ['no sender', { accountDetails: null, accountPayments: null }, { senderName: null, senderBank: null }],
    ['an empty sender', { accountDetails: {}, accountPayments: {} }, { senderName: null, senderBank: null }],
    ['a sender in the list', { accountDetails: {} }, { senderName: 'CHIDI EZE', senderBank: '50515' }],
    [
      'a blank bank',
      { accountDetails: { accountName: 'CHIDI EZE', bankCode: '' } },
      { senderName: 'CHIDI EZE', senderBank: null },
    ],
    ['no product', { product: null }, { kind: 'cumulative_report', payee: TOTAL.payee }],
  ])('reads %s', async (_, changedFields, money) => {
    await expect(lookUp(changedFields)).resolves.toMatchObject({ money: [money] });
  });

  test.each([
    ['a status that is not documented', { paymentStatus: 'SETTLING' }],
    ['a status that is a property name of JavaScript', { paymentStatus: 'constructor' }],
    ['a paid amount of zero', { amountPaid: '0.00' }],
    ['no amount', { amountPaid: null }],
    ['a fraction of a kobo', { amountPaid: '5000.003' }],
    ['a reference with a control character', { transactionReference: 'MNFY|\u0000' }],
    ['a payee with a control character', { paymentReference: `${REFERENCE}\u0000` }],
    ['a virtual account with an unreadable reference', { product: { type: 'RESERVED_ACCOUNT', reference: '\ud83d' } }],
    ['dollars', { currency: 'USD' }],
    ['no payee', { product: null, paymentReference: TRANSACTION }],
    ['no reference', { transactionReference: undefined }],
  ])('throws OutcomeUnknown for %s', async (_, changedFields) => {
    await expect(lookUp(changedFields)).rejects.toBeInstanceOf(OutcomeUnknown);
  });

  test('returns `unknown` for a transaction that Monnify does not know', async () => {
    const { adapter } = scriptAdapter({
      [queryCall(REFERENCE)]: [NO_TRANSACTION, failure(400, 'Could not find transaction with reference')],
    });
    await expect(adapter.lookUp(OUR_QUERY)).resolves.toBe('unknown');
    await expect(adapter.lookUp(OUR_QUERY)).resolves.toBe('unknown');
  });

  test.each([
    ['a gateway page', { status: 404, json: undefined }, OutcomeUnknown],
    ['silence', new OutcomeUnknown('No answer in time.'), OutcomeUnknown],
    ['a 429', new ProviderUnavailable('The provider limits our requests.'), ProviderUnavailable],
  ])('throws the right error after %s', async (_, answer, kind) => {
    const { adapter } = scriptAdapter({ [queryCall(REFERENCE)]: [answer] });
    await expect(adapter.lookUp(OUR_QUERY)).rejects.toBeInstanceOf(kind);
  });
});

describe('Monnify’s list of payments', () => {
  const FROM = NOON - 60 * MINUTE;
  const listCall = (page: number) => `GET /api/v1/transactions/search?page=${page}&size=100&from=${FROM}&to=${NOON}`;
  const row = (changedFields: object) => ({
    transactionReference: TRANSACTION,
    paymentReference: REFERENCE,
    paymentStatus: 'PAID',
    createdOn: '2026-11-20T11:08:11.000+00:00',
    amount: 5_000,
    completed: true,
    ...changedFields,
  });
  const span = { from: FROM, to: NOON };
  const list = (rows: readonly unknown[], settings: Partial<typeof MONNIFY> = {}) =>
    scriptAdapter({ [listCall(0)]: [success({ content: rows, last: true })] }, { settings }).adapter.listPayments({
      ...span,
      cursor: null,
    });
  const part = (reached: number) => ({ kind: 'part', reference: REFERENCE, reached: naira(reached), falls: 0 });
  const PAID = { query: TRANSACTION_QUERY, origin: part(5_000), isReturned: false };

  test('has the payments with money, page by page', async () => {
    const transfer = row({ transactionReference: 'MNFY|04|1', paymentReference: 'MNFY|04|1' });
    const { adapter } = scriptAdapter({
      [listCall(0)]: [
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
      [listCall(1)]: [success({ content: [row({ amountPaid: '5000.00' })], number: 1, last: true })],
    });
    const toAccount = {
      query: { by: 'transaction', value: 'MNFY|04|1' },
      origin: { kind: 'transfer', transferId: 'MNFY|04|1' },
    };
    await expect(adapter.listPayments({ ...span, cursor: null })).resolves.toEqual({
      payments: [
        { ...toAccount, isReturned: false },
        PAID,
        { ...toAccount, isReturned: true },
        { ...toAccount, isReturned: true },
      ],
      next: '1',
    });
    await expect(adapter.listPayments({ ...span, cursor: '1' })).resolves.toEqual({ payments: [PAID], next: null });
  });

  test.each([
    ['its paid amount', { amountPaid: '5000.00' }, part(5_000)],
    ['its payable amount', { amount: 5_000, payableAmount: 5_075, fee: 75 }, part(5_075)],
    ['its requested amount', { amount: '5000.00' }, part(5_000)],
    ['a payable amount of zero', { amount: 5_000, payableAmount: 0, totalPayable: '0.00' }, part(5_000)],
    ['our reference after a space', { paymentReference: ` ${REFERENCE}` }, part(5_000)],
    ['its virtual account', { collectionChannel: 'RESERVED_ACCOUNT' }, { kind: 'transfer', transferId: TRANSACTION }],
  ])('reads the origin of a payment by %s', async (_, changedFields, origin) => {
    await expect(list([row(changedFields)])).resolves.toEqual({ payments: [{ ...PAID, origin }], next: null });
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
  ] as const)(
    'reads a row with the status %s under the setting %s: %j',
    async (paymentStatus, wrongAmountsKeep, changedFields, expected) => {
      const { payments } = await list([row({ paymentStatus, ...changedFields })], { wrongAmountsKeep });
      expect(payments).toEqual(expected ? [{ query: TRANSACTION_QUERY, ...expected }] : []);
    },
  );

  test('queries our reference for a row without Monnify’s reference', async () => {
    const query = { by: 'our_reference', value: REFERENCE };
    for (const transactionReference of [undefined, '', 'MNFY|\u0000']) {
      const { payments } = await list([row({ transactionReference })]);
      expect(payments).toEqual([{ ...PAID, query }]);
    }
  });

  test('leaves a payment under our reference in small letters to a look-up', async () => {
    const { payments } = await list([row({ paymentReference: REFERENCE.toLowerCase() })]);
    expect(payments).toEqual([{ query: TRANSACTION_QUERY, origin: null, isReturned: true }]);
  });

  test('counts unreadable rows, and reads the others', async () => {
    const nameless = row({ transactionReference: null, paymentReference: 'somebody’s' });
    const pending = { ...nameless, paymentStatus: 'PENDING' };
    await expect(list([null, 'row', nameless, pending, row({})])).resolves.toEqual({
      payments: [PAID],
      next: null,
      unreadable: 3,
    });
  });

  test.each([
    ['an empty page', { content: [], last: false }, null],
    ['a short page without `last`', { content: [row({})] }, null],
    ['a full page without `last`', { content: Array.from({ length: 100 }, () => row({})) }, '1'],
    ['a full last page', { content: Array.from({ length: 100 }, () => row({})), last: true }, null],
  ])('finds the next page, or none, after %s', async (_, body, next) => {
    const { adapter } = scriptAdapter({ [listCall(0)]: [success(body)] });
    await expect(adapter.listPayments({ from: FROM, to: NOON, cursor: null })).resolves.toMatchObject({ next });
  });

  test('throws Monnify’s error', async () => {
    const { adapter } = scriptAdapter({ [listCall(0)]: [failure(400, 'Bad range')] });
    await expect(adapter.listPayments({ from: FROM, to: NOON, cursor: null })).rejects.toThrow('refused the request');
  });
});
