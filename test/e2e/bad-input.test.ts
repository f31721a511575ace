import { checkAgainstDocument } from '#test/support/hostile/document-seen.ts';
import { longTest, testRows } from '#test/support/jest/long.ts';
import { call, type Merchant, openBusiness } from '#test/support/worlds/merchant.ts';
import { openTarget, type Target } from '#test/support/worlds/stack.ts';

const PAYER = { payer_email: 'ngozi.eze@example.com' };
const MALFORMED = [400, 'malformed_json', 'Request body is not a valid JSON object.'];

describe('bad input', () => {
  let target: Target;
  let merchant: Merchant;

  beforeAll(async () => {
    target = await openTarget();
    merchant = await openBusiness(target, 'Ada Stores Limited');
  });
  afterAll(() => target.stop());

  const initialize = (body: unknown, headers: Record<string, string> = {}) =>
    merchant.api('POST', '/checkout/initialize', { body, headers });

  const AMOUNTS: [string, string][] = [
    ['0', 'amount must be at least 1.'],
    ['-5', 'amount must be at least 1.'],
    ['0.001', 'amount must be at least 1.'],
    ['1.005', 'amount must have at most two decimals.'],
    ['1e21', 'amount must be at most 100000000.'],
    ['100000000.01', 'amount must be at most 100000000.'],
    ['"8500"', 'amount must be a number in naira.'],
    ['null', 'amount must be a number in naira.'],
    ['[8500]', 'amount must be a number in naira.'],
    ['true', 'amount must be a number in naira.'],
  ];

  test.each(AMOUNTS)('the amount %s is rejected by initialize', async (amount, message) => {
    const answer = await initialize(`{"amount":${amount},"payer_email":"ngozi.eze@example.com"}`);
    expect([answer.status, answer.json.code, answer.json.message]).toEqual([
      422,
      'validation_failed',
      'The given data was invalid.',
    ]);
    expect(answer.json.errors).toEqual([{ field: 'amount', message }]);
  });

  testRows(['0', '-5', '0.001', '1.005', '1e21', '"8500"', 'null'])(
    'the amount %s is rejected by the simulations of a checkout and of a virtual account',
    async (amount) => {
      const { reference } = (await initialize({ amount: 100, ...PAYER })).json.data;
      const created = await merchant.api('POST', '/virtual-accounts', {
        body: { customer_name: 'Amara Okonkwo', provider: 'monnify' },
      });
      const { id } = created.json.accounts[0];
      const onCheckout = await merchant.api('POST', '/checkout/sandbox/simulate', {
        body: `{"reference":"${reference}","amount":${amount}}`,
      });
      const onAccount = await merchant.api('POST', `/virtual-accounts/${id}/sandbox/simulate`, {
        body: `{"amount":${amount}}`,
      });
      for (const answer of [onCheckout, onAccount]) {
        expect([answer.status, answer.json.errors.map(({ field }: { field: string }) => field)]).toEqual([
          422,
          ['amount'],
        ]);
      }
      expect((await merchant.api('GET', `/checkout/verify/${reference}`)).json.data.status).toBe('pending');
    },
  );

  test.each([1, 1.1, 99.99, 4.35, 100_000_000, 0.1 + 1])(
    'the amount %p is accepted and returned exactly',
    async (amount) => {
      const opened = await initialize({ amount, ...PAYER });
      const { reference, amount: echoed } = opened.json.data;
      const paid = await merchant.api('POST', '/checkout/sandbox/simulate', { body: { reference } });
      expect([echoed, paid.json.data.paid_amount, paid.json.data.status]).toEqual([amount, amount, 'paid']);
    },
  );

  const BODIES: [string, string | Uint8Array][] = [
    ['empty', ''],
    ['an array', '[]'],
    ['a string', '"amount"'],
    ['a number', '42'],
    ['null', 'null'],
    ['cut off', '{"amount": 100'],
    ['invalid UTF-8', new Uint8Array([0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xff, 0xfe, 0x22, 0x7d])],
    ['two documents', '{}{}'],
  ];

  test.each(BODIES)('a body is malformed if it is %s', async (_, body) => {
    const answer = await initialize(body);
    expect([answer.status, answer.json.code, answer.json.message]).toEqual(MALFORMED);
  });

  test('a body of 64 KiB is read, and one byte more or 1 MiB is too large', async () => {
    const padded = (bytes: number): string => {
      const empty = JSON.stringify({ amount: 100, ...PAYER, ignored: '' });
      return JSON.stringify({ amount: 100, ...PAYER, ignored: 'x'.repeat(bytes - empty.length) });
    };
    expect((await initialize(padded(65_536))).status).toBe(201);
    for (const size of [65_537, 1_048_576]) {
      const answer = await initialize(padded(size));
      expect([answer.status, answer.json.code, answer.json.message]).toEqual([
        413,
        'payload_too_large',
        'Request body exceeds 64 KiB.',
      ]);
    }
  });

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'application/json-patch+json', ''])(
    'Content-Type %p is unsupported',
    async (type) => {
      const answer = await initialize(JSON.stringify({ amount: 100, ...PAYER }), { 'content-type': type });
      expect([answer.status, answer.json.code, answer.json.message]).toEqual([
        415,
        'unsupported_media_type',
        'Content-Type must be application/json.',
      ]);
    },
  );

  test('Content-Type may name a charset, in any case', async () => {
    const answer = await initialize({ amount: 100, ...PAYER }, { 'content-type': 'Application/JSON; charset=UTF-8' });
    expect(answer.status).toBe(201);
  });

  test('__proto__ in a body neither supplies a field nor pollutes other objects', async () => {
    const supplied = await initialize('{"__proto__":{"amount":100},"payer_email":"ngozi.eze@example.com"}');
    expect([supplied.status, supplied.json.errors[0].field]).toEqual([422, 'amount']);
    const stored = await initialize(
      '{"amount":100,"payer_email":"ngozi.eze@example.com","metadata":{"__proto__":{"admin":true},"constructor":{"prototype":{"admin":true}}}}',
    );
    expect(stored.status).toBe(201);
    const after = await initialize({ amount: 100, ...PAYER });
    expect(after.json.data.metadata).toBeNull();
    expect(({} as Record<string, unknown>).admin).toBeUndefined();
  });

  test.each([
    [{ payer_email: 'not-an-address' }, 'payer_email'],
    [{ payer_email: undefined }, 'payer_email'],
    [{ currency: 'USD' }, 'currency'],
    [{ provider: 'zenith' }, 'provider'],
    [{ expires_in: 0 }, 'expires_in'],
    [{ expires_in: 86_401 }, 'expires_in'],
    [{ expires_in: 1.5 }, 'expires_in'],
    [{ merchant_reference: 'x'.repeat(101) }, 'merchant_reference'],
    [{ merchant_reference: '' }, 'merchant_reference'],
    [{ payer_name: 'line\nbreak' }, 'payer_name'],
    [{ metadata: ['a', 'list'] }, 'metadata'],
    [{ metadata: { note: 'x'.repeat(2_048) } }, 'metadata'],
  ])('a checkout with %j is rejected, and the error names the field', async (fields, field) => {
    const answer = await initialize({ amount: 100, ...PAYER, ...fields });
    expect([answer.status, answer.json.errors.map((e: { field: string }) => e.field)]).toEqual([422, [field]]);
    expect(answer.json.errors[0].message).toMatch(/^\S.*\.$/);
  });

  test('unknown fields are ignored', async () => {
    const answer = await initialize({ amount: 100, ...PAYER, status: 'paid', paid_amount: 100, colour: 'green' });
    expect(answer.json.data).toMatchObject({ status: 'pending', paid_amount: 0 });
    expect(answer.json.data.colour).toBeUndefined();
  });

  test.each([
    'limit=0',
    'limit=101',
    'limit=ten',
    'limit=1.5',
    'limit=-1',
    'limit=',
    'limit=5&limit=6',
    'cursor=',
    'cursor=%00',
  ])('the list query %s is rejected, and the error names the parameter', async (query) => {
    const answer = await merchant.api('GET', `/checkouts?${query}`);
    expect([answer.status, answer.json.errors[0].field]).toEqual([422, query.split('=')[0]]);
  });

  // The last reference ends in the middle of a character.
  test.each([
    ...['%E0%A4%A', '..%2F..%2Fetc%2Fpasswd', 'a'.repeat(3_000), '%00', 'PAY-%F0%9F%92%B8'],
    `${'x'.repeat(63)}%F0%9F%92%B8`,
  ])('the reference %s causes a 4xx, not a 500', async (reference) => {
    const path = `/api/v1/checkout/verify/${reference}`;
    const response = await fetch(`${target.baseUrl}${path}`, {
      headers: { authorization: `Bearer ${merchant.secretTest.key}` },
    });
    const { status, headers } = response;
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(500);
    await checkAgainstDocument('GET', path, { status, headers, text: await response.text() });
  });

  test('a reference with half a surrogate pair is not found', async () => {
    const simulated = await merchant.api('POST', '/checkout/sandbox/simulate', { body: '{"reference":"PAY-\\ud800"}' });
    expect([simulated.status, simulated.json.code]).toEqual([404, 'checkout_not_found']);
  });

  test('an invalid Idempotency-Key is rejected, and the error names the header', async () => {
    const invalidKeys = ['a'.repeat(256), 'two,keys', 'with space', '"unbalanced'];
    for (const key of invalidKeys) {
      const answer = await initialize({ amount: 100, ...PAYER }, { 'idempotency-key': key });
      expect([answer.status, answer.json.errors[0].field]).toEqual([422, 'Idempotency-Key']);
    }
  });

  test('an answer replayed by Idempotency-Key is the first answer, byte for byte', async () => {
    const headers = { 'idempotency-key': 'order-2026-11-20-0042' };
    const first = await initialize({ amount: 100, ...PAYER }, headers);
    const again = await initialize({ amount: 100, ...PAYER }, headers);
    expect(again.text).toBe(first.text);
    expect([first.headers.get('idempotent-replayed'), again.headers.get('idempotent-replayed')]).toEqual([
      null,
      'true',
    ]);
    const other = await initialize({ amount: 101, ...PAYER }, headers);
    expect([other.status, other.json.code]).toEqual([422, 'idempotency_key_reused']);
  });

  longTest('50 simultaneous POSTs with one Idempotency-Key make one checkout', async () => {
    const other = await openBusiness(target, 'Oja Online');
    const answers = await Promise.all(
      Array.from({ length: 50 }, () =>
        call(target, 'POST', '/api/v1/checkout/initialize', {
          key: other.secretTest.key,
          body: { amount: 100, ...PAYER },
          headers: { 'idempotency-key': 'one-order' },
        }),
      ),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect((await other.api('GET', '/checkouts')).json.data).toHaveLength(1);
  });
});
