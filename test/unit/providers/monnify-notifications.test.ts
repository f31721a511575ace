import { createHmac } from 'node:crypto';
import { makeContent } from '#shared/providers/domain/notification-content.ts';
import { monnify } from '#shared/providers/monnify/monnify.ts';
import { MONNIFY, NOON, naira } from '#test/unit/api/examples.ts';

const SECRET = 'EXAMPLESECRET';
/** The signed example of providers.md section 4. */
const SIGNED =
  '{"eventType":"SUCCESSFUL_TRANSACTION","eventData":{"transactionReference":"MNFY|1","amountPaid":5000,"paymentStatus":"PAID"}}';
const DIGEST =
  '4c58ff5383b4cf748a92a65028440fd18c92c478ba7909c98200f3b4b7ada8de1fe97c6de79624cf45c28c78bf15697c9ac73530a2ff28c41a41e4fb8a91b12c';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const json = (value: unknown): Uint8Array => bytes(JSON.stringify(value));

const makeAdapter = ({
  unsignedNotifications = false,
  secretKey = SECRET,
  previousSecretKey = undefined as string | undefined,
} = {}) =>
  monnify({
    settings: { ...MONNIFY, unsignedNotifications },
    credentials: async () => ({ apiKey: 'MK_PROD_1', secretKey, ...(previousSecretKey && { previousSecretKey }) }),
    http: async () => {
      throw new Error('Reading a notification must not call Monnify.');
    },
    now: () => NOON,
  });

describe('the signature of Monnify’s notification', () => {
  test('the published example is valid in any letter case', async () => {
    await expect(makeAdapter().authenticate({ 'monnify-signature': DIGEST }, bytes(SIGNED))).resolves.toBe(true);
    await expect(
      makeAdapter().authenticate({ 'monnify-signature': DIGEST.toUpperCase() }, bytes(SIGNED)),
    ).resolves.toBe(true);
  });

  test('a change of any single byte is invalid', async () => {
    for (let at = 0; at < SIGNED.length; at += 1) {
      const tampered = bytes(SIGNED).map((byte, i) => (i === at ? byte ^ 1 : byte));
      await expect(makeAdapter().authenticate({ 'monnify-signature': DIGEST }, tampered)).resolves.toBe(false);
    }
  });

  test('the same JSON with other whitespace is invalid', async () => {
    const pretty = JSON.stringify(JSON.parse(SIGNED), null, 2);
    await expect(makeAdapter().authenticate({ 'monnify-signature': DIGEST }, bytes(pretty))).resolves.toBe(false);
  });

  test.each([
    ['no header', {}],
    ['an empty header', { 'monnify-signature': '' }],
    ['a shortened digest', { 'monnify-signature': DIGEST.slice(0, 64) }],
    ['no hex', { 'monnify-signature': 'z'.repeat(128) }],
    ['an HMAC under another key', { 'monnify-signature': createHmac('sha512', 'OTHER').update(SIGNED).digest('hex') }],
  ])('a notification is invalid with %s', async (_, headers) => {
    await expect(makeAdapter().authenticate(headers, bytes(SIGNED))).resolves.toBe(false);
  });

  test('a signature under the previous secret is valid during a rotation', async () => {
    const headers = { 'monnify-signature': DIGEST };
    const rolling = makeAdapter({ secretKey: 'NEWSECRET', previousSecretKey: SECRET });
    await expect(rolling.authenticate(headers, bytes(SIGNED))).resolves.toBe(true);
    await expect(makeAdapter({ secretKey: 'NEWSECRET' }).authenticate(headers, bytes(SIGNED))).resolves.toBe(false);
  });

  test('a signature may be missing if the setting allows unsigned notifications, but a wrong signature is invalid', async () => {
    const unsignedAdapter = makeAdapter({ unsignedNotifications: true });
    await expect(unsignedAdapter.authenticate({}, bytes(SIGNED))).resolves.toBe(true);
    await expect(unsignedAdapter.authenticate({ 'monnify-signature': DIGEST }, bytes(SIGNED))).resolves.toBe(true);
    for (const wrong of ['', 'f'.repeat(128)]) {
      await expect(unsignedAdapter.authenticate({ 'monnify-signature': wrong }, bytes(SIGNED))).resolves.toBe(false);
    }
  });
});

const TRANSFER = 'MNFY|85|20261120120355|041855';
const REFERENCE = 'PAY-7H2KQ9XW4M1ZB8T5RC3N';
const SESSION = '090405261120120003067844645188';

const rejection = (eventData: object = {}) => ({
  eventType: 'REJECTED_PAYMENT',
  eventData: {
    product: { reference: REFERENCE, type: 'API_NOTIFICATION' },
    amount: 5_000,
    paymentSourceInformation: {
      bankCode: '50515',
      amountPaid: 2_000.5,
      accountName: 'CHIDI EZE',
      sessionId: SESSION,
      accountNumber: '5141901487',
    },
    transactionReference: TRANSFER,
    created_on: '2026-11-20 12:53:55.0',
    paymentReference: REFERENCE,
    paymentRejectionInformation: { rejectionReason: 'UNDER_PAYMENT', expectedAmount: 5_000, bankName: 'Wema bank' },
    ...eventData,
  },
});

const REJECTED = {
  kind: 'rejection',
  rejectionId: SESSION,
  payee: { by: 'our_reference', reference: REFERENCE },
  providerReference: TRANSFER,
  amount: naira(2_000.5),
  fee: 0,
  paidAt: null,
  senderName: 'CHIDI EZE',
  senderBank: '50515',
};

describe('a notification of Monnify', () => {
  const NOTHING = makeContent();
  const QUERY = makeContent({ queries: [{ by: 'transaction', value: TRANSFER }] });

  test('a payment is looked up, whatever the notification says about it', () => {
    const paid = (sources: unknown) => ({
      eventType: 'SUCCESSFUL_TRANSACTION',
      eventData: {
        product: { reference: 'va_1', type: 'RESERVED_ACCOUNT' },
        transactionReference: TRANSFER,
        paymentReference: TRANSFER,
        paidOn: '20/11/2026 1:03:55 PM',
        paymentSourceInformation: sources,
        amountPaid: '999999999.00',
      },
    });
    for (const sources of [[{ amountPaid: 3_000 }], { amountPaid: '3000.00' }, {}, [], null, 'none']) {
      expect(makeAdapter().read(json(paid(sources)))).toEqual(QUERY);
    }
  });

  test('a rejected payment is reported without a look-up', () => {
    expect(makeAdapter().read(json(rejection()))).toEqual({ ...makeContent(), rejected: [REJECTED] });
  });

  test('a rejected transfer to a virtual account is reported for that account', () => {
    const product = { reference: 'va_01KA0000000000000000000001', type: 'RESERVED_ACCOUNT' };
    const { rejected } = makeAdapter().read(json(rejection({ product, paymentReference: TRANSFER })));
    expect(rejected).toEqual([{ ...REJECTED, payee: { by: 'our_reference', reference: product.reference } }]);
  });

  test('each rejected payment in a list is reported', () => {
    const paymentSourceInformation = [
      { amountPaid: '2000.50', accountName: 'CHIDI EZE', sessionId: SESSION, bankCode: '50515' },
      { amountPaid: 100, accountName: '', sessionId: '090405261120120003067844645189', bankCode: '' },
    ];
    expect(makeAdapter().read(json(rejection({ paymentSourceInformation }))).rejected).toEqual([
      REJECTED,
      {
        ...REJECTED,
        rejectionId: '090405261120120003067844645189',
        amount: naira(100),
        senderName: null,
        senderBank: null,
      },
    ]);
  });

  test('a rejected payment without a session id is identified by its amount', () => {
    const paymentSourceInformation = { amountPaid: 40, accountName: 'CHIDI EZE' };
    const { rejected } = makeAdapter().read(json(rejection({ paymentSourceInformation })));
    expect(rejected).toMatchObject([{ kind: 'rejection', rejectionId: 'rejected-4000', senderBank: null }]);
  });

  test('a repeated notification is the same rejection', () => {
    expect(makeAdapter().read(json(rejection()))).toEqual(makeAdapter().read(json(rejection())));
  });

  test.each([
    ['an empty source', { paymentSourceInformation: {} }],
    ['no source', { paymentSourceInformation: undefined }],
    ['an invalid amount', { paymentSourceInformation: { amountPaid: 'forty' } }],
    ['no payee', { paymentReference: null }],
    ['an unreadable payee', { paymentReference: 'PAY-\u0000' }],
  ])('a rejected payment with %s is looked up and reported as unreadable', (_, eventData) => {
    expect(makeAdapter().read(json(rejection(eventData)))).toEqual({ ...QUERY, problem: 'unreadable' });
  });

  test('an unreadable rejected payment does not hide the others in the list', () => {
    const { paymentSourceInformation: readable } = rejection().eventData;
    for (const other of [null, 'forty', { amountPaid: -1 }]) {
      const read = makeAdapter().read(json(rejection({ paymentSourceInformation: [other, readable] })));
      expect(read).toEqual({ ...QUERY, rejected: [REJECTED], problem: 'unreadable' });
    }
  });

  test.each(['pay-7h2kq9xw4m1zb8t5rc3n', ' PAY-7H2KQ9XW4M1ZB8T5RC3N '])(
    'a rejected payment with the reference %j belongs to our reference',
    (paymentReference) => {
      expect(makeAdapter().read(json(rejection({ paymentReference })))).toEqual({
        ...makeContent(),
        rejected: [REJECTED],
      });
    },
  );

  test('characters that nobody can read are removed from a sender’s name', () => {
    const paymentSourceInformation = { amountPaid: 40, accountName: 'CHIDI \ud83d\u202eEZE\u001b', sessionId: SESSION };
    expect(makeAdapter().read(json(rejection({ paymentSourceInformation }))).rejected).toMatchObject([
      { senderName: 'CHIDI EZE', amount: naira(40) },
    ]);
  });

  test('a rejected payment only causes a look-up if notifications may be unsigned', () => {
    const unsignedAdapter = makeAdapter({ unsignedNotifications: true });
    expect(unsignedAdapter.read(json(rejection()))).toEqual(QUERY);
    expect(unsignedAdapter.read(json(rejection({ paymentSourceInformation: {} })))).toEqual(QUERY);
  });

  const refund = (eventData: object = {}, eventType = 'SUCCESSFUL_REFUND') => ({
    eventType,
    eventData: {
      merchantReason: 'Wrong size',
      transactionReference: TRANSFER,
      completedOn: '20/11/2026 4:24:05 PM',
      refundStatus: 'COMPLETED',
      customerNote: 'Size',
      createdOn: '20/11/2026 4:23:37 PM',
      refundReference: 'RF-0001',
      refundAmount: 1_000.5,
      ...eventData,
    },
  });
  const QUERIES = QUERY.queries;
  const [TRANSFER_QUERY] = QUERIES;
  const REFUNDED = { query: TRANSFER_QUERY, refund: { id: 'RF-0001', amount: naira(1_000.5) } };

  test.each([{}, { refundAmount: '1000.50' }, { refundStatus: undefined }, { refundStatus: 'completed' }])(
    'a refund is reported under Monnify’s id, and its payment is looked up: %j',
    (eventData) => {
      expect(makeAdapter().read(json(refund(eventData)))).toEqual({ ...QUERY, refunds: [REFUNDED] });
    },
  );

  test.each([
    { refundAmount: 0 },
    { refundAmount: 'ten' },
    { refundAmount: undefined },
    { refundReference: '' },
    { refundReference: 'RF\u0000' },
    { refundStatus: 'FAILED' },
  ])('a refund with %j is reported as unreadable, and its payment is looked up', (eventData) => {
    expect(makeAdapter().read(json(refund(eventData)))).toEqual({ ...QUERY, problem: 'unreadable' });
  });

  test('a failed refund’s payment is looked up', () => {
    expect(makeAdapter().read(json(refund({ refundStatus: 'FAILED' }, 'FAILED_REFUND')))).toEqual(QUERY);
  });

  test('a refund only causes a look-up if notifications may be unsigned', () => {
    expect(makeAdapter({ unsignedNotifications: true }).read(json(refund()))).toEqual(QUERY);
  });

  test('an unknown event’s transaction is looked up', () => {
    expect(makeAdapter().read(json({ ...rejection(), eventType: 'EXPIRED_TRANSACTION' }))).toEqual(QUERY);
  });

  test.each([
    ['a disbursement', { eventType: 'SUCCESSFUL_DISBURSEMENT', eventData: { transactionReference: 'MFDS|1' } }],
    ['a failed disbursement', { eventType: 'FAILED_DISBURSEMENT', eventData: { transactionReference: 'MFDS|1' } }],
    ['a reversed disbursement', { eventType: 'REVERSED_DISBURSEMENT', eventData: {} }],
    ['a settlement', { eventType: 'SETTLEMENT', eventData: { transactions: [{ transactionReference: 'x' }] } }],
    ['account activity', { eventType: 'ACCOUNT_ACTIVITY', eventData: {}, metaData: {} }],
    ['a mandate', { eventType: 'MANDATE_UPDATE', eventData: { mandateStatus: 'CANCELLED' } }],
    ['a low balance', { eventType: 'LOW_BALANCE_ALERT', eventData: { walletBalance: 0 } }],
  ])('an event that is %s is ignored', (_, event) => {
    expect(makeAdapter().read(json(event))).toEqual(NOTHING);
  });

  const UNREADABLE: readonly (readonly [string, Uint8Array])[] = [
    ['a payment without data', json({ eventType: 'SUCCESSFUL_TRANSACTION' })],
    ['a payment without a reference', json({ eventType: 'SUCCESSFUL_TRANSACTION', eventData: { amountPaid: 1 } })],
    ['a payment with an invalid reference', json(rejection({ transactionReference: 'MNFY|\u001b' }))],
    ['a refund without a reference', json(refund({ transactionReference: null }))],
    ['an event without a type', json({ eventData: { transactionReference: TRANSFER } })],
    ['a list', json([1, 2])],
    ['null', json(null)],
    ['no JSON', bytes('<html>Bad gateway</html>')],
    ['no text', Uint8Array.of(0xff, 0xfe, 0x00)],
    ['no bytes', new Uint8Array()],
  ];
  test.each(UNREADABLE)('a body that is %s is reported as unreadable', (_, raw) => {
    expect(makeAdapter().read(raw)).toEqual(makeContent({ problem: 'unreadable' }));
  });
  test.each(UNREADABLE)('a body that is %s is ignored if notifications may be unsigned', (_, raw) => {
    expect(makeAdapter({ unsignedNotifications: true }).read(raw)).toEqual(NOTHING);
  });
});
