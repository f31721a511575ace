import { hashKey, newApiKey } from '#shared/businesses/domain/api-key.ts';
import { chainOf, failNotPayable, KEY, makeCall, without } from './chain.ts';
import { id, NOON, OTHER_SHOP, SHOP, storedKey } from './examples.ts';

/** The faults of a request, in the order in which they are checked, with the code of each. */
const SECRET_KEY_FAULTS = [
  ['no key', 'missing_api_key'],
  ['a mistyped key', 'invalid_api_key'],
  ['an unknown key', 'invalid_api_key'],
  ['a revoked key', 'invalid_api_key'],
  ['a key past its grace', 'invalid_api_key'],
  ['a suspended business', 'invalid_api_key'],
  ['an address off the whitelist', 'ip_not_whitelisted'],
  ['a live key for a simulation', 'simulation_requires_test_key'],
  ['a key over its limit', 'rate_limited'],
  ['no Content-Type', 'unsupported_media_type'],
  ['a body too large', 'payload_too_large'],
  ['an Idempotency-Key of another request', 'idempotency_key_reused'],
  ['broken JSON', 'malformed_json'],
  ['a field missing', 'validation_failed'],
  ['a bad Idempotency-Key', 'validation_failed'],
  ['an error of the work', 'checkout_not_payable'],
] as const;

const PUBLIC_KEY_FAULTS = [
  ['no key', 'missing_api_key'],
  ['a mistyped key', 'invalid_api_key'],
  ['an unknown key', 'invalid_api_key'],
  ['a suspended business', 'invalid_api_key'],
  ['a public key where a secret one is needed', 'public_key_not_permitted'],
  ['no X-Business-ID', 'business_id_required'],
  ['another business’s X-Business-ID', 'business_id_mismatch'],
  ['a live key for a simulation', 'simulation_requires_test_key'],
  ['a key over its limit', 'rate_limited'],
  ['no Content-Type', 'unsupported_media_type'],
  ['a body too large', 'payload_too_large'],
  ['an Idempotency-Key of another request', 'idempotency_key_reused'],
  ['broken JSON', 'malformed_json'],
  ['a field missing', 'validation_failed'],
  ['a bad Idempotency-Key', 'validation_failed'],
  ['an error of the work', 'checkout_not_payable'],
] as const;

const STATUS: Record<string, number> = {
  missing_api_key: 401,
  invalid_api_key: 401,
  public_key_not_permitted: 403,
  business_id_required: 400,
  business_id_mismatch: 403,
  ip_not_whitelisted: 403,
  simulation_requires_test_key: 403,
  rate_limited: 429,
  unsupported_media_type: 415,
  payload_too_large: 413,
  idempotency_key_reused: 422,
  malformed_json: 400,
  validation_failed: 422,
  checkout_not_payable: 409,
};

type Fault = (typeof SECRET_KEY_FAULTS | typeof PUBLIC_KEY_FAULTS)[number][0];

const PUBLIC_KEY = newApiKey('public', 'test', (length) => new Uint8Array(length).fill(9));

/** Sends one request with all of `faults`. */
const sendWith = async (kind: 'secret' | 'public', faults: readonly Fault[]) => {
  const has = (fault: Fault): boolean => faults.includes(fault);
  const key = kind === 'secret' ? KEY : PUBLIC_KEY;
  const stored = storedKey({
    hash: hashKey(key),
    kind,
    mode: has('a live key for a simulation') ? 'live' : 'test',
    revokedAt: has('a revoked key') ? NOON - 1 : null,
    expiresAt: has('a key past its grace') ? NOON : null,
    businessSuspended: has('a suspended business'),
    ipWhitelist: has('an address off the whitelist') ? ['41.58.0.9'] : [],
  });
  const chain = chainOf({
    contract: {
      keys: has('a public key where a secret one is needed') ? ['secret'] : ['secret', 'public'],
      testOnly: has('a live key for a simulation'),
    },
    known: has('an unknown key') ? {} : { [hashKey(key)]: stored },
    counted: has('a key over its limit') ? 2 : 1,
    ...(has('an error of the work') && { work: failNotPayable }),
  });
  if (has('an Idempotency-Key of another request')) {
    const other = { requestId: 'gateway-0', fingerprint: 'another', status: 201, body: '{}', createdAt: NOON };
    chain.answers.find = async (scope) => ({ ...other, scope });
  }
  const json = JSON.stringify(has('a field missing') ? {} : { saver: 'Aisha Bello' });
  const sent = makeCall({
    headers: {
      authorization: `Bearer ${has('a mistyped key') ? `${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}` : key}`,
      ...(kind === 'public' && { 'x-business-id': has('another business’s X-Business-ID') ? OTHER_SHOP : SHOP }),
      ...(has('a bad Idempotency-Key') && { 'idempotency-key': 'order-1,order-2' }),
      ...(has('an Idempotency-Key of another request') && { 'idempotency-key': 'order-1' }),
    },
    body: (has('broken JSON') ? json.slice(1) : json) + ' '.repeat(has('a body too large') ? 65_536 : 0),
  });
  const dropped = [
    ...(has('no key') ? ['authorization'] : []),
    ...(has('no Content-Type') ? ['content-type'] : []),
    ...(has('no X-Business-ID') ? ['x-business-id'] : []),
  ];
  return { ...chain, answer: await chain.send(without(sent, ...dropped)) };
};

describe.each([
  ['secret', SECRET_KEY_FAULTS],
  ['public', PUBLIC_KEY_FAULTS],
] as const)('the checks of a request with a %s key, in their order', (kind, faults) => {
  test('find nothing in a request without a fault', async () => {
    const { answer, requests } = await sendWith(kind, []);
    expect(answer.status).toBe(201);
    expect(requests).toHaveLength(1);
  });

  test.each(faults.map(([fault, code], at) => ({ fault, code, later: faults.slice(at + 1).map(([name]) => name) })))(
    'report $fault as $code, alone and together with each later fault',
    async ({ fault, code, later }) => {
      const alone = await sendWith(kind, [fault]);
      expect(alone.answer.body).toMatchObject({ status: false, code });
      expect(alone.answer.status).toBe(STATUS[code]);

      for (const other of later) {
        const { answer } = await sendWith(kind, [fault, other]);
        expect([other, answer.body.code]).toEqual([other, code]);
      }
      const all = await sendWith(kind, [fault, ...later]);
      expect(all.answer.body.code).toBe(code);
    },
  );

  test.each(faults.filter(([fault]) => fault !== 'an error of the work'))(
    'refuse %s before any work, and store nothing',
    async (fault) => {
      const { requests, answers } = await sendWith(kind, [fault]);
      expect(requests).toHaveLength(0);
      expect(answers.records.size).toBe(0);
    },
  );
});

describe('the key of a request', () => {
  test.each([
    ['missing', undefined, 'missing_api_key'],
    ['empty', '', 'missing_api_key'],
    ['blank', '   ', 'missing_api_key'],
    ['Bearer alone', 'Bearer ', 'missing_api_key'],
    ['without Bearer', KEY, 'missing_api_key'],
    ['under another scheme', `Basic ${KEY}`, 'missing_api_key'],
    ['glued to Bearer', `Bearer${KEY}`, 'missing_api_key'],
    ['with a word behind it', `Bearer ${KEY} please`, 'invalid_api_key'],
    ['sent twice', `Bearer ${KEY},Bearer ${KEY}`, 'invalid_api_key'],
    ['sent twice, as some proxies join it', `Bearer ${KEY}, Bearer ${KEY}`, 'invalid_api_key'],
    ['sent twice, once without Bearer', `Bearer ${KEY},${KEY}`, 'invalid_api_key'],
    ['quoted', `Bearer "${KEY}"`, 'invalid_api_key'],
    ['mistyped', `Bearer ${KEY.slice(0, -1)}${KEY.endsWith('0') ? '1' : '0'}`, 'invalid_api_key'],
    ['another service’s', 'Bearer sk_live_51H8xY2eZvKYlo2C0', 'invalid_api_key'],
    ['not ASCII', `Bearer ${KEY.slice(0, -1)}é`, 'invalid_api_key'],
  ])('fails without a look-up if it is %s', async (_, authorization, code) => {
    const { send, lookedUp } = chainOf();
    const event = without(makeCall(), 'authorization');
    const sent = authorization === undefined ? event : { ...event, headers: { ...event.headers, authorization } };
    expect((await send(sent)).body).toMatchObject({ code });
    expect(lookedUp).toEqual([]);
  });

  test.each([
    ['as documented', `Bearer ${KEY}`],
    ['with a lower-case scheme', `bearer ${KEY}`],
    ['with an upper-case scheme', `BEARER ${KEY}`],
    ['with spaces around', `  Bearer   ${KEY}  `],
  ])('may come %s, and is looked up only by its hash', async (_, authorization) => {
    const { call, lookedUp } = chainOf();
    expect((await call({ headers: { authorization } })).status).toBe(201);
    expect(lookedUp).toEqual([hashKey(KEY)]);
  });

  test('gets the same error text whether it is malformed, unknown, revoked or of a suspended business', async () => {
    const texts = new Set<unknown>();
    for (const fault of ['a mistyped key', 'an unknown key', 'a revoked key', 'a suspended business'] as const) {
      const { answer } = await sendWith('secret', [fault]);
      texts.add(JSON.stringify({ ...answer.body, request_id: null }));
    }
    expect(texts.size).toBe(1);
  });

  test('gives the work its caller', async () => {
    const { call, requests } = chainOf();
    await call();
    expect(requests[0]?.caller).toEqual({
      businessId: SHOP,
      mode: 'test',
      actor: { kind: 'key', id: id('key') },
      kind: 'secret',
      displayName: 'Ada Stores',
      isRouted: false,
      addressBlock: '102.89.23.17',
    });
  });
});

describe('the address of a request', () => {
  const CLAIMS = {
    'x-forwarded-for': '41.58.0.9',
    'x-real-ip': '41.58.0.9',
    'cf-connecting-ip': '41.58.0.9',
    'true-client-ip': '41.58.0.9',
    forwarded: 'for=41.58.0.9',
  };

  test.each(Object.entries(CLAIMS))('comes from the gateway, never from the header %s', async (header, value) => {
    const { call } = chainOf({ key: { ipWhitelist: ['41.58.0.9'] } });
    const { status, body } = await call({ sourceIp: '102.89.23.17', headers: { [header]: value } });
    expect([status, body.code]).toEqual([403, 'ip_not_whitelisted']);
  });

  test.each([
    ['102.89.23.17', '102.89.23.17'],
    ['::ffff:102.89.23.17', '102.89.23.17'],
    ['::ffff:6659:1711', '102.89.23.17'],
    ['2c0f:f5c0:600:4e1::9', '2c0f:f5c0:600:4e1::9'],
  ])(
    'appears in the error if it is not on the whitelist, whatever a header claims: %s as %s',
    async (sourceIp, seen) => {
      const { call } = chainOf({ key: { ipWhitelist: ['41.58.0.9'] } });
      const { body } = await call({ sourceIp, headers: { 'x-forwarded-for': '41.58.0.9' } });
      expect([body.message, body.errors]).toEqual([
        'Request IP is not whitelisted.',
        [
          {
            field: 'ip',
            message: `ip ${seen} is not on the whitelist of this key. Add it in the dashboard under API keys, or ask whoever runs this service to add it.`,
          },
        ],
      ]);
    },
  );

  test('passes if it is on the whitelist, although a header claims another address', async () => {
    const { call } = chainOf({ key: { ipWhitelist: ['102.89.16.0/20'] } });
    const { status } = await call({ sourceIp: '102.89.23.17', headers: { 'x-forwarded-for': '8.8.8.8' } });
    expect(status).toBe(201);
  });

  test('does not matter for a public key', async () => {
    const stored = storedKey({ hash: hashKey(PUBLIC_KEY), kind: 'public', ipWhitelist: ['41.58.0.9'] });
    const { call } = chainOf({ known: { [hashKey(PUBLIC_KEY)]: stored } });
    const headers = { authorization: `Bearer ${PUBLIC_KEY}`, 'x-business-id': SHOP };
    expect((await call({ headers })).status).toBe(201);
  });
});
