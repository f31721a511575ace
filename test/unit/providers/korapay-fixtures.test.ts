import { type Simulator, startSimulator } from '#infra/local/simulator/simulator.ts';
import { HOUR, MINUTE } from '#shared/platform/kernel/time.ts';
import { type Fixture, shapeDifferences } from '#shared/providers/common/simulator/fixture.ts';
import { OutcomeUnknown, ProviderError } from '#shared/providers/domain/errors.ts';
import { makeContent } from '#shared/providers/domain/notification-content.ts';
import { KORAPAY_FIXTURES } from '#shared/providers/korapay/simulator/fixtures.ts';
import type { ReferenceOrder } from '#shared/providers/korapay/simulator/preference.ts';
import { startReceiver } from '#test/support/worlds/receiver.ts';
import { NOON, naira } from '#test/unit/api/examples.ts';
import { scriptAdapter } from './korapay-script.ts';

const OUR_REFERENCE = 'PAY-7H2KQ9XW4M1ZB8T5RC3N';
const OUR_ACCOUNT = 'va_01KA0000000000000000000001';
const { answers, rows, events } = KORAPAY_FIXTURES;
const NGOZI = { name: 'Ngozi Bello', phone: null, email: null, bvn: '22334455667', nin: null };
const ORDER = {
  reference: OUR_REFERENCE,
  amount: naira(5_000),
  accountName: 'Ada Stores',
  payerName: null,
  payerEmail: 'chiamaka@example.ng',
  expiresAt: NOON + HOUR,
};

describe('Korapay’s adapter', () => {
  const adapterThatGets = (fixture: Fixture, status = 200) => scriptAdapter({ status, json: fixture.body }).provider;

  test('reads the documented answers about a virtual account', async () => {
    const account = {
      accountNumber: '7720011223',
      accountName: 'Ngozi Bello',
      bankName: 'wema',
      bankCode: '035',
      providerId: 'KPY-VA-8sJd2',
    };
    expect(await adapterThatGets(answers.createAccount).createAccount(NGOZI, OUR_ACCOUNT)).toEqual(account);
    expect(await adapterThatGets(answers.findAccount).findAccount(NGOZI, OUR_ACCOUNT)).toEqual(account);
  });

  test('reads the documented answer to the creation of a payment account', async () => {
    expect(await adapterThatGets(answers.createCharge).createPaymentAccount(ORDER)).toEqual({
      account: {
        accountNumber: '9977001122',
        accountName: 'Ada Stores',
        bankName: 'wema',
        bankCode: '035',
        providerId: null,
      },
      providerReference: OUR_REFERENCE,
      amountToPay: naira(5_000),
      expiresAt: NOON + 30 * MINUTE,
    });
  });

  const total = {
    kind: 'cumulative_report',
    payee: { by: 'our_reference', reference: OUR_REFERENCE },
    providerReference: 'KPY-PAY-2bT',
  };
  const transfer = {
    kind: 'transfer',
    payee: { by: 'our_reference', reference: OUR_ACCOUNT },
    transferId: 'KPY-PAY-x9Qm2LwT',
    providerReference: 'KPY-PAY-x9Qm2LwT',
    amount: naira(5_000),
    outcome: 'accepted',
  };
  const reportKept = (amount: number, returned: number) => ({
    ...total,
    kept: naira(amount),
    returned: naira(returned),
  });
  test.each([
    ['a charge that waits', answers.lookUpWaiting, 'open', []],
    ['a paid charge', answers.lookUpPaid, 'complete', [{ ...reportKept(5_000, 0), senderName: 'CHIDI EZE' }]],
    ['an overpaid charge', answers.lookUpOverpaid, 'complete', [reportKept(5_000, 2_000)]],
    ['an underpaid charge', answers.lookUpUnderpaid, 'open', [reportKept(0, 3_000)]],
    ['a transfer into a virtual account', answers.lookUpOfAccount, 'open', [transfer]],
  ] as const)('reads the documented look-up of %s', async (_, fixture, state, money) => {
    const query = { by: 'transaction', value: 'KPY-PAY-2bT' } as const;
    expect(await adapterThatGets(fixture).lookUp(query)).toMatchObject({ state, money });
  });

  test('reads the documented errors', async () => {
    const query = { by: 'our_reference', value: OUR_REFERENCE } as const;
    expect(await adapterThatGets(answers.notFound, 404).lookUp(query)).toBe('unknown');
    const repeated = scriptAdapter(
      { status: 400, json: answers.duplicate.body },
      { status: 404, json: answers.notFound.body },
    );
    await expect(repeated.provider.createPaymentAccount(ORDER)).rejects.toThrow('One request too many.');
    expect(repeated.requests.at(-1)?.body).toMatchObject({ reference: `${OUR_REFERENCE}-2` });
    const locked = { status: 401, json: answers.unauthorised.body };
    await expect(scriptAdapter(locked, locked).provider.lookUp(query)).rejects.toThrow(ProviderError);
  });

  test.each([
    ['Korapay’s reference only', rows.payIn, { by: 'transaction', value: 'KPY-PAY-2bT' }, false],
    ['our reference only', rows.payInUnderOurs, { by: 'our_reference', value: OUR_REFERENCE }, true],
    ['both references', rows.payInWithBoth, { by: 'our_reference', value: OUR_REFERENCE }, true],
  ])('reads a documented row of the list with %s', async (_, row, query, isKnown) => {
    const page = { status: 200, json: { status: true, message: '', data: { has_more: false, payins: [row.body] } } };
    const { payments } = await scriptAdapter(page).provider.listPayments({ from: NOON - HOUR, to: NOON, cursor: null });
    const origin = isKnown ? { kind: 'part', reference: OUR_REFERENCE, reached: naira(5_000), falls: 0 } : null;
    expect(payments).toEqual([{ query, origin, isReturned: false }]);
  });

  const ours = { by: 'our_reference', value: OUR_REFERENCE } as const;
  const korapays = { by: 'transaction', value: 'KPY-PAY-2bT' } as const;
  const refund = { id: 'RFD-000042', amount: naira(1_200) };
  const READINGS: Record<keyof typeof events, ReturnType<typeof makeContent>> = {
    chargeSuccessTransfer: makeContent({ queries: [ours] }),
    chargeSuccessKorapaysSecond: makeContent({ queries: [ours] }),
    chargeSuccessKorapaysFirst: makeContent({ queries: [ours] }),
    chargeFailed: makeContent({ queries: [ours] }),
    chargeSuccessAccount: makeContent({ queries: [{ by: 'transaction', value: 'KPY-PAY-x9Qm2LwT' }] }),
    refundSuccess: makeContent({ queries: [ours], refunds: [{ query: ours, refund }] }),
    refundSuccessKorapays: makeContent({ queries: [korapays], refunds: [{ query: korapays, refund }] }),
    refundSuccessSandbox: makeContent({ queries: [ours], refunds: [{ query: ours, refund }] }),
    refundFailed: makeContent({ queries: [ours] }),
    payout: makeContent(),
  };
  test.each(Object.entries(READINGS))('reads the documented event %s', (name, reading) => {
    const { body } = events[name as keyof typeof events];
    expect(scriptAdapter().provider.read(Buffer.from(JSON.stringify(body)))).toEqual(reading);
  });

  test('does not report a charge that lacks its amounts', async () => {
    const { data, ...envelope } = answers.lookUpPaid.body as { data: Record<string, unknown> };
    const bare = { ...envelope, data: { ...data, amount_accepted: undefined, amount_paid: undefined } };
    await expect(adapterThatGets({ ...answers.lookUpPaid, body: bare }).lookUp(ours)).rejects.toThrow(OutcomeUnknown);
  });
});

describe('Korapay’s simulator', () => {
  let simulator: Simulator;
  beforeEach(async () => {
    simulator = await startSimulator({ now: () => NOON });
  });
  afterEach(() => simulator.stop());

  const ask = async (path: string, body?: unknown, key = simulator.credentials.korapay.secretKey): Promise<unknown> => {
    const answer = await fetch(`${simulator.baseUrls.korapay}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${key}` },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return answer.json();
  };
  const customer = { name: 'Ngozi Bello', email: 'ngozi.bello@example.ng' };
  const open = (reference: string, more: object = {}) =>
    ask('/charges/bank-transfer', {
      reference,
      amount: 5_000,
      currency: 'NGN',
      customer,
      merchant_bears_cost: true,
      ...more,
    });
  const openAccount = () =>
    ask('/virtual-bank-account', {
      account_name: 'Ngozi Bello',
      account_reference: OUR_ACCOUNT,
      permanent: true,
      bank_code: '035',
      customer,
      kyc: { bvn: '22334455667' },
    });
  const pay = (amount: number) =>
    simulator.pay({
      provider: 'korapay',
      accountNumber: simulator.books.accounts().at(-1)?.number ?? '',
      amount: naira(amount),
      senderName: 'CHIDI EZE',
      senderBank: 'Access Bank',
    });
  const charge = () => ask(`/charges/${OUR_REFERENCE}`);
  const expectShape = (fixture: Fixture, answer: unknown): void => {
    expect(shapeDifferences(fixture, answer)).toEqual([]);
  };

  test('has the documented shape in answers about virtual accounts', async () => {
    expectShape(answers.createAccount, await openAccount());
    expectShape(answers.findAccount, await ask(`/virtual-bank-account/${OUR_ACCOUNT}`));
    await pay(5_000);
    expectShape(answers.lookUpOfAccount, await ask('/charges/KPY-PAY-1'));
  });

  test('has the documented shape in answers about payment accounts', async () => {
    expectShape(answers.notFound, await charge());
    expectShape(answers.createCharge, await open(OUR_REFERENCE));
    expectShape(answers.duplicate, await open(OUR_REFERENCE));
    expectShape(answers.unauthorised, await ask(`/charges/${OUR_REFERENCE}`, undefined, 'sk_live_wrong'));
    expectShape(answers.lookUpWaiting, await charge());
    await pay(3_000);
    expectShape(answers.lookUpUnderpaid, await charge());
    await pay(7_000);
    expectShape(answers.lookUpOverpaid, await charge());
    await open(`${OUR_REFERENCE}-2`);
    await pay(5_000);
    expectShape(answers.lookUpPaid, await ask(`/charges/${OUR_REFERENCE}-2`));
  });

  const ROWS = { merchants: rows.payInUnderOurs, korapays: rows.payIn, korapays_first: rows.payInWithBoth } as const;
  test.each(Object.entries(ROWS))(
    'has the documented shape in rows of the list with the reference order %s',
    async (listReferences, row) => {
      simulator.prefer('korapay', { listReferences: listReferences as ReferenceOrder });
      await open(OUR_REFERENCE);
      await pay(5_000);
      const { data } = (await ask('/pay-ins')) as { data: { payins: unknown[] } };
      expect(data.payins).toHaveLength(1);
      expectShape(row, data.payins[0]);
    },
  );

  test('has the documented shape in events, and sends each to the right address', async () => {
    const [dashboard, own] = [await startReceiver(), await startReceiver()];
    simulator.notifyAt('korapay', dashboard.url);
    await openAccount();
    await pay(24_500);
    await open(OUR_REFERENCE, { notification_url: own.url });
    const { transferId } = await pay(5_000);
    await simulator.settled();
    simulator.refund(transferId, { amount: naira(1_200) });
    await simulator.settled();
    simulator.refund(transferId, { amount: naira(1_200), stage: 'failed' });
    await simulator.settled();
    const [account, refunded, failed] = dashboard.received.map(({ body }) => JSON.parse(body));
    expectShape(events.chargeSuccessAccount, account);
    expectShape(events.refundSuccess, refunded);
    expectShape(events.refundFailed, failed);
    expect(own.received).toHaveLength(1);
    expectShape(events.chargeSuccessTransfer, JSON.parse(own.received[0]?.body ?? ''));
    await Promise.all([dashboard.stop(), own.stop()]);
  });

  test.each([
    ['its own address', 'notification_url', 0],
    ['the address in the dashboard', 'dashboard', 1],
  ] as const)(
    'sends a charge’s notification to %s, depending on the preference',
    async (_, chargesNotify, received) => {
      const dashboard = await startReceiver();
      simulator.notifyAt('korapay', dashboard.url);
      simulator.prefer('korapay', { chargesNotify });
      await open(OUR_REFERENCE);
      await pay(5_000);
      await simulator.settled();
      expect(dashboard.received).toHaveLength(received);
      await dashboard.stop();
    },
  );
});
