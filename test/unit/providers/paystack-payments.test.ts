import { paymentKey } from '#shared/payments/store/keys.ts';
import { OutcomeUnknown } from '#shared/providers/domain/errors.ts';
import { notice } from '#shared/providers/domain/notice.ts';
import { toSourceId } from '#shared/providers/domain/report.ts';
import { id, NOON } from '#test/unit/api/examples.ts';
import { bytes, DOMAIN, failure, SECRET, scripted, signedWith, success, unknownOutcome } from './paystack-script.ts';

const REFERENCE = 'PAY-7H2KQ9XW4M1ZB8T5RC3N';
const THEIRS = '1795694400-k2m9-q8';

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
  reference: THEIRS,
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

describe('a signature', () => {
  // providers.md section 4.
  const BODY =
    '{"event":"charge.success","data":{"id":1,"reference":"ref_1","amount":500000,"currency":"NGN","status":"success","channel":"dedicated_nuban"}}';
  const DIGEST =
    '04b590b6d81ff54cec9e3bfdc529db7edc2186f23327c008383bfde11d2c3f7fffe4464ab7a96b6596f6676a70f0e54f41fdae5bda918665caa0143f71a9df4a';
  const { provider } = scripted([]);
  const authentic = (signature: string | undefined, body = BODY) =>
    provider.authenticate({ 'x-paystack-signature': signature }, bytes(body));

  test('of the reference vector is genuine', () => expect(authentic(DIGEST)).resolves.toBe(true));

  test('under the previous secret is genuine while it is replaced', () =>
    expect(authentic(signedWith('sk_test_before', bytes(BODY)))).resolves.toBe(true));

  test.each([
    ['is absent', undefined, BODY],
    ['is empty', '', BODY],
    ['is no hex', DIGEST.replace('0', 'g'), BODY],
    ['is cut short', DIGEST.slice(0, -2), BODY],
    ['has one other digit', DIGEST.replace(/a$/, 'b'), BODY],
    ['is of another secret', signedWith('sk_test_other', bytes(BODY)), BODY],
    ['is of a body with one other byte', DIGEST, BODY.replace('500000', '500001')],
    ['is of a body with one byte more', DIGEST, `${BODY}\n`],
  ])('that %s is not', (_, signature, body) => expect(authentic(signature, body)).resolves.toBe(false));
});

describe('a notification', () => {
  const { provider } = scripted([]);
  const read = (event: string, data: unknown) => provider.read(bytes(JSON.stringify({ event, data })));
  const NOTHING = notice();
  // The look-up finds out whose it is.
  const SMALL = REFERENCE.toLowerCase();

  test.each([
    ['charge.success', { reference: THEIRS, channel: 'dedicated_nuban', metadata: 0 }, 'transaction', THEIRS],
    ['charge.success', { reference: REFERENCE, channel: 'bank_transfer' }, 'our_reference', REFERENCE],
    ['charge.success', { reference: `${REFERENCE}-2`, channel: 'bank_transfer' }, 'our_reference', `${REFERENCE}-2`],
    ['charge.success', { reference: SMALL, channel: 'bank_transfer' }, 'our_reference', SMALL],
    ['refund.failed', { transaction_reference: THEIRS, amount: 5000 }, 'transaction', THEIRS],
    ['refund.failed', { transaction_reference: ` ${SMALL}` }, 'our_reference', SMALL],
  ])('%s makes us look up %j', (event, data, by, value) => {
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

  test('bank.transfer.rejected is a returned transfer, identified by the customer’s address', () => {
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

  test('bank.transfer.rejected is not recorded under the transaction’s id, since that may still succeed', async () => {
    const [rejected] = read('bank.transfer.rejected', REJECTION).rejected;
    const report = await scripted([success(DYNAMIC)]).provider.lookUp({ by: 'our_reference', value: REFERENCE });
    const [paid] = report === 'unknown' ? [] : report.money;
    expect(rejected && paymentKey('live', 'paystack', toSourceId(rejected))).not.toEqual(
      paid && paymentKey('live', 'paystack', toSourceId(paid)),
    );
  });

  test.each([
    [`PAY-7h2kQ9xw4m1zb8t5rc3n@${DOMAIN.toUpperCase()}`, REFERENCE],
    [`${id('va').toLowerCase()}@${DOMAIN}`, id('va')],
  ])('gets the reference back from %s', (email, reference) => {
    const { rejected } = read('bank.transfer.rejected', { ...REJECTION, customer: { email } });
    expect(rejected[0]?.payee).toEqual({ by: 'our_reference', reference });
  });

  test.each([
    ['a payment by card', 'charge.success', { reference: 'T1', channel: 'card' }],
    ['an account of nobody', 'dedicatedaccount.assign.success', { customer: {} }],
    ['an account of another’s customer', 'dedicatedaccount.assign.failed', { customer: { email: 'a@else.ng' } }],
    ['a validation of nobody', 'customeridentification.failed', null],
    ['a transfer of our own', 'transfer.success', { reference: REFERENCE }],
    ['a refund under way', 'refund.pending', { transaction_reference: REFERENCE }],
    ['a rejection of another’s customer', 'bank.transfer.rejected', { ...REJECTION, customer: { email: 'a@else.ng' } }],
    ['a rejection under no reference', 'bank.transfer.rejected', { ...REJECTION, customer: { email: `x@${DOMAIN}` } }],
  ])('about %s makes us do nothing', (_, event, data) => expect(read(event, data)).toEqual(NOTHING));

  test.each([
    ['a credit without a reference', 'charge.success', { channel: 'bank_transfer' }],
    ['a rejection of no amount', 'bank.transfer.rejected', { ...REJECTION, bank_transfer: { transaction_id: '1' } }],
    [
      'a credit whose reference holds half a character',
      'charge.success',
      { reference: 'T\ud83d1', channel: 'bank_transfer' },
    ],
    ['a refund of no transaction', 'refund.processed', { refund_reference: 'TRF_1', amount: '5000' }],
    ['no data', 'charge.success', undefined],
  ])('about %s is a problem', (_, event, data) =>
    expect(read(event, data)).toEqual({ ...NOTHING, problem: 'unreadable' }),
  );

  test.each(['5000.50', '', -1, 0, '0', null])('of a refund of %j asks for its payment, and is a problem', (amount) =>
    expect(read('refund.processed', { transaction_reference: REFERENCE, refund_reference: 'TRF_1', amount })).toEqual({
      ...NOTHING,
      queries: [{ by: 'our_reference', value: REFERENCE }],
      problem: 'unreadable',
    }),
  );

  test.each(['', 'null', '[]', '"charge.success"', '{', '<html>', '\u0000'])('%j is a problem', (text) =>
    expect(provider.read(bytes(text))).toEqual({ ...NOTHING, problem: 'unreadable' }),
  );
});

describe('a look-up', () => {
  const lookUp = (
    answer: Parameters<typeof scripted>[0][number],
    by: 'our_reference' | 'transaction' = 'transaction',
  ) => scripted([answer]).provider.lookUp({ by, value: by === 'transaction' ? THEIRS : REFERENCE });

  test('of a paid checkout gives its transfer', async () => {
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
    ['what was requested, not what was charged', { requested_amount: 1900000 }, 1900000],
    ['a text', { requested_amount: '1900000' }, 1900000],
    ['nothing where it is missing', { requested_amount: null }, undefined],
    ['a text with zeros behind a point', { requested_amount: '1900000.00' }, 1900000],
    ['nothing where it has parts of a kobo', { requested_amount: '18500.50' }, undefined],
    ['nothing where it is negative', { requested_amount: -1 }, undefined],
  ])('of a paid checkout says what was asked for: %s', async (_, of, asked) => {
    const report = await lookUp(success({ ...DYNAMIC, ...of }), 'our_reference');
    expect(report).toMatchObject({ state: 'complete', money: [{ amount: 1850000, asked }] });
  });

  test('of a transfer to a virtual account asked for nothing', async () => {
    const report = await lookUp(success({ ...VIRTUAL, requested_amount: 500000 }));
    expect(report).toMatchObject({ money: [{ asked: undefined }] });
  });

  test('of a transfer to a virtual account names the account, and leaves it open', async () => {
    await expect(lookUp(success(VIRTUAL))).resolves.toMatchObject({
      state: 'open',
      money: [
        {
          transferId: '3104021987',
          providerReference: THEIRS,
          payee: { by: 'account_number', accountNumber: '9930000902' },
          amount: 500000,
          senderBank: 'First City Monument Bank',
        },
      ],
    });
  });

  test('asks for a reference in one encoded part of the path', async () => {
    const { provider, calls } = scripted([failure(404, 'Transaction not found')]);
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
    ['the address, metadata without it', { authorization: {}, metadata: { custom_fields: [] } }, address],
  ])('finds the payee in %s', async (_, of, payee) => {
    await expect(lookUp(success({ ...VIRTUAL, ...of }))).resolves.toMatchObject({ money: [{ payee }] });
  });

  test.each([150.5, '', -1, null, 'abc', {}])('records the money of a payment whose fee is %j', async (fees) => {
    await expect(lookUp(success({ ...DYNAMIC, fees }), 'our_reference')).resolves.toMatchObject({
      money: [{ amount: 1850000, fee: 0 }],
    });
  });

  test.each([
    ['a fee as text', { fees: '27750' }, { fee: 27750 }],
    ['an amount as text', { amount: '1850000' }, { amount: 1850000 }],
    ['an amount with zeros behind a point', { amount: '1850000.00' }, { amount: 1850000 }],
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
    ['no time but that of creation', { paid_at: null }, { paidAt: NOON }],
    [
      'an empty sender',
      { authorization: { sender_name: '', sender_bank: ' ' } },
      { senderName: null, senderBank: null },
    ],
    ['an id of 64 bits as text', { id: '18446744073709551615' }, { transferId: '18446744073709551615' }],
  ])('reads %s', async (_, of, expected) => {
    await expect(lookUp(success({ ...DYNAMIC, ...of }), 'our_reference')).resolves.toMatchObject({ money: [expected] });
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
    ['a payee that nothing names', { channel: 'dedicated_nuban', authorization: null, customer: null }],
  ])('throws rather than guess: %s', async (_, of) => {
    await expect(lookUp(success({ ...DYNAMIC, ...of }), 'our_reference')).rejects.toEqual(unknownOutcome);
  });

  test.each(['abandoned', 'failed', 'ongoing', 'pending', 'processing', 'queued', 'something_new'])(
    'of one that is %s gives no money and no end',
    async (status) => {
      const pending = { ...DYNAMIC, status, paid_at: null, fees: null, authorization: {} };
      await expect(lookUp(success(pending), 'our_reference')).resolves.toEqual({ money: [], state: 'open' });
    },
  );

  test.each([DYNAMIC, VIRTUAL])('of a reversed payment reports the reversal: $channel', async (of) => {
    const { provider, calls } = scripted([success({ ...of, status: 'reversed' }), success([])]);
    await expect(provider.lookUp({ by: 'transaction', value: THEIRS })).resolves.toMatchObject({
      state: 'open',
      money: [{ transferId: String(of.id), outcome: 'reversed', amount: of.amount }],
    });
    expect(calls()).toEqual([`GET /transaction/verify/${THEIRS}`, `GET /refund?transaction=${of.id}&perPage=100`]);
  });

  const REFUND = { transaction: VIRTUAL.id, amount: 200000, status: 'processed' };
  const ALL = { outcome: 'reversed', amount: 500000 };
  const REST = { outcome: 'accepted', amount: 300000 };
  test.each([
    ['a part', success([REFUND]), REST],
    ['a part, its transaction an object', success([{ ...REFUND, transaction: { id: VIRTUAL.id } }]), REST],
    ['two parts', success([REFUND, { ...REFUND, amount: '250000' }]), { outcome: 'accepted', amount: 50000 }],
    ['a part of it and of another', success([REFUND, { ...REFUND, transaction: 9 }]), REST],
    ['all', success([REFUND, { ...REFUND, amount: 300000 }]), ALL],
    ['nothing that did not fail', success([{ ...REFUND, status: 'failed' }]), ALL],
    ['nothing that is known', failure(404, 'Not found'), ALL],
  ])('of a reversed payment shows the rest where Paystack lists refunds of %s', async (_, refunds, expected) => {
    const { provider } = scripted([success({ ...VIRTUAL, status: 'reversed' }), refunds]);
    await expect(provider.lookUp({ by: 'transaction', value: THEIRS })).resolves.toMatchObject({ money: [expected] });
  });

  test.each([
    ['a refund whose amount cannot be read', success([{ ...REFUND, amount: '1.5' }]), 'OutcomeUnknown'],
    ['a refused list of refunds', failure(403, 'Access Denied'), 'ProviderError'],
  ])('of a reversed payment takes %s for no answer', async (_, refunds, name) => {
    const { provider } = scripted([success({ ...VIRTUAL, status: 'reversed' }), refunds]);
    await expect(provider.lookUp({ by: 'transaction', value: THEIRS })).rejects.toMatchObject({ name });
  });

  test.each([undefined, null, 5])('of a payment whose channel is %p is no answer', (channel) =>
    expect(lookUp(success({ ...VIRTUAL, channel }))).rejects.toMatchObject({ name: 'OutcomeUnknown' }),
  );

  test('of a payment that is no transfer gives no money, and nothing to wait for', () =>
    expect(lookUp(success({ ...DYNAMIC, channel: 'card' }))).resolves.toEqual({ money: [], state: 'complete' }));

  test.each([
    failure(404, 'Not found'),
    failure(400, 'Transaction reference is invalid'),
    failure(400, 'Transaction reference not found.'),
    failure(400, 'Transaction not found', { type: 'validation_error', code: 'transaction_not_found' }),
    failure(400, 'No such thing', { code: 'transaction_not_found', meta: { nextStep: 'Check it' } }),
  ])('of an unknown reference is unknown: %j', (answer) => expect(lookUp(answer)).resolves.toBe('unknown'));

  test.each([
    [failure(400, 'Invalid character in transaction reference'), 'ProviderError'],
    [failure(400, ''), 'ProviderError'],
    [failure(403, 'Access Denied'), 'ProviderError'],
    [{ status: 404, json: undefined }, 'OutcomeUnknown'],
    [new OutcomeUnknown('The provider answered 502.'), 'OutcomeUnknown'],
  ])('that fails is no unknown reference: %j', async (answer, name) => {
    await expect(lookUp(answer)).rejects.toMatchObject({ name });
  });
});

describe('a list of payments', () => {
  const SPAN = { from: Date.UTC(2026, 10, 20, 11), to: NOON };
  const CARD = { id: 5, reference: 'T5', channel: 'card', status: 'success' };
  const UNPAID = { ...DYNAMIC, id: 6, reference: 'PAY-NOBODYPAIDTHISONE001', status: 'abandoned' };
  const GONE = { ...VIRTUAL, id: 7, reference: 'T7', status: 'reversed' };

  test('has a span of the creation of transactions, and only transfers', async () => {
    const { provider, requests } = scripted([
      success([DYNAMIC, CARD, VIRTUAL, UNPAID, GONE, 'noise'], { page: 1, pageCount: 3 }),
    ]);
    await expect(provider.listPayments({ ...SPAN, cursor: null })).resolves.toEqual({
      payments: [
        {
          query: { by: 'our_reference', value: REFERENCE },
          origin: { kind: 'transfer', transferId: '4099260516' },
          isReturned: false,
        },
        {
          query: { by: 'transaction', value: THEIRS },
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
    ['the count of pages, in the middle', [CARD], { pageCount: 3 }, '3'],
    ['the count of pages, at the end', [CARD], { pageCount: 2 }, null],
    ['an empty page', [], undefined, null],
    ['an empty page against the count', [], { pageCount: 9 }, null],
    ['no count, something found', [CARD], { next: 'dW5k', previous: null, perPage: 49 }, '3'],
    ['the count of pages, where a page is shorter than we asked for', [CARD], { perPage: 50, pageCount: 9 }, '3'],
    ['no meta, something found', [CARD], undefined, '3'],
  ])('knows where to go on by %s', async (_, found, meta, next) => {
    const { provider, requests } = scripted([success(found, meta)]);
    await expect(provider.listPayments({ ...SPAN, cursor: '2' })).resolves.toEqual({
      payments: [],
      unreadable: 0,
      next,
    });
    expect(requests[0]?.path).toContain('page=2');
  });

  test('has no origin when the id was rounded', async () => {
    const { provider } = scripted([success([{ ...DYNAMIC, id: 2 ** 60 }])]);
    const { payments } = await provider.listPayments({ ...SPAN, cursor: null });
    expect(payments).toEqual([{ query: { by: 'our_reference', value: REFERENCE }, origin: null, isReturned: false }]);
  });

  test('counts rows of money under no reference that can be read, and goes on with the others', async () => {
    const broken = { ...DYNAMIC, reference: 'T\ud83d1' };
    const nothing = { ...VIRTUAL, reference: undefined };
    const { provider } = scripted([success([broken, VIRTUAL, nothing, { ...broken, channel: 'card' }, null, 7])]);
    const page = await provider.listPayments({ ...SPAN, cursor: null });
    expect(page.payments.map(({ query }) => query.value)).toEqual([THEIRS]);
    expect(page.unreadable).toBe(2);
  });

  test('names a payment by our reference as the row has it', async () => {
    const { provider } = scripted([success([{ ...DYNAMIC, reference: REFERENCE.toLowerCase() }])]);
    const { payments } = await provider.listPayments({ ...SPAN, cursor: null });
    expect(payments[0]?.query).toEqual({ by: 'our_reference', value: REFERENCE.toLowerCase() });
  });

  test('throws OutcomeUnknown when it is not a list', async () => {
    const { provider } = scripted([success({ total: 0 })]);
    await expect(provider.listPayments({ ...SPAN, cursor: null })).rejects.toEqual(unknownOutcome);
  });
});
