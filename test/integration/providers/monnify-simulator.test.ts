import { type Simulator, startSimulator } from '#infra/local/simulator/simulator.ts';
import { type Fixture, shapeDifferences } from '#shared/providers/common/simulator/fixture.ts';
import { MONNIFY_FIXTURES } from '#shared/providers/monnify/simulator/fixtures.ts';
import { SIMULATORS } from '#shared/providers/simulators.ts';
import { type Receiver, startReceiver } from '#test/support/worlds/receiver.ts';

/* Compares the shapes of the simulated Monnify's answers with the fixtures. */

const { answers, rows, events } = MONNIFY_FIXTURES;
const AMOUNT = 500_000;
const ACCOUNT = 'va_01KB000000000000000000000A';
const REFERENCE = 'PAY-7H2KQ9XW4M1ZB8T5RC3N';

let simulator: Simulator;
let token: string;
let receiver: Receiver;

const call = async (method: string, path: string, body?: unknown, authorization = `Bearer ${token}`) => {
  const answer = await fetch(`${simulator.baseUrls.monnify}${path}`, {
    method,
    headers: { authorization },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  // biome-ignore lint/suspicious/noExplicitAny: each answer has its own shape, which a test compares.
  return (await answer.json()) as any;
};
const logIn = () => {
  const { apiKey, secretKey } = simulator.credentials.monnify;
  const basic = `Basic ${Buffer.from(`${apiKey}:${secretKey}`).toString('base64')}`;
  return call('POST', '/api/v1/auth/login', undefined, basic);
};

beforeEach(async () => {
  [simulator, receiver] = [await startSimulator(), await startReceiver()];
  token = (await logIn()).responseBody.accessToken;
  simulator.notifyAt('monnify', receiver.url);
});
afterEach(async () => {
  await receiver.stop();
  await simulator.stop();
});

const ACCOUNTS = '/api/v2/bank-transfer/reserved-accounts';
const reserve = (reference: string, bvn = '22212345678') =>
  call('POST', ACCOUNTS, {
    accountReference: reference,
    accountName: 'Bukola Eze',
    currencyCode: 'NGN',
    contractCode: SIMULATORS.monnify.settings.contractCode,
    customerEmail: 'bukola@example.com',
    customerName: 'Bukola Eze',
    bvn,
    getAllAvailableBanks: false,
    preferredBanks: ['50515'],
  });
const initialise = (reference: string) =>
  call('POST', '/api/v1/merchant/transactions/init-transaction', {
    amount: AMOUNT / 100,
    customerName: 'Chidi Eze',
    customerEmail: 'chidi@example.com',
    paymentReference: reference,
    paymentDescription: 'Ada Fabrics',
    currencyCode: 'NGN',
    contractCode: SIMULATORS.monnify.settings.contractCode,
  });
const openAccount = (transactionReference: string) =>
  call('POST', '/api/v1/merchant/bank-transfer/init-payment', { transactionReference });
const lookUp = (reference: string) =>
  call('GET', `/api/v2/merchant/transactions/query?paymentReference=${encodeURIComponent(reference)}`);
const search = () => call('GET', '/api/v1/transactions/search?page=0&size=100&from=0&to=9999999999999');
const pay = async (accountNumber: string, amount = AMOUNT): Promise<string> => {
  const { transferId } = await simulator.pay({ provider: 'monnify', accountNumber, amount, senderName: 'Chidi Eze' });
  await simulator.settled();
  return transferId;
};
const payOnce = async (amount = AMOUNT): Promise<string> => {
  const { responseBody } = await initialise(REFERENCE);
  return pay((await openAccount(responseBody.transactionReference)).responseBody.accountNumber, amount);
};
const lastNotification = () => JSON.parse(receiver.received.at(-1)?.body ?? 'null') as unknown;

const expectShape = (fixture: Fixture, answer: unknown): void => {
  expect(shapeDifferences(fixture, answer)).toEqual([]);
};

test('the simulated Monnify’s answers about logins and accounts have the shapes of the fixtures', async () => {
  expectShape(answers.logIn, await logIn());
  expectShape(answers.expiredToken, await call('GET', `${ACCOUNTS}/${ACCOUNT}`, undefined, 'Bearer none'));
  expectShape(answers.reserveAccount, await reserve(ACCOUNT));
  expectShape(answers.repeatedAccountReference, await reserve(ACCOUNT, '22212345679'));
  const second = await reserve('va_01KB000000000000000000000B');
  expectShape(answers.secondAccount, second);
  expect(second.responseCode).toBe(answers.secondAccount.body.responseCode);
  expectShape(answers.findAccount, await call('GET', `${ACCOUNTS}/${ACCOUNT}`));
  simulator.prefer('monnify', { bankCodes: 'number' });
  expectShape(answers.reserveAccountNumericBank, await call('GET', `${ACCOUNTS}/${ACCOUNT}`));
  simulator.prefer('monnify', {});
  const close = `/api/v1/bank-transfer/reserved-accounts/reference/${ACCOUNT}`;
  expectShape(answers.closeAccount, await call('DELETE', close));
});

test('the simulated Monnify’s answers about payments have the shapes of the fixtures', async () => {
  expectShape(answers.unknownTransaction, await lookUp(REFERENCE));
  const initialised = await initialise(REFERENCE);
  expectShape(answers.initialiseTransaction, initialised);
  expectShape(answers.repeatedPaymentReference, await initialise(REFERENCE));
  const opened = await openAccount(initialised.responseBody.transactionReference);
  expectShape(answers.initialiseTransfer, opened);
  expectShape(answers.lookUpPending, await lookUp(REFERENCE));
  await pay(opened.responseBody.accountNumber);
  expectShape(answers.lookUpPaid, await lookUp(REFERENCE));
  const { accounts } = (await reserve(ACCOUNT)).responseBody;
  await pay(accounts[0].accountNumber);
  const [toAccount] = (await search()).responseBody.content;
  expectShape(answers.lookUpPaidToAccount, await lookUp(toAccount.paymentReference));
});

test.each([
  ['status', 100_000, 'lookUpPartlyRefunded'],
  ['status', AMOUNT, 'lookUpRefunded'],
  ['amount', 100_000, 'lookUpReduced'],
  ['reversed', AMOUNT, 'lookUpReversed'],
] as const)(
  'a look-up at the simulated Monnify under the reading "%s" after a refund of %i kobo matches the fixture %s',
  async (refunds, amount, name) => {
    simulator.prefer('monnify', { refunds });
    simulator.refund(await payOnce(), { amount });
    const answer = await lookUp(REFERENCE);
    expectShape(answers[name], answer);
    const { paymentStatus, amountPaid } = answers[name].body.responseBody as Record<string, string>;
    expect(answer.responseBody).toMatchObject({ paymentStatus, amountPaid });
  },
);

test('rows of the simulated Monnify’s list have the shapes of the fixtures under each reading', async () => {
  const newest = async () => (await search()).responseBody.content[0];
  await initialise('PAY-7H2KQ9XW4M1ZB8T5RC3P');
  expectShape(rows.pending, await newest());
  const transferId = await payOnce();
  expectShape(rows.paid, await newest());
  simulator.prefer('monnify', { rows: 'paid' });
  expectShape(rows.paidWithAmount, await newest());
  simulator.prefer('monnify', { refunds: 'status' });
  simulator.refund(transferId, { amount: 100_000 });
  expectShape(rows.partlyRefunded, await newest());
  simulator.refund(transferId);
  expectShape(rows.refunded, await newest());
  await pay((await reserve(ACCOUNT)).responseBody.accounts[0].accountNumber);
  expectShape(rows.paidToAccount, await newest());
  const page = await search();
  expectShape(answers.searchPage, page);
});

test('the simulated Monnify’s notifications have the shapes of the fixtures', async () => {
  const { accounts } = (await reserve(ACCOUNT)).responseBody;
  await pay(accounts[0].accountNumber);
  expectShape(events.paidToAccount, lastNotification());
  await payOnce(AMOUNT - 100_000);
  expectShape(events.rejected, lastNotification());
  const opened = await openAccount((await lookUp(REFERENCE)).responseBody.transactionReference);
  const transferId = await pay(opened.responseBody.accountNumber);
  expectShape(events.paid, lastNotification());
  simulator.refund(transferId, { amount: 100_000, stage: 'failed' });
  await simulator.settled();
  expectShape(events.refundFailed, lastNotification());
  simulator.refund(transferId, { amount: 100_000 });
  await simulator.settled();
  expectShape(events.refunded, lastNotification());
});

test('the simulated Monnify refunds at most the kept amount of a transfer', async () => {
  const transferId = await payOnce();
  simulator.refund(transferId, { amount: AMOUNT - 1 });
  for (const amount of [0, 2])
    expect(() => simulator.refund(transferId, { amount })).toThrow('keeps less of this transfer');
  expect(simulator.books.totalKept()).toBe(1);
});
