import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { notice } from '#shared/providers/domain/notice.ts';
import { extractMember } from '#shared/providers/korapay/json-member.ts';
import { korapay } from '#shared/providers/korapay/korapay.ts';
import { KORAPAY_FIXTURES } from '#shared/providers/korapay/simulator/fixtures.ts';
import { KORAPAY, NOON, naira } from '#test/unit/api/examples.ts';

const KEY = 'sk_test_example';
const FORMER_KEY = 'sk_test_former';
const VECTOR_DATA = '{"reference":"KPY-PAY-1","amount":5000,"fee":50,"status":"success","currency":"NGN"}';
const VECTOR_DIGEST = '9a5d92ce3b18303a04db44ce9523b2e43fd9fe0ca8f6d478e80922ab91c8bedb';

const provider = korapay({
  settings: KORAPAY,
  notificationUrl: null,
  credentials: async () => ({ secretKey: KEY, previousSecretKey: FORMER_KEY }),
  http: () => Promise.reject(new Error('Nothing is asked here.')),
  now: () => NOON,
});

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const signed = (text: string, key = KEY): string => createHmac('sha256', key).update(text).digest('hex');
const notificationOf = (data: string): string => `{"event":"charge.success","data":${data}}`;
const accepts = (signature: string | undefined, body: string): Promise<boolean> =>
  provider.authenticate({ 'x-korapay-signature': signature }, bytes(body));

describe('a notification of Korapay', () => {
  test('is genuine with the signature of the reference vector, in either case of letters', async () => {
    expect(await accepts(VECTOR_DIGEST, notificationOf(VECTOR_DATA))).toBe(true);
    expect(await accepts(VECTOR_DIGEST.toUpperCase(), notificationOf(VECTOR_DATA))).toBe(true);
  });

  test.each([
    ['the amount', VECTOR_DATA.replace('5000', '5001')],
    ['the reference', VECTOR_DATA.replace('KPY-PAY-1', 'KPY-PAY-2')],
    ['the order of members', '{"amount":5000,"reference":"KPY-PAY-1","fee":50,"status":"success","currency":"NGN"}'],
    ['a member more', VECTOR_DATA.replace('}', ',"x":1}')],
    ['its kind', `[${VECTOR_DATA}]`],
    ['its kind, as text', JSON.stringify(VECTOR_DATA)],
  ])('is not with another %s', async (_, data) => {
    expect(await accepts(VECTOR_DIGEST, notificationOf(data))).toBe(false);
  });

  test('is not genuine with any single byte of its data changed', async () => {
    const body = bytes(notificationOf(VECTOR_DATA));
    const from = body.length - 1 - VECTOR_DATA.length;
    for (let at = from; at < body.length - 1; at += 1) {
      const tampered = body.map((byte, i) => (i === at ? byte ^ 1 : byte));
      expect(await provider.authenticate({ 'x-korapay-signature': VECTOR_DIGEST }, tampered)).toBe(false);
    }
  });

  test('is genuine under the previous secret, and under no third one', async () => {
    expect(await accepts(signed(VECTOR_DATA, FORMER_KEY), notificationOf(VECTOR_DATA))).toBe(true);
    expect(await accepts(signed(VECTOR_DATA, 'sk_test_other'), notificationOf(VECTOR_DATA))).toBe(false);
  });

  test.each([
    ['spaces and line breaks', '{ "reference" : "KPY-PAY-1",\n\t"amount" : 5000 }'],
    ['numbers that end in zeros', '{"reference":"KPY-PAY-1","amount":5000.00,"fee":5e1}'],
    [
      'escapes',
      '{"payer":"\\u1eccl\\u00e1w\\u00e1l\\u00e9 \\"Wale\\" Ad\\u00e9b\\u00e1y\\u1ecd","path":"a\\/b","end":"\\\\"}',
    ],
    ['letters as they are', '{"payer":"Ọláwálé Adébáyọ̀","note":"₦5,000 🎉 }]"}'],
    ['a data of its own within', '{"data":{"data":[{"data":"}"}]},"amount":5000}'],
  ])('is genuine over the bytes as they came, and over their compact form: %s', async (_, data) => {
    const body = notificationOf(data);
    expect(await accepts(signed(data), body)).toBe(true);
    expect(await accepts(signed(JSON.stringify(JSON.parse(data))), body)).toBe(true);
    expect(await accepts(signed(`${data} `), body)).toBe(false);
  });

  test('is not genuine when the whole body is signed instead of its data', async () => {
    expect(await accepts(signed(notificationOf(VECTOR_DATA)), notificationOf(VECTOR_DATA))).toBe(false);
  });

  test.each([
    ['data twice', `{"data":{"amount":9},"event":"charge.success","data":${VECTOR_DATA}}`],
    ['data twice, the genuine one first', `{"data":${VECTOR_DATA},"event":"charge.success","data":{"amount":9}}`],
    ['data twice, once with an escaped name', `{"data":${VECTOR_DATA},"d\\u0061ta":{"amount":9}}`],
    ['data only further down', `{"event":{"data":${VECTOR_DATA}}}`],
    ['the data in a list', `[{"data":${VECTOR_DATA}}]`],
    ['no JSON', `{"data":${VECTOR_DATA}`],
    ['nothing', ''],
  ])('is not with %s', async (_, body) => {
    expect(await accepts(VECTOR_DIGEST, body)).toBe(false);
  });

  test('is not genuine when it is nested more deeply than any of theirs, whoever signed it', async () => {
    const nested = (levels: number): string => `{"a":${'['.repeat(levels)}${']'.repeat(levels)}}`;
    expect(await accepts(signed(nested(30)), notificationOf(nested(30)))).toBe(true);
    expect(await accepts(signed(nested(4_000)), notificationOf(nested(4_000)))).toBe(false);
  });

  test('is genuine at any length as it was signed; what is long is not written anew', async () => {
    const data = (length: number): string => `{"reference": "${'a'.repeat(length)}"}`;
    const compact = (text: string): string => JSON.stringify(JSON.parse(text));
    expect(await accepts(signed(data(40_000)), notificationOf(data(40_000)))).toBe(true);
    expect(await accepts(signed(compact(data(10_000))), notificationOf(data(10_000)))).toBe(true);
    expect(await accepts(signed(compact(data(40_000))), notificationOf(data(40_000)))).toBe(false);
  });

  test('is not genuine when it is not UTF-8', async () => {
    const body = Buffer.concat([Buffer.from('{"x":"'), Buffer.from([0xff]), Buffer.from(`","data":${VECTOR_DATA}}`)]);
    expect(await provider.authenticate({ 'x-korapay-signature': VECTOR_DIGEST }, body)).toBe(false);
  });

  test.each([undefined, '', 'none', VECTOR_DIGEST.slice(2), `${VECTOR_DIGEST}00`, VECTOR_DIGEST.replace('9', 'g')])(
    'is not with the signature %p',
    async (signature) => {
      expect(await accepts(signature, notificationOf(VECTOR_DATA))).toBe(false);
    },
  );

  test('does not read credentials when there is no signature', async () => {
    const strict = korapay({
      settings: KORAPAY,
      notificationUrl: null,
      credentials: () => Promise.reject(new Error('Read.')),
      http: () => Promise.reject(new Error('Asked.')),
      now: () => NOON,
    });
    expect(await strict.authenticate({}, bytes(notificationOf(VECTOR_DATA)))).toBe(false);
  });
});

describe('a member extracted from JSON', () => {
  const spaced = fc.constantFrom(undefined, 2, '\t', '\r\n ');
  const anObject = fc.dictionary(fc.string(), fc.jsonValue());

  test('parses to the value in the whole text, for any object, name and spacing', () => {
    fc.assert(
      fc.property(anObject, fc.string(), fc.jsonValue(), anObject, spaced, (before, name, value, after, space) => {
        const entries = Object.entries({ ...before, ...after }).filter(([other]) => other !== name);
        const whole = Object.fromEntries([...entries.slice(0, 2), [name, value], ...entries.slice(2)]);
        const text = JSON.stringify(whole, null, space);
        expect(JSON.parse(extractMember(text, name) ?? 'absent')).toEqual(JSON.parse(text)[name]);
      }),
    );
  });

  test('is exactly the written value, with nothing around it', () => {
    fc.assert(
      fc.property(fc.jsonValue(), spaced, (value, space) => {
        const text = JSON.stringify({ event: 'charge.success', data: value, sent: 1 }, null, space);
        const cut = extractMember(text, 'data') ?? 'absent';
        expect(text).toContain(cut);
        expect(cut.trim()).toBe(cut);
      }),
    );
  });

  test('is undefined when the object lacks it', () => {
    fc.assert(
      fc.property(anObject, fc.string(), (object, name) => {
        fc.pre(!Object.hasOwn(object, name));
        expect(extractMember(JSON.stringify(object), name)).toBeUndefined();
      }),
    );
  });

  test.each(['5', '"data"', '[]', '[{"data":1}]', 'null', '{}', ' { } '])('is undefined in %s', (text) => {
    expect(extractMember(text, 'data')).toBeUndefined();
  });
});

describe('what a notification of Korapay makes us look up', () => {
  const read = (notification: unknown) => provider.read(bytes(JSON.stringify(notification)));
  const nothing = notice();
  const forVirtualAccount = {
    fee: 50,
    amount: 5000,
    status: 'success',
    currency: 'NGN',
    reference: 'KPY-PAY-x9Qm2LwT',
    payment_reference: 'KPY-PAY-x9Qm2LwT',
    transaction_date: '2026-11-20 13:00:04',
    virtual_bank_account_details: {
      payer_bank_account: { bank_name: 'Access Bank', account_name: 'CHIDI EZE', account_number: '002****0331' },
      virtual_bank_account: {
        bank_name: 'wema',
        permanent: true,
        account_name: 'Ngozi Bello',
        account_number: '7720011223',
        account_reference: 'va_01KA0000000000000000000001',
      },
    },
  };
  const forPayment = {
    reference: 'PAY-7H2KQ9XW4M1ZB8T5RC3N',
    payment_reference: 'KPY-PAY-old',
    currency: 'NGN',
    amount: 5000,
    fee: 50,
    status: 'success',
    payment_method: 'bank_transfer',
  };

  test('is Korapay’s reference, for money in a virtual account', () => {
    expect(read({ event: 'charge.success', data: forVirtualAccount })).toEqual(
      notice({ queries: [{ by: 'transaction', value: 'KPY-PAY-x9Qm2LwT' }] }),
    );
  });

  test.each(['charge.success', 'charge.failed'])('is our reference, for %s of a payment', (event) => {
    expect(read({ event, data: forPayment })).toEqual(
      notice({ queries: [{ by: 'our_reference', value: 'PAY-7H2KQ9XW4M1ZB8T5RC3N' }] }),
    );
  });

  test.each([
    ['in the other field', { ...forPayment, reference: 'KPY-PAY-old', payment_reference: forPayment.reference }],
    ['beside a reference that cannot be read', { ...forPayment, payment_reference: 5 }],
  ])('is our reference, where it stands %s', (_, data) => {
    expect(read({ event: 'charge.success', data })).toEqual(
      notice({ queries: [{ by: 'our_reference', value: 'PAY-7H2KQ9XW4M1ZB8T5RC3N' }] }),
    );
  });

  test('is our reference as it is written, since the look-up finds out whose it is', () => {
    const small = forPayment.reference.toLowerCase();
    expect(read({ event: 'charge.success', data: { ...forPayment, reference: ` ${small} ` } })).toEqual(
      notice({ queries: [{ by: 'our_reference', value: small }] }),
    );
  });

  test('is Korapay’s reference, for a payment that was opened under somebody else’s', () => {
    const data = { ...forPayment, reference: 'order-77' };
    expect(read({ event: 'charge.success', data })).toEqual(
      notice({ queries: [{ by: 'transaction', value: 'KPY-PAY-old' }] }),
    );
  });

  test.each(['transfer.success', 'transfer.failed', 'charge.disputed', 'refund.pending', '', 5, null])(
    'is nothing, for the event %p',
    (event) => {
      expect(read({ event, data: forPayment })).toEqual(nothing);
    },
  );

  test.each([[[]], [null], [{}], ['charge.success']])('is nothing, for %j', (notification) => {
    expect(read(notification)).toEqual(nothing);
  });

  test.each([
    ['no data', undefined],
    ['data that is null', null],
    ['a list', [forPayment]],
    ['no reference', { amount: 5000 }],
    ['an empty reference', { reference: '' }],
    ['a reference that is a number', { reference: 5 }],
    ['a reference of two words', { reference: 'KPY PAY' }],
  ])('is nothing, and a person is called, for an event about money with %s', (_, data) => {
    for (const event of ['charge.success', 'charge.failed', 'refund.success', 'refund.failed'])
      expect(read({ event, data })).toEqual(notice({ problem: 'unreadable' }));
  });

  test('is nothing, for bytes that are not a notification', () => {
    fc.assert(fc.property(fc.uint8Array(), (raw) => expect(provider.read(raw)).toEqual(nothing)));
  });
});

describe('a refund that Korapay notifies', () => {
  const OURS = 'PAY-7H2KQ9XW4M1ZB8T5RC3N';
  const refund = {
    amount: 1200.5,
    status: 'success',
    currency: 'NGN',
    reference: 'RFD-000042',
    payment_reference: OURS,
    refund_date: '2026-11-20T10:00:04.000Z',
    completion_date: '2026-11-20T11:30:00.000Z',
  };
  const read = (event: string, data: unknown) => provider.read(bytes(JSON.stringify({ event, data })));
  const query = { by: 'our_reference', value: OURS } as const;
  const paidOut = notice({
    queries: [query],
    refunds: [{ query, refund: { id: 'RFD-000042', amount: naira(1_200.5) } }],
  });

  test.each([OURS, OURS.toLowerCase(), ` ${OURS} `])('is a fact about our payment %p', (payment_reference) => {
    const written = { ...query, value: payment_reference.trim() };
    const [paid] = paidOut.refunds;
    expect(read('refund.success', { ...refund, payment_reference })).toEqual(
      notice({ queries: [written], refunds: paid ? [{ ...paid, query: written }] : [] }),
    );
  });

  test('is a fact about Korapay’s payment, where it names that', () => {
    const about = { by: 'transaction', value: 'KPY-PAY-2bT' } as const;
    expect(read('refund.success', { ...refund, payment_reference: 'KPY-PAY-2bT' })).toEqual(
      notice({ queries: [about], refunds: [{ query: about, refund: { id: 'RFD-000042', amount: naira(1_200.5) } }] }),
    );
  });

  test.each(['failed', 'processing', 'FAILED', null])('asks for a look-up alone, with the status %p', (status) => {
    expect(read('refund.failed', { ...refund, status })).toEqual(notice({ queries: [query] }));
    // The event's name is not signed, but the status is.
    expect(read('refund.success', { ...refund, status })).toEqual(notice({ queries: [query] }));
  });

  test.each([
    ['an amount that is none', { amount: '1,200' }],
    ['an amount of zero', { amount: 0 }],
    ['a negative amount', { amount: -5 }],
    ['another currency', { currency: 'GHS' }],
    ['no reference of its own', { reference: null }],
    ['a reference of two words', { reference: 'RFD 42' }],
    ['the reference of its payment', { reference: OURS }],
    ['the reference of another payment of ours', { reference: 'PAY-00000000000000000000' }],
  ])('takes nothing out, and calls a person, with %s', (_, differing) => {
    expect(read('refund.success', { ...refund, ...differing })).toEqual(
      notice({ queries: [query], problem: 'unreadable' }),
    );
  });

  test.each([undefined, null, '', 5, 'two words'])('of the payment %p calls a person', (payment_reference) => {
    expect(read('refund.success', { ...refund, payment_reference })).toEqual(notice({ problem: 'unreadable' }));
  });

  const CHARGES = Object.entries(KORAPAY_FIXTURES.events)
    .filter(([name]) => name.startsWith('charge') || name === 'payout')
    .map(([name, { body }]) => [name, (body as { data: Record<string, unknown> }).data] as const);

  test.each(CHARGES)('is never made of the signed data of another event: %s', (_, data) => {
    for (const event of ['refund.success', 'refund.failed']) {
      expect(read(event, data).refunds).toEqual([]);
      // Nor where Korapay adds the dates of a refund to them some day.
      expect(read(event, { ...data, ...{ refund_date: null, completed_at: '2026-11-20' } }).refunds).toEqual([]);
    }
  });

  test('is read alike under every event about money, so that no copy takes its place', () => {
    const identity = (event: string, data: unknown) =>
      Buffer.from(provider.signedPart(bytes(JSON.stringify({ event, data })))).toString();
    for (const event of ['charge.success', 'charge.failed', 'refund.failed']) {
      expect(read(event, refund)).toEqual(paidOut);
      expect(identity(event, refund)).toBe(identity('refund.success', refund));
    }
    // Copies that are read otherwise are other notifications.
    expect(identity('transfer.success', refund)).not.toBe(identity('refund.success', refund));
    for (const [, data] of CHARGES)
      for (const event of ['refund.success', 'transfer.success', 'made.up'])
        expect(identity(event, data)).not.toBe(identity('charge.success', data));
  });
});
