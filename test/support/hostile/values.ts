import fc from 'fast-check';
import { PROVIDERS } from '#shared/providers/domain/names.ts';

/* What a request can be made of (requests.ts): values that fit a contract, and values that fit none. */

type Schema = Readonly<Record<string, unknown>>;

/**
 * Stands for something that exists only once the stack runs, and is filled in as a request is sent: `own` is the caller's, `foreign`
 * another business's or the other mode's. Counterexamples show it, so that they can be run again.
 */
export const slot = (of: string, whose: 'own' | 'foreign', which: number): string => `@@${of}/${whose}/${which}@@`;
export const SLOT = /@@(\w+)\/(own|foreign)\/(\d+)@@/g;

/** Often the newest, which the test has just made. */
const which = fc.oneof({ weight: 2, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(20) });
/** The id of a thing, mostly the caller's own. */
export const idOf = (of: string): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 4, arbitrary: which.map((n) => slot(of, 'own', n)) },
    { weight: 2, arbitrary: which.map((n) => slot(of, 'foreign', n)) },
  );

/** Texts that have broken services before. None holds a word that only our insides use: the test looks for those in answers. */
const HOSTILE_TEXTS: readonly string[] = [
  ...['', ' ', '\u0000', 'Ada\u0000Stores', '\r\nSet-Cookie: a=b', '\u202eabc', '\ufeff', '\ud800', 'a\udc00b', '💸'],
  ...[
    'x'.repeat(63).concat('💸'),
    '💸'.repeat(50),
    'é'.repeat(100),
    'x'.repeat(101),
    'x'.repeat(2_000),
    'x'.repeat(20_000),
  ],
  ...[
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    'null',
    'true',
    '*',
    '#',
    '/',
    '..',
    '../../etc/passwd',
  ],
  ...["' OR 1=1 --", '{"$gt":""}', '#{7*7}', '{{7*7}}', '<script>alert(1)</script>', '%00', '%s%s%n', 'a,b', '"', '\\'],
  ...['0', '-1', '1e309', '0x10', '１２', '2026-13-45T99:99:99Z', '0000-01-01T00:00:00Z', '0000-01-01T00:00:00+23:59'],
  ...[
    '1969-12-31T23:59:59Z',
    '9999-12-31T23:59:59.999999999-23:59',
    '2026-11-20T12:00:00.123456789Z',
    '+275760-09-13T00:00:00Z',
  ],
  ...[
    'javascript:alert(1)',
    'file:///etc/passwd',
    'http://',
    'http://127.0.0.1:99999/',
    'http://ada:pass@127.0.0.1:9/',
    '//127.0.0.1:9',
  ],
];

/** Whether a value is one that paths are made of too, which a log shows, or so short a word that chance may bring it there. */
export const isCommon = (value: string): boolean =>
  /^[a-z_:/]+$/i.test(value) || value.length < 10 || HOSTILE_TEXTS.some((text) => text.includes(value));
export const hostileText = fc.oneof(
  fc.constantFrom(...HOSTILE_TEXTS),
  fc.string({ unit: 'binary', maxLength: 120 }),
  fc.string({ maxLength: 60 }),
);

/** JSON as it is written, so that a number may be longer than any number and a key may stand twice. */
const json = (value: unknown): string => JSON.stringify(value) ?? 'null';
const HOSTILE_JSON: readonly string[] = [
  ...['null', 'true', 'false', '[]', '{}', '[[]]', '{"__proto__":{"admin":true}}', '{"constructor":{"prototype":{}}}'],
  ...['0', '-0', '-1', '0.001', '1.005', '0.1', '1e21', '1e308', '1e999', '-1e999', '5e-324', '9007199254740993'],
  ...['1'.repeat(400), `0.${'1'.repeat(400)}`, '100000000.01', '99999999.99', '1.10', '4.35', '2147483648'],
  ...['['.repeat(2_000) + ']'.repeat(2_000), `${'{"a":'.repeat(2_000)}1${'}'.repeat(2_000)}`],
];
const hostileJson: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...HOSTILE_JSON),
  hostileText.map(json),
  fc.jsonValue({ maxDepth: 3 }).map(json),
  fc.array(hostileText, { maxLength: 12 }).map(json),
);

const email = fc.constantFrom(
  ...[
    'tunde.bakare@example.com',
    'fail+monnify@example.com',
    'fail+all@example.com',
    'a@b.co',
    `${'a'.repeat(60)}@example.com`,
  ],
);

/** Fields about which a schema alone says too little to come to a success. */
const FITTING: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  amount: fc
    .oneof(fc.integer({ min: 100, max: 1_000_000 }), fc.constantFrom(100, 435, 10_000_000_000))
    .map((kobo) => kobo / 100),
  provider: fc.constantFrom(...PROVIDERS),
  banks: fc.subarray([...PROVIDERS], { minLength: 1 }),
  metadata: fc.dictionary(fc.string({ maxLength: 8 }), fc.jsonValue({ maxDepth: 1 }), { maxKeys: 3 }),
  bank_account: fc.constantFrom(null, { account_number: '0123456789', bank_code: '058' }),
  customer_email: email,
  payer_email: email,
  reference: idOf('checkout'),
  endpoint_id: idOf('webhook_endpoint'),
  cursor: idOf('cursor'),
  url: which.map((n) => slot('url', 'own', n)),
  since: fc.constantFrom('2026-11-20T12:00:00Z', '2020-01-01T00:00:00+01:00', '2100-01-01T00:00:00.5Z'),
};

const words = fc
  .array(fc.constantFrom('Adaeze', 'Okafor', 'Ọlá', 'N’Diaye', '阿达', '💸', 'INV-2026', '&', '0117'), {
    minLength: 1,
    maxLength: 4,
  })
  .map((all) => all.join(' '));

/** Values that fit a JSON schema, as far as contracts use the language. */
export const fitting = (schema: Schema, name?: string): fc.Arbitrary<unknown> => {
  const known = name === undefined ? undefined : FITTING[name];
  if (known) return known;
  const { type, anyOf, pattern, minimum, maximum, items, prefixItems, maxItems } = schema;
  if ('const' in schema) return fc.constant(schema.const);
  if (Array.isArray(schema.enum)) return fc.constantFrom(...schema.enum);
  if (Array.isArray(anyOf)) return fc.oneof(...anyOf.map((one: Schema) => fitting(one)));
  if (Array.isArray(type)) return fc.oneof(...type.map((one: string) => fitting({ ...schema, type: one })));
  if (Array.isArray(prefixItems)) return fc.tuple(...prefixItems.map((one: Schema) => fitting(one)));
  if (type === 'array') return fc.array(fitting(items as Schema), { minLength: 1, maxLength: Number(maxItems) });
  if (type === 'integer') return fc.integer({ min: Number(minimum), max: Number(maximum) });
  if (type === 'boolean') return fc.boolean();
  if (type === 'null') return fc.constant(null);
  if (type === 'string') return typeof pattern === 'string' ? fc.stringMatching(new RegExp(pattern)) : words;
  if (type === 'object') return object(schema);
  throw new Error(`Say in test/support/hostile/values.ts what fits ${name ?? ''} ${JSON.stringify(schema)}.`);
};

/** Members that cannot stand together, and never twice: `base` has only what always fits. */
const ONE_OF = ['banks', 'provider'];
const together = (all: Record<string, unknown>, fitted: Record<string, unknown>): Record<string, unknown> => {
  const [given] = ONE_OF.filter((name) => fitted[name] != null);
  return Object.fromEntries(Object.entries(all).filter(([name]) => !given || name === given || !ONE_OF.includes(name)));
};

/** Objects that fit a schema: an example that does, with some of its members, and others, replaced by what fits too. */
const object = ({ properties = {} }: Schema, base: Readonly<Record<string, unknown>> = {}) =>
  fc
    .record(
      Object.fromEntries(
        Object.entries(properties as Record<string, Schema>).map(([name, schema]) => [name, fitting(schema, name)]),
      ),
      { requiredKeys: [] },
    )
    .map((fitted: Record<string, unknown>) => together({ ...base, ...fitted }, fitted));

/** A JSON object by its members: written keys and values. */
export type Members = readonly (readonly [key: string, value: string])[];
export const written = (members: Members): string =>
  `{${members.map(([key, value]) => `${json(key)}:${value}`).join(',')}}`;
export const membersOf = (value: Record<string, unknown>): Members =>
  Object.entries(value).map(([key, inner]) => [key, json(inner)]);

const ODD_KEYS = ['__proto__', 'constructor', 'toString', '', 'id', 'business_id', 'mode', 'status'];
const oddKey = fc.oneof(fc.constantFrom(...ODD_KEYS), hostileText);

/** One thing done to a good object: a member replaced, left out, sent twice, or an odd one added. */
const spoiling = (names: readonly string[]): fc.Arbitrary<(members: Members) => Members> => {
  const name = names.length > 0 ? fc.constantFrom(...names) : oddKey;
  return fc.oneof(
    {
      weight: 5,
      arbitrary: fc.tuple(name, hostileJson).map(
        ([key, value]) =>
          (members: Members): Members => [...members.filter(([one]) => one !== key), [key, value]],
      ),
    },
    {
      weight: 1,
      arbitrary: name.map(
        (key) =>
          (members: Members): Members =>
            members.filter(([one]) => one !== key),
      ),
    },
    {
      weight: 1,
      arbitrary: fc.tuple(name, hostileJson).map(
        (twice) =>
          (members: Members): Members => [...members, twice],
      ),
    },
    {
      weight: 1,
      arbitrary: fc.tuple(oddKey, hostileJson).map(
        (odd) =>
          (members: Members): Members => [odd, ...members],
      ),
    },
  );
};

/** One value of every kind that JSON has, and those that stand at the edge of one. */
const KINDS_OF_JSON: readonly string[] = [
  ...[
    'null',
    'true',
    '0',
    '-1',
    '0.001',
    '1e999',
    '""',
    '"text"',
    '"8500"',
    '"\\u0000"',
    '"\\ud800"',
    '[]',
    '[null]',
    '{}',
  ],
  ...['[["text"]]', '{"toString":null}', '{"__proto__":{"admin":true}}', json('x'.repeat(20_000))],
];

/** A good object spoiled in each of the ways that can be counted: each field of each kind, left out, or an odd one added. */
export const spoiledOnce = (
  { properties = {} }: Schema,
  base: Readonly<Record<string, unknown>>,
): readonly Members[] => {
  const good = membersOf(base);
  const without = (name: string): Members => good.filter(([one]) => one !== name);
  return [
    ...Object.keys(properties as object).flatMap((name) => [
      without(name),
      ...KINDS_OF_JSON.map((value): Members => [...without(name), [name, value]]),
    ]),
    ...ODD_KEYS.flatMap((name) => ['null', '{}', '"text"'].map((value): Members => [[name, value], ...good])),
  ];
};

/** Objects that nearly fit a schema. */
export const nearlyFitting = (schema: Schema, base: Readonly<Record<string, unknown>>): fc.Arbitrary<Members> =>
  fc
    .tuple(
      object(schema, base),
      fc.array(spoiling(Object.keys((schema.properties ?? {}) as object)), { minLength: 1, maxLength: 2 }),
    )
    .map(([good, spoilers]) => spoilers.reduce<Members>((members, spoil) => spoil(members), membersOf(good)));

export const fittingObject = (schema: Schema, base: Readonly<Record<string, unknown>>): fc.Arbitrary<Members> =>
  object(schema, base).map(membersOf);

/** What is no JSON object, or none that anybody should send. In latin1, so that it can be bytes that are no UTF-8. */
export const brokenBody: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    ...[
      '',
      ' ',
      '[]',
      'null',
      '"text"',
      '42',
      '{',
      '{}{}',
      '{"amount":',
      "{'amount': 1}",
      '{"amount":1,}',
      '\xef\xbb\xbf{}',
    ],
    ...[
      '{"a":"\xff\xfe"}',
      '{"a":"\xed\xa0\x80"}',
      '\x1f\x8b\x08\x00',
      'amount=100&payer_email=a%40b.co',
      '<xml/>',
      '[{}]',
      '{"a":NaN}',
    ],
    ...[
      '['.repeat(30_000),
      '{"a":'.repeat(10_000),
      `{"a":"${'x'.repeat(65_600)}"}`,
      `{"a":${'9'.repeat(60_000)}}`,
      ' '.repeat(70_000),
    ],
  ),
  fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes).toString('latin1')),
);
