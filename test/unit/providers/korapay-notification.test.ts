import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { makeContent } from '#shared/providers/domain/notification-content.ts';
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
const buildNotification = (data: string): string => `{"event":"charge.success","data":${data}}`;
const accepts = (signature: string | undefined, body: string): Promise<boolean> =>
  provider.authenticate({ 'x-korapay-signature': signature }, bytes(body));

describe('a notification of Korapay', () => {
  test('the signature of the reference vector is genuine in any letter case', async () => {
    expect(await accepts(VECTOR_DIGEST, buildNotification(VECTOR_DATA))).toBe(true);
    expect(await accepts(VECTOR_DIGEST.toUpperCase(), buildNotification(VECTOR_DATA))).toBe(true);
  });

  test.each([
    ['the amount', VECTOR_DATA.replace('5000', '5001')],
    ['the reference', VECTOR_DATA.replace('KPY-PAY-1', 'KPY-PAY-2')],
    ['the order of members', '{"amount":5000,"reference":"KPY-PAY-1","fee":50,"status":"success","currency":"NGN"}'],
    ['one more member', VECTOR_DATA.replace('}', ',"x":1}')],
    ['a list in place of the object', `[${VECTOR_DATA}]`],
    ['a text in place of the object', JSON.stringify(VECTOR_DATA)],
  ])('data that differ from the signed ones are not genuine: %s', async (_, data) => {
    expect(await accepts(VECTOR_DIGEST, buildNotification(data))).toBe(false);
  });

  test('a change of any single byte of the data is not genuine', async () => {
    const body = bytes(buildNotification(VECTOR_DATA));
    const from = body.length - 1 - VECTOR_DATA.length;
    for (let at = from; at < body.length - 1; at += 1) {
      const tampered = body.map((byte, i) => (i === at ? byte ^ 1 : byte));
      expect(await provider.authenticate({ 'x-korapay-signature': VECTOR_DIGEST }, tampered)).toBe(false);
    }
  });

  test('a signature under the previous secret is genuine, and under a third one it is not', async () => {
    expect(await accepts(signed(VECTOR_DATA, FORMER_KEY), buildNotification(VECTOR_DATA))).toBe(true);
    expect(await accepts(signed(VECTOR_DATA, 'sk_test_other'), buildNotification(VECTOR_DATA))).toBe(false);
  });

  test.each([
    ['spaces and line breaks', '{ "reference" : "KPY-PAY-1",\n\t"amount" : 5000 }'],
    ['numbers that end in zeros', '{"reference":"KPY-PAY-1","amount":5000.00,"fee":5e1}'],
    [
      'escapes',
      '{"payer":"\\u1eccl\\u00e1w\\u00e1l\\u00e9 \\"Wale\\" Ad\\u00e9b\\u00e1y\\u1ecd","path":"a\\/b","end":"\\\\"}',
    ],
    ['unescaped letters', '{"payer":"Ọláwálé Adébáyọ̀","note":"₦5,000 🎉 }]"}'],
    ['a member `data` inside the data', '{"data":{"data":[{"data":"}"}]},"amount":5000}'],
  ])('a signature over the received bytes or over their compact form is genuine: %s', async (_, data) => {
    const body = buildNotification(data);
    expect(await accepts(signed(data), body)).toBe(true);
    expect(await accepts(signed(JSON.stringify(JSON.parse(data))), body)).toBe(true);
    expect(await accepts(signed(`${data} `), body)).toBe(false);
  });

  test('a signature over the whole body is not genuine', async () => {
    expect(await accepts(signed(buildNotification(VECTOR_DATA)), buildNotification(VECTOR_DATA))).toBe(false);
  });

  test.each([
    ['data twice', `{"data":{"amount":9},"event":"charge.success","data":${VECTOR_DATA}}`],
    ['data twice, the genuine one first', `{"data":${VECTOR_DATA},"event":"charge.success","data":{"amount":9}}`],
    ['data twice, once with an escaped name', `{"data":${VECTOR_DATA},"d\\u0061ta":{"amount":9}}`],
    ['nested data only', `{"event":{"data":${VECTOR_DATA}}}`],
    ['the data in a list', `[{"data":${VECTOR_DATA}}]`],
    ['no JSON', `{"data":${VECTOR_DATA}`],
    ['nothing', ''],
  ])('a body is not genuine with %s', async (_, body) => {
    expect(await accepts(VECTOR_DIGEST, body)).toBe(false);
  });

  test('a body that is nested too deeply is not genuine, even with a right signature', async () => {
    const nested = (levels: number): string => `{"a":${'['.repeat(levels)}${']'.repeat(levels)}}`;
    expect(await accepts(signed(nested(30)), buildNotification(nested(30)))).toBe(true);
    expect(await accepts(signed(nested(4_000)), buildNotification(nested(4_000)))).toBe(false);
  });

  test('a long body is genuine as written, but it is not serialised again', async () => {
    const data = (length: number): string => `{"reference": "${'a'.repeat(length)}"}`;
    const compact = (text: string): string => JSON.stringify(JSON.parse(text));
    expect(await accepts(signed(data(40_000)), buildNotification(data(40_000)))).toBe(true);
    expect(await accepts(signed(compact(data(10_000))), buildNotification(data(10_000)))).toBe(true);
    expect(await accepts(signed(compact(data(40_000))), buildNotification(data(40_000)))).toBe(false);
  });

  test('a body that is not UTF-8 is not genuine', async () => {
    const body = Buffer.concat([Buffer.from('{"x":"'), Buffer.from([0xff]), Buffer.from(`","data":${VECTOR_DATA}}`)]);
    expect(await provider.authenticate({ 'x-korapay-signature': VECTOR_DIGEST }, body)).toBe(false);
  });

  test.each([undefined, '', 'none', VECTOR_DIGEST.slice(2), `${VECTOR_DIGEST}00`, VECTOR_DIGEST.replace('9', 'g')])(
    'the signature %p is not genuine',
    async (signature) => {
      expect(await accepts(signature, buildNotification(VECTOR_DATA))).toBe(false);
    },
  );

  test('no credentials are read for a notification without a signature', async () => {
    const strict = korapay({
      settings: KORAPAY,
      notificationUrl: null,
      credentials: () => Promise.reject(new Error('Read.')),
      http: () => Promise.reject(new Error('Asked.')),
      now: () => NOON,
    });
    expect(await strict.authenticate({}, bytes(buildNotification(VECTOR_DATA)))).toBe(false);
  });
});

describe('extractMember', () => {
  const spacing = fc.constantFrom(undefined, 2, '\t', '\r\n ');
  const anObject = fc.dictionary(fc.string(), fc.jsonValue());

  test('extracts the value that JSON.parse finds, for any object, name and spacing', () => {
    fc.assert(
      fc.property(anObject, fc.string(), fc.jsonValue(), anObject, spacing, (before, name, value, after, space) => {
        const entries = Object.entries({ ...before, ...after }).filter(([other]) => other !== name);
        const whole = Object.fromEntries([...entries.slice(0, 2), [name, value], ...entries.slice(2)]);
        const text = JSON.stringify(whole, null, space);
        expect(JSON.parse(extractMember(text, name) ?? 'absent')).toEqual(JSON.parse(text)[name]);
      }),
    );
  });

  test('extracts exactly the written value, without surrounding spaces', () => {
    fc.assert(
      fc.property(fc.jsonValue(), spacing, (value, space) => {
        const text = JSON.stringify({ event: 'charge.success', data: value, sent: 1 }, null, space);
        const cut = extractMember(text, 'data') ?? 'absent';
        expect(text).toContain(cut);
        expect(cut.trim()).toBe(cut);
      }),
    );
  });

  test('returns undefined if the object lacks the member', () => {
    fc.assert(
      fc.property(anObject, fc.string(), (object, name) => {
        fc.pre(!Object.hasOwn(object, name));
        expect(extractMember(JSON.stringify(object), name)).toBeUndefined();
      }),
    );
  });

  test.each(['5', '"data"', '[]', '[{"data":1}]', 'null', '{}', ' { } '])('returns undefined for %s', (text) => {
    expect(extractMember(text, 'data')).toBeUndefined();
  });
});

describe('reading a notification of Korapay', () => {
  const read = (notification: unknown) => provider.read(bytes(JSON.stringify(notification)));
  const nothing = makeContent();
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

  test('money in a virtual account is looked up by Korapay’s reference', () => {
    expect(read({ event: 'charge.success', data: forVirtualAccount })).toEqual(
      makeContent({ queries: [{ by: 'transaction', value: 'KPY-PAY-x9Qm2LwT' }] }),
    );
  });

  test.each(['charge.success', 'charge.failed'])('a payment’s event %s is looked up by our reference', (event) => {
    expect(read({ event, data: forPayment })).toEqual(
      makeContent({ queries: [{ by: 'our_reference', value: 'PAY-7H2KQ9XW4M1ZB8T5RC3N' }] }),
    );
  });

  test.each([
    ['in the other field', { ...forPayment, reference: 'KPY-PAY-old', payment_reference: forPayment.reference }],
    ['next to an unreadable reference', { ...forPayment, payment_reference: 5 }],
  ])('a payment is looked up by our reference, found %s', (_, data) => {
    expect(read({ event: 'charge.success', data })).toEqual(
      makeContent({ queries: [{ by: 'our_reference', value: 'PAY-7H2KQ9XW4M1ZB8T5RC3N' }] }),
    );
  });

  test('our reference is looked up in the letter case in which it is written', () => {
    const lowerCase = forPayment.reference.toLowerCase();
    expect(read({ event: 'charge.success', data: { ...forPayment, reference: ` ${lowerCase} ` } })).toEqual(
      makeContent({ queries: [{ by: 'our_reference', value: lowerCase }] }),
    );
  });

  test('a payment under a stranger’s reference is looked up by Korapay’s reference', () => {
    const data = { ...forPayment, reference: 'order-77' };
    expect(read({ event: 'charge.success', data })).toEqual(
      makeContent({ queries: [{ by: 'transaction', value: 'KPY-PAY-old' }] }),
    );
  });

  test.each(['transfer.success', 'transfer.failed', 'charge.disputed', 'refund.pending', '', 5, null])(
    'the event %p is ignored',
    (event) => {
      expect(read({ event, data: forPayment })).toEqual(nothing);
    },
  );

  test.each([[[]], [null], [{}], ['charge.success']])('the body %j is ignored', (notification) => {
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
  ])('an event about money is reported as unreadable with %s', (_, data) => {
    for (const event of ['charge.success', 'charge.failed', 'refund.success', 'refund.failed'])
      expect(read({ event, data })).toEqual(makeContent({ problem: 'unreadable' }));
  });

  test('bytes that are no notification are ignored', () => {
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
  const refundNotice = makeContent({
    queries: [query],
    refunds: [{ query, refund: { id: 'RFD-000042', amount: naira(1_200.5) } }],
  });

  test.each([OURS, OURS.toLowerCase(), ` ${OURS} `])(
    'the refund is recorded for our payment %p',
    (payment_reference) => {
      const written = { ...query, value: payment_reference.trim() };
      const [paid] = refundNotice.refunds;
      expect(read('refund.success', { ...refund, payment_reference })).toEqual(
        makeContent({ queries: [written], refunds: paid ? [{ ...paid, query: written }] : [] }),
      );
    },
  );

  test('the refund is recorded for a payment that Korapay’s reference names', () => {
    const about = { by: 'transaction', value: 'KPY-PAY-2bT' } as const;
    expect(read('refund.success', { ...refund, payment_reference: 'KPY-PAY-2bT' })).toEqual(
      makeContent({
        queries: [about],
        refunds: [{ query: about, refund: { id: 'RFD-000042', amount: naira(1_200.5) } }],
      }),
    );
  });

  test.each(['failed', 'processing', 'FAILED', null])('the status %p only causes a look-up', (status) => {
    expect(read('refund.failed', { ...refund, status })).toEqual(makeContent({ queries: [query] }));
    // The event's name is not signed, but the status is.
    expect(read('refund.success', { ...refund, status })).toEqual(makeContent({ queries: [query] }));
  });

  test.each([
    ['an invalid amount', { amount: '1,200' }],
    ['an amount of zero', { amount: 0 }],
    ['a negative amount', { amount: -5 }],
    ['another currency', { currency: 'GHS' }],
    ['no reference of its own', { reference: null }],
    ['a reference of two words', { reference: 'RFD 42' }],
    ['the reference of its payment', { reference: OURS }],
    ['the reference of another payment of ours', { reference: 'PAY-00000000000000000000' }],
  ])('the refund is reported as unreadable with %s', (_, differing) => {
    expect(read('refund.success', { ...refund, ...differing })).toEqual(
      makeContent({ queries: [query], problem: 'unreadable' }),
    );
  });

  test.each([undefined, null, '', 5, 'two words'])(
    'the refund is reported as unreadable with the payment reference %p',
    (payment_reference) => {
      expect(read('refund.success', { ...refund, payment_reference })).toEqual(makeContent({ problem: 'unreadable' }));
    },
  );

  const CHARGES = Object.entries(KORAPAY_FIXTURES.events)
    .filter(([name]) => name.startsWith('charge') || name === 'payout')
    .map(([name, { body }]) => [name, (body as { data: Record<string, unknown> }).data] as const);

  test.each(CHARGES)('no refund is read from the signed data of another event: %s', (_, data) => {
    for (const event of ['refund.success', 'refund.failed']) {
      expect(read(event, data).refunds).toEqual([]);
      // The same holds if Korapay adds the dates of a refund to them some day.
      expect(read(event, { ...data, ...{ refund_date: null, completed_at: '2026-11-20' } }).refunds).toEqual([]);
    }
  });

  test('the refund is read in the same way under every event about money, so a copy under another event is the same notification', () => {
    const identity = (event: string, data: unknown) =>
      Buffer.from(provider.signedPart(bytes(JSON.stringify({ event, data })))).toString();
    for (const event of ['charge.success', 'charge.failed', 'refund.failed']) {
      expect(read(event, refund)).toEqual(refundNotice);
      expect(identity(event, refund)).toBe(identity('refund.success', refund));
    }
    // If a copy under another event would be read differently, it is another notification.
    expect(identity('transfer.success', refund)).not.toBe(identity('refund.success', refund));
    for (const [, data] of CHARGES)
      for (const event of ['refund.success', 'transfer.success', 'made.up'])
        expect(identity(event, data)).not.toBe(identity('charge.success', data));
  });
});
