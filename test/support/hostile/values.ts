import fc from 'fast-check';
import { PROVIDERS } from '#shared/providers/domain/names.ts';

/* The parts of generated requests (requests.ts): values that fit a contract, and values that fit none. */

type Schema = Readonly<Record<string, unknown>>;

/**
 * Makes a slot: a placeholder for something that exists only when the local stack runs. When a request is sent, a value replaces the slot: the
 * caller's for `own`, another business's or the other mode's for `foreign`. Counterexamples show the slot, so that they can be repeated.
 */
export const slot = (kind: string, owner: 'own' | 'foreign', index: number): string => `@@${kind}/${owner}/${index}@@`;
export const SLOT = /@@(\w+)\/(own|foreign)\/(\d+)@@/g;
const ONLY_SLOT = new RegExp(`^${SLOT.source}$`);
/** Tells whether a text is a slot and nothing else. A generated text may begin like a slot. */
export const isSlot = (text: string): boolean => ONLY_SLOT.test(text);

/** The index of a slot: often the newest one, because the test has just made it. */
const slotIndex = fc.oneof({ weight: 2, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(20) });
/** Generates the id of a resource, mostly the caller's own. */
export const generateId = (kind: string): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 4, arbitrary: slotIndex.map((n) => slot(kind, 'own', n)) },
    { weight: 2, arbitrary: slotIndex.map((n) => slot(kind, 'foreign', n)) },
  );

/** Texts that have broken services before. None contains a word of our internals, because the test searches answers for such words. */
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

/** Tells whether a value may be in a log anyway: a part of a path, or a short word. */
export const isCommon = (value: string): boolean =>
  /^[a-z_:/]+$/i.test(value) || value.length < 10 || HOSTILE_TEXTS.some((text) => text.includes(value));
export const hostileText = fc.oneof(
  fc.constantFrom(...HOSTILE_TEXTS),
  fc.string({ unit: 'binary', maxLength: 120 }),
  fc.string({ maxLength: 60 }),
);

/** Writes JSON as text, so that a number may be too long and a key may occur twice. */
const writeJson = (value: unknown): string => JSON.stringify(value) ?? 'null';
const HOSTILE_JSON: readonly string[] = [
  ...['null', 'true', 'false', '[]', '{}', '[[]]', '{"__proto__":{"admin":true}}', '{"constructor":{"prototype":{}}}'],
  ...['0', '-0', '-1', '0.001', '1.005', '0.1', '1e21', '1e308', '1e999', '-1e999', '5e-324', '9007199254740993'],
  ...['1'.repeat(400), `0.${'1'.repeat(400)}`, '100000000.01', '99999999.99', '1.10', '4.35', '2147483648'],
  ...['['.repeat(2_000) + ']'.repeat(2_000), `${'{"a":'.repeat(2_000)}1${'}'.repeat(2_000)}`],
];
const hostileJson: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...HOSTILE_JSON),
  hostileText.map(writeJson),
  fc.jsonValue({ maxDepth: 3 }).map(writeJson),
  fc.array(hostileText, { maxLength: 12 }).map(writeJson),
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

/** Generators for fields in which a random value that fits the schema would hardly ever succeed. */
const FIELD_GENERATORS: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  amount: fc
    .oneof(fc.integer({ min: 100, max: 1_000_000 }), fc.constantFrom(100, 435, 10_000_000_000))
    .map((kobo) => kobo / 100),
  provider: fc.constantFrom(...PROVIDERS),
  banks: fc.subarray([...PROVIDERS], { minLength: 1 }),
  metadata: fc.dictionary(fc.string({ maxLength: 8 }), fc.jsonValue({ maxDepth: 1 }), { maxKeys: 3 }),
  bank_account: fc.constantFrom(null, { account_number: '0123456789', bank_code: '058' }),
  customer_email: email,
  payer_email: email,
  reference: generateId('checkout'),
  endpoint_id: generateId('webhook_endpoint'),
  cursor: generateId('cursor'),
  url: slotIndex.map((n) => slot('url', 'own', n)),
  since: fc.constantFrom('2026-11-20T12:00:00Z', '2020-01-01T00:00:00+01:00', '2100-01-01T00:00:00.5Z'),
};

const words = fc
  .array(fc.constantFrom('Adaeze', 'Okafor', 'Ọlá', 'N’Diaye', '阿达', '💸', 'INV-2026', '&', '0117'), {
    minLength: 1,
    maxLength: 4,
  })
  .map((all) => all.join(' '));

/** Generates values that fit a JSON schema, for the parts of JSON Schema that contracts use. */
export const generateFitting = (schema: Schema, name?: string): fc.Arbitrary<unknown> => {
  const known = name === undefined ? undefined : FIELD_GENERATORS[name];
  if (known) return known;
  const { type, anyOf, pattern, minimum, maximum, items, prefixItems, maxItems } = schema;
  if ('const' in schema) return fc.constant(schema.const);
  if (Array.isArray(schema.enum)) return fc.constantFrom(...schema.enum);
  if (Array.isArray(anyOf)) return fc.oneof(...anyOf.map((option: Schema) => generateFitting(option)));
  if (Array.isArray(type))
    return fc.oneof(...type.map((option: string) => generateFitting({ ...schema, type: option })));
  if (Array.isArray(prefixItems)) return fc.tuple(...prefixItems.map((option: Schema) => generateFitting(option)));
  if (type === 'array')
    return fc.array(generateFitting(items as Schema), { minLength: 1, maxLength: Number(maxItems) });
  if (type === 'integer') return fc.integer({ min: Number(minimum), max: Number(maximum) });
  if (type === 'boolean') return fc.boolean();
  if (type === 'null') return fc.constant(null);
  if (type === 'string') return typeof pattern === 'string' ? fc.stringMatching(new RegExp(pattern)) : words;
  if (type === 'object') return generateObject(schema);
  throw new Error(`Add a generator in test/support/hostile/values.ts for ${name ?? ''} ${JSON.stringify(schema)}.`);
};

/** Fields that exclude each other. `base` has only fields that always fit. */
const EXCLUSIVE = ['banks', 'provider'];
const dropConflicts = (all: Record<string, unknown>, fitted: Record<string, unknown>): Record<string, unknown> => {
  const [present] = EXCLUSIVE.filter((name) => fitted[name] != null);
  return Object.fromEntries(
    Object.entries(all).filter(([name]) => !present || name === present || !EXCLUSIVE.includes(name)),
  );
};

/** Generates objects that fit a schema: an example with some members replaced or added. */
const generateObject = ({ properties = {} }: Schema, base: Readonly<Record<string, unknown>> = {}) =>
  fc
    .record(
      Object.fromEntries(
        Object.entries(properties as Record<string, Schema>).map(([name, schema]) => [
          name,
          generateFitting(schema, name),
        ]),
      ),
      { requiredKeys: [] },
    )
    .map((fitted: Record<string, unknown>) => dropConflicts({ ...base, ...fitted }, fitted));

/** The members of a JSON object: keys and written values. */
export type Members = readonly (readonly [key: string, value: string])[];
export const writeMembers = (members: Members): string =>
  `{${members.map(([key, value]) => `${writeJson(key)}:${value}`).join(',')}}`;
export const toMembers = (value: Record<string, unknown>): Members =>
  Object.entries(value).map(([key, inner]) => [key, writeJson(inner)]);

const ODD_KEYS = ['__proto__', 'constructor', 'toString', '', 'id', 'business_id', 'mode', 'status'];
const oddKey = fc.oneof(fc.constantFrom(...ODD_KEYS), hostileText);

/** Generates one change of a good object: a member is replaced, left out or sent twice, or an odd member is added. */
const generateChange = (names: readonly string[]): fc.Arbitrary<(members: Members) => Members> => {
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

/** Values of every JSON type, and edge cases. */
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
  ...['[["text"]]', '{"toString":null}', '{"__proto__":{"admin":true}}', writeJson('x'.repeat(20_000))],
];

/** Lists a fixed set of changes of a good object: each field left out or with each type of value, or an odd field added. */
export const listSpoiled = (
  { properties = {} }: Schema,
  base: Readonly<Record<string, unknown>>,
): readonly Members[] => {
  const good = toMembers(base);
  const without = (name: string): Members => good.filter(([key]) => key !== name);
  return [
    ...Object.keys(properties as object).flatMap((name) => [
      without(name),
      ...KINDS_OF_JSON.map((value): Members => [...without(name), [name, value]]),
    ]),
    ...ODD_KEYS.flatMap((name) => ['null', '{}', '"text"'].map((value): Members => [[name, value], ...good])),
  ];
};

/** Generates objects that nearly fit a schema. */
export const generateNearlyFitting = (schema: Schema, base: Readonly<Record<string, unknown>>): fc.Arbitrary<Members> =>
  fc
    .tuple(
      generateObject(schema, base),
      fc.array(generateChange(Object.keys((schema.properties ?? {}) as object)), { minLength: 1, maxLength: 2 }),
    )
    .map(([good, spoilers]) => spoilers.reduce<Members>((members, spoil) => spoil(members), toMembers(good)));

export const generateFittingObject = (schema: Schema, base: Readonly<Record<string, unknown>>): fc.Arbitrary<Members> =>
  generateObject(schema, base).map(toMembers);

/** Bodies that are not JSON objects, or JSON objects that no endpoint takes. In latin1, so that they can be invalid UTF-8. */
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
