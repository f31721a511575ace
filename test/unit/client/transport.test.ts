import { isPaymentsError, Payments, PaymentsError } from '#shared/client/index.ts';
import { type Answer, startScriptedServer } from './server.ts';

let server: Awaited<ReturnType<typeof startScriptedServer>>;
let waits: number[];
beforeEach(async () => {
  server = await startScriptedServer();
  waits = [];
});
afterEach(() => server.stop());

const client = (more: object = {}) =>
  new Payments('sk_test_of_nobody', {
    baseUrl: server.baseUrl,
    timeoutMs: 5_000,
    random: () => 0.5,
    sleep: async (ms) => {
      waits.push(ms);
    },
    ...more,
  });
const CHECKOUT = { reference: 'PAY-LCSVC1BGZHIB6M8LGHWN', status: 'pending' };
const OK: Answer = { status: 201, body: { status: true, data: CHECKOUT } };
const errorWith = (status: number, code: string, headers: Record<string, string> = {}): Answer => ({
  status,
  body: { status: false, message: `It is ${code}.`, code, request_id: 'req-1' },
  headers,
});
const ORDER = { amount: 8_500.75, payer_email: 'tunde.bakare@example.com' };
const initialize = (more?: object) => client(more).checkouts.initialize(ORDER);
const catchError = async (work: Promise<unknown>): Promise<PaymentsError> => {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof PaymentsError)) throw new Error('The call did not fail with a PaymentsError.');
  return error;
};

test('a call sends the key, the body and an idempotency key, and returns the data', async () => {
  server.answer(OK);
  expect(await initialize({ businessId: 'biz_1' })).toEqual(CHECKOUT);
  const [sent] = server.requests;
  expect(sent).toMatchObject({ method: 'POST', url: '/api/v1/checkout/initialize', body: JSON.stringify(ORDER) });
  expect(sent?.headers).toMatchObject({
    authorization: 'Bearer sk_test_of_nobody',
    'x-business-id': 'biz_1',
    'content-type': 'application/json',
    'idempotency-key': expect.stringMatching(/^[0-9a-f-]{36}$/),
  });
});

test('a client without a key is refused', () => {
  expect(() => new Payments(undefined, { baseUrl: server.baseUrl })).toThrow('There is no API key.');
});

test('a call encodes its query and the parts of its path', async () => {
  server.answer({ status: 200, body: { data: [], meta: { next_cursor: null } } }, OK);
  await client().payments.list({ payer_email: 'a+b@example.com', outcome: undefined, min_amount: 0.5 }).page();
  await client().checkouts.verify('../keys?x');
  expect(server.requests.map(({ url }) => url)).toEqual([
    '/api/v1/payments?payer_email=a%2Bb%40example.com&min_amount=0.5',
    '/api/v1/checkout/verify/..%2Fkeys%3Fx',
  ]);
});

describe('a failed call', () => {
  test.each<[string, Answer]>([
    ['a connection that breaks', 'cut'],
    ['an overload', errorWith(503, 'service_unavailable')],
    ['a failure of the service', errorWith(500, 'internal_error')],
    ['a failure of the provider', errorWith(502, 'provider_error')],
    ['a rate limit', errorWith(429, 'rate_limited')],
    ['a first try that is still in progress', errorWith(409, 'idempotency_in_progress')],
    ['a gateway without a code', { status: 503, body: 'Service Unavailable' }],
  ])('is repeated under the same idempotency key after %s', async (_, answer) => {
    server.answer(answer, answer, OK);
    expect(await initialize()).toEqual(CHECKOUT);
    expect(new Set(server.requests.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
    expect(waits).toEqual([500, 1_000]);
  });

  test('waits as long as the API says, but at most a minute', async () => {
    server.answer(errorWith(503, 'provider_busy', { 'retry-after': '7' }), OK);
    await initialize();
    expect(waits).toEqual([7_000]);
    server.answer(errorWith(429, 'rate_limited', { 'retry-after': '61' }));
    expect(await catchError(initialize())).toMatchObject({ code: 'rate_limited', retryAfterSeconds: 61 });
    expect(waits).toEqual([7_000]);
  });

  test('ends after three tries, with the error of the last try', async () => {
    server.answer(...Array.from({ length: 3 }, () => errorWith(503, 'service_unavailable')));
    const error = await catchError(initialize());
    expect(error).toMatchObject({ code: 'service_unavailable', status: 503, requestId: 'req-1' });
    expect(error.message).toBe('It is service_unavailable.');
    expect(server.requests).toHaveLength(3);
  });

  test('is not repeated after a validation error, which names each wrong field', async () => {
    const errors = [{ field: 'amount', message: 'amount must be at least 1 naira.' }];
    const body = { status: false, message: 'amount must be at least 1 naira.', code: 'validation_failed', errors };
    server.answer({ status: 422, body, headers: { 'x-request-id': 'req-2' } });
    expect(await catchError(initialize())).toMatchObject({ code: 'validation_failed', errors, requestId: 'req-2' });
    expect(server.requests).toHaveLength(1);
  });

  test('is not repeated if a repetition could have a second effect, unless the API refused the call before any work', async () => {
    const create = () => client().webhookEndpoints.create({ url: 'https://hooks.adastores.example/payments' });
    for (const answer of ['cut', errorWith(500, 'internal_error')] satisfies Answer[]) {
      server.answer(answer);
      await catchError(create());
    }
    expect(waits).toEqual([]);
    server.answer(errorWith(429, 'rate_limited'), OK);
    await create();
    expect(waits).toEqual([500]);
    expect(server.requests.every(({ headers }) => headers['idempotency-key'] === undefined)).toBe(true);
  });

  test('has the code timed_out if no answer came in time', async () => {
    server.answer('hang');
    const slow = await catchError(initialize({ timeoutMs: 50, maxRetries: 0 }));
    expect([slow.code, slow.status, slow.message]).toEqual([
      'timed_out',
      undefined,
      'The API did not answer within 0.05 seconds.',
    ]);
  });

  // This is a test of its own, because the request of the test above may end before the server has read it.
  test('has the code connection_failed if the connection broke', async () => {
    server.answer('cut');
    expect(await catchError(initialize({ maxRetries: 0 }))).toMatchObject({ code: 'connection_failed' });
  });

  test('has the code unreadable_answer if an answer cannot be read', async () => {
    server.answer({ status: 201, body: '<html>', headers: { 'x-request-id': 'req-3' } });
    expect(await catchError(initialize())).toMatchObject({
      code: 'unreadable_answer',
      status: 201,
      requestId: 'req-3',
    });
    server.answer({ status: 404, body: '<html>' });
    expect(await catchError(initialize())).toMatchObject({ code: 'unreadable_answer', status: 404 });
  });

  test('can be aborted by its caller, also during a wait', async () => {
    const controller = new AbortController();
    server.answer(errorWith(503, 'service_unavailable'));
    const api = client({ sleep: async () => controller.abort(new Error('The order was dropped.')) });
    await expect(api.checkouts.initialize(ORDER, { signal: controller.signal })).rejects.toThrow(
      'The order was dropped.',
    );
    expect(server.requests).toHaveLength(1);
  });

  test('keeps the idempotency key of its caller', async () => {
    server.answer('cut', OK);
    await client().checkouts.initialize(ORDER, { idempotencyKey: 'ORDER-2026-00417' });
    expect(server.requests.map(({ headers }) => headers['idempotency-key'])).toEqual([
      'ORDER-2026-00417',
      'ORDER-2026-00417',
    ]);
  });

  test('can be recognised by its code, which the compiler then knows', () => {
    const error: unknown = new PaymentsError('Taken.', { code: 'duplicate_merchant_reference' });
    expect(isPaymentsError(error)).toBe(true);
    expect(isPaymentsError(error, 'checkout_not_found')).toBe(false);
    expect(isPaymentsError(new Error('Taken.'))).toBe(false);
    if (!isPaymentsError(error, 'duplicate_merchant_reference')) throw new Error('The code was not recognised.');
    const code: 'duplicate_merchant_reference' = error.code;
    expect(code).toBe('duplicate_merchant_reference');
  });
});

describe('a list', () => {
  const page = (items: readonly number[], next: string | null): Answer => ({
    status: 200,
    body: { data: items, meta: { has_more: next !== null, next_cursor: next } },
  });

  test('can be read one list page after the other under the same filters, including empty ones', async () => {
    server.answer(page([1, 2], 'b'), page([], 'c'), page([3], null));
    const items: unknown[] = [];
    for await (const item of client().payments.list({ outcome: 'accepted', limit: 2 })) items.push(item);
    expect(items).toEqual([1, 2, 3]);
    expect(server.requests.map(({ url }) => url)).toEqual([
      '/api/v1/payments?outcome=accepted&limit=2',
      '/api/v1/payments?outcome=accepted&limit=2&cursor=b',
      '/api/v1/payments?outcome=accepted&limit=2&cursor=c',
    ]);
  });

  test('reads no list page that is not needed', async () => {
    server.answer(page([1, 2], 'b'));
    for await (const _ of client().payments.list()) break;
    expect(server.requests).toHaveLength(1);
  });

  test('can be exported in parts, of which only the first has the header row', async () => {
    const csv = (body: string, next?: string): Answer => ({
      status: 200,
      body,
      headers: { 'content-type': 'text/csv', ...(next && { 'x-next-cursor': next }) },
    });
    server.answer(csv('id,amount\r\npay_2,5\r\n', 'b'), csv('id,amount\r\npay_1,7\r\n'));
    let file = '';
    for await (const text of client().payments.export({ from: '2026-11-01T00:00:00Z' })) file += text;
    expect(file).toBe('id,amount\r\npay_2,5\r\npay_1,7\r\n');
    expect(server.requests.map(({ url }) => url)).toEqual([
      '/api/v1/payments/export?from=2026-11-01T00%3A00%3A00Z',
      '/api/v1/payments/export?from=2026-11-01T00%3A00%3A00Z&cursor=b',
    ]);
  });
});
