import fc from 'fast-check';
import type { Contract } from '#shared/platform/contract/contract.ts';
import { PROVIDERS } from '#shared/providers/domain/names.ts';
import { ENDPOINTS, exampleBody, findResource, formatRoute, pathTo } from '#test/support/worlds/endpoints.ts';
import { toJsonSchema } from '#test/support/worlds/schema-of.ts';
import {
  brokenBody,
  generateFitting,
  generateFittingObject,
  generateId,
  generateNearlyFitting,
  hostileText,
  isSlot,
  listSpoiled,
  slot,
  writeMembers,
} from './values.ts';

/** The sender of a request: a secret or public key of one of the tenants, a damaged key, or none. */
export type Sender = { readonly tenant: number; readonly with: 'secret' | 'public' | 'damaged' | 'nothing' };

/** A generated request. Slots (values.ts) stand for ids that exist. */
export interface HostileRequest {
  readonly method: string;
  /** Percent-encoded, as it is sent, with its query. */
  readonly target: string;
  readonly headers: readonly (readonly [string, string])[];
  /** Latin1: each character is one byte. */
  readonly body: string | null;
  readonly sender: Sender;
}

const TENANTS = 4;

const sender: fc.Arbitrary<Sender> = fc.record({
  tenant: fc.oneof(fc.constant(0), fc.nat(TENANTS - 1)),
  with: fc.oneof(
    { weight: 12, arbitrary: fc.constant('secret' as const) },
    { weight: 2, arbitrary: fc.constant('public' as const) },
    { weight: 1, arbitrary: fc.constantFrom('damaged' as const, 'nothing' as const) },
  ),
});

/** Percent-encodes a parameter. Slots stay readable. */
export const encodeParameter = (text: string): string =>
  isSlot(text) ? text : encodeURIComponent(text.toWellFormed());

const oddSegment = fc.oneof(
  hostileText.map(encodeParameter),
  fc.constantFrom(
    ...[
      '%',
      '%zz',
      '%C0%AF',
      '%2F',
      '%00',
      '%2e%2e%2f',
      '..',
      '.',
      ';a=b',
      '+',
      '%252F',
      '%F0%9F%92%B8',
      '%ED%A0%80',
      '@@',
    ],
    ...['x'.repeat(3_000), '%20', '%0d%0aX:1', '*', '~', '%7B', '__proto__', '%3F', '%23', 'PAY-%30'],
  ),
);

const generatePath = (contract: Contract): fc.Arbitrary<string> => {
  const resource = findResource(contract);
  const { path } = contract;
  if (!resource) {
    return fc.oneof(
      { weight: 12, arbitrary: fc.constant(path) },
      {
        weight: 1,
        arbitrary: fc.constantFrom(
          `${path}/`,
          `/${path}`,
          path.toUpperCase(),
          path.replaceAll('/', '%2F').replace('%2F', '/'),
          `${path}%20`,
        ),
      },
    );
  }
  const id = fc.oneof({ weight: 5, arbitrary: generateId(resource) }, { weight: 2, arbitrary: oddSegment });
  return id.map((segment) => path.replace(/\{\w+\}/, () => segment));
};

const oddQuery = fc.constantFrom(
  ...[
    '?',
    '&&&',
    '=',
    '=&=',
    'limit',
    'limit=',
    'limit[]=1',
    'limit=1&limit=2',
    'limit=1,2',
    '__proto__[a]=1',
    '__proto__=1',
    '%',
    '%zz=%zz',
  ],
  ...[
    '+',
    'a'.repeat(3_000),
    'limit=%00',
    'cursor=',
    'cursor=AAAA',
    `cursor=${'A'.repeat(600)}`,
    'cursor=%F0%9F%92%B8',
    'toString=1',
    '%ED%A0%80=1',
  ],
);

const generateQuery = (contract: Contract): fc.Arbitrary<string> => {
  const { properties = {} } = toJsonSchema(contract.query);
  const parameters = Object.entries(properties).map(([name, schema]) =>
    fc
      .oneof(
        { weight: 3, arbitrary: generateFitting(schema as never, name).map(String) },
        { weight: 1, arbitrary: hostileText },
        // These values exist at another business.
        {
          weight: 1,
          arbitrary: fc.nat(3).map((n) => slot(name === 'customer_email' ? 'email' : 'order', 'foreign', n)),
        },
      )
      .map((value) => `${name}=${encodeParameter(value)}`),
  );
  const good =
    parameters.length > 0
      ? fc.array(fc.oneof(...parameters), { maxLength: 3 }).map((all) => all.join('&'))
      : fc.constant('');
  return fc.oneof({ weight: 6, arbitrary: good }, { weight: 1, arbitrary: oddQuery });
};

/** Makes a body that any tenant can send many times, from the example of the API document. Returns undefined if the endpoint takes no body. */
export const makeGoodBody = (contract: Contract): Record<string, unknown> | undefined => {
  const example = exampleBody(contract);
  if (example === undefined) return undefined;
  const { merchant_reference: _, ...rest } = example;
  const names = { reference: slot('checkout', 'own', 0), url: slot('url', 'own', 0) };
  return Object.fromEntries(
    Object.entries(rest).map(([name, value]) => [name, name in names ? names[name as 'url'] : value]),
  );
};

const toLatin1 = (text: string): string => Buffer.from(text).toString('latin1');

const generateBody = (contract: Contract): fc.Arbitrary<string | null> => {
  if (contract.body === null)
    return fc.oneof({ weight: 6, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: brokenBody });
  const schema = toJsonSchema(contract.body) as never;
  const base = makeGoodBody(contract) ?? {};
  return fc.oneof(
    { weight: 6, arbitrary: generateFittingObject(schema, base).map((members) => toLatin1(writeMembers(members))) },
    { weight: 6, arbitrary: generateNearlyFitting(schema, base).map((members) => toLatin1(writeMembers(members))) },
    // This body is always the same, so that an Idempotency-Key can repeat the same request.
    { weight: 2, arbitrary: fc.constant(JSON.stringify(base)) },
    { weight: 1, arbitrary: brokenBody },
    { weight: 1, arbitrary: fc.constant(null) },
  );
};

const JSON_TYPE = ['content-type', 'application/json'] as const;
const contentType: fc.Arbitrary<readonly (readonly [string, string])[]> = fc.oneof(
  { weight: 12, arbitrary: fc.constant([JSON_TYPE]) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      [],
      ...[
        'text/plain',
        'application/json; charset=utf-16',
        'application/json, text/plain',
        '',
        'APPLICATION/JSON',
        'application/jsonp',
        ';',
      ].map((type) => [['content-type', type] as const]),
    ),
  },
);

/** A few Idempotency-Keys, so that they are repeated: with other bodies, from other businesses. */
const idempotencyKey = fc.oneof(
  { weight: 4, arbitrary: fc.nat(4).map((n) => `order-${n}`) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '',
      ' ',
      '"order-1"',
      '"',
      'a,b',
      'x'.repeat(255),
      'x'.repeat(256),
      '\xe9',
      '__proto__',
      'a\tb',
    ),
  },
);
const oddHeader: fc.Arbitrary<readonly [string, string]> = fc.oneof(
  idempotencyKey.map((key) => ['idempotency-key', key] as const),
  idempotencyKey.map((key) => ['idempotency-key', key] as const),
  fc.constantFrom(
    ['x-business-id', slot('business', 'own', 0)] as const,
    ['x-business-id', slot('business', 'foreign', 1)] as const,
    ['x-business-id', '__proto__'] as const,
    ['x-forwarded-for', '127.0.0.1, ::1'] as const,
    ['x-http-method-override', 'DELETE'] as const,
    ['content-encoding', 'gzip'] as const,
    ['accept', 'text/html'] as const,
    ['accept-encoding', 'br;q=x, *'] as const,
    ['origin', 'null'] as const,
    ['if-none-match', '*'] as const,
    ['cookie', 'a=b; __proto__=c'] as const,
    ['host', 'evil.example'] as const,
    ['x-amz-date', '20261120T120000Z'] as const,
    ['x-request-id', 'chosen-by-the-caller'] as const,
    ['__proto__', 'x'] as const,
    ['x-long', 'x'.repeat(3_000)] as const,
  ),
);
const headers = fc.tuple(contentType, fc.array(oddHeader, { maxLength: 2 })).map(([type, odd]) => [...type, ...odd]);

const generateMethod = (method: string): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 20, arbitrary: fc.constant(method) },
    { weight: 1, arbitrary: fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'PROPFIND') },
  );

/** The most characters of a target. The gateway refuses longer targets before any function sees them. */
const LONGEST_TARGET = 6_000;
const joinTarget = (path: string, query: string): string =>
  (query === '' ? path : `${path}?${query}`).slice(0, LONGEST_TARGET);

/** Generates requests for an endpoint: good ones, nearly good ones and broken ones. */
export const generateRequests = (contract: Contract): fc.Arbitrary<HostileRequest> =>
  fc.record({
    method: generateMethod(contract.method),
    target: fc.tuple(generatePath(contract), generateQuery(contract)).map(([path, query]) => joinTarget(path, query)),
    headers,
    body: generateBody(contract),
    sender,
  });

/** Lists good requests for an endpoint, each with one fault in its body. The list has every fault of a fixed set: chance would miss some. */
export const listSpoiledRequests = (contract: Contract): readonly HostileRequest[] => {
  if (contract.body === null) return [];
  const resource = findResource(contract);
  const schema = toJsonSchema(contract.body) as never;
  const bodies = listSpoiled(schema, makeGoodBody(contract) ?? {}).map((members) => toLatin1(writeMembers(members)));
  // Use one business, in both modes.
  return [0, 1].flatMap((tenant) =>
    bodies.map(
      (body): HostileRequest => ({
        method: contract.method,
        target: resource ? pathTo(contract, slot(resource, 'own', 0)) : contract.path,
        headers: [JSON_TYPE],
        body,
        sender: { tenant, with: 'secret' },
      }),
    ),
  );
};

/** Generates requests for a route without a key. */
export const generateOpenRequests = (route: string): fc.Arbitrary<HostileRequest> => {
  const [method = '', path = ''] = route.split(' ');
  const signed = fc.constantFrom('x-paystack-signature', 'monnify-signature', 'x-korapay-signature');
  return fc.record({
    method: generateMethod(method),
    target: fc
      .tuple(fc.oneof(fc.constantFrom(...PROVIDERS), oddSegment), fc.oneof(fc.constant(''), oddQuery))
      .map(([segment, query]) =>
        joinTarget(
          path.replace(/\{\w+\}/, () => segment),
          query,
        ),
      ),
    headers: fc
      .tuple(
        headers,
        fc.array(fc.tuple(signed, fc.constantFrom('', 'x', '0'.repeat(128), 'é'.repeat(20))), { maxLength: 2 }),
      )
      .map(([some, more]) => [...some, ...more]),
    body: fc.oneof(
      fc.constant(null),
      brokenBody,
      fc.constantFrom(
        '{"event":"charge.success","data":{"reference":"PAY-00000000000000000000","amount":1}}',
        '{"eventType":"SUCCESSFUL_TRANSACTION","eventData":{"transactionReference":"x","product":{"reference":"y"}}}',
        '{"event":"charge.success","data":{"payment_reference":null}}',
        '{"event":{},"data":[]}',
      ),
    ),
    sender,
  });
};

/** Generates requests for payment pages: with links of the sender's checkouts and of others', with changed links, and with anything. */
export const generatePageRequests = (route: string): fc.Arbitrary<HostileRequest> => {
  const [method = '', path = ''] = route.split(' ');
  const genuine = generateId('payment_link');
  const link = fc.oneof(
    genuine,
    fc.tuple(genuine, fc.constantFrom('A', '.', '%00')).map((parts) => parts.join('')),
    oddSegment,
  );
  const query = fc.oneof(fc.constantFrom('', '?embed=1', '?sent=1795176000000', '?sent=x&embed'), oddQuery);
  return fc.record({
    method: generateMethod(method),
    target: fc.tuple(link, query).map(([segment, queryText]) =>
      joinTarget(
        path.replace('{link}', () => segment),
        queryText,
      ),
    ),
    headers: fc
      .tuple(
        headers,
        fc.constantFrom('application/json', 'text/html', '*/*'),
        fc.constantFrom('"1.pay"', 'W/"2.paid"', '*'),
      )
      .map(([some, accept, etag]) => [...some, ['accept', accept] as const, ['if-none-match', etag] as const]),
    body: fc.oneof(
      fc.constant(null),
      brokenBody,
      fc.constantFrom(
        'version=1&outcome=exact',
        'version=1&outcome=less',
        'outcome=less',
        'outcome=failed',
        'outcome=',
        'outcome=exact&outcome=more',
      ),
    ),
    sender,
  });
};

export const unroutedRequests: fc.Arbitrary<HostileRequest> = fc.record({
  method: fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'),
  target: fc
    .tuple(fc.array(oddSegment, { maxLength: 3 }), fc.oneof(fc.constant(''), oddQuery))
    .map(([segments, query]) => joinTarget(`/${['api', 'v1', ...segments].join('/')}`, query)),
  headers,
  body: fc.oneof(fc.constant(null), brokenBody),
  sender,
});

/** The contract of every endpoint, by its route. */
export const BY_ENDPOINT: readonly (readonly [string, Contract])[] = ENDPOINTS.map((contract) => [
  formatRoute(contract),
  contract,
]);
