import { request } from 'node:http';
import { call, type HttpAnswer, type Merchant, openBusiness } from '#test/support/merchant.ts';
import { openTarget, type Target } from '#test/support/stack.ts';

const CHECKOUT = { amount: 8_500.75, payer_email: 'ngozi.eze@example.com' };
const UNKNOWN = 'PAY-AAAAAAAAAAAAAAAAAAAA';

/** Sends headers as they are, twice where they stand twice, which `fetch` would join. */
const rawGet = (url: string, headers: string[]): Promise<{ status: number; json: { code: string } }> =>
  new Promise((resolve, reject) => {
    const outgoing = request(url, { headers: ['host', new URL(url).host, ...headers] as never }, async (incoming) => {
      const chunks: Buffer[] = [];
      for await (const chunk of incoming) chunks.push(chunk as Buffer);
      resolve({ status: incoming.statusCode ?? 0, json: JSON.parse(Buffer.concat(chunks).toString()) });
    });
    outgoing.on('error', reject).end();
  });

const outcome = ({ status, json }: HttpAnswer) => [status, json.code, json.message];

describe('authentication', () => {
  let target: Target;
  let merchant: Merchant;

  beforeAll(async () => {
    target = await openTarget();
    merchant = await openBusiness(target, 'Ada Stores Limited');
  });
  afterAll(() => target.stop());

  const get = (path: string, key?: string, headers: Record<string, string> = {}) =>
    call(target, 'GET', `/api/v1${path}`, { key, headers });
  const flip = (key: string): string => key.slice(0, 20) + (key[20] === 'a' ? 'b' : 'a') + key.slice(21);
  const INVALID = [401, 'invalid_api_key', 'Invalid API key.'];

  const ENDPOINTS: [string, string][] = [
    ['GET', '/virtual-accounts'],
    ['POST', '/virtual-accounts'],
    ['GET', '/virtual-accounts/va_01JD5Z0000000000000000000A'],
    ['GET', '/virtual-accounts/va_01JD5Z0000000000000000000A/payments'],
    ['DELETE', '/virtual-accounts/va_01JD5Z0000000000000000000A'],
    ['POST', '/virtual-accounts/va_01JD5Z0000000000000000000A/delete'],
    ['POST', '/virtual-accounts/va_01JD5Z0000000000000000000A/sandbox/simulate'],
    ['GET', `/checkout/verify/${UNKNOWN}`],
    ['GET', '/checkouts'],
    ['POST', '/checkout/sandbox/simulate'],
  ];

  test.each([...ENDPOINTS, ['POST', '/checkout/initialize']])('%s %s asks for a key', async (method, path) => {
    const answer = await call(target, method, `/api/v1${path}`, method === 'POST' ? { body: {} } : {});
    expect(outcome(answer)).toEqual([
      401,
      'missing_api_key',
      'Authorization header with a Bearer API key is required.',
    ]);
    expect(answer.json).toEqual({
      status: false,
      message: expect.any(String),
      code: 'missing_api_key',
      request_id: answer.headers.get('x-request-id'),
    });
  });

  test.each(ENDPOINTS)('%s %s refuses a public key, in the words of the service description', async (method, path) => {
    for (const key of [merchant.publicTest.key, merchant.publicLive.key]) {
      const headers = { 'x-business-id': merchant.id };
      const answer = await call(target, method, `/api/v1${path}`, {
        key,
        headers,
        ...(method === 'POST' && { body: {} }),
      });
      expect([answer.status, answer.json.message]).toEqual([
        403,
        'Public key authentication is only permitted for checkout initialization.',
      ]);
    }
  });

  test('refuses every key that it did not issue with one text', async () => {
    const good = merchant.secretTest.key;
    const wrong = [
      flip(good),
      good.replace('sk_test_', 'sk_live_'),
      good.replace('sk_', 'rk_'),
      `${good}x`,
      good.slice(0, -1),
      'sk_test_',
      'hello',
    ];
    for (const key of wrong) expect(outcome(await get('/checkouts', key))).toEqual(INVALID);
    expect(outcome(await get('/checkouts', undefined, { authorization: `Basic ${good}` }))).toEqual(INVALID);
    expect((await get('/checkouts', good)).status).toBe(200);
    expect((await get('/checkouts', undefined, { authorization: `bearer ${good}` })).status).toBe(200);
  });

  test('refuses a doubled Authorization header, even when both are the same good key', async () => {
    const bearer = `Bearer ${merchant.secretTest.key}`;
    const answer = await rawGet(`${target.baseUrl}/api/v1/checkouts`, [
      'authorization',
      bearer,
      'authorization',
      bearer,
    ]);
    expect([answer.status, answer.json.code]).toEqual([401, 'invalid_api_key']);
  });

  test('a public key needs its own business id', async () => {
    const initialize = (headers: Record<string, string>) =>
      call(target, 'POST', '/api/v1/checkout/initialize', { key: merchant.publicTest.key, body: CHECKOUT, headers });
    expect(outcome(await initialize({}))).toEqual([
      400,
      'business_id_required',
      'X-Business-ID header is required with a public key.',
    ]);
    const other = await openBusiness(target, 'Somebody Else');
    expect(outcome(await initialize({ 'x-business-id': other.id }))).toEqual([
      403,
      'business_id_mismatch',
      'X-Business-ID does not match this API key.',
    ]);
    expect((await initialize({ 'x-business-id': merchant.id })).status).toBe(201);
  });

  test('a revoked key stops with the next request, a rolled one with the end of its grace', async () => {
    const shop = await openBusiness(target, 'Mushin Motors');
    await target.ops('key', 'revoke', shop.secretLive.id);
    expect(outcome(await get('/checkouts', shop.secretLive.key))).toEqual(INVALID);

    const rolled = await target.ops('key', 'roll', shop.secretTest.id, '--grace', '1h');
    expect((await get('/checkouts', shop.secretTest.key)).status).toBe(200);
    expect((await get('/checkouts', rolled.key.key)).status).toBe(200);
    const leaked = await target.ops('key', 'roll', rolled.key.id, '--grace', '0h');
    expect(outcome(await get('/checkouts', rolled.key.key))).toEqual(INVALID);
    expect((await get('/checkouts', leaked.key.key)).status).toBe(200);
  });

  test('a suspended business is shut out with all of its keys, and let in again', async () => {
    const shop = await openBusiness(target, 'Kano Textiles');
    await target.ops('business', 'suspend', shop.id);
    for (const { key } of [shop.secretTest, shop.secretLive]) {
      expect(outcome(await get('/checkouts', key))).toEqual(INVALID);
    }
    await target.ops('business', 'resume', shop.id);
    expect((await get('/checkouts', shop.secretTest.key)).status).toBe(200);
  });

  test('the IP whitelist refuses in the words of the service description; no header gets past it', async () => {
    const shop = await openBusiness(target, 'Abuja Foods');
    await target.ops('whitelist', 'set', shop.secretTest.id, '203.0.113.7', '2001:db8::/32');
    const claims = ['x-forwarded-for', 'x-real-ip', 'forwarded', 'true-client-ip', 'cf-connecting-ip', 'x-client-ip'];
    for (const header of ['x-harmless', ...claims]) {
      const value = header === 'forwarded' ? 'for=203.0.113.7' : '203.0.113.7';
      const answer = await get('/checkouts', shop.secretTest.key, { [header]: value });
      expect([answer.status, answer.json.message]).toEqual([403, 'Request IP is not whitelisted.']);
    }
    expect((await get('/checkouts', shop.secretLive.key)).status).toBe(200);
    await target.ops('whitelist', 'set', shop.secretTest.id, '0.0.0.0/0', '::/0');
    expect((await get('/checkouts', shop.secretTest.key)).status).toBe(200);
    await target.ops('whitelist', 'clear', shop.secretTest.id);
    expect((await get('/checkouts', shop.secretTest.key)).status).toBe(200);
  });

  test('what belongs to another business, or to the other mode, is the same 404 as what does not exist', async () => {
    const other = await openBusiness(target, 'Somebody Else');
    const opened = await merchant.api('POST', '/checkout/initialize', { body: CHECKOUT });
    const { reference } = opened.json.data;
    const created = await merchant.api('POST', '/virtual-accounts', {
      body: { customer_name: 'Amara Okonkwo', provider: 'monnify' },
    });
    const { id } = created.json.accounts[0];
    const nobodys = `${id.slice(0, -4)}ZZZZ`;

    const tries: [string, string, (of: string) => Promise<HttpAnswer>, string][] = [];
    for (const key of [other.secretTest.key, merchant.secretLive.key]) {
      tries.push([reference, UNKNOWN, (of) => get(`/checkout/verify/${of}`, key), 'checkout_not_found']);
      tries.push([id, nobodys, (of) => get(`/virtual-accounts/${of}`, key), 'virtual_account_not_found']);
      tries.push([id, nobodys, (of) => get(`/virtual-accounts/${of}/payments`, key), 'virtual_account_not_found']);
      tries.push([
        id,
        nobodys,
        (of) => call(target, 'DELETE', `/api/v1/virtual-accounts/${of}`, { key }),
        'virtual_account_not_found',
      ]);
    }
    const key = other.secretTest.key;
    tries.push([
      reference,
      UNKNOWN,
      (of) => call(target, 'POST', '/api/v1/checkout/sandbox/simulate', { key, body: { reference: of } }),
      'checkout_not_found',
    ]);
    tries.push([
      id,
      nobodys,
      (of) => call(target, 'POST', `/api/v1/virtual-accounts/${of}/sandbox/simulate`, { key, body: { amount: 5 } }),
      'virtual_account_not_found',
    ]);
    for (const [theirs, nothing, ask, code] of tries) {
      const [real, absent] = [await ask(theirs), await ask(nothing)];
      expect([real.status, real.json.code]).toEqual([404, code]);
      expect({ ...real.json, request_id: '' }).toEqual({ ...absent.json, request_id: '' });
    }
    expect((await get('/checkouts', other.secretTest.key)).json.data).toEqual([]);
    expect((await get('/checkouts', merchant.secretLive.key)).json.data).toEqual([]);
    expect((await get('/virtual-accounts', merchant.secretLive.key)).json.data).toEqual([]);
    expect((await merchant.api('GET', `/checkout/verify/${reference}`)).json.data.status).toBe('pending');
  });

  test('paths that do not exist are 404 and need no key; a wrong method on a real path is one', async () => {
    for (const [method, path] of [
      ['GET', '/api/v1/nothing'],
      ['GET', '/'],
      ['PUT', '/api/v1/checkouts'],
      ['GET', '/api/v1/checkout/initialize'],
      ['GET', '/api/v1/checkout/verify/'],
    ] as const) {
      const answer = await call(target, method, path);
      expect(outcome(answer)).toEqual([404, 'not_found', 'No such endpoint.']);
    }
  });

  test('every answer carries its request id and the security headers, errors included', async () => {
    for (const answer of [
      await get('/checkouts', merchant.secretTest.key),
      await get('/checkouts'),
      await get('/nope'),
    ]) {
      expect(answer.headers.get('x-request-id')).toMatch(/\S+/);
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
      expect(answer.headers.get('strict-transport-security')).toMatch(/max-age=\d+/);
      expect(answer.headers.get('cache-control')).toBe('no-store');
      expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
    }
  });

  test('a browser may call from any origin with the four headers', async () => {
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
    const answer = await get('/checkouts', merchant.secretTest.key, { origin: 'https://shop.example.com' });
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
  });

  test('/health needs no key', async () => {
    const answer = await call(target, 'GET', '/health');
    expect([answer.status, answer.json]).toEqual([200, { status: true, data: { table: 'ok', queue: 'ok' } }]);
  });
});
