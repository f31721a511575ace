import { parseInput } from '#shared/api/middlewares/validate.ts';
import { expireCheckoutContract } from '#shared/checkouts/contract/expire-checkout.ts';
import { initializeCheckoutContract } from '#shared/checkouts/contract/initialize-checkout.ts';
import { listCheckoutsContract } from '#shared/checkouts/contract/list-checkouts.ts';
import { requeryCheckoutContract } from '#shared/checkouts/contract/requery-checkout.ts';
import { simulateCheckoutPaymentContract } from '#shared/checkouts/contract/simulate-checkout-payment.ts';
import { verifyCheckoutContract } from '#shared/checkouts/contract/verify-checkout.ts';
import type { Contract } from '#shared/platform/contract/contract.ts';
import { ApiError, type FieldError } from '#shared/platform/kernel/errors.ts';
import { createVirtualAccountsContract } from '#shared/virtual-accounts/contract/create-virtual-accounts.ts';
import {
  deleteVirtualAccountContract,
  postDeleteVirtualAccountContract,
} from '#shared/virtual-accounts/contract/delete-virtual-account.ts';
import { getVirtualAccountContract } from '#shared/virtual-accounts/contract/get-virtual-account.ts';
import { listVirtualAccountPaymentsContract } from '#shared/virtual-accounts/contract/list-virtual-account-payments.ts';
import { listVirtualAccountsContract } from '#shared/virtual-accounts/contract/list-virtual-accounts.ts';
import { simulateVirtualAccountPaymentContract } from '#shared/virtual-accounts/contract/simulate-virtual-account-payment.ts';
import { id } from './examples.ts';

interface Sent {
  /** Parsed JSON. The raw text of metadata is tested in test/e2e/metadata.test.ts. */
  readonly body?: unknown;
  readonly query?: Record<string, string>;
  readonly params?: Record<string, string>;
  readonly headers?: Record<string, string>;
}

/** Parses a request, or returns its errors. */
const read = (contract: Contract, { body, query, params, headers = {} }: Sent) => {
  try {
    const event = {
      headers,
      rawQueryString: new URLSearchParams(query).toString(),
      ...(query && { queryStringParameters: query }),
      ...(params && { pathParameters: params }),
    };
    return {
      ...parseInput(contract, event, { json: body as Record<string, unknown> }),
      errors: [] as readonly FieldError[],
    };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    expect(error.code).toBe('validation_failed');
    return { errors: error.details.errors ?? [] };
  }
};

/** Returns the wrong fields, and checks that each error is a readable sentence. */
const findWrongFields = (contract: Contract, sent: Sent): string[] => {
  const { errors } = read(contract, sent);
  for (const { field, message } of errors) {
    expect(message).toMatch(/^\S.*[^.]\.$/);
    expect(message).toContain(field);
    expect(message).not.toMatch(/expected|received|invalid input|too (big|small)|regex|undefined|NaN|zod/i);
    expect(message.length).toBeLessThan(200);
  }
  return [...new Set(errors.map(({ field }) => field))];
};

const parse = (contract: Contract, sent: Sent): unknown => {
  const { errors, ...parts } = read(contract, sent);
  expect(errors).toEqual([]);
  return parts;
};

/** Expects that a field of the body or the query is parsed to this value, or refused. */
const expectRead = (contract: Contract, sent: Sent, field: string, readAs: unknown): void => {
  if (readAs === 'refused') {
    expect(findWrongFields(contract, sent)).toEqual([field]);
    return;
  }
  const { body, query } = parse(contract, sent) as Record<'body' | 'query', Record<string, unknown>>;
  expect((sent.query ? query : body)[field]).toEqual(readAs);
};

type Row = [sent: unknown, readAs: unknown];
/** Makes rows of values with their parsed values, and of values that are refused. */
const rows = (accepted: readonly unknown[], readAs: readonly unknown[], ...refusedOnes: readonly unknown[]): Row[] => [
  ...accepted.map((sent, i): Row => [sent, readAs[i]]),
  ...refusedOnes.map((sent): Row => [sent, 'refused']),
];
/** Makes rows of good and of bad values. */
const goodAndBad = (good: readonly unknown[], bad: readonly unknown[]): [sent: unknown, isGood: boolean][] => [
  ...good.map((sent): [unknown, boolean] => [sent, true]),
  ...bad.map((sent): [unknown, boolean] => [sent, false]),
];

/** Amounts in JSON, each with its kobo or with 'refused'. */
const AMOUNTS = rows(
  [1, 1.01, 5_000, 8_500.75, 4.35, 99_999_999.99, 100_000_000],
  [100, 101, 500_000, 850_075, 435, 9_999_999_999, 10_000_000_000],
  ...[100_000_000.01, 1e21, Number.MAX_SAFE_INTEGER, 0, -0, -1, -5_000, 0.001, 1.005, 1.001, 0.1 + 0.2],
  ...['5000', '', null, undefined, true, [5_000], { naira: 5_000 }],
);

const EMAILS = goodAndBad(
  [
    ...['chiamaka.okafor@example.com', 'fail+paystack@example.com', "o'connor_99@mail.example.ng"],
    ...[`${'a'.repeat(64)}@example.com`, 'tunde@münchen.de'],
  ],
  [
    ...[
      `${'a'.repeat(65)}@example.com`,
      `a@${'b'.repeat(64)}.com`,
      '',
      'chiamaka',
      'chiamaka@',
      '@example.com',
      'chiamaka@localhost',
    ],
    ...['chiamaka@example..com', 'chiamaka okafor@example.com', ' chiamaka@example.com', 'chiamaka@example.com\n'],
    ...['Chiamaka <chiamaka@example.com>', 'a@example.com,b@example.com', 234, ['chiamaka@example.com']],
  ],
);

/** Names, references and other texts of at most 100 characters. */
const TEXTS: [string, unknown, boolean][] = [
  ['a name', 'Chiamaka Okafor', true],
  ['Yoruba marks', 'Ọláwálé Adébáyọ̀', true],
  ['one character', 'A', true],
  ['100 characters', 'x'.repeat(100), true],
  ['101 characters', 'x'.repeat(101), false],
  ['60,000 characters', 'x'.repeat(60_000), false],
  ['nothing', '', false],
  ['spaces', '   ', false],
  ['no-break spaces', '\u00a0\u00a0', false],
  ['a line break', 'Chiamaka\nOkafor', false],
  ['a tab', 'Chiamaka\tOkafor', false],
  ['a null', 'Chiamaka\0', false],
  ['an escape', '\x1b[31mChiamaka', false],
  ['a C1 control', 'Chiamaka\x85', false],
  ['a Hangul filler', '\u3164', false],
  ['zero width spaces', '\u200b\u200b', false],
  ['a noncharacter', 'Chiamaka\ufffe', false],
  ['a number', 42, false],
  ['a list', ['Chiamaka'], false],
  ['an object', { first: 'Chiamaka' }, false],
];

/** Makes an object that has exactly `bytes` bytes as JSON. */
const objectOf = (bytes: number, sign = 'x'): Record<string, string> => {
  const room = bytes - '{"k":""}'.length;
  const fitting = Math.floor(room / Buffer.byteLength(sign));
  return { k: sign.repeat(fitting) + 'x'.repeat(room - fitting * Buffer.byteLength(sign)) };
};

const METADATA: [string, unknown, boolean][] = [
  ['an empty object', {}, true],
  ['a nested object', { order: { lines: [{ sku: 'ANK-06', yards: 6 }] } }, true],
  ['2,048 bytes', objectOf(2_048), true],
  ['2,049 bytes', objectOf(2_049), false],
  ['2,048 bytes of ₦', objectOf(2_048, '₦'), true],
  ['2,049 bytes of ₦, some 700 characters', objectOf(2_049, '₦'), false],
  ['a list', ['a'], false],
  ['a text', '{"order":1}', false],
  ['a number', 7, false],
  ['true', true, false],
  ['20,000 levels of lists', JSON.parse(`{"k":${'['.repeat(20_000)}${']'.repeat(20_000)}}`), false],
];

const ada = { customer_name: 'Ngozi Adeyemi', provider: 'monnify' };
const cart = { amount: 5_000, payer_email: 'chiamaka.okafor@example.com' };
const transfer = { amount: 5_000 };
const simulation = { reference: 'PAY-7H2KQ9XW4M1ZB8T5RC3N' };
const params = { id: id('va') };

describe('an amount', () => {
  test.each(AMOUNTS)('becomes kobo in a checkout: %p → %p', (amount, kobo) => {
    expectRead(initializeCheckoutContract, { body: { ...cart, amount } }, 'amount', kobo);
  });

  test.each([...AMOUNTS, ...rows([0.01, 0.99], [1, 99])])(
    'becomes kobo in a transfer into a virtual account: %p → %p',
    (amount, kobo) => {
      expectRead(simulateVirtualAccountPaymentContract, { params, body: { amount } }, 'amount', kobo);
    },
  );

  test.each(AMOUNTS.filter(([amount]) => amount !== undefined))(
    'becomes kobo in a simulated checkout payment: %p → %p',
    (amount, kobo) => {
      expectRead(simulateCheckoutPaymentContract, { body: { ...simulation, amount } }, 'amount', kobo);
    },
  );

  test('gets an error that says what is wrong', () => {
    const readMessage = (amount: unknown) =>
      read(initializeCheckoutContract, { body: { ...cart, amount } }).errors[0]?.message;
    expect(readMessage(undefined)).toBe('amount is required and must be a number in naira.');
    expect(readMessage('5000')).toBe('amount must be a number in naira.');
    expect(readMessage(null)).toBe('amount must be a number in naira.');
    expect(readMessage(0)).toBe('amount must be at least 1.');
    expect(readMessage(1e21)).toBe('amount must be at most 100000000.');
    expect(readMessage(1.005)).toBe('amount must have at most two decimals.');
  });
});

describe('an e-mail address', () => {
  test.each(EMAILS)('must be valid for a payer: %p → %p', (payer_email, good) => {
    expect(findWrongFields(initializeCheckoutContract, { body: { ...cart, payer_email } })).toEqual(
      good ? [] : ['payer_email'],
    );
  });
  test.each(EMAILS)('must be valid for a customer: %p → %p', (customer_email, good) => {
    expect(findWrongFields(createVirtualAccountsContract, { body: { ...ada, customer_email } })).toEqual(
      good ? [] : ['customer_email'],
    );
  });
  test.each(EMAILS.filter(([sent]) => typeof sent === 'string'))(
    'must be valid as a filter of a list: %p → %p',
    (customer_email, good) => {
      const query = { customer_email: String(customer_email) };
      expect(findWrongFields(listVirtualAccountsContract, { query })).toEqual(good ? [] : ['customer_email']);
    },
  );
  test.each([null, undefined])('must be present for a payer: %p', (payer_email) => {
    expect(findWrongFields(initializeCheckoutContract, { body: { ...cart, payer_email } })).toEqual(['payer_email']);
  });
});

describe('a phone number', () => {
  const bad = [
    ...[
      '2348031234567',
      '+23408031234567',
      '08031234567',
      '+08031234567',
      '+234 803 123 4567',
      '+234-803-123-4567',
      '00234803123456',
      '+234',
    ],
    ...['+1234567890123456', '++2348031234567', '+2348031234567x', '+2348031234567\n', '+٢٣٤٨٠٣١٢٣٤٥٦٧'],
    ...['', 2348031234567, true],
  ];
  test.each(goodAndBad(['+2348031234567', '+447911123456', '+15551234567'], bad))(
    'has its country prefix and only digits: %p → %p',
    (customer_phone, good) => {
      expect(findWrongFields(createVirtualAccountsContract, { body: { ...ada, customer_phone } })).toEqual(
        good ? [] : ['customer_phone'],
      );
    },
  );
});

describe('an identity number', () => {
  const bad = ['2221234567', '222123456789', '2221234567a', '222 1234 5678', '', 22212345678];
  test.each(
    goodAndBad(['22212345678'], bad).flatMap(([value, good]) =>
      ['bvn', 'nin'].map((field) => [field, value, good] as const),
    ),
  )('has 11 digits as %s: %p → %p', (field, value, good) => {
    expect(findWrongFields(createVirtualAccountsContract, { body: { ...ada, [field]: value } })).toEqual(
      good ? [] : [field],
    );
  });

  const ACCOUNT = { account_number: '0123456789', bank_code: '058' };
  test.each([
    [ACCOUNT, []],
    [{ ...ACCOUNT, bank_code: '999991' }, []],
    [{ ...ACCOUNT, account_number: '123456789' }, ['bank_account.account_number']],
    [{ ...ACCOUNT, bank_code: 'GTB' }, ['bank_account.bank_code']],
    [{}, ['bank_account.account_number', 'bank_account.bank_code']],
    ['0123456789', ['bank_account']],
  ])('may be a bank account with a number and a bank code: %j', (bank_account, wrong) => {
    const { errors } = read(createVirtualAccountsContract, { body: { ...ada, bank_account } });
    expect(errors.map(({ field }) => field)).toEqual(wrong);
    expect(JSON.stringify(errors)).not.toMatch(/12345678/);
  });

  test.each(['2221234567', '222123456789', '22212345678x', 22212345678])('never appears in an error: %p', (value) => {
    const { errors } = read(createVirtualAccountsContract, { body: { ...ada, bvn: value, nin: value } });
    expect(errors.map(({ field }) => field)).toEqual(['bvn', 'nin']);
    expect(JSON.stringify(errors)).not.toContain('2221234567');
  });
});

describe('a text that people read', () => {
  /** A field, the contract that has it, the rest of a valid body, and whether the field is required. */
  const PLACES: [string, Contract, object, boolean][] = [
    ['customer_name', createVirtualAccountsContract, ada, true],
    ['payer_name', initializeCheckoutContract, cart, false],
    ['merchant_reference', initializeCheckoutContract, cart, false],
    ['sender_name', simulateCheckoutPaymentContract, simulation, false],
    ['sender_bank', simulateCheckoutPaymentContract, simulation, false],
    ['sender_name', simulateVirtualAccountPaymentContract, transfer, false],
    ['sender_bank', simulateVirtualAccountPaymentContract, transfer, false],
  ];

  describe.each(PLACES)('in the field %s', (field, contract, rest, required) => {
    const place = (value: unknown): [Contract, Sent] => [contract, { params, body: { ...rest, [field]: value } }];
    test.each(TEXTS)('is accepted or refused: %s', (_, value, good) => {
      expect(findWrongFields(...place(value))).toEqual(good ? [] : [field]);
    });

    test.each([null, undefined])(`${required ? 'is required' : 'may be left out'}: %p`, (value) => {
      expect(findWrongFields(...place(value))).toEqual(required ? [field] : []);
    });

    test('fails in time if it has a million characters', () => {
      const nasty = [`${'x'.repeat(1_000_000)}\n`, `${' '.repeat(1_000_000)}\n`, `${'x '.repeat(500_000)}\0`];
      const begin = performance.now();
      for (const value of nasty) expect(findWrongFields(...place(value))).toEqual([field]);
      // A slow machine takes a second. A pattern of quadratic time would take many minutes.
      expect(performance.now() - begin).toBeLessThan(60_000);
    });
  });

  test('has the same rules as a filter of the list of checkouts', () => {
    expect(findWrongFields(listCheckoutsContract, { query: { merchant_reference: 'ORDER-2026-00417' } })).toEqual([]);
    for (const merchant_reference of ['', ' ', 'x'.repeat(101), 'a\nb', '\u2800']) {
      expect(findWrongFields(listCheckoutsContract, { query: { merchant_reference } })).toEqual(['merchant_reference']);
    }
  });

  test.each([
    [' ORDER-7\t', 'ORDER-7'],
    ['Commande e\u0301te\u0301', 'Commande \u00e9t\u00e9'],
    [`\u00a0${'x'.repeat(100)}\n`, 'x'.repeat(100)],
    ['e\u0301'.repeat(100), '\u00e9'.repeat(100)],
  ])('becomes one reference in every spelling: %j', (sent, normal) => {
    expectRead(
      initializeCheckoutContract,
      { body: { ...cart, merchant_reference: sent } },
      'merchant_reference',
      normal,
    );
    expectRead(listCheckoutsContract, { query: { merchant_reference: sent } }, 'merchant_reference', normal);
  });
});

describe('metadata', () => {
  test.each(METADATA)('must be valid for a checkout: %s', (_, metadata, good) => {
    expect(findWrongFields(initializeCheckoutContract, { body: { ...cart, metadata } })).toEqual(
      good ? [] : ['metadata'],
    );
  });
  test.each(METADATA)('must be valid for a virtual account: %s', (_, metadata, good) => {
    expect(findWrongFields(createVirtualAccountsContract, { body: { ...ada, metadata } })).toEqual(
      good ? [] : ['metadata'],
    );
  });

  test.each([
    ['null', null, null],
    ['nothing', undefined, null],
    ['an object', { b: 1, a: [null, '₦'] }, '{"b":1,"a":[null,"₦"]}'],
    ['an object with the key __proto__', JSON.parse('{"__proto__":{"x":1}}'), '{"__proto__":{"x":1}}'],
  ])('becomes a JSON text with its fields in the order in which they were sent: %s', (_, metadata, text) => {
    expectRead(initializeCheckoutContract, { body: { ...cart, metadata } }, 'metadata', text);
  });
});

describe('the providers of new virtual accounts', () => {
  const name = { customer_name: 'Ngozi Adeyemi' };

  const three = ['korapay', 'paystack', 'monnify'];
  test.each([
    ['one in banks', { banks: ['monnify'] }, ['monnify']],
    ['all in banks, in the order they came', { banks: three }, three],
    ['provider', { provider: 'korapay' }, ['korapay']],
    ['provider, and banks as null', { provider: 'korapay', banks: null }, ['korapay']],
    ['banks, and provider as null', { provider: null, banks: ['korapay'] }, ['korapay']],
  ])('come from %s', (_, named, providers) => {
    expectRead(createVirtualAccountsContract, { body: { ...name, ...named } }, 'providers', providers);
  });

  test.each([
    ['neither banks nor provider', {}, ['banks']],
    ['banks and provider as null', { banks: null, provider: null }, ['banks']],
    ['banks together with provider', { banks: ['monnify'], provider: 'korapay' }, ['banks']],
    ['banks together with provider, of the same name', { banks: ['monnify'], provider: 'monnify' }, ['banks']],
    ['no banks', { banks: [] }, ['banks']],
    ['eleven banks', { banks: Array(11).fill('monnify') }, ['banks']],
    ['one bank twice', { banks: ['monnify', 'monnify'] }, ['banks']],
    ['banks that are no list', { banks: 'monnify' }, ['banks']],
    ['banks as an object', { banks: { 0: 'monnify' } }, ['banks']],
    ['an unknown bank', { banks: ['monnify', 'gtbank'] }, ['banks.1']],
    ['two unknown banks', { banks: ['gtbank', 'uba'] }, ['banks.0', 'banks.1']],
    ['a bank in capitals', { banks: ['Monnify'] }, ['banks.0']],
    ['a number among banks', { banks: [58] }, ['banks.0']],
    ['null among banks', { banks: [null] }, ['banks.0']],
    ['an unknown provider', { provider: 'gtbank' }, ['provider']],
    ['an empty provider', { provider: '' }, ['provider']],
    ['a list as provider', { provider: ['monnify'] }, ['provider']],
    ['a name that every object has', { provider: 'constructor' }, ['provider']],
    ['__proto__', { provider: '__proto__' }, ['provider']],
  ])('are refused if the request has %s', (_, named, fields) => {
    expect(findWrongFields(createVirtualAccountsContract, { body: { ...name, ...named } })).toEqual(fields);
  });

  test('appear in the error about an unknown provider', () => {
    const { errors } = read(createVirtualAccountsContract, { body: { ...name, banks: ['monnify', 'gtbank'] } });
    expect(errors).toEqual([
      { field: 'banks.1', message: 'banks.1 must be one of paystack, monnify, korapay, not "gtbank".' },
    ]);
    expect(read(createVirtualAccountsContract, { body: name }).errors).toEqual([
      { field: 'banks', message: 'Send exactly one of banks and provider.' },
    ]);
  });

  test.each([
    ['a provider of 60,000 characters', { provider: 'x'.repeat(60_000) }],
    ['15,000 unknown banks', { banks: Array(15_000).fill('gtbank') }],
    ['ten banks of 6,000 characters', { banks: Array.from({ length: 10 }, (_, n) => `${n}${'x'.repeat(6_000)}`) }],
  ])('cannot make a huge error: %s', (_, named) => {
    const { errors } = read(createVirtualAccountsContract, { body: { ...name, ...named } });
    expect(errors.length).toBeGreaterThan(0);
    expect(JSON.stringify(errors).length).toBeLessThan(4_096);
  });

  test.each(goodAndBad(['paystack'], ['', 'gtbank', 'paystack,monnify']))(
    'may be named to delete one account: %p → %p',
    (provider, good) => {
      for (const deletion of [deleteVirtualAccountContract, postDeleteVirtualAccountContract]) {
        const query = { provider: String(provider) };
        expect(findWrongFields(deletion, { params, query })).toEqual(good ? [] : ['provider']);
        expect(findWrongFields(deletion, { params })).toEqual([]);
      }
    },
  );

  test.each(goodAndBad(['monnify', null, undefined], ['gtbank', 5]))(
    'may be named for a checkout: %p → %p',
    (provider, good) => {
      expect(findWrongFields(initializeCheckoutContract, { body: { ...cart, provider } })).toEqual(
        good ? [] : ['provider'],
      );
    },
  );
});

describe('the expiry of a checkout', () => {
  test.each(
    rows(
      [undefined, null, 1, 299, 300, 86_400],
      [1_800, 1_800, 1, 299, 300, 86_400],
      ...[86_401, 0, -300, 1.5, 1e21, '600', true, [600]],
    ),
  )('must be a whole number of seconds from 1 to 86,400, by default half an hour: %p → %p', (expires_in, seconds) => {
    expectRead(initializeCheckoutContract, { body: { ...cart, expires_in } }, 'expires_in', seconds);
  });
});

describe('the currency of a checkout', () => {
  test.each(goodAndBad(['NGN', null, undefined], ['ngn', 'USD', '', 566]))('must be NGN: %p → %p', (currency, good) => {
    expect(findWrongFields(initializeCheckoutContract, { body: { ...cart, currency } })).toEqual(
      good ? [] : ['currency'],
    );
  });
});

describe('a simulation', () => {
  const [statuses, readAs] = [
    [undefined, null, 'success', 'failed'],
    ['success', 'success', 'success', 'failed'],
  ];
  test.each(rows(statuses, readAs, 'paid', 'SUCCESS', '', true))(
    'has status success or failed, by default success: %p → %p',
    (status, read_as) => {
      expectRead(simulateCheckoutPaymentContract, { body: { ...simulation, status } }, 'status', read_as);
    },
  );

  test.each(rows([undefined, null, false, true], [false, false, false, true], 'true', 1))(
    'may be late, but is not by default: %p → %p',
    (late, read_as) => {
      expectRead(simulateCheckoutPaymentContract, { body: { ...simulation, late } }, 'late', read_as);
    },
  );

  test.each([undefined, null, 5, '', ['PAY-7H2KQ9XW4M1ZB8T5RC3N'], 'x'.repeat(60_000)])(
    'must name its checkout by a text of limited length: %p',
    (reference) => {
      const { errors } = read(simulateCheckoutPaymentContract, { body: { reference } });
      // An empty text passes here: it names a checkout that does not exist, which is another error.
      if (reference === '') return expect(errors).toEqual([]);
      return expect(findWrongFields(simulateCheckoutPaymentContract, { body: { reference } })).toEqual(['reference']);
    },
  );

  test('needs no amount: the default is the amount that is due', () => {
    expect(parse(simulateCheckoutPaymentContract, { body: simulation })).toEqual({
      params: {},
      query: {},
      body: { ...simulation, status: 'success', late: false, sender_name: null, sender_bank: null },
    });
  });
});

describe.each([
  ['checkouts', listCheckoutsContract, {}],
  ['virtual accounts', listVirtualAccountsContract, {}],
  ['payments of a virtual account', listVirtualAccountPaymentsContract, { params }],
] as const)('a list of %s', (_, contract, more) => {
  const bad = ['0', '101', '1000', '-1', '+1', '05', '1.0', '1e1', '0x10', ' 10', '10,20', 'abc', ''];
  test.each(rows(['1', '9', '25', '99', '100'], [1, 9, 25, 99, 100], ...bad))(
    'has a limit from 1 to 100: %p → %p',
    (limit, number) => {
      expectRead(contract, { ...more, query: { limit: String(limit) } }, 'limit', number);
    },
  );

  test('has 25 objects by default, and begins with the newest', () => {
    expect(parse(contract, more)).toMatchObject({ query: { limit: 25 } });
  });

  test('takes a cursor of at most the size that we issue', () => {
    expect(parse(contract, { ...more, query: { cursor: 'aGVsbG8' } })).toMatchObject({ query: { cursor: 'aGVsbG8' } });
    expect(findWrongFields(contract, { ...more, query: { cursor: 'x'.repeat(513) } })).toEqual(['cursor']);
  });

  test('refuses unknown parameters, and lists the known ones', () => {
    const { errors } = read(contract, { ...more, query: { limt: '5', cursor: 'aGVsbG8', 'customer\u202eliame': 'a' } });
    expect(errors.map(({ field }) => field)).toEqual(['limt', 'customer\u202eliame']);
    expect(errors[0]?.message).toMatch(
      /^limt is not a query parameter of this request\. It takes limit, cursor\b.*\.$/,
    );
  });

  test('names at most ten unknown parameters, each cut to 64 characters', () => {
    const query = Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`${'x'.repeat(100)}${i}`, '1']));
    const { errors } = read(contract, { ...more, query });
    expect(errors.map(({ field }) => field.length)).toEqual(Array.from({ length: 10 }, () => 64));
  });
});

describe('an id in a path', () => {
  test.each([
    ['a virtual account', getVirtualAccountContract, 'id'],
    ['a virtual account’s payments', listVirtualAccountPaymentsContract, 'id'],
    ['a virtual account to delete', deleteVirtualAccountContract, 'id'],
    ['a virtual account to delete by POST', postDeleteVirtualAccountContract, 'id'],
    ['a checkout', verifyCheckoutContract, 'reference'],
  ] as const)('needs no valid form, so that an impossible one is a 404: %s', (_, contract, name) => {
    for (const value of ['x', 'biz_01KA0000000000000000000001', '..', '₦', 'x'.repeat(65), 'x'.repeat(2_000)]) {
      expect(read(contract, { params: { [name]: value } }).errors).toEqual([]);
    }
  });
});

describe('a whole request', () => {
  test('has exactly the known fields after parsing if it creates virtual accounts', () => {
    const body = { customer_name: 'Ngozi Adeyemi', banks: ['paystack'], favourite_colour: 'green' };
    expect(parse(createVirtualAccountsContract, { body })).toEqual({
      params: {},
      query: {},
      body: {
        customer_name: 'Ngozi Adeyemi',
        customer_phone: null,
        customer_email: null,
        metadata: null,
        bvn: null,
        nin: null,
        bankAccount: null,
        providers: ['paystack'],
      },
    });
  });

  test('has null for absent fields of a checkout, and a default expiry', () => {
    const { currency: _, ...fields } = initializeCheckoutContract.body?.shape ?? {};
    expect(parse(initializeCheckoutContract, { body: cart })).toEqual({
      params: {},
      query: {},
      body: {
        ...Object.fromEntries(Object.keys(fields).map((field) => [field, null])),
        amount: 500_000,
        payer_email: 'chiamaka.okafor@example.com',
        expires_in: 1_800,
      },
    });
  });

  test.each([
    ['description', 'Order 1042', true],
    ['description', '   ', false],
    ['description', '\u200b\u200d', false],
    ['description', 'Order\n1042', false],
    ['description', 'Order \u202e1042', false],
    ['description', 'x'.repeat(120), true],
    ['description', 'x'.repeat(121), false],
    ['description', '👗', true],
    ['description', 1042, false],
    ['callback_url', 'https://shop.example.ng/done', true],
    ['callback_url', `https://shop.example.ng/${'a'.repeat(476)}`, true],
    ['callback_url', `https://shop.example.ng/${'a'.repeat(477)}`, false],
    ['callback_url', 'http://localhost:3000', true],
    ['callback_url', 'http://shop.example.ng/done', false],
    ['cancel_url', 'https://ada@shop.example.ng/', false],
    ['cancel_url', 'javascript:alert(1)', false],
    ['cancel_url', null, true],
  ] as const)('starts a checkout only if its %s is well formed: %j → %p', (field, value, isFine) => {
    expect(findWrongFields(initializeCheckoutContract, { body: { ...cart, [field]: value } })).toEqual(
      isFine ? [] : [field],
    );
  });

  test.each([
    ['virtual accounts', createVirtualAccountsContract, ['customer_name', 'banks']],
    ['a checkout', initializeCheckoutContract, ['amount', 'payer_email']],
    ['a simulated checkout payment', simulateCheckoutPaymentContract, ['reference']],
    ['a simulated transfer', simulateVirtualAccountPaymentContract, ['amount']],
  ] as const)('gets an error for every required field if it is empty: %s', (_, contract, fields) => {
    expect(findWrongFields(contract, { params, body: {} })).toEqual(fields);
    for (const { field, message } of read(contract, { params, body: {} }).errors) {
      if (field !== 'banks') expect(message).toMatch(new RegExp(`^${field} is required and must be `));
    }
  });

  test('gets all of its errors at once', () => {
    const sent = { customer_name: ' ', customer_phone: '0803', banks: ['paystack'], provider: 'monnify', bvn: '1' };
    expect(findWrongFields(createVirtualAccountsContract, { body: sent }).sort()).toEqual([
      'banks',
      'bvn',
      'customer_name',
      'customer_phone',
    ]);
    const headers = { 'idempotency-key': 'two words' };
    expect(findWrongFields(createVirtualAccountsContract, { headers, body: { banks: ['paystack'] } })).toEqual([
      'customer_name',
      'Idempotency-Key',
    ]);
  });

  test.each(['\u2028', '\u2029', '\u202e', '\u2066', '\u0007', '\n'])(
    'may not have %j in a text that people read',
    (sign) => {
      const name = `Tunde${sign}Bakare`;
      expect(findWrongFields(initializeCheckoutContract, { body: { ...cart, payer_name: name } })).toEqual([
        'payer_name',
      ]);
      expect(findWrongFields(initializeCheckoutContract, { body: { ...cart, merchant_reference: name } })).toEqual([
        'merchant_reference',
      ]);
      const customer = { customer_name: name, banks: ['paystack'] };
      expect(findWrongFields(createVirtualAccountsContract, { body: customer })).toEqual(['customer_name']);
    },
  );

  test.each(['Ọlábísí Adéwálé', 'محمد بيلو', 'O’Brien & Söhne', '愛'])(
    'may have a name in any language: %s',
    (name) => {
      expect(findWrongFields(initializeCheckoutContract, { body: { ...cart, payer_name: name } })).toEqual([]);
    },
  );
});

describe('the contracts', () => {
  const ALL = [
    createVirtualAccountsContract,
    listVirtualAccountsContract,
    getVirtualAccountContract,
    listVirtualAccountPaymentsContract,
    deleteVirtualAccountContract,
    postDeleteVirtualAccountContract,
    simulateVirtualAccountPaymentContract,
    initializeCheckoutContract,
    verifyCheckoutContract,
    listCheckoutsContract,
    expireCheckoutContract,
    requeryCheckoutContract,
    simulateCheckoutPaymentContract,
  ];

  test('let a public key start checkouts, and nothing else', () => {
    expect(ALL.filter(({ keys }) => keys.includes('public' as never))).toEqual([initializeCheckoutContract]);
    expect(ALL.every(({ keys }) => keys.includes('secret' as never))).toBe(true);
  });

  test('let only test keys simulate', () => {
    expect(ALL.filter(({ testOnly }) => testOnly)).toEqual([
      simulateVirtualAccountPaymentContract,
      simulateCheckoutPaymentContract,
    ]);
  });

  test('honour an Idempotency-Key for every POST except the requery, which is harmless to repeat, and for nothing else', () => {
    for (const contract of ALL)
      expect(contract.idempotent).toBe(contract.method === 'POST' && contract !== requeryCheckoutContract);
  });

  test('have the methods and paths of the service description', () => {
    expect(ALL.map(({ method, path, success }) => `${method} ${path} ${success.status}`)).toEqual([
      'POST /api/v1/virtual-accounts 201',
      'GET /api/v1/virtual-accounts 200',
      'GET /api/v1/virtual-accounts/{id} 200',
      'GET /api/v1/virtual-accounts/{id}/payments 200',
      'DELETE /api/v1/virtual-accounts/{id} 200',
      'POST /api/v1/virtual-accounts/{id}/delete 200',
      'POST /api/v1/virtual-accounts/{id}/sandbox/simulate 200',
      'POST /api/v1/checkout/initialize 201',
      'GET /api/v1/checkout/verify/{reference} 200',
      'GET /api/v1/checkouts 200',
      'POST /api/v1/checkouts/{reference}/expire 200',
      'POST /api/v1/checkouts/{reference}/requery 200',
      'POST /api/v1/checkout/sandbox/simulate 200',
    ]);
  });
});
