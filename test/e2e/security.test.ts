import { request } from 'node:http';
import { newApiKey } from '#shared/businesses/domain/api-key.ts';
import type { Contract } from '#shared/platform/contract/contract.ts';
import { runtime } from '#shared/platform/runtime.ts';
import { checkAgainstDocument } from '#test/support/hostile/document-seen.ts';
import { testRows } from '#test/support/jest/long.ts';
import {
  ENDPOINTS,
  exampleBody,
  findResource,
  formatRoute,
  OPEN_ROUTES,
  pathTo,
  type Resource,
} from '#test/support/worlds/endpoints.ts';
import {
  type Call,
  call,
  eventually,
  type HttpAnswer,
  type Merchant,
  openBusiness,
} from '#test/support/worlds/merchant.ts';
import { type Receiver, startReceiver } from '#test/support/worlds/receiver.ts';
import { toJsonSchema } from '#test/support/worlds/schema-of.ts';
import { openTarget, type Target, watched } from '#test/support/worlds/stack.ts';

/*
 * Tests authentication, modes and isolation over HTTP, at every endpoint of the manifest. Other tests: the order of errors for every pair
 * in test/unit/api/api-order.test.ts, whitelist entries in test/unit/businesses/ip-whitelist.test.ts, rate limits in
 * test/integration/api/rate-limit.test.ts.
 */

const MISSING = [401, 'missing_api_key', 'Authorization header with a Bearer API key is required.'];
const INVALID = [401, 'invalid_api_key', 'Invalid API key.'];
const CHALLENGES: Record<string, string> = {
  missing_api_key: 'Bearer',
  invalid_api_key: 'Bearer error="invalid_token"',
};
const NOT_PUBLIC = [
  403,
  'public_key_not_permitted',
  'Public key authentication is only permitted for checkout initialization.',
];
const NO_BUSINESS_ID = [400, 'business_id_required', 'X-Business-ID header is required with a public key.'];
const OTHER_BUSINESS_ID = [403, 'business_id_mismatch', 'X-Business-ID does not match this API key.'];
const NOT_WHITELISTED = [403, 'ip_not_whitelisted', 'Request IP is not whitelisted.'];
const NO_SIMULATION = [
  403,
  'simulation_requires_test_key',
  'Simulation is only available with sandbox (test) API keys.',
];
const NO_PATH = [
  404,
  'not_found',
  'No such endpoint. The paths of the API begin with /api/v1, and /docs describes them.',
];
const INVALID_DATA = [422, 'validation_failed', 'The given data was invalid.'];
const NOT_FOUND: Readonly<Record<Resource, unknown[]>> = {
  virtual_account: [404, 'virtual_account_not_found', 'Virtual account not found.'],
  checkout: [404, 'checkout_not_found', 'Checkout not found.'],
  payment: [404, 'payment_not_found', 'Payment not found.'],
  webhook_endpoint: [404, 'webhook_endpoint_not_found', 'Webhook endpoint not found.'],
  event: [404, 'event_not_found', 'Event not found.'],
};
/** Well-formed ids that do not exist. */
const UNKNOWN_IDS: Readonly<Record<Resource, string>> = {
  virtual_account: 'va_01KDVDNX1Q0Y8J6W6KZ0H3S5TA',
  checkout: 'PAY-AAAAAAAAAAAAAAAAAAAA',
  payment: 'pay_01KDVDNX1Q0Y8J6W6KZ0H3S5TA',
  webhook_endpoint: 'whe_01KDVDNX1Q0Y8J6W6KZ0H3S5TA',
  event: 'evt_01KDVDNX1Q0Y8J6W6KZ0H3S5TA',
};

const outcome = ({ status, json }: HttpAnswer) => [status, json.code, json.message];
const fields = ({ json }: HttpAnswer) => json.errors?.map(({ field }: { field: string }) => field);

const ALL = ENDPOINTS.map((contract): [string, Contract] => [formatRoute(contract), contract]);
const WITH_ID = ALL.filter(([, contract]) => findResource(contract) !== undefined);
const SIMULATIONS = ALL.filter(([, { testOnly }]) => testOnly);
const FOR_SECRET_KEYS = ALL.filter(([, { keys }]) => !keys.includes('public'));
/** The list of waiting deliveries is missing because there are none here: test/integration/webhooks/endpoint-health.test.ts tests it. */
const LISTS = ALL.filter(
  ([route, { query, success }]) =>
    success.type === undefined && !route.endsWith('/deliveries') && 'cursor' in (toJsonSchema(query).properties ?? {}),
);
/** The body fields that hold the id of a resource. */
const ID_FIELDS = ENDPOINTS.flatMap((contract) => {
  const { properties = {} } = contract.body ? toJsonSchema(contract.body) : {};
  return Object.keys(properties)
    .filter((name) => /(^|_)(id|reference)$/.test(name) && name !== 'merchant_reference')
    .map((name) => `${formatRoute(contract)} ${name}`);
});

/** Sends a request with headers exactly as given; `fetch` would join repeated headers. */
const rawRequest = (
  { baseUrl }: Target,
  method: string,
  path: string,
  headers: string[],
  body: string,
): Promise<HttpAnswer> =>
  new Promise((resolve, reject) => {
    const length = ['content-length', String(Buffer.byteLength(body))];
    const url = `${baseUrl}${path}`;
    const sent = ['host', new URL(url).host, ...length, ...headers] as never;
    const outgoing = request(url, { method, headers: sent }, async (incoming) => {
      const chunks: Buffer[] = [];
      for await (const chunk of incoming) chunks.push(chunk as Buffer);
      const text = Buffer.concat(chunks).toString();
      const answer = { status: incoming.statusCode ?? 0, headers: new Headers(incoming.headers as never), text };
      await checkAgainstDocument(method, path, answer);
      // The search for secrets in logs sees only requests through `fetch`, so note this request here.
      watched()?.noteHeaders(headers);
      for (const content of [body, text]) watched()?.note(content);
      resolve({ ...answer, json: JSON.parse(text) });
    });
    outgoing.on('error', reject).end(body);
  });

describe('keys, modes and isolation', () => {
  let target: Target;
  let receiver: Receiver;
  /** The owner of the resources that the others must not see, in test mode. */
  let ours: Merchant;
  let other: Merchant;
  let suspended: Merchant;
  const keys = { rolled: '', revoked: '', offWhitelist: '', liveOffWhitelist: '' };
  let resources: Record<Resource, string>;

  const ask = (method: string, path: string, rest: Call = {}) => call(target, method, `/api/v1${path}`, rest);
  /** Sends a valid request to an endpoint, with the given parts replaced. */
  const askEndpoint = (contract: Contract, { id, ...rest }: Call & { id?: string } = {}) => {
    const resource = findResource(contract);
    const body = contract.body === null ? {} : { body: exampleBody(contract) };
    return call(target, contract.method, pathTo(contract, id ?? (resource ? UNKNOWN_IDS[resource] : '')), {
      ...body,
      ...rest,
    });
  };

  beforeAll(async () => {
    [target, receiver] = await Promise.all([openTarget(), startReceiver()]);
    const open = (name: string) => openBusiness(target, name);
    const [first, second, third, fourth] = await Promise.all(
      ['Ada Stores Limited', 'Somebody Else', 'Kano Textiles', 'Mushin Motors'].map(open),
    );
    if (!first || !second || !third || !fourth) throw new Error('The operations command made no business.');
    [ours, other, suspended] = [first, second, third];
    const revoked = await target.ops('key', 'create', '--business', fourth.id, '--mode', 'test', '--kind', 'secret');
    await Promise.all([
      target.ops('business', 'suspend', suspended.id),
      target.ops('key', 'revoke', revoked.key.id),
      target.ops('whitelist', 'set', fourth.secretTest.id, '203.0.113.7', '2001:db8::/32'),
      target.ops('whitelist', 'set', fourth.secretLive.id, '203.0.113.7'),
    ]);
    const rolled = await target.ops('key', 'roll', fourth.secretTest.id, '--grace', '0h');
    Object.assign(keys, { rolled: fourth.secretTest.key, revoked: revoked.key.key });
    Object.assign(keys, { offWhitelist: rolled.key.key, liveOffWhitelist: fourth.secretLive.key });

    // Create two of each, so that every list has a second page.
    const account = {
      customer_name: 'Amara Okonkwo',
      customer_email: 'amara.okonkwo@example.com',
      provider: 'monnify',
    };
    const checkout = { amount: 8_500.75, payer_email: 'ngozi.eze@example.com', merchant_reference: 'INV-2026-0117' };
    const endpoint = await ours.api('POST', '/webhook-endpoints', { body: { url: receiver.url } });
    const [virtualAccount] = (await ours.api('POST', '/virtual-accounts', { body: account })).json.accounts;
    await ours.api('POST', '/virtual-accounts', { body: account });
    let payment = '';
    for (const amount of [100, 200]) {
      const path = `/virtual-accounts/${virtualAccount.id}/sandbox/simulate`;
      payment = (await ours.api('POST', path, { body: { amount } })).json.data.id;
    }
    const opened = await ours.api('POST', '/checkout/initialize', { body: checkout });
    await ours.api('POST', '/checkout/initialize', { body: { ...checkout, merchant_reference: null } });
    const event = await eventually(
      'two events are listed',
      async () => (await ours.api('GET', '/events')).json.data[1],
    );
    resources = {
      virtual_account: virtualAccount.id,
      checkout: opened.json.data.reference,
      payment,
      webhook_endpoint: endpoint.json.data.id,
      event: event.id,
    };
  });
  afterAll(async () => {
    await receiver.stop();
    await target.stop();
  });

  describe('without a valid key', () => {
    const BAD_KEYS: [string, () => Record<string, string>, unknown[]][] = [
      ['no key', () => ({}), MISSING],
      ['a blank header', () => ({ authorization: ' ' }), MISSING],
      ['Bearer alone', () => ({ authorization: 'Bearer' }), MISSING],
      ['another scheme', () => ({ authorization: `Basic ${ours.secretTest.key}` }), MISSING],
      ['a key without Bearer', () => ({ authorization: ours.secretTest.key }), MISSING],
      [
        'two keys in one header',
        () => ({ authorization: `Bearer ${ours.secretTest.key}, Bearer ${ours.secretTest.key}` }),
        INVALID,
      ],
      [
        'a mistyped key',
        () => ({ authorization: `Bearer ${ours.secretTest.key.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a'))}` }),
        INVALID,
      ],
      [
        'the other mode’s prefix',
        () => ({ authorization: `Bearer ${ours.secretTest.key.replace('test', 'live')}` }),
        INVALID,
      ],
      [
        'a key that was never issued',
        () => ({ authorization: `Bearer ${newApiKey('secret', 'test', runtime.randomBytes)}` }),
        INVALID,
      ],
      ['a revoked key', () => ({ authorization: `Bearer ${keys.revoked}` }), INVALID],
      ['a rolled key past its grace', () => ({ authorization: `Bearer ${keys.rolled}` }), INVALID],
      ['a suspended business’s test key', () => ({ authorization: `Bearer ${suspended.secretTest.key}` }), INVALID],
      ['a suspended business’s live key', () => ({ authorization: `Bearer ${suspended.secretLive.key}` }), INVALID],
    ];

    testRows(ALL)('%s rejects every request', async (_, contract) => {
      const answers = await Promise.all(BAD_KEYS.map(([, headers]) => askEndpoint(contract, { headers: headers() })));
      const outcomes = answers.map((answer, i) => [BAD_KEYS[i]?.[0], ...outcome(answer)]);
      expect(outcomes).toEqual(BAD_KEYS.map(([name, , expected]) => [name, ...expected]));
      for (const { json, headers } of answers) {
        expect(Object.keys(json)).toEqual(['status', 'message', 'code', 'request_id']);
        expect(json.request_id).toBe(headers.get('x-request-id'));
        expect(headers.get('ratelimit')).toBeNull();
        // RFC 6750, section 3: the challenge names no error if no key was presented.
        expect(headers.get('www-authenticate')).toBe(CHALLENGES[json.code]);
      }
    });

    test('a repeated Authorization or Idempotency-Key header is rejected, even with equal values', async () => {
      const { key } = ours.secretTest;
      const bearer = ['authorization', `Bearer ${key}`];
      const once = ['idempotency-key', 'order-1'];
      const send = (headers: string[]) =>
        rawRequest(
          target,
          'POST',
          '/api/v1/checkout/initialize',
          ['content-type', 'application/json', ...headers],
          JSON.stringify({ amount: 100, payer_email: 'ngozi.eze@example.com' }),
        );
      expect(outcome(await send([...bearer, ...bearer]))).toEqual(INVALID);
      const answer = await send([...bearer, ...once, ...once]);
      expect([outcome(answer), fields(answer)]).toEqual([INVALID_DATA, ['Idempotency-Key']]);
    });

    test.each(OPEN_ROUTES)('%s needs no key', async (route) => {
      const [method = '', path = ''] = route.split(' ');
      const filled = path.replace(/\{\w+\}/, 'paystack');
      const answer = await fetch(`${target.baseUrl}${filled}`, { method });
      const text = await answer.text();
      await checkAgainstDocument(method, filled, { status: answer.status, headers: answer.headers, text });
      // This route checks a provider's signature instead of a key, if the stage has enabled the provider.
      if (path.startsWith('/providers/')) {
        expect(['invalid_signature', 'not_found']).toContain(JSON.parse(text).code);
      } else expect(answer.status).toBe(200);
    });

    test.each([
      ['GET', '/api/v1/nothing'],
      ['GET', '/'],
      ['GET', '/api/v1/checkout/verify/'],
      ['POST', '/providers/nobody/notifications'],
    ])('%s %s is 404 with and without a key', async (method, path) => {
      expect(outcome(await call(target, method, path))).toEqual(NO_PATH);
      expect(outcome(await call(target, method, path, { key: ours.secretTest.key }))).toEqual(NO_PATH);
    });

    test.each([
      ['PUT', '/api/v1/checkouts', 'GET'],
      ['HEAD', '/api/v1/checkouts', 'GET'],
      ['GET', '/api/v1/checkout/initialize', 'POST'],
      ['PUT', '/api/v1/virtual-accounts/va_01KDVDNX1Q0Y8J6W6KZ0H3S5TA', 'DELETE, GET'],
      ['POST', '/health', 'GET, HEAD'],
      ['GET', '/providers/paystack/notifications', 'POST'],
    ])('%s %s is 405 with and without a key', async (method, path, allowed) => {
      for (const key of [undefined, ours.secretTest.key]) {
        const answer = await call(target, method, path, key === undefined ? {} : { key });
        expect([answer.status, answer.headers.get('allow')]).toEqual([405, allowed]);
        if (method === 'HEAD') continue;
        const message = `This path takes ${allowed.replace(', ', ' and ')}.`;
        expect(outcome(answer)).toEqual([405, 'method_not_allowed', message]);
      }
    });

    test('a revoked key stops with the next request, and a rolled key works until its grace ends', async () => {
      const get = (key: string) => ask('GET', '/checkouts', { key });
      const rolled = await target.ops('key', 'roll', other.secretLive.id, '--grace', '1h');
      expect((await get(rolled.key.key)).status).toBe(200);
      expect((await get(other.secretLive.key)).status).toBe(200);
      await target.ops('key', 'revoke', rolled.key.id);
      expect(outcome(await get(rolled.key.key))).toEqual(INVALID);
    });
  });

  describe('secret and public keys', () => {
    testRows(ALL)('%s accepts a secret key', async (_, contract) => {
      const { status } = await askEndpoint(contract, { key: other.secretTest.key });
      expect([401, 403]).not.toContain(status);
    });

    testRows(FOR_SECRET_KEYS)(
      '%s rejects a public key with the message of the service description',
      async (_, contract) => {
        for (const { key } of [ours.publicTest, ours.publicLive]) {
          for (const headers of [{}, { 'x-business-id': ours.id }]) {
            expect(outcome(await askEndpoint(contract, { key, headers }))).toEqual(NOT_PUBLIC);
          }
        }
      },
    );

    test('only initializing a checkout accepts public keys', () => {
      const open = ENDPOINTS.filter(({ keys: kinds }) => kinds.includes('public')).map(formatRoute);
      expect(open).toEqual(['POST /api/v1/checkout/initialize']);
    });

    test.each<[string, () => Record<string, string>, unknown[]]>([
      ['no X-Business-ID', () => ({}), NO_BUSINESS_ID],
      ['a blank X-Business-ID', () => ({ 'x-business-id': ' ' }), NO_BUSINESS_ID],
      ['another business’s X-Business-ID', () => ({ 'x-business-id': other.id }), OTHER_BUSINESS_ID],
      ['an X-Business-ID in small letters', () => ({ 'x-business-id': ours.id.toLowerCase() }), OTHER_BUSINESS_ID],
      [
        'two X-Business-IDs, the key’s own among them',
        () => ({ 'x-business-id': `${ours.id}, ${other.id}` }),
        OTHER_BUSINESS_ID,
      ],
      ['the key’s own X-Business-ID', () => ({ 'x-business-id': ours.id }), [201, undefined, 'Checkout initialized.']],
    ])('initializing a checkout with a public key and %s gets the right answer', async (_, headers, expected) => {
      const body = { amount: 100, payer_email: 'ngozi.eze@example.com' };
      const { key } = ours.publicTest;
      expect(outcome(await ask('POST', '/checkout/initialize', { key, body, headers: headers() }))).toEqual(expected);
    });

    test('a secret key ignores X-Business-ID', async () => {
      const headers = { 'x-business-id': ours.id };
      expect((await ask('GET', '/checkouts', { key: other.secretLive.key, headers })).json.data).toEqual([]);
    });
  });

  describe('the mode of a request', () => {
    test('follows the key, and not the body, the query or a header', async () => {
      const body = { url: receiver.url, mode: 'live' };
      const headers = { 'x-mode': 'live', 'x-business-id': other.id };
      const created = await ask('POST', '/webhook-endpoints?mode=live', { key: other.secretTest.key, body, headers });
      expect([created.status, created.json.data.mode]).toEqual([201, 'test']);
      await ask('DELETE', `/webhook-endpoints/${created.json.data.id}`, { key: other.secretTest.key });
    });

    test.each(SIMULATIONS)(
      'must be test for %s: a live key gets the message of the service description',
      async (_, contract) => {
        expect(outcome(await askEndpoint(contract, { key: ours.secretLive.key }))).toEqual(NO_SIMULATION);
      },
    );
  });

  describe('the IP whitelist of a secret key', () => {
    const ADDRESS_HEADERS = [
      'x-forwarded-for',
      'x-real-ip',
      'forwarded',
      'true-client-ip',
      'cf-connecting-ip',
      'x-client-ip',
    ];

    test.each(ALL)('rejects another address at %s with the message of the service description', async (_, contract) => {
      expect(outcome(await askEndpoint(contract, { key: keys.offWhitelist }))).toEqual(NOT_WHITELISTED);
    });

    test.each(ADDRESS_HEADERS)('ignores the address in the header %s', async (header) => {
      for (const address of ['203.0.113.7', '2001:db8::1', '203.0.113.7, 10.0.0.1']) {
        const headers = { [header]: header === 'forwarded' ? `for="[${address}]"` : address };
        expect(outcome(await ask('GET', '/checkouts', { key: keys.offWhitelist, headers }))).toEqual(NOT_WHITELISTED);
      }
    });

    test('admits an address in one of its ranges, ignores headers, and restricts only its own key', async () => {
      const claim = { 'x-forwarded-for': '203.0.113.7' };
      // Every address; the first range is 0.0.0.0/0 in IPv6 form.
      await target.ops('whitelist', 'set', other.secretLive.id, '::ffff:0.0.0.0/96', '::/0');
      expect((await ask('GET', '/checkouts', { key: other.secretLive.key, headers: claim })).status).toBe(200);
      await target.ops('whitelist', 'set', other.secretLive.id, '203.0.113.7');
      expect(outcome(await ask('GET', '/checkouts', { key: other.secretLive.key }))).toEqual(NOT_WHITELISTED);
      expect((await ask('GET', '/checkouts', { key: other.secretTest.key })).status).toBe(200);
      const body = { amount: 100, payer_email: 'ngozi.eze@example.com' };
      const headers = { 'x-business-id': other.id };
      const { key } = other.publicTest;
      expect((await ask('POST', '/checkout/initialize', { key, body, headers })).status).toBe(201);
    });

    test('restricts nothing when it is empty', async () => {
      await target.ops('whitelist', 'clear', other.secretLive.id);
      expect((await ask('GET', '/checkouts', { key: other.secretLive.key })).status).toBe(200);
    });
  });

  describe('the order of errors', () => {
    const BIG = `{"amount": "x", "padding": "${'x'.repeat(66_000)}"`;
    const badHeaders = { 'content-type': 'text/plain', 'idempotency-key': 'one, two' };
    const badKeyOnly = { 'idempotency-key': 'one, two' };
    const simulate = (rest: Call) =>
      ask('POST', '/checkout/sandbox/simulate', { body: BIG, headers: badHeaders, ...rest });
    const initialize = (rest: Call) => ask('POST', '/checkout/initialize', { body: BIG, headers: badHeaders, ...rest });

    /** Each request also has the faults of all following rows. */
    test.each<[string, () => Promise<HttpAnswer>, unknown[]]>([
      ['no key', () => simulate({}), MISSING],
      ['a malformed key', () => simulate({ key: 'sk_test_' }), INVALID],
      ['a suspended business', () => simulate({ key: suspended.publicLive.key }), INVALID],
      ['a public key', () => simulate({ key: ours.publicLive.key }), NOT_PUBLIC],
      ['no X-Business-ID', () => initialize({ key: ours.publicTest.key }), NO_BUSINESS_ID],
      [
        'another X-Business-ID',
        () => initialize({ key: ours.publicTest.key, headers: { ...badHeaders, 'x-business-id': other.id } }),
        OTHER_BUSINESS_ID,
      ],
      ['an address off the whitelist', () => simulate({ key: keys.liveOffWhitelist }), NOT_WHITELISTED],
      ['a live key', () => simulate({ key: ours.secretLive.key }), NO_SIMULATION],
      [
        'the wrong media type',
        () => simulate({ key: ours.secretTest.key }),
        [415, 'unsupported_media_type', 'Content-Type must be application/json.'],
      ],
      [
        'too large a body',
        () => simulate({ key: ours.secretTest.key, headers: badKeyOnly }),
        [413, 'payload_too_large', 'Request body exceeds 64 KiB.'],
      ],
      [
        'broken JSON',
        () => simulate({ key: ours.secretTest.key, headers: badKeyOnly, body: '{"reference": 5' }),
        [400, 'malformed_json', 'Request body is not a valid JSON object.'],
      ],
    ])('reports %s before all following faults', async (_, send, expected) => {
      expect(outcome(await send())).toEqual(expected);
    });

    test('reports invalid data and a wrong Idempotency-Key next, together, then errors of the use case', async () => {
      const { key } = ours.secretTest;
      const invalid = await simulate({ key, headers: badKeyOnly, body: { reference: 5 } });
      expect([outcome(invalid), fields(invalid)]).toEqual([INVALID_DATA, ['reference', 'Idempotency-Key']]);
      const badKey = await simulate({ key, headers: badKeyOnly, body: { reference: UNKNOWN_IDS.checkout } });
      expect([outcome(badKey), fields(badKey)]).toEqual([INVALID_DATA, ['Idempotency-Key']]);
      const refused = await simulate({ key, headers: {}, body: { reference: UNKNOWN_IDS.checkout } });
      expect(outcome(refused)).toEqual(NOT_FOUND.checkout);
    });
  });

  describe('isolation', () => {
    const otherKeys = () => [
      { key: other.secretTest.key, isLive: false },
      { key: other.secretLive.key, isLive: true },
      { key: ours.secretLive.key, isLive: true },
    ];
    /** An answer without its request id. */
    const withoutRequestId = ({ status, json }: HttpAnswer) => ({ status, ...json, request_id: '' });

    test.each(WITH_ID)(
      '%s answers the same 404 for an id of another business or mode as for an unknown id',
      async (_, contract) => {
        const resource = findResource(contract) as Resource;
        for (const { key, isLive } of otherKeys()) {
          const theirs = await askEndpoint(contract, { key, id: resources[resource] });
          const unknown = await askEndpoint(contract, { key, id: UNKNOWN_IDS[resource] });
          expect(outcome(theirs)).toEqual(contract.testOnly && isLive ? NO_SIMULATION : NOT_FOUND[resource]);
          expect(withoutRequestId(theirs)).toEqual(withoutRequestId(unknown));
        }
      },
    );

    test('every body field that holds an id is covered by the next two tests', () => {
      expect(ID_FIELDS).toEqual([
        'POST /api/v1/checkout/sandbox/simulate reference',
        'POST /api/v1/events/{id}/redeliver endpoint_id',
      ]);
    });

    test('another business’s checkout cannot be simulated', async () => {
      const { key } = other.secretTest;
      const theirs = await ask('POST', '/checkout/sandbox/simulate', { key, body: { reference: resources.checkout } });
      expect(outcome(theirs)).toEqual(NOT_FOUND.checkout);
    });

    test('an event cannot be redelivered to an endpoint of another business', async () => {
      const { data } = (await other.api('POST', '/webhook-endpoints', { body: { url: receiver.url } })).json;
      const event = (await other.api('POST', `/webhook-endpoints/${data.id}/test`)).json.data.id;
      const body = { endpoint_id: resources.webhook_endpoint };
      const sent = await other.api('POST', `/events/${event}/redeliver`, { body });
      expect(outcome(sent)).toEqual(NOT_FOUND.webhook_endpoint);
      const theirs = await other.api('POST', `/events/${resources.event}/redeliver`, {
        body: { endpoint_id: data.id },
      });
      expect(theirs.status).toBe(404);
      await other.api('DELETE', `/webhook-endpoints/${data.id}`);
    });

    test.each(LISTS)('%s rejects a cursor of another business or mode', async (_, contract) => {
      const resource = findResource(contract);
      const path = pathTo(contract, resource ? resources[resource] : '').replace('/api/v1', '');
      const page = await eventually(`${path} has a second list page`, async () => {
        const { json } = await ours.api('GET', `${path}?limit=1`);
        return json.meta.next_cursor ? json : undefined;
      });
      expect((await ours.api('GET', `${path}?cursor=${page.meta.next_cursor}`)).status).toBe(200);
      for (const { key } of otherKeys()) {
        const answer = await ask('GET', `${path}?cursor=${page.meta.next_cursor}`, { key });
        expect([outcome(answer), fields(answer)]).toEqual([INVALID_DATA, ['cursor']]);
      }
    });

    test.each([
      '/checkouts',
      '/checkouts?merchant_reference=INV-2026-0117',
      '/checkouts?payer_email=ngozi.eze@example.com',
      '/payments',
      '/payments?payer_email=amara.okonkwo@example.com',
      '/virtual-accounts',
      '/virtual-accounts?customer_email=amara.okonkwo@example.com',
      '/events',
      '/webhook-endpoints',
    ])('%s shows nothing of another business or mode', async (path) => {
      expect((await ours.api('GET', path)).json.data.length).toBeGreaterThan(0);
      const known = Object.values(resources);
      for (const { key } of otherKeys()) {
        const { status, text } = await ask('GET', path, { key });
        expect(status).toBe(200);
        for (const id of known) expect(text).not.toContain(id);
        expect(text).not.toMatch(/INV-2026-0117|amara\.okonkwo/);
      }
    });

    test('the same merchant_reference and Idempotency-Key can be used by two businesses', async () => {
      const body = { amount: 8_500.75, payer_email: 'ngozi.eze@example.com', merchant_reference: 'INV-2026-0118' };
      const headers = { 'idempotency-key': 'order-0118' };
      const [mine, theirs] = [
        await ours.api('POST', '/checkout/initialize', { body, headers }),
        await other.api('POST', '/checkout/initialize', { body, headers }),
      ];
      expect([mine.status, theirs.status]).toEqual([201, 201]);
      expect(theirs.headers.get('idempotent-replayed')).toBeNull();
      expect(theirs.json.data.reference).not.toBe(mine.json.data.reference);
    });

    test('the requests of other businesses have changed no resource of the owner', async () => {
      const { json: account } = await ours.api('GET', `/virtual-accounts/${resources.virtual_account}`);
      expect(account.data.status).toBe('active');
      const { json: payments } = await ours.api('GET', `/virtual-accounts/${resources.virtual_account}/payments`);
      expect(payments.data).toHaveLength(2);
      const { json: checkout } = await ours.api('GET', `/checkout/verify/${resources.checkout}`);
      expect([checkout.data.status, checkout.data.version]).toEqual(['pending', 1]);
      const { json: endpoint } = await ours.api('GET', `/webhook-endpoints/${resources.webhook_endpoint}`);
      expect(endpoint.data).toMatchObject({ enabled: true, url: receiver.url });
    });
  });

  test('the keys of a suspended business work again after it is resumed', async () => {
    await target.ops('business', 'resume', suspended.id);
    expect((await ask('GET', '/checkouts', { key: suspended.secretTest.key })).status).toBe(200);
  });

  describe('every answer', () => {
    test('has its request id and the security headers, even if it is an error', async () => {
      const { key } = ours.secretTest;
      for (const answer of [
        await ask('GET', '/checkouts', { key }),
        await ask('GET', '/checkouts'),
        await ask('GET', '/nope'),
      ]) {
        expect(answer.headers.get('x-request-id')).toMatch(/\S+/);
        expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
        expect(answer.headers.get('strict-transport-security')).toMatch(/max-age=\d+/);
        expect(answer.headers.get('cache-control')).toBe('no-store');
        expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
      }
    });

    test('can be read by a browser from any origin, with the four request headers', async () => {
      const preflight = await fetch(`${target.baseUrl}/api/v1/checkout/initialize`, {
        method: 'OPTIONS',
        headers: {
          origin: 'https://shop.example.com',
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'authorization,content-type,x-business-id,idempotency-key',
        },
      });
      expect(preflight.status).toBe(204);
      expect(preflight.headers.get('access-control-allow-origin')).toBe('*');
      const allowed = (preflight.headers.get('access-control-allow-headers') ?? '').toLowerCase();
      for (const header of ['authorization', 'content-type', 'x-business-id', 'idempotency-key']) {
        expect(allowed).toContain(header);
      }
      const headers = { origin: 'https://shop.example.com' };
      const answer = await ask('GET', '/checkouts', { key: ours.secretTest.key, headers });
      expect(answer.headers.get('access-control-allow-origin')).toBe('*');
      const exposed = (answer.headers.get('access-control-expose-headers') ?? '').toLowerCase().split(/ *, */);
      expect(exposed).toEqual(
        expect.arrayContaining(['x-next-cursor', 'x-request-id', 'retry-after', 'ratelimit', 'ratelimit-policy']),
      );
    });
  });
});
