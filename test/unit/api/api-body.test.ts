import { chainOf, makeCall, makePlanReply, without } from './chain.ts';

/** Makes a valid body of exactly `bytes` bytes. */
const bodyOf = (bytes: number): string => {
  const [head, tail] = ['{"saver":"Aisha Bello","note":"', '"}'];
  return head + 'x'.repeat(bytes - head.length - tail.length) + tail;
};

describe('the media type of a request', () => {
  test.each([
    'application/json',
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
    'application/json ; charset="utf-8"',
    'Application/JSON',
    'APPLICATION/JSON; CHARSET=UTF-8',
    '  application/json  ',
  ])('may be %p', async (type) => {
    const { call } = chainOf();
    expect((await call({ headers: { 'content-type': type } })).status).toBe(201);
  });

  test.each([
    '',
    'text/plain',
    'text/json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonp',
    'application/json-patch+json',
    'application/problem+json',
    'application/json, text/plain',
    'application/json,application/json',
    'text/plain; application/json',
    '*/*',
  ])('may not be %p', async (type) => {
    const { call } = chainOf();
    expect(await call({ headers: { 'content-type': type } })).toMatchObject({
      status: 415,
      body: { code: 'unsupported_media_type', message: 'Content-Type must be application/json.' },
    });
  });

  test('may not be missing if the endpoint takes a body', async () => {
    const { send } = chainOf();
    expect((await send(without(makeCall(), 'content-type'))).status).toBe(415);
    const { body: _, ...bodiless } = without(makeCall(), 'content-type');
    expect((await send(bodiless)).status).toBe(415);
  });

  test('may be missing if the endpoint takes no body', async () => {
    const { send, requests } = chainOf({
      contract: { body: null } as never,
      work: async () => makePlanReply('Aisha Bello'),
    });
    const { body: _, ...bodiless } = without(makeCall(), 'content-type');
    expect((await send(bodiless)).status).toBe(201);
    expect((await send(makeCall({ body: 'not json at all', headers: { 'content-type': 'text/plain' } }))).status).toBe(
      201,
    );
    expect(requests.map(({ body }) => body)).toEqual([undefined, undefined]);
  });
});

describe('the encoding of a body', () => {
  test.each(['identity', 'Identity', ' identity ', ''])('may be %j', async (encoding) => {
    const { call } = chainOf();
    expect((await call({ headers: { 'content-encoding': encoding } })).status).toBe(201);
  });

  test.each(['gzip', 'br', 'deflate', 'zstd', 'identity, gzip', 'identity, identity', 'aws-chunked'])(
    'may not be %j, with or without a body',
    async (encoding) => {
      const { call, send, requests } = chainOf();
      const { body: _, ...bodiless } = makeCall({ headers: { 'content-encoding': encoding } });
      for (const answer of [await call({ headers: { 'content-encoding': encoding } }), await send(bodiless)]) {
        expect(answer).toMatchObject({
          status: 415,
          body: {
            code: 'unsupported_media_type',
            message: 'Send the request body without Content-Encoding.',
          },
        });
      }
      expect(requests).toEqual([]);
    },
  );
});

describe('the size of a body', () => {
  test.each([
    [65_535, 201],
    [65_536, 201],
    [65_537, 413],
    [1_048_576, 413],
  ])('counts in bytes: %i bytes as text → %i', async (bytes, status) => {
    const { call } = chainOf();
    expect((await call({ body: bodyOf(bytes) })).status).toBe(status);
  });

  test.each([
    [65_536, 201],
    [65_537, 413],
    [1_048_576, 413],
  ])('counts after base64 is decoded: %i bytes → %i', async (bytes, status) => {
    const { call } = chainOf();
    expect((await call({ body: Buffer.from(bodyOf(bytes)) })).status).toBe(status);
  });

  test('does not count in characters: 30,000 ₦ signs are 90,000 bytes', async () => {
    const { call } = chainOf();
    expect(await call({ body: { saver: '₦'.repeat(30_000) } })).toMatchObject({
      status: 413,
      body: { code: 'payload_too_large', message: 'Request body exceeds 64 KiB.' },
    });
  });
});

test('the body of a GET is not read, however large it is', async () => {
  const { call } = chainOf({
    contract: { method: 'GET', body: null } as never,
    work: async () => makePlanReply('Aisha Bello'),
  });
  expect((await call({ method: 'GET', body: bodyOf(1_048_576) })).status).toBe(201);
});

describe('the JSON of a body', () => {
  const bytes = (...values: number[]): Buffer => Buffer.from(values);
  const around = (...values: number[]): Buffer =>
    Buffer.concat([Buffer.from('{"saver":"'), bytes(...values), Buffer.from('"}')]);

  test.each([
    ['nothing', ''],
    ['nothing, base64-flagged', Buffer.alloc(0)],
    ['white space', ' \n'],
    ['an array', '[{"saver":"Aisha Bello"}]'],
    ['an empty array', '[]'],
    ['null', 'null'],
    ['true', 'true'],
    ['a number', '5000'],
    ['a string', '"Aisha Bello"'],
    ['a string that holds an object', '"{\\"saver\\":\\"Aisha Bello\\"}"'],
    ['an object cut short', '{"saver":"Aisha'],
    ['two objects', '{"saver":"Aisha"}{"saver":"Aisha"}'],
    ['a comma too many', '{"saver":"Aisha",}'],
    ['single quotes', "{'saver':'Aisha'}"],
    ['NaN', '{"saver":"Aisha","target":NaN}'],
    ['a form', 'saver=Aisha'],
    ['a byte that UTF-8 never has', around(0xff)],
    ['an overlong encoding of a slash', around(0xc0, 0xaf)],
    ['half a naira sign', around(0xe2, 0x82)],
    ['an encoded surrogate', around(0xed, 0xa0, 0x80)],
    ['Latin-1', around(0xe9)],
    ['UTF-16', Buffer.from('{"saver":"Aisha"}', 'utf16le')],
  ])('may not be %s', async (_, body) => {
    const { call, requests } = chainOf();
    expect(await call({ body })).toMatchObject({
      status: 400,
      body: { code: 'malformed_json', message: 'Request body is not a valid JSON object.' },
    });
    expect(requests).toHaveLength(0);
  });

  test.each([
    ['as text', '{"saver":"Ọláwálé ₦"}'],
    ['base64-flagged', Buffer.from('{"saver":"Ọláwálé ₦"}')],
    ['after a byte order mark', Buffer.from('\ufeff{"saver":"Ọláwálé ₦"}')],
    ['with escapes', '{"saver":"\\u1ecdl\\u00e1w\\u00e1l\\u00e9 \\u20a6"}'.replace('\\u1ecd', 'Ọ')],
    ['with an unknown field', '{"saver":"Ọláwálé ₦","favourite_colour":"green"}'],
  ])('may be %s', async (_, body) => {
    const { call, requests } = chainOf();
    expect((await call({ body })).status).toBe(201);
    expect(requests[0]?.body).toEqual({ saver: 'Ọláwálé ₦' });
  });

  test.each([
    ['__proto__', '{"__proto__":{"saver":"Mallory","target":1}}'],
    ['constructor', '{"constructor":{"prototype":{"saver":"Mallory"}}}'],
    ['prototype', '{"prototype":{"saver":"Mallory"}}'],
  ])('sets no field through %s', async (_, body) => {
    const { call, requests } = chainOf();
    expect(await call({ body })).toMatchObject({
      status: 422,
      body: { errors: [{ field: 'saver', message: 'saver is required and must be a string.' }] },
    });
    expect(requests).toHaveLength(0);
    expect(({} as Record<string, unknown>).saver).toBeUndefined();
  });

  test('pollutes no prototype through __proto__, and the work does not see it', async () => {
    const { call, requests } = chainOf();
    const body = '{"saver":"Aisha Bello","__proto__":{"target":1,"admin":true}}';
    expect((await call({ body })).status).toBe(201);
    const seen = requests[0]?.body as Record<string, unknown>;
    expect(Object.keys(seen)).toEqual(['saver']);
    expect([seen.target, seen.admin, ({} as Record<string, unknown>).admin]).toEqual([undefined, undefined, undefined]);
    expect(Object.getPrototypeOf(seen)).toBe(Object.prototype);
  });

  test('may be nested 30,000 levels deep without a crash', async () => {
    const { call } = chainOf();
    const deep = `${'['.repeat(30_000)}${']'.repeat(30_000)}`;
    expect((await call({ body: `{"saver":${deep}}` })).status).toBe(422);
    expect((await call({ body: `{"saver":"Aisha Bello","note":${deep}}` })).status).toBe(201);
  });
});

describe('the errors of a request', () => {
  test('describe every wrong field, each with its name', async () => {
    const { call } = chainOf();
    const { status, body } = await call({ body: { saver: 5, target: 'much' } });
    expect(status).toBe(422);
    expect(body).toMatchObject({
      code: 'validation_failed',
      message: 'The given data was invalid.',
      errors: [
        { field: 'saver', message: 'saver must be a string.' },
        { field: 'target', message: 'target must be a number in naira.' },
      ],
    });
  });

  test('describe a wrong query parameter, too', async () => {
    const { call } = chainOf();
    const { body } = await call({ query: { notify: 'maybe' } });
    expect(body.errors).toEqual([{ field: 'notify', message: 'notify must be yes or no.' }]);
  });
});
