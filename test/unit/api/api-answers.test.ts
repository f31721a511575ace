import { errorReply } from '#shared/api/http/answer.ts';
import type { Reply } from '#shared/api/http/types.ts';
import { keylessApi } from '#shared/api/keyless.ts';
import { API_ERRORS } from '#shared/platform/contract/errors.ts';
import { ApiError, DependencyUnavailable } from '#shared/platform/kernel/errors.ts';
import { log } from '#shared/platform/observability/log.ts';
import { apiEvent, lambdaContext } from '#test/support/worlds/api-event.ts';
import { type ChainOptions, chainOf, failNotPayable, KEY, makeCall, makePlanReply, without } from './chain.ts';
import { id, NOON, SHOP } from './examples.ts';

const INTERNAL_ERROR = (requestId: string) => ({
  status: false,
  message: 'Something went wrong on our side. Quote the request id when you contact us.',
  code: 'internal_error',
  request_id: requestId,
});

const SECURITY_HEADERS = {
  'strict-transport-security': expect.stringContaining('max-age='),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
};

const lowerCase = (headers: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

const failWith =
  (error: unknown): NonNullable<ChainOptions['work']> =>
  async () => {
    throw error;
  };

describe('every answer', () => {
  const ANSWERS: [string, number, ChainOptions, (event: ReturnType<typeof makeCall>) => ReturnType<typeof makeCall>][] =
    [
      ['a success', 201, {}, (event) => event],
      ['a missing key', 401, {}, (event) => without(event, 'authorization')],
      ['an invalid body', 422, {}, (event) => ({ ...event, body: '{}' })],
      ['an error of the work', 409, { work: failNotPayable }, (event) => event],
      ['a failure on our side', 500, { work: failWith(new Error('boom')) }, (event) => event],
      [
        'a table that does not answer',
        503,
        { work: failWith(new DependencyUnavailable('AWS did not answer.')) },
        (event) => event,
      ],
      ['a reply off its contract', 500, { work: async () => ({ status: 201, body: {} }) }, (event) => event],
    ];

  test.each(ANSWERS)(
    'carries security headers, its content type and its request id: %s',
    async (_, status, options, change) => {
      const answer = await chainOf(options).send(change(makeCall({ requestId: 'MTz9hjQ8IAMEPfA=' })));
      expect(answer.status).toBe(status);
      expect(lowerCase(answer.headers)).toMatchObject({
        ...SECURITY_HEADERS,
        'content-type': 'application/json; charset=utf-8',
        'x-request-id': 'MTz9hjQ8IAMEPfA=',
        'cache-control': 'no-store',
      });
      expect(lowerCase(answer.headers)).not.toHaveProperty('x-powered-by');
      expect(lowerCase(answer.headers)).not.toHaveProperty('server');
    },
  );

  test('has the request id of the gateway, never one from a header', async () => {
    const { call } = chainOf();
    const { headers } = await call({ requestId: 'gateway-1', headers: { 'x-request-id': 'mine' } });
    expect(headers['x-request-id']).toBe('gateway-1');
  });

  test.each(ANSWERS)(
    'leaves one log line with request, route and status, but without key or body: %s',
    async (_, status, options, change) => {
      const { send, lines } = chainOf(options);
      await send(change(makeCall({ requestId: 'gateway-2', body: { saver: 'Aisha Bello', bvn: '22212345678' } })));
      const answered = lines.map((line) => JSON.parse(line)).filter(({ event }) => event === 'request_answered');
      expect(answered).toEqual([
        expect.objectContaining({
          level: 'info',
          request_id: 'gateway-2',
          route: 'POST /api/v1/savings-plans',
          status,
          milliseconds: 0,
        }),
      ]);
      for (const secret of [KEY, KEY.slice(8, 40), 'Aisha', '22212345678']) expect(lines.join()).not.toContain(secret);
    },
  );

  test('leaves a log line with the business and key, if they are known', async () => {
    const { call, lines } = chainOf();
    await call();
    expect(JSON.parse(lines[0] ?? '{}')).toMatchObject({ business_id: SHOP, key_id: id('key'), mode: 'test' });
  });

  test.each(ANSWERS)(
    'leaves a log line with its caller’s address and its error code: %s',
    async (_, status, options, change) => {
      const { send, lines } = chainOf(options);
      const { body } = await send(
        change(makeCall({ sourceIp: '102.89.23.17', headers: { 'x-forwarded-for': '10.0.0.1' } })),
      );
      const answered = lines.map((line) => JSON.parse(line)).find(({ event }) => event === 'request_answered');
      expect(answered.source_ip).toBe('102.89.23.17');
      expect(answered.code).toBe(status < 400 ? undefined : body.code);
      expect(answered.code === undefined).toBe(status < 400);
      expect(lines.join()).not.toContain('10.0.0.1');
    },
  );

  test('leaves a log line with the code of a stored error, too', async () => {
    const { call, lines } = chainOf({ work: failNotPayable });
    for (const _ of [1, 2]) await call({ headers: { 'idempotency-key': 'again' } });
    expect(lines.map((line) => JSON.parse(line).code)).toEqual(['checkout_not_payable', 'checkout_not_payable']);
  });

  test('leaves a log line with the ids of the objects that it created', async () => {
    const { call, lines } = chainOf({
      work: async () => ({ ...makePlanReply('Aisha Bello'), created: [id('va'), id('va', 2)] }),
    });
    await call();
    expect(JSON.parse(lines[0] ?? '{}').changed_ids).toBe(`${id('va')} ${id('va', 2)}`);
    const none = chainOf();
    await none.call();
    expect(JSON.parse(none.lines[0] ?? '{}')).not.toHaveProperty('changed_ids');
  });

  test('leaves a log line with the id of a revoked key, because a thief may keep trying the key', async () => {
    const { call, lines } = chainOf({ key: { revokedAt: NOON } });
    expect((await call()).status).toBe(401);
    expect(JSON.parse(lines[0] ?? '{}')).toMatchObject({
      code: 'invalid_api_key',
      key_id: id('key'),
      business_id: SHOP,
      key_kind: 'secret',
    });
  });

  const OTHER_WHITELIST = { ipWhitelist: ['102.89.23.17'] };
  test.each<[string, string, ChainOptions]>([
    ['an address that is not whitelisted', 'ip_not_whitelisted', { key: OTHER_WHITELIST }],
    ['a rate limit', 'rate_limited', { counted: 2 }],
  ])('writes the log event secret_key_refused if a valid secret key is refused for %s', async (_, code, options) => {
    const { call, lines } = chainOf(options);
    await call({ requestId: 'gateway-5', sourceIp: '198.51.100.7' });
    const [refused, answered, ...more] = lines.map((line) => JSON.parse(line));
    expect([answered.event, more]).toEqual(['request_answered', []]);
    expect(refused).toMatchObject({
      level: 'warn',
      event: 'secret_key_refused',
      code,
      request_id: 'gateway-5',
      source_ip: '198.51.100.7',
      business_id: SHOP,
      key_id: id('key'),
      mode: 'test',
    });
  });

  test.each<[string, ChainOptions]>([
    ['a public key, which anybody may have', { key: { kind: 'public' }, counted: 2 }],
    ['a revoked key', { key: { revokedAt: NOON, ...OTHER_WHITELIST } }],
    ['a key that was never issued', { known: {} }],
    ['another error', { work: failNotPayable }],
    [
      'a limit that the work finds used up',
      { work: failWith(new ApiError('rate_limited', { retryAfterSeconds: 42 })) },
    ],
  ])('does not write the log event secret_key_refused for %s', async (_, options) => {
    const { call, lines } = chainOf(options);
    expect((await call({ headers: { 'x-business-id': SHOP } })).status).toBeGreaterThanOrEqual(400);
    expect(lines.map((line) => JSON.parse(line).event)).toEqual(['request_answered']);
  });
});

describe('an API error', () => {
  test.each(Object.entries(API_ERRORS))('has exactly status, message, code and request id: %s', async (code, table) => {
    const { call } = chainOf({ work: failWith(new ApiError(code as keyof typeof API_ERRORS)) });
    const { status, text } = await call({ requestId: 'gateway-3' });
    expect(status).toBe(table.status);
    expect(text).toBe(JSON.stringify({ status: false, message: table.message, code, request_id: 'gateway-3' }));
  });

  test('lists provider, message and code in the shape of validation errors if providers failed', async () => {
    const errors = [
      { provider: 'paystack', message: 'Duplicate identity document.', code: 'provider_refused' },
      {
        provider: 'monnify',
        message: 'monnify did not answer in time.',
        code: 'outcome_unknown',
        virtual_account_id: 'va_01KA0000000000000000000001',
      },
    ];
    const { call } = chainOf({
      work: async ({ requestId }) => errorReply('all_providers_failed', requestId, { errors, accounts: [] }),
    });
    expect(await call({ requestId: 'gateway-4' })).toMatchObject({
      status: 422,
      body: {
        status: false,
        message: 'No virtual account could be created. See errors.',
        code: 'all_providers_failed',
        request_id: 'gateway-4',
        errors,
        accounts: [],
      },
    });
  });

  test('may say when to try again', async () => {
    const { call } = chainOf({ work: failWith(new ApiError('idempotency_in_progress', { retryAfterSeconds: 2 })) });
    const { status, headers } = await call();
    expect([status, headers['retry-after']]).toEqual([409, '2']);
  });

  test('leaves no log line of a failure on our side', async () => {
    const { call, lines } = chainOf({ work: failNotPayable });
    await call();
    expect(lines.map((line) => JSON.parse(line).event)).toEqual(['request_answered']);
  });

  /** Statuses and messages that the API has promised. */
  test.each([
    ['missing_api_key', 401, 'Authorization header with a Bearer API key is required.'],
    ['invalid_api_key', 401, 'Invalid API key.'],
    ['public_key_not_permitted', 403, 'Public key authentication is only permitted for checkout initialization.'],
    ['business_id_required', 400, 'X-Business-ID header is required with a public key.'],
    ['business_id_mismatch', 403, 'X-Business-ID does not match this API key.'],
    ['ip_not_whitelisted', 403, 'Request IP is not whitelisted.'],
    ['simulation_requires_test_key', 403, 'Simulation is only available with sandbox (test) API keys.'],
    ['malformed_json', 400, 'Request body is not a valid JSON object.'],
    ['unsupported_media_type', 415, 'Content-Type must be application/json.'],
    ['payload_too_large', 413, 'Request body exceeds 64 KiB.'],
    ['validation_failed', 422, 'The given data was invalid.'],
    ['all_providers_failed', 422, 'No virtual account could be created. See errors.'],
    ['checkout_not_found', 404, 'Checkout not found.'],
    ['virtual_account_not_found', 404, 'Virtual account not found.'],
    ['event_not_found', 404, 'Event not found.'],
    ['webhook_endpoint_not_found', 404, 'Webhook endpoint not found.'],
    ['not_found', 404, 'No such endpoint. The paths of the API begin with /api/v1, and /docs describes them.'],
    ['method_not_allowed', 405, 'This path does not take this method.'],
    ['checkout_not_payable', 409, 'The state of the checkout does not allow this.'],
    ['nothing_to_reverse', 409, 'No accepted payment to reverse.'],
    ['virtual_account_inactive', 409, 'Virtual account is inactive.'],
    ['duplicate_merchant_reference', 409, 'merchant_reference was used before.'],
    ['delivery_in_progress', 409, 'A delivery of this event is in progress.'],
    ['endpoint_limit_reached', 409, 'A mode can have at most 5 webhook endpoints.'],
    ['idempotency_in_progress', 409, 'A request with this Idempotency-Key is still in progress.'],
    ['idempotency_key_reused', 422, 'This Idempotency-Key was used with a different request.'],
    ['internal_error', 500, 'Something went wrong on our side. Quote the request id when you contact us.'],
  ] as const)('has its promised status and message: %s, %i', (code, status, message) => {
    expect(API_ERRORS[code]).toMatchObject({ status, message });
  });
});

describe('the check of an answer', () => {
  test('leaves out fields that the contract does not name, at every depth', async () => {
    const data = { saver: 'Aisha Bello', bvn: '22212345678', bank: { code: '058', pin: '1234' } };
    const { call } = chainOf({ work: async () => ({ status: 201, body: { status: true, data, debug: 'x' } }) });
    expect((await call()).text).toBe('{"status":true,"data":{"saver":"Aisha Bello","bank":{"code":"058"}}}');
  });

  test.each<[string, Reply]>([
    ['a field missing', { status: 201, body: { status: true, data: { bvn: '22212345678' } } }],
    ['a field of another type', makePlanReply(22212345678)],
    ['no body', { status: 201, body: undefined }],
    ['another success status', { status: 200, body: { status: true, data: { saver: '22212345678' } } }],
    ['an error body with a success status', { status: 201, body: { status: false, message: '22212345678' } }],
    ['a success body with an error status', { status: 409, body: { status: true, data: { saver: '22212345678' } } }],
  ])('makes a 500 that reveals nothing: %s', async (_, reply) => {
    const { call, lines } = chainOf({ work: async () => reply });
    const { status, text } = await call({ requestId: 'gateway-5' });
    expect(status).toBe(500);
    expect(text).toBe(JSON.stringify(INTERNAL_ERROR('gateway-5')));
    expect(lines.join()).not.toContain('22212345678');
  });

  test('logs the names of the wrong fields, but not their values', async () => {
    const { call, lines } = chainOf({ work: async () => makePlanReply(22212345678) });
    await call({ requestId: 'gateway-6' });
    const entry = lines.map((line) => JSON.parse(line)).find(({ event }) => event === 'answer_off_contract');
    expect(entry).toMatchObject({ level: 'error', request_id: 'gateway-6' });
    expect(JSON.stringify(entry)).toContain('data.saver');
    expect(lines.join()).not.toContain('22212345678');
  });
});

describe('a failure on our side', () => {
  const SECRET_TEXT = `could not write {"customer_name":"Aisha Bello","bvn":"22212345678"} with ${KEY}`;
  class TableMissing extends Error {
    override readonly name = 'ResourceNotFoundException';
  }

  test.each([
    ['an error', new Error(SECRET_TEXT), 'Error'],
    ['an error with a cause', new Error(SECRET_TEXT, { cause: new Error(SECRET_TEXT) }), 'Error'],
    ['an error of several lines', new TypeError(`${SECRET_TEXT}\n  and ${SECRET_TEXT}`), 'TypeError'],
    [
      'an error of the SDK',
      Object.assign(new TableMissing(SECRET_TEXT), { $metadata: {} }),
      'ResourceNotFoundException',
    ],
    ['several errors', new AggregateError([new Error(SECRET_TEXT)], SECRET_TEXT), 'AggregateError'],
    ['a text', SECRET_TEXT, 'string'],
    ['an object', { message: SECRET_TEXT }, 'object'],
    ['null', null, 'object'],
    ['undefined', undefined, undefined],
  ])('becomes a 500 that reveals nothing, and a log line without the error’s text: %s', async (_, error, name) => {
    const { call, lines } = chainOf({ work: failWith(error) });
    const { status, text } = await call({ requestId: 'gateway-7' });
    expect(status).toBe(500);
    expect(text).toBe(JSON.stringify(INTERNAL_ERROR('gateway-7')));

    const failed = lines.map((line) => JSON.parse(line)).find(({ event }) => event === 'request_failed');
    expect(failed).toMatchObject({ level: 'error', request_id: 'gateway-7' });
    expect(failed.error_name).toBe(name);
    for (const secret of ['could not write', 'Aisha', '22212345678', KEY]) expect(lines.join()).not.toContain(secret);
  });

  test('becomes a 503 with Retry-After if AWS throttled, and a log line with the name that AWS gave the error', async () => {
    const throttled = Object.assign(new Error(SECRET_TEXT), { name: 'ProvisionedThroughputExceededException' });
    const { call, lines } = chainOf({ work: failWith(new DependencyUnavailable(SECRET_TEXT, throttled)) });
    const { status, headers, body } = await call();
    expect([status, body.code, headers['retry-after']]).toEqual([503, 'service_unavailable', '1']);
    const failed = lines.map((line) => JSON.parse(line)).find(({ event }) => event === 'request_failed');
    expect(failed).toMatchObject({ error_name: 'DependencyUnavailable', error_cause: throttled.name });
    expect(lines.join()).not.toContain('Aisha');
  });

  test('leaves a log line with the place where it happened', async () => {
    const { call, lines } = chainOf({ work: failWith(new Error('x')) });
    await call();
    expect(lines.join()).toContain('api-answers.test.ts');
  });

  test.each<[string, unknown, readonly string[], ChainOptions['key']?]>([
    ['a failure on our side', new Error('boom'), ['requests_failed']],
    ['a provider that fails', new ApiError('provider_error'), ['requests_failed'], { mode: 'live' }],
    ['the sandbox, whose failures are simulated', new ApiError('provider_error'), []],
    ['a provider that takes no more requests', new ApiError('provider_busy'), ['provider_busy']],
    ['an API error', new ApiError('checkout_not_payable'), []],
  ])('adds to the metrics of the alarms if its kind has one: %s', async (_, error, counted, key = {}) => {
    const { call, measured } = chainOf({ key, work: failWith(error) });
    await call();
    expect(measured).toEqual(counted);
  });

  test('becomes a 500, not a 401, if the key store fails', async () => {
    const known = new Proxy(
      {},
      {
        get: () => {
          throw new Error(SECRET_TEXT);
        },
      },
    );
    const { call, lines } = chainOf({ known });
    const { status, body } = await call({ requestId: 'gateway-8' });
    expect([status, body]).toEqual([500, INTERNAL_ERROR('gateway-8')]);
    expect(lines.join()).not.toContain('could not write');
  });
});

describe('an answer of an endpoint that takes no key', () => {
  const ask = async (work: () => Promise<Reply>) => {
    const { lines } = chainOf();
    const metrics = () => {};
    const handler = keylessApi({ now: () => NOON, log, metrics }, work);
    const event = apiEvent({ method: 'GET', path: '/api/v2/anything', requestId: 'gateway-9' });
    return { lines, answer: await handler(event, lambdaContext()) };
  };

  test.each([
    ['a path that does not exist', failWith(new ApiError('not_found')), 404, 'not_found', API_ERRORS.not_found.message],
    [
      'a queue that does not answer',
      failWith(new ApiError('service_unavailable', { message: 'The queue does not answer.' })),
      503,
      'service_unavailable',
      'The queue does not answer.',
    ],
    [
      'a failure on our side',
      failWith(new Error('boom 22212345678')),
      500,
      'internal_error',
      API_ERRORS.internal_error.message,
    ],
  ] as const)('has the same shape and headers as any other answer: %s', async (_, work, status, code, message) => {
    const { answer, lines } = await ask(work as () => Promise<Reply>);
    expect(answer.statusCode).toBe(status);
    expect(answer.body).toBe(JSON.stringify({ status: false, message, code, request_id: 'gateway-9' }));
    expect(lowerCase(answer.headers ?? {})).toMatchObject({ ...SECURITY_HEADERS, 'x-request-id': 'gateway-9' });
    expect(lines.join()).not.toContain('22212345678');
  });

  test('can be a success', async () => {
    const { answer } = await ask(async () => ({ status: 200, body: { status: true, data: { table: 'ok' } } }));
    expect([answer.statusCode, answer.body]).toEqual([200, '{"status":true,"data":{"table":"ok"}}']);
  });
});
