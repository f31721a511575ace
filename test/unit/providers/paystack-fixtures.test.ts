import { kobo } from '#shared/platform/kernel/money.ts';
import { makeContent, type NotificationContent } from '#shared/providers/domain/notification-content.ts';
import { PAYSTACK_FIXTURES } from '#shared/providers/paystack/simulator/fixtures.ts';
import { NOON } from '#test/unit/api/examples.ts';
import { bytes, expectedError, failure, scriptAdapterFor, success } from './paystack-script.ts';

/* Tests how the adapter reads each documented answer, row and event. */

const { answers, rows, events } = PAYSTACK_FIXTURES;
const scriptAdapter = scriptAdapterFor('accounts.example.com');
const REFERENCE = 'PAY-7H2KQ9XW4M1ZB8T5RC3N';
const PAYSTACK_REFERENCE = '1795694400-k2m9q8-example';
const VA = 'va_01M7WKJH1AYHZZZJZRA12RNZVS';
const OUR_QUERY = { by: 'our_reference', value: REFERENCE } as const;
const ADAEZE = { name: 'Adaeze Obi', phone: '+2348031234567', email: 'a@example.com', bvn: null, nin: null };
const ACCOUNT = {
  accountNumber: '9930000902',
  accountName: 'SIMSHOP/ADAEZE OBI',
  bankName: 'Titan Paystack',
  bankCode: null,
  providerId: '253',
};
const okAnswer = ({ body }: { readonly body: unknown }) => ({ status: 200, json: body });
const errorAnswer = (status: number, { body }: { readonly body: unknown }) => ({ status, json: body });

describe('an event of Paystack', () => {
  const { provider } = scriptAdapter([]);
  const read = (name: keyof typeof events) => provider.read(bytes(JSON.stringify(events[name].body)));
  const REFUND = { query: OUR_QUERY, refund: { id: 'TRF_9vgfawjnoz58uxy', amount: kobo.parse(50_000) } };

  test.each<[keyof typeof events, Partial<NotificationContent>]>([
    ['chargeSuccess', { queries: [OUR_QUERY] }],
    ['chargeSuccessVirtual', { queries: [{ by: 'transaction', value: PAYSTACK_REFERENCE }] }],
    ['refundPending', {}],
    ['refundProcessing', {}],
    ['refundNeedsAttention', { queries: [OUR_QUERY], problem: 'refund_needs_attention' }],
    ['refundProcessed', { queries: [OUR_QUERY], refunds: [REFUND] }],
    [
      'refundProcessedWithoutId',
      { queries: [OUR_QUERY], refunds: [{ query: OUR_QUERY, refund: { ...REFUND.refund, id: null } }] },
    ],
    ['refundFailed', { queries: [OUR_QUERY] }],
    ['assignSuccess', { accounts: [{ reference: VA, outcome: 'issued' }] }],
    ['assignFailed', { accounts: [{ reference: VA, outcome: 'refused' }] }],
    ['identificationSuccess', { accounts: [{ reference: VA, outcome: 'issued' }] }],
    ['identificationFailed', { accounts: [{ reference: VA, outcome: 'refused' }] }],
  ])('%s is read', (name, parts) => expect(read(name)).toEqual(makeContent(parts)));

  test('transferRejected is a rejection for the checkout of its customer', () => {
    expect(read('transferRejected').rejected).toMatchObject([
      { payee: { by: 'our_reference', reference: REFERENCE }, amount: 1_800_000, providerReference: '3103959930' },
    ]);
  });

  test('refundProcessed is identified by its own id if it has no reference', () => {
    const { data } = events.refundProcessed.body;
    const other = { event: 'refund.processed', data: { ...data, refund_reference: null, id: 3018284, amount: 50000 } };
    expect(provider.read(bytes(JSON.stringify(other))).refunds).toEqual([
      { query: OUR_QUERY, refund: { id: '3018284', amount: 50_000 } },
    ]);
  });
});

describe('an answer of Paystack', () => {
  test.each([
    ['verifyPaid', 'complete', { payee: { by: 'our_reference', reference: REFERENCE }, asked: 1_850_000 }],
    ['verifyCredit', 'open', { payee: { by: 'account_number', accountNumber: '9930000902' }, asked: undefined }],
  ] as const)('%s is read as a transfer', async (name, state, more) => {
    const { provider } = scriptAdapter([okAnswer(answers[name])]);
    const report = await provider.lookUp({ by: 'transaction', value: PAYSTACK_REFERENCE });
    expect(report).toMatchObject({
      state,
      money: [{ ...more, outcome: 'accepted', amount: 1_850_000, fee: 27_750, senderName: 'Babatunde Adewale' }],
    });
  });

  test('verifyReversed is read as a reversal unless the list shows a partial refund', async () => {
    const query = { by: 'our_reference', value: REFERENCE } as const;
    const all = scriptAdapter([okAnswer(answers.verifyReversed), success([])]);
    await expect(all.provider.lookUp(query)).resolves.toMatchObject({ money: [{ outcome: 'reversed' }] });
    const part = scriptAdapter([okAnswer(answers.verifyReversed), success([rows.refund.body])]);
    await expect(part.provider.lookUp(query)).resolves.toMatchObject({
      money: [{ outcome: 'accepted', amount: 1_800_000 }],
    });
  });

  test.each([
    ['unknownReference', 400],
    ['unknownCharge', 400],
    ['unknownReference', 404],
  ] as const)('%s with status %i is read as an unknown payment', async (name, status) => {
    await expect(scriptAdapter([errorAnswer(status, answers[name])]).provider.lookUp(OUR_QUERY)).resolves.toBe(
      'unknown',
    );
  });

  test('wrongKey is read as rejected credentials with status 400 and 401', async () => {
    for (const status of [400, 401]) {
      const { provider } = scriptAdapter([
        errorAnswer(status, answers.wrongKey),
        errorAnswer(status, answers.wrongKey),
      ]);
      await expect(provider.lookUp(OUR_QUERY)).rejects.toMatchObject(
        expectedError('The provider did not accept our credentials.'),
      );
    }
  });

  test('rateLimited is read as a busy provider, even with another status than 429', async () => {
    const { provider } = scriptAdapter([errorAnswer(400, answers.rateLimited)]);
    await expect(provider.lookUp(OUR_QUERY)).rejects.toMatchObject({ name: 'ProviderBusy' });
  });

  test('createCharge is read as a payment account', async () => {
    const { provider } = scriptAdapter([okAnswer(answers.createCharge)]);
    const request = {
      reference: REFERENCE,
      amount: 1_850_000 as never,
      accountName: 'Balogun Fabrics',
      payerName: null,
      payerEmail: 'payer@example.com',
      expiresAt: NOON,
    };
    await expect(provider.createPaymentAccount(request)).resolves.toMatchObject({
      account: { accountNumber: '9900000001', accountName: 'SIMSHOP CHECKOUT', bankName: 'Titan Paystack' },
      expiresAt: Date.UTC(2026, 10, 20, 12, 30),
    });
  });

  test('duplicateReference and unknownCharge lead to the next reference of the checkout', async () => {
    const { provider, requests } = scriptAdapter([
      errorAnswer(400, answers.duplicateReference),
      errorAnswer(400, answers.unknownCharge),
      okAnswer(answers.createCharge),
    ]);
    const request = { reference: REFERENCE, amount: 1 as never, accountName: '', payerName: null, payerEmail: '' };
    await provider.createPaymentAccount({ ...request, expiresAt: NOON });
    expect(requests[2]?.body).toMatchObject({ reference: `${REFERENCE}-2` });
  });

  test('createCustomer and createDedicated open a virtual account', async () => {
    const { provider } = scriptAdapter([
      okAnswer(answers.createCustomer),
      success([]),
      okAnswer(answers.createDedicated),
    ]);
    await expect(provider.createAccount(ADAEZE, VA)).resolves.toEqual(ACCOUNT);
  });

  test('fetchCustomer and a row of the list find the account again', async () => {
    const { provider } = scriptAdapter([okAnswer(answers.fetchCustomer), success([rows.dedicatedAccount.body])]);
    await expect(provider.findAccount(ADAEZE, VA)).resolves.toEqual(ACCOUNT);
  });

  test('noCustomer finds no account', async () => {
    const { provider } = scriptAdapter([errorAnswer(404, answers.noCustomer)]);
    await expect(provider.findAccount(ADAEZE, VA)).resolves.toBeUndefined();
  });

  test('removeDedicated closes the account', async () => {
    const { provider, calls } = scriptAdapter([success(rows.dedicatedAccount.body), okAnswer(answers.removeDedicated)]);
    await provider.closeAccount(ACCOUNT, VA);
    expect(calls()).toEqual(['GET /dedicated_account/253', 'DELETE /dedicated_account/253']);
  });

  test('wrongBvn is reported in our words', async () => {
    const { provider } = scriptAdapter([
      okAnswer(answers.createCustomer),
      success([]),
      failure(400, answers.wrongBvn.body.message),
    ]);
    await expect(provider.createAccount(ADAEZE, VA)).rejects.toMatchObject(
      expectedError('The provider could not verify the identity number.'),
    );
  });
});

describe('a list page of Paystack', () => {
  const span = { from: NOON, to: NOON, cursor: null };
  const listed = [rows.transaction.body, rows.credit.body];

  test.each([
    ['pagesByNumber', '2'],
    ['pagesByCursor', '2'],
  ] as const)('%s has its payments and a next page', async (name, next) => {
    const { provider } = scriptAdapter([success(listed, answers[name].body.meta)]);
    await expect(provider.listPayments(span)).resolves.toEqual({
      payments: [
        { query: OUR_QUERY, origin: { kind: 'transfer', transferId: '3104021987' }, isReturned: false },
        {
          query: { by: 'transaction', value: PAYSTACK_REFERENCE },
          origin: { kind: 'transfer', transferId: '3104021988' },
          isReturned: false,
        },
      ],
      unreadable: 0,
      next,
    });
  });

  test('pagesByCursor without rows is the last page', async () => {
    const { provider } = scriptAdapter([okAnswer(answers.pagesByCursor)]);
    await expect(provider.listPayments(span)).resolves.toEqual({ payments: [], unreadable: 0, next: null });
  });
});
