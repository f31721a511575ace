import { paymentKey } from '#shared/payments/store/keys.ts';
import { OutcomeUnknown } from '#shared/providers/domain/errors.ts';
import { makeContent } from '#shared/providers/domain/notification-content.ts';
import { toSourceId } from '#shared/providers/domain/report.ts';
import { id, NOON } from '#test/unit/api/examples.ts';
import { bytes, DOMAIN, failure, SECRET, scriptAdapter, signBody, success, unknownOutcome } from './paystack-script.ts';

const REFERENCE = 'PAY-7H2KQ9XW4M1ZB8T5RC3N';
const PAYSTACK_REFERENCE = '1795694400-k2m9-q8';

const DYNAMIC = {
  id: 4099260516,
  domain: 'live',
  status: 'success',
  reference: REFERENCE,
  amount: 1850000,
  requested_amount: 1850000,
  currency: 'NGN',
  channel: 'bank_transfer',
  fees: 27750,
  paid_at: '2026-11-20T12:04:31.000Z',
  created_at: '2026-11-20T12:00:00.000Z',
  metadata: '' as unknown,
  authorization: {
    channel: 'bank_transfer',
    sender_name: 'BABATUNDE ADEWALE',
    sender_bank: null as string | null,
    sender_bank_account_number: 'XXXXXX0011',
  } as unknown,
  customer: { email: `${REFERENCE.toLowerCase()}@${DOMAIN}` } as unknown,
};
const VIRTUAL = {
  ...DYNAMIC,
  id: 3104021987,
  reference: PAYSTACK_REFERENCE,
  amount: 500000,
  fees: 5000,
  channel: 'dedicated_nuban',
  metadata: { receiver_account_number: '9930000111', receiver_bank: 'Titan Paystack' } as unknown,
  authorization: {
    sender_name: 'CHIDI EZE',
    sender_bank: 'First City Monument Bank',
    receiver_bank_account_number: '9930000902',
  } as unknown,
  customer: { email: `${id('va').toLowerCase()}@${DOMAIN}` } as unknown,
};

describe('a signature of Paystack', () => {
  // The reference vector of providers.md section 4.
  const BODY =
    '{"event":"charge.success","data":{"id":1,"reference":"ref_1","amount":500000,"currency":"NGN","status":"success","channel":"dedicated_nuban"}}';
  const DIGEST =
    '04b590b6d81ff54cec9e3bfdc529db7edc2186f23327c008383bfde11d2c3f7fffe4464ab7a96b6596f6676a70f0e54f41fdae5bda918665caa0143f71a9df4a';
  const { provider } = scriptAdapter([]);
  const isAuthentic = (signature: string | undefined, body = BODY) =>
    provider.authenticate({ 'x-paystack-signature': signature }, bytes(body));

  test('the reference vector is genuine', () => expect(isAuthentic(DIGEST)).resolves.toBe(true));

  test('a signature under the previous secret is genuine during a rotation', () =>
    expect(isAuthentic(signBody('sk_test_before', bytes(BODY)))).resolves.toBe(true));

  test.each([
    ['is absent', undefined, BODY],
    ['is empty', '', BODY],
    ['is no hex', DIGEST.replace('0', 'g'), BODY],
    ['is too short', DIGEST.slice(0, -2), BODY],
    ['has one other digit', DIGEST.replace(/a$/, 'b'), BODY],
    ['is of another secret', signBody('sk_test_other', bytes(BODY)), BODY],
    ['is of a body with one other byte', DIGEST, BODY.replace('500000', '500001')],
    ['is of a body with one byte more', DIGEST, `${BODY}\n`],
  ])('a signature that %s is not genuine', (_, signature, body) =>
    expect(isAuthentic(signature, body)).resolves.toBe(false),
  );
});

describe('a notification of Paystack', () => {
  const { provider } = scriptAdapter([]);
  const read = (event: string, data: unknown) => provider.read(bytes(JSON.stringify({ event, data })));
  const NOTHING = makeContent();
  // The look-up finds the owner of a misspelled reference.
  const LOWER_CASE = REFERENCE.toLowerCase();

  test.each([
    [
      'charge.success',
      { reference: PAYSTACK_REFERENCE, channel: 'dedicated_nuban', metadata: 0 },
      'transaction',
      PAYSTACK_REFERENCE,
    ],
    ['charge.success', { reference: REFERENCE, channel: 'bank_transfer' }, 'our_reference', REFERENCE],
    ['charge.success', { reference: `${REFERENCE}-2`, channel: 'bank_transfer' }, 'our_reference', `${REFERENCE}-2`],
    ['charge.success', { reference: LOWER_CASE, channel: 'bank_transfer' }, 'our_reference', LOWER_CASE],
    ['refund.failed', { transaction_reference: PAYSTACK_REFERENCE, amount: 5000 }, 'transaction', PAYSTACK_REFERENCE],
    ['refund.failed', { transaction_reference: ` ${LOWER_CASE}` }, 'our_reference', LOWER_CASE],
  ])('%s with %j causes a look-up', (event, data, by, value) => {
    expect(read(event, data)).toEqual({ ...NOTHING, queries: [{ by, value }] });
  });

  const REJECTION = {
    bank_transfer: {
      amount: '1800000',
      message: 'incorrect amount sent',
      message_type: 'INCORRECT_AMOUNT',
      transaction_id: '4099260516',
    },
    customer: { id: 138492368, email: `pay-7h2kq9xw4m1zb8t5rc3n@${DOMAIN}`, customer_code: 'CUS_1eq06' },
  };

  test('bank.transfer.rejected is read as a returned transfer for the customer’s address', () => {
    expect(read('bank.transfer.rejected', REJECTION)).toEqual({
      ...NOTHING,
      rejected: [
        {
          kind: 'rejection',
          rejectionId: 'rejected-1800000',
          providerReference: '4099260516',
          payee: { by: 'our_reference', reference: REFERENCE },
          amount: 1800000,
          fee: 0,
          paidAt: null,
          senderName: null,
          senderBank: null,
        },
      ],
    });
  });

  test('bank.transfer.rejected becomes a payment under another key than its transaction, which may still succeed', async () => {
    const [rejected] = read('bank.transfer.rejected', REJECTION).rejected;
    const report = await scriptAdapter([success(DYNAMIC)]).provider.lookUp({ by: 'our_reference', value: REFERENCE });
    const [paid] = report === 'unknown' ? [] : report.money;
    expect(rejected && paymentKey('live', 'paystack', toSourceId(rejected))).not.toEqual(
      paid && paymentKey('live', 'paystack', toSourceId(paid)),
    );
  });

  test.each([
    [`PAY-7h2kQ9xw4m1zb8t5rc3n@${DOMAIN.toUpperCase()}`, REFERENCE],
    [`${id('va').toLowerCase()}@${DOMAIN}`, id('va')],
  ])('the reference is restored from %s', (email, reference) => {
    const { rejected } = read('bank.transfer.rejected', { ...REJECTION, customer: { email } });
    expect(rejected[0]?.payee).toEqual({ by: 'our_reference', reference });
  });

  test.each([
    ['a payment by card', 'charge.success', { reference: 'T1', channel: 'card' }],
    ['an account without a customer', 'dedicatedaccount.assign.success', { customer: {} }],
    ['an account of a stranger’s customer', 'dedicatedaccount.assign.failed', { customer: { email: 'a@else.ng' } }],
    ['a validation without a customer', 'customeridentification.failed', null],
    ['a transfer of our own', 'transfer.success', { reference: REFERENCE }],
    ['a pending refund', 'refund.pending', { transaction_reference: REFERENCE }],
    [
      'a rejection for a stranger’s customer',
      'bank.transfer.rejected',
      { ...REJECTION, customer: { email: 'a@else.ng' } },
    ],
    [
      'a rejection without a reference of ours',
      'bank.transfer.rejected',
      { ...REJECTION, customer: { email: `x@${DOMAIN}` } },
    ],
  ])('a notification about %s is ignored', (_, event, data) => expect(read(event, data)).toEqual(NOTHING));

  test.each([
    ['a credit without a reference', 'charge.success', { channel: 'bank_transfer' }],
    [
      'a rejection without an amount',
      'bank.transfer.rejected',
      { ...REJECTION, bank_transfer: { transaction_id: '1' } },
    ],
    [
      'a credit with half a character in its reference',
      'charge.success',
      { reference: 'T\ud83d1', channel: 'bank_transfer' },
    ],
    ['a refund without a transaction', 'refund.processed', { refund_reference: 'TRF_1', amount: '5000' }],
    ['a credit without data', 'charge.success', undefined],
  ])('a notification about %s is reported as unreadable', (_, event, data) =>
    expect(read(event, data)).toEqual({ ...NOTHING, problem: 'unreadable' }),
  );

  test.each(['5000.50', '', -1, 0, '0', null])(
    'a refund of %j is reported as unreadable, and its payment is looked up',
    (amount) =>
      expect(read('refund.processed', { transaction_reference: REFERENCE, refund_reference: 'TRF_1', amount })).toEqual(
        {
          ...NOTHING,
          queries: [{ by: 'our_reference', value: REFERENCE }],
          problem: 'unreadable',
        },
      ),
  );

  test.each(['', 'null', '[]', '"charge.success"', '{', '<html>', '\u0000'])(
    'the body %j is reported as unreadable',
    (text) => expect(provider.read(bytes(text))).toEqual({ ...NOTHING, problem: 'unreadable' }),
  );
});

describe('a look-up at Paystack', () => {
  const lookUp = (
    answer: Parameters<typeof scriptAdapter>[0][number],
    by: 'our_reference' | 'transaction' = 'transaction',
  ) => scriptAdapter([answer]).provider.lookUp({ by, value: by === 'transaction' ? PAYSTACK_REFERENCE : REFERENCE });

  test('a paid checkout is reported as a transfer', async () => {
    await expect(lookUp(success(DYNAMIC), 'our_reference')).resolves.toEqual({
      state: 'complete',
      money: [
        {
          kind: 'transfer',
          transferId: '4099260516',
          providerReference: REFERENCE,
          payee: { by: 'our_reference', reference: REFERENCE },
          outcome: 'accepted',
          amount: 1850000,
          asked: 1850000,
          fee: 27750,
          paidAt: Date.UTC(2026, 10, 20, 12, 4, 31),
          senderName: 'BABATUNDE ADEWALE',
          senderBank: null,
        },
      ],
    });
  });

  test.each([
    ['the requested amount and not the charged one', { requested_amount: 1900000 }, 1900000],
    ['a text', { requested_amount: '1900000' }, 1900000],
    ['nothing if it is missing', { requested_amount: null }, undefined],
    ['a text with zeros after a point', { requested_amount: '1900000.00' }, 1900000],
    ['nothing if it has parts of a kobo', { requested_amount: '18500.50' }, undefined],
    ['nothing if it is negative', { requested_amount: -1 }, undefined],
  ])('a paid checkout’s asked amount is %s', async (_, changedFields, asked) => {
    const report = await lookUp(success({ ...DYNAMIC, ...changedFields }), 'our_reference');
    expect(report).toMatchObject({ state: 'complete', money: [{ amount: 1850000, asked }] });
  });

  test('a transfer to a virtual account has no asked amount', async () => {
    const report = await lookUp(success({ ...VIRTUAL, requested_amount: 500000 }));
    expect(report).toMatchObject({ money: [{ asked: undefined }] });
  });

  test('a transfer to a virtual account is reported for that account, which stays open', async () => {
    await expect(lookUp(success(VIRTUAL))).resolves.toMatchObject({
      state: 'open',
      money: [
        {
          transferId: '3104021987',
          providerReference: PAYSTACK_REFERENCE,
          payee: { by: 'account_number', accountNumber: '9930000902' },
          amount: 500000,
          senderBank: 'First City Monument Bank',
        },
      ],
    });
  });

  test('a reference is sent as one encoded part of the path', async () => {
    const { provider, calls } = scriptAdapter([failure(404, 'Transaction not found')]);
    await provider.lookUp({ by: 'transaction', value: 'a/b?c=d' });
    expect(calls()).toEqual(['GET /transaction/verify/a%2Fb%3Fc%3Dd']);
  });

  const address = { by: 'our_reference', reference: id('va') };
  test.each([
    ['the authorization', {}, { by: 'account_number', accountNumber: '9930000902' }],
    ['the metadata', { authorization: {} }, { by: 'account_number', accountNumber: '9930000111' }],
    [
      'the metadata, authorization null',
      { authorization: null },
      { by: 'account_number', accountNumber: '9930000111' },
    ],
    ['the address, metadata ""', { authorization: {}, metadata: '' }, address],
    ['the address, metadata 0', { authorization: {}, metadata: 0 }, address],
    ['the address, metadata null', { authorization: null, metadata: null }, address],
    ['the address, metadata without a number', { authorization: {}, metadata: { custom_fields: [] } }, address],
  ])('the payee is found in %s', async (_, changedFields, payee) => {
    await expect(lookUp(success({ ...VIRTUAL, ...changedFields }))).resolves.toMatchObject({ money: [{ payee }] });
  });

  test.each([150.5, '', -1, null, 'abc', {}])('the money is reported with the fee %j', async (fees) => {
    await expect(lookUp(success({ ...DYNAMIC, fees }), 'our_reference')).resolves.toMatchObject({
      money: [{ amount: 1850000, fee: 0 }],
    });
  });

  test.each([
    ['a fee as text', { fees: '27750' }, { fee: 27750 }],
    ['an amount as text', { amount: '1850000' }, { amount: 1850000 }],
    ['an amount with zeros after a point', { amount: '1850000.00' }, { amount: 1850000 }],
    ['a currency in small letters', { currency: 'ngn' }, { amount: 1850000 }],
    ['no currency', { currency: null }, { amount: 1850000 }],
    [
      'our reference in small letters',
      { reference: REFERENCE.toLowerCase() },
      { payee: { by: 'our_reference', reference: REFERENCE }, providerReference: REFERENCE },
    ],
    [
      'half an emoji in a name',
      { authorization: { sender_name: 'CHIDI \ud83d EZE', sender_bank: 'Kuda\u202e' } },
      { senderName: 'CHIDI EZE', senderBank: 'Kuda' },
    ],
    [
      'a name that is no text',
      { authorization: { sender_name: 7, sender_bank: ['Kuda'] } },
      { senderName: null, senderBank: null },
    ],
    ['paidAt', { paid_at: undefined, paidAt: '2026-11-20T13:04:31.000+01:00' }, { paidAt: NOON + 271_000 }],
    ['the time of creation only', { paid_at: null }, { paidAt: NOON }],
    [
      'an empty sender',
      { authorization: { sender_name: '', sender_bank: ' ' } },
      { senderName: null, senderBank: null },
    ],
    ['an id of 64 bits as text', { id: '18446744073709551615' }, { transferId: '18446744073709551615' }],
  ])('a transaction is read with %s', async (_, changedFields, expected) => {
    await expect(lookUp(success({ ...DYNAMIC, ...changedFields }), 'our_reference')).resolves.toMatchObject({
      money: [expected],
    });
  });

  test.each([
    ['an id that was rounded', { id: 2 ** 60 }],
    ['an id with a leading zero', { id: '04099260516' }],
    ['an id in other digits', { id: '４０９９' }],
    ['an id with half a character', { id: '4099\ud83d' }],
    ['a reference with half a character', { reference: 'T\ud83d1' }],
    ['an amount with a fraction', { amount: 1850000.5 }],
    ['no amount', { amount: undefined }],
    ['another currency', { currency: 'GHS' }],
    ['no time', { paid_at: null, created_at: null }],
    ['no payee', { channel: 'dedicated_nuban', authorization: null, customer: null }],
  ])('OutcomeUnknown is thrown for %s', async (_, changedFields) => {
    await expect(lookUp(success({ ...DYNAMIC, ...changedFields }), 'our_reference')).rejects.toEqual(unknownOutcome);
  });

  test.each(['abandoned', 'failed', 'ongoing', 'pending', 'processing', 'queued', 'something_new'])(
    'the status %s means no money, and the payment stays open',
    async (status) => {
      const pending = { ...DYNAMIC, status, paid_at: null, fees: null, authorization: {} };
      await expect(lookUp(success(pending), 'our_reference')).resolves.toEqual({ money: [], state: 'open' });
    },
  );

  test.each([DYNAMIC, VIRTUAL])('a reversed payment is reported as reversed: $channel', async (reversed) => {
    const { provider, calls } = scriptAdapter([success({ ...reversed, status: 'reversed' }), success([])]);
    await expect(provider.lookUp({ by: 'transaction', value: PAYSTACK_REFERENCE })).resolves.toMatchObject({
      state: 'open',
      money: [{ transferId: String(reversed.id), outcome: 'reversed', amount: reversed.amount }],
    });
    expect(calls()).toEqual([
      `GET /transaction/verify/${PAYSTACK_REFERENCE}`,
      `GET /refund?transaction=${reversed.id}&perPage=100`,
    ]);
  });

  const REFUND = { transaction: VIRTUAL.id, amount: 200000, status: 'processed' };
  const ALL = { outcome: 'reversed', amount: 500000 };
  const REST = { outcome: 'accepted', amount: 300000 };
  test.each([
    ['a partial refund', success([REFUND]), REST],
    [
      'a partial refund whose transaction is an object',
      success([{ ...REFUND, transaction: { id: VIRTUAL.id } }]),
      REST,
    ],
    ['two partial refunds', success([REFUND, { ...REFUND, amount: '250000' }]), { outcome: 'accepted', amount: 50000 }],
    ['a partial refund and one of another transaction', success([REFUND, { ...REFUND, transaction: 9 }]), REST],
    ['refunds of everything', success([REFUND, { ...REFUND, amount: 300000 }]), ALL],
    ['only a failed refund', success([{ ...REFUND, status: 'failed' }]), ALL],
    ['no refunds', failure(404, 'Not found'), ALL],
  ])('a reversed payment’s kept rest follows from the list of refunds: %s', async (_, refunds, expected) => {
    const { provider } = scriptAdapter([success({ ...VIRTUAL, status: 'reversed' }), refunds]);
    await expect(provider.lookUp({ by: 'transaction', value: PAYSTACK_REFERENCE })).resolves.toMatchObject({
      money: [expected],
    });
  });

  test.each([
    ['a refund with an unreadable amount', success([{ ...REFUND, amount: '1.5' }]), 'OutcomeUnknown'],
    ['an error of the list of refunds', failure(403, 'Access Denied'), 'ProviderError'],
  ])('a reversed payment is not reported after %s', async (_, refunds, name) => {
    const { provider } = scriptAdapter([success({ ...VIRTUAL, status: 'reversed' }), refunds]);
    await expect(provider.lookUp({ by: 'transaction', value: PAYSTACK_REFERENCE })).rejects.toMatchObject({ name });
  });

  test.each([undefined, null, 5])('OutcomeUnknown is thrown for the channel %p', (channel) =>
    expect(lookUp(success({ ...VIRTUAL, channel }))).rejects.toMatchObject({ name: 'OutcomeUnknown' }),
  );

  test('a payment that is no transfer is complete without money', () =>
    expect(lookUp(success({ ...DYNAMIC, channel: 'card' }))).resolves.toEqual({ money: [], state: 'complete' }));

  test.each([
    failure(404, 'Not found'),
    failure(400, 'Transaction reference is invalid'),
    failure(400, 'Transaction reference not found.'),
    failure(400, 'Transaction not found', { type: 'validation_error', code: 'transaction_not_found' }),
    failure(400, 'No such thing', { code: 'transaction_not_found', meta: { nextStep: 'Check it' } }),
  ])('an unknown reference returns `unknown`: %j', (answer) => expect(lookUp(answer)).resolves.toBe('unknown'));

  test.each([
    [failure(400, 'Invalid character in transaction reference'), 'ProviderError'],
    [failure(400, ''), 'ProviderError'],
    [failure(403, 'Access Denied'), 'ProviderError'],
    [{ status: 404, json: undefined }, 'OutcomeUnknown'],
    [new OutcomeUnknown('The provider answered 502.'), 'OutcomeUnknown'],
  ])('any other error is thrown: %j', async (answer, name) => {
    await expect(lookUp(answer)).rejects.toMatchObject({ name });
  });
});

describe('Paystack’s list of payments', () => {
  const SPAN = { from: Date.UTC(2026, 10, 20, 11), to: NOON };
  const CARD = { id: 5, reference: 'T5', channel: 'card', status: 'success' };
  const UNPAID = { ...DYNAMIC, id: 6, reference: 'PAY-NOBODYPAIDTHISONE001', status: 'abandoned' };
  const REVERSED = { ...VIRTUAL, id: 7, reference: 'T7', status: 'reversed' };

  test('has only transfers, and filters by the creation of the transaction', async () => {
    const { provider, requests } = scriptAdapter([
      success([DYNAMIC, CARD, VIRTUAL, UNPAID, REVERSED, 'noise'], { page: 1, pageCount: 3 }),
    ]);
    await expect(provider.listPayments({ ...SPAN, cursor: null })).resolves.toEqual({
      payments: [
        {
          query: { by: 'our_reference', value: REFERENCE },
          origin: { kind: 'transfer', transferId: '4099260516' },
          isReturned: false,
        },
        {
          query: { by: 'transaction', value: PAYSTACK_REFERENCE },
          origin: { kind: 'transfer', transferId: '3104021987' },
          isReturned: false,
        },
        { query: { by: 'transaction', value: 'T7' }, origin: { kind: 'transfer', transferId: '7' }, isReturned: true },
      ],
      unreadable: 0,
      next: '2',
    });
    const { pathname, searchParams } = new URL(requests[0]?.path ?? '', 'https://api.paystack.co');
    expect([pathname, Object.fromEntries(searchParams)]).toEqual([
      '/transaction',
      {
        from: '2026-11-20T11:00:00.000Z',
        to: '2026-11-20T12:00:00.000Z',
        perPage: '100',
        page: '1',
      },
    ]);
    expect(requests[0]?.headers).toEqual({ authorization: `Bearer ${SECRET}` });
  });

  test.each([
    ['the page count, in the middle', [CARD], { pageCount: 3 }, '3'],
    ['the page count, at the end', [CARD], { pageCount: 2 }, null],
    ['an empty page', [], undefined, null],
    ['an empty page, in spite of the count', [], { pageCount: 9 }, null],
    ['rows without a count', [CARD], { next: 'dW5k', previous: null, perPage: 49 }, '3'],
    ['the page count, with a page that is shorter than requested', [CARD], { perPage: 50, pageCount: 9 }, '3'],
    ['rows without meta', [CARD], undefined, '3'],
  ])('finds the next page by %s', async (_, rows, meta, next) => {
    const { provider, requests } = scriptAdapter([success(rows, meta)]);
    await expect(provider.listPayments({ ...SPAN, cursor: '2' })).resolves.toEqual({
      payments: [],
      unreadable: 0,
      next,
    });
    expect(requests[0]?.path).toContain('page=2');
  });

  test('has no origin of a payment with a rounded id', async () => {
    const { provider } = scriptAdapter([success([{ ...DYNAMIC, id: 2 ** 60 }])]);
    const { payments } = await provider.listPayments({ ...SPAN, cursor: null });
    expect(payments).toEqual([{ query: { by: 'our_reference', value: REFERENCE }, origin: null, isReturned: false }]);
  });

  test('counts rows of money without a readable reference, and reads the others', async () => {
    const broken = { ...DYNAMIC, reference: 'T\ud83d1' };
    const nothing = { ...VIRTUAL, reference: undefined };
    const { provider } = scriptAdapter([success([broken, VIRTUAL, nothing, { ...broken, channel: 'card' }, null, 7])]);
    const page = await provider.listPayments({ ...SPAN, cursor: null });
    expect(page.payments.map(({ query }) => query.value)).toEqual([PAYSTACK_REFERENCE]);
    expect(page.unreadable).toBe(2);
  });

  test('queries our reference as the row writes it', async () => {
    const { provider } = scriptAdapter([success([{ ...DYNAMIC, reference: REFERENCE.toLowerCase() }])]);
    const { payments } = await provider.listPayments({ ...SPAN, cursor: null });
    expect(payments[0]?.query).toEqual({ by: 'our_reference', value: REFERENCE.toLowerCase() });
  });

  test('throws OutcomeUnknown if the answer is no list', async () => {
    const { provider } = scriptAdapter([success({ total: 0 })]);
    await expect(provider.listPayments({ ...SPAN, cursor: null })).rejects.toEqual(unknownOutcome);
  });
});
