import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { idempotencyScope, parseIdempotencyKey, requestFingerprint } from '#shared/api/http/idempotency-key.ts';
import { DAY } from '#shared/platform/kernel/time.ts';
import { answerExpiresAt } from '#shared/platform/requests/idempotency.ts';
import { NOON, OTHER_SHOP, SHOP } from './examples.ts';

const A255 = 'a'.repeat(255);

describe('an Idempotency-Key', () => {
  test.each([
    ['bare', 'order-2026-00417', 'order-2026-00417'],
    ['a UUID', '7f9c2b6e-4d53-4b8e-9a43-1c2f0f3f7a10', '7f9c2b6e-4d53-4b8e-9a43-1c2f0f3f7a10'],
    ['quoted, as in the IETF draft', '"order-2026-00417"', 'order-2026-00417'],
    ['quoted with a comma', '"order,417"', 'order,417'],
    ['one character', '~', '~'],
    ['one quoted character', '"!"', '!'],
    ['255 characters', A255, A255],
    ['255 quoted characters', `"${A255}"`, A255],
    ['every other visible sign', "!#$%&'()*+-./:;<=>?@[\\]^_`{|}~", "!#$%&'()*+-./:;<=>?@[\\]^_`{|}~"],
  ])('may be %s', (_, header, key) => {
    expect(parseIdempotencyKey(header)).toBe(key);
  });

  test.each([
    ['empty', ''],
    ['empty quotes', '""'],
    ['one quote', '"'],
    ['256 characters', `${A255}a`],
    ['256 quoted characters', `"${A255}a"`],
    ['a comma, as of two headers', 'order-1,order-2'],
    ['a comma and a space, as of two headers', 'order-1, order-2'],
    ['two quoted keys', '"order-1","order-2"'],
    ['a space', 'order 417'],
    ['a quoted space: a space is not visible', '"order 417"'],
    ['a tab', 'order\t417'],
    ['a line break', 'order\n417'],
    ['a line break behind', 'order-417\n'],
    ['a delete sign', 'order\x7f417'],
    ['a null', 'order\0'],
    ['naira', 'order-₦417'],
    ['Latin-1', 'commandé'],
    ['a quote inside', 'order"417'],
    ['a quote inside quotes', '"order"417"'],
    ['a quote in front only', '"order-417'],
    ['a quote behind only', 'order-417"'],
  ])('may not be %s', (_, header) => {
    expect(parseIdempotencyKey(header)).toBeUndefined();
  });

  test('means the same key bare and quoted', () => {
    const bare = fc.string({ unit: fc.constantFrom(...'abcXYZ019-_:./+='), minLength: 1, maxLength: 255 });
    fc.assert(fc.property(bare, (key) => parseIdempotencyKey(key) === parseIdempotencyKey(`"${key}"`)));
  });
});

const scope = {
  businessId: SHOP,
  mode: 'test',
  kind: 'secret',
  addressBlock: '198.51.100.7',
  method: 'POST',
  path: '/api/v1/checkout/initialize',
  key: 'order-417',
} as const;

describe('the scope of an Idempotency-Key', () => {
  test('does not change with an equal request, and has a bounded length', () => {
    expect(idempotencyScope({ ...scope })).toBe(idempotencyScope(scope));
    expect(idempotencyScope({ ...scope, key: A255, path: `/${A255}` })).toMatch(/^[0-9a-f]{64}$/);
  });

  test.each([
    ['business', { businessId: OTHER_SHOP }],
    ['mode', { mode: 'live' }],
    ['kind of API key', { kind: 'public' }],
    ['method', { method: 'DELETE' }],
    ['path', { path: '/api/v1/checkout/sandbox/simulate' }],
    ['key', { key: 'order-418' }],
    ['key, in another case', { key: 'Order-417' }],
  ] as const)('differs for another %s', (_, other) => {
    expect(idempotencyScope({ ...scope, ...other })).not.toBe(idempotencyScope(scope));
  });

  test('differs by address under a public key, and does not under a secret key', () => {
    const from = (kind: 'secret' | 'public', addressBlock: string) =>
      idempotencyScope({ ...scope, kind, addressBlock });
    expect(from('public', '203.0.113.9')).not.toBe(from('public', '198.51.100.7'));
    expect(from('secret', '203.0.113.9')).toBe(from('secret', '198.51.100.7'));
    // Records that are stored already must keep this scope.
    expect(idempotencyScope(scope)).toBe(
      createHash('sha256')
        .update(JSON.stringify([SHOP, 'test', 'secret', 'POST', scope.path, 'order-417']))
        .digest('hex'),
    );
  });

  test('keeps method, path and key apart', () => {
    const parts = fc.string({ unit: fc.constantFrom('a', '"', ',', '/', '\\', '\n'), maxLength: 6 });
    const scopes = fc.record({ method: parts, path: parts, key: parts });
    fc.assert(
      fc.property(scopes, scopes, (a, b) => {
        const same = a.method === b.method && a.path === b.path && a.key === b.key;
        expect(idempotencyScope({ ...scope, ...a }) === idempotencyScope({ ...scope, ...b })).toBe(same);
      }),
      { numRuns: 500 },
    );
  });
});

describe('the fingerprint of a request', () => {
  const SECRET = 'a-hash-key-for-tests-of-enough-length';
  const body = Buffer.from('{"amount":5000}');
  const fingerprint = requestFingerprint(SECRET, 'provider=paystack', body);

  test('does not change with equal bytes', () => {
    expect(requestFingerprint(SECRET, 'provider=paystack', Buffer.from(body))).toBe(fingerprint);
    expect(fingerprint).toMatch(/^[0-9a-f]{64}$/);
  });

  test.each([
    ['another amount', requestFingerprint(SECRET, 'provider=paystack', Buffer.from('{"amount":5001}'))],
    ['one space more', requestFingerprint(SECRET, 'provider=paystack', Buffer.from('{"amount": 5000}'))],
    ['no body', requestFingerprint(SECRET, 'provider=paystack', Buffer.alloc(0))],
    ['another query', requestFingerprint(SECRET, 'provider=monnify', body)],
    ['no query', requestFingerprint(SECRET, '', body)],
    ['a query that ends where the body begins', requestFingerprint(SECRET, 'provider=paystack{', body.subarray(1))],
    ['another secret of ours', requestFingerprint(`${SECRET}!`, 'provider=paystack', body)],
  ])('differs for %s', (_, other) => {
    expect(other).not.toBe(fingerprint);
  });
});

test('an answer is stored for 24 hours', () => {
  const answer = { scope: 's', requestId: 'r', fingerprint: 'f', status: 201, body: '{}', createdAt: NOON };
  expect(answerExpiresAt(answer)).toBe(NOON + DAY);
});
