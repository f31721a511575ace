import { type Fault, type FaultProxy, startFaultProxy } from '#test/support/emulators/fault-proxy.ts';
import { eventually, type HttpAnswer, type Merchant, openBusiness } from '#test/support/worlds/merchant.ts';
import { type Stack, startStack } from '#test/support/worlds/stack.ts';

const CHECKOUT = { amount: 8_500.75, payer_email: 'ngozi.eze@example.com' };
const THROTTLED: Fault = {
  status: 400,
  body: {
    __type: 'com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException',
    message: 'The level of configured provisioned throughput for the table was exceeded.',
  },
};
const FAILED: Fault = {
  status: 500,
  body: { __type: 'com.amazonaws.dynamodb.v20120810#InternalServerError', message: 'Internal server error' },
};
/** The table calls that a request makes after its API key was accepted. */
const WORK_CALLS = new Set(['BatchGetItem', 'TransactWriteItems']);
const CONCURRENCY = 4;

const expectBusy = ({ status, json, headers }: HttpAnswer): void => {
  expect([status, json.code, headers.get('retry-after')]).toEqual([503, 'service_unavailable', '1']);
};

describe('a local stack whose table is overloaded', () => {
  let table: FaultProxy;
  let stack: Stack;
  let merchant: Merchant;
  beforeAll(async () => {
    table = await startFaultProxy(process.env.AWS_ENDPOINT_URL_DYNAMODB ?? '');
    const env = { DYNAMODB_ENDPOINT: table.endpoint, CONCURRENCY: String(CONCURRENCY), SWEEP_SECONDS: '60' };
    stack = await startStack({ env });
    merchant = await openBusiness(stack, 'Ada Stores Limited');
  });
  afterEach(() => table.inject(() => undefined));
  afterAll(async () => {
    await stack.stop();
    await table.stop();
  });

  const newCheckout = async (): Promise<string> =>
    (await merchant.api('POST', '/checkout/initialize', { body: CHECKOUT })).json.data.reference;
  /** Pays a checkout, each time under the same Idempotency-Key. */
  const pay = (reference: string): Promise<HttpAnswer> =>
    merchant.api('POST', '/checkout/sandbox/simulate', {
      body: { reference },
      headers: { 'idempotency-key': `order-${reference}` },
    });
  const verify = async (reference: string) => (await merchant.api('GET', `/checkout/verify/${reference}`)).json.data;

  test.each<[string, Fault]>([
    ['throttles', THROTTLED],
    ['fails', FAILED],
    ['cuts the connection after it has written', 'lose-answer'],
  ])('answers 503 while the table %s, and the same request pays once afterwards', async (_, fault) => {
    const reference = await newCheckout();
    table.inject((operation) => (operation === 'TransactWriteItems' ? fault : undefined));
    expectBusy(await pay(reference));
    table.inject(() => undefined);
    expect((await pay(reference)).status).toBe(200);
    expect((await pay(reference)).headers.get('idempotent-replayed')).toBe('true');
    expect(await verify(reference)).toMatchObject({ status: 'paid', paid_amount: 8_500.75, version: 2 });
  });

  test('answers 503 while the look-up of keys is throttled', async () => {
    table.inject((operation) => (operation === 'GetItem' ? THROTTLED : undefined));
    expectBusy(await merchant.api('GET', '/events'));
  });

  test('works on four requests at once; others wait or get 503, and every accepted payment is recorded once', async () => {
    const references: string[] = [];
    while (references.length < 3 * CONCURRENCY) references.push(await newCheckout());
    let atWork = 0;
    const waiting: (() => void)[] = [];
    let isHeld = true;
    table.hold((operation) => {
      if (!isHeld || !WORK_CALLS.has(operation)) return undefined;
      atWork += 1;
      return new Promise<void>((resolve) => waiting.push(resolve));
    });
    const paying = references.map((reference) => pay(reference));
    const answers: HttpAnswer[] = [];
    for (const payment of paying) void payment.then((answer) => answers.push(answer));
    await eventually('all but those at work are refused', () => answers.length === references.length - CONCURRENCY);
    for (const answer of answers) expectBusy(answer);
    expect(atWork).toBe(CONCURRENCY);
    isHeld = false;
    for (const go of waiting) go();
    const statuses = (await Promise.all(paying)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(CONCURRENCY);
    for (const [i, reference] of references.entries()) {
      if (statuses[i] !== 200) expect((await pay(reference)).status).toBe(200);
      expect(await verify(reference)).toMatchObject({ status: 'paid', paid_amount: 8_500.75, version: 2 });
    }
  });

  test('answers 503 within the time-out of a function when the table does not answer at all', async () => {
    const reference = await newCheckout();
    table.inject((operation) => (WORK_CALLS.has(operation) ? 'hang' : undefined));
    expectBusy(await pay(reference));
    table.inject(() => undefined);
    expect((await pay(reference)).status).toBe(200);
    expect(await verify(reference)).toMatchObject({ status: 'paid', paid_amount: 8_500.75, version: 2 });
  });
});
