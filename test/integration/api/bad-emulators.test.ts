// biome-ignore lint/style/noRestrictedImports: the client of api-client.ts gives a function no time limit.
import { initializeCheckoutHandler } from '#functions/initialize-checkout/handler.ts';
import { businessReader } from '#shared/businesses/store/business-reader.ts';
import { keyStore } from '#shared/businesses/store/key-store.ts';
import { checkoutOpener } from '#shared/checkouts/store/checkout-store.ts';
import { ledger } from '#shared/payments/store/ledger.ts';
import { documentClients } from '#shared/platform/table/document-client.ts';
import { idempotencyStore } from '#shared/platform/table/idempotency-store.ts';
import { transactions } from '#shared/platform/table/transactions.ts';
import { virtualAccountStore } from '#shared/virtual-accounts/store/virtual-account-store.ts';
import type { Fault, Faults } from '#test/support/emulators/fault-proxy.ts';
import { describeRows } from '#test/support/jest/long.ts';
import { inRole } from '#test/support/permissions/roles.ts';
import { expectReplay } from '#test/support/worlds/answers.ts';
import { type ApiAnswer, createApiClient } from '#test/support/worlds/api-client.ts';
import { apiEvent, lambdaContext } from '#test/support/worlds/api-event.ts';
import { CHECKOUT, CUSTOMER, KEY } from '#test/support/worlds/keyed-requests.ts';
import { api, business, meter, openMerchantForEachTest, world } from '#test/support/worlds/test-merchant.ts';

/* Sends requests while the table throttles, fails, hangs or loses its answer, and then again under the same Idempotency-Key. */

openMerchantForEachTest({ metered: true });

const UNAVAILABLE = { status: 503, json: { code: 'service_unavailable' }, headers: { 'retry-after': '1' } };
const WRITE = 'TransactWriteItems';

const THROTTLED: Fault = {
  status: 400,
  body: { __type: 'com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException', message: 'slow down' },
};
const FAILED: Fault = {
  status: 500,
  body: { __type: 'com.amazonaws.dynamodb.v20120810#InternalServerError', message: 'Internal server error' },
};
const CANCELLED: Fault = {
  status: 400,
  body: {
    __type: 'com.amazonaws.dynamodb.v20120810#TransactionCanceledException',
    Message: 'Transaction cancelled, please refer cancellation reasons for specific reasons',
    CancellationReasons: [{ Code: 'None' }, { Code: 'ThrottlingError', Message: 'Throughput exceeds the limit' }],
  },
};

/** The most milliseconds that the client of these tests waits for an answer of the table. A deployed function waits for seconds. */
const ANSWER_MS = 200;
/** Makes an API client whose functions wait only briefly for the table, and do not repeat a call. aws-calls.test.ts tests the repeats. */
const impatientClient = () => {
  const { deps, table } = world;
  const clients = documentClients({ answerMs: ANSWER_MS, maxAttempts: 1 }, { endpoint: meter.endpoint });
  const quick = { ...table, ...clients };
  const { hashKey } = deps;
  const changed = {
    keys: keyStore(quick),
    idempotency: idempotencyStore(quick),
    transactions: transactions(quick),
    businesses: { ...deps.businesses, ...businessReader(quick) },
    checkouts: { ...deps.checkouts, ...checkoutOpener(quick, hashKey) },
    virtualAccounts: { ...deps.virtualAccounts, ...virtualAccountStore(quick, hashKey) },
    ledger: { ...deps.ledger, ...ledger(quick) },
  };
  return createApiClient({ ...world, deps: { ...deps, ...changed } }, business.keys.secret_test);
};

type Client = typeof api;
type Send = (client: Client) => Promise<ApiAnswer>;
/** Counts the stored objects that a request makes. */
const stored = async (sk: string): Promise<number> =>
  (await world.itemsOf(sk)).filter((item) => sk === 'PAY' || item.sk === sk).length;

/** The requests, with their preparation, the kind and number of objects that they make, and the status of a success. */
const REQUESTS: readonly [string, () => Promise<Send>, sk: string, effects: number, status: number][] = [
  ['initialize a checkout', async () => (client) => client.initialize(CHECKOUT, KEY), 'CHK', 1, 201],
  ['create virtual accounts', async () => (client) => client.createAccounts(CUSTOMER, KEY), 'VA', 3, 201],
  [
    'simulate a checkout’s payment',
    async () => {
      const { reference } = (await api.initialize(CHECKOUT)).json.data;
      return (client) => client.simulate({ reference }, KEY);
    },
    'PAY',
    1,
    200,
  ],
  [
    'simulate a transfer to a virtual account',
    async () => {
      const { id } = (await api.createAccounts({ ...CUSTOMER, banks: ['paystack'] })).json.accounts[0];
      return (client) => client.simulateAccount(id, { amount: 1_250.5 }, KEY);
    },
    'PAY',
    1,
    200,
  ],
];

const atWrite =
  (fault: Fault): Faults =>
  (operation) =>
    operation === WRITE ? fault : undefined;

describeRows(
  'a request to %s',
  REQUESTS,
  ([, , sk]) => sk === 'CHK',
  (_, prepare, sk, effects, status) => {
    test.each<[string, Faults]>([
      ['throttles every call', () => THROTTLED],
      ['throttles the write', atWrite(THROTTLED)],
      ['cancels the write because it throttles', atWrite(CANCELLED)],
      ['fails', atWrite(FAILED)],
      ['hangs at every call', () => 'hang'],
      ['hangs at the write', atWrite('hang')],
    ])('gets a 503 while the table %s, and does the work once when it is repeated', async (_title, faults) => {
      const send = await prepare();
      meter.inject(faults);
      expect(await send(impatientClient())).toMatchObject(UNAVAILABLE);
      expect(await stored(sk)).toBe(0);
      meter.inject(() => undefined);
      const retried = await send(api);
      expect([retried.status, retried.headers['idempotent-replayed']]).toEqual([status, undefined]);
      expect(await send(api)).toMatchObject(expectReplay(retried));
      expect(await stored(sk)).toBe(effects);
    });

    test('gets a 503 if the answer of the write is lost, and the first answer when it is repeated', async () => {
      const send = await prepare();
      meter.inject(atWrite('lose-answer'));
      expect(await send(api)).toMatchObject(UNAVAILABLE);
      meter.inject(() => undefined);
      const retried = await send(api);
      expect([retried.status, retried.headers['idempotent-replayed']]).toEqual([status, 'true']);
      expect(await stored(sk)).toBe(effects);
    });
  },
);

describe('a request whose function has almost no time left', () => {
  test.each([
    ['looks the key up', 'GetItem'],
    ['writes', 'TransactWriteItems'],
  ])('gets a 503 if the table hangs while it %s, and does the work once when it is repeated', async (_, operation) => {
    // 2.7 s are more than a function keeps for its own answer, and less than one attempt to call the table may take.
    const context = { ...lambdaContext(), getRemainingTimeInMillis: () => 2_700 };
    const headers = { authorization: `Bearer ${business.keys.secret_test}`, ...KEY };
    const handler = inRole('initialize-checkout', initializeCheckoutHandler(world.deps));
    const event = apiEvent({ path: '/api/v1/checkout/initialize', headers, body: CHECKOUT });
    let hung = 0;
    meter.inject((called) => {
      if (called !== operation) return undefined;
      hung += 1;
      return 'hang';
    });
    const { statusCode, headers: answerHeaders, body } = await handler(event, context);
    expect({ status: statusCode, json: JSON.parse(String(body)), headers: answerHeaders }).toMatchObject(UNAVAILABLE);
    // With more time, the AWS client would have tried three times.
    expect(hung).toBe(1);
    meter.inject(() => undefined);
    expect((await api.initialize(CHECKOUT, KEY)).status).toBe(201);
    expect(await stored('CHK')).toBe(1);
  });
});
