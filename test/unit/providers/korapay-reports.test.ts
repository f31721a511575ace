import { HOUR, MINUTE, SECOND } from '#shared/platform/kernel/time.ts';
import { OutcomeUnknown, ProviderError } from '#shared/providers/domain/errors.ts';
import type { PaymentQuery, PaymentReport } from '#shared/providers/domain/report.ts';
import { KORAPAY, NOON, naira } from '#test/unit/api/examples.ts';
import { failure, scriptAdapter, scriptAdapterUnder, success } from './korapay-script.ts';

const lookUp = (data: unknown, query: PaymentQuery) => scriptAdapter(success(data)).provider.lookUp(query);

const PAYMENT = 'PAY-7H2KQ9XW4M1ZB8T5RC3N';
const ours: PaymentQuery = { by: 'our_reference', value: PAYMENT };
const payer = { account_name: 'CHIDI EZE', account_number: '0022330331', bank_name: 'Access Bank' };

describe('the look-up of a payment account at Korapay', () => {
  const charge = {
    reference: PAYMENT,
    payment_reference: 'KPY-PAY-2bT',
    status: 'success',
    amount: '5000.00',
    amount_paid: '5000.00',
    amount_accepted: '5000.00',
    fee: 50,
    vat: 3.75,
    currency: 'NGN',
    transaction_date: '2026-11-20 12:30:04',
    bank_transfer: { payer_bank_account: payer },
  };
  const total = {
    kind: 'cumulative_report',
    payee: { by: 'our_reference', reference: PAYMENT },
    providerReference: 'KPY-PAY-2bT',
    asked: naira(5_000),
    kept: naira(5_000),
    returned: naira(0),
    fee: naira(53.75),
    paidAt: NOON - 30 * MINUTE + 4 * SECOND,
    senderName: 'CHIDI EZE',
    senderBank: 'Access Bank',
  };
  /** Builds the cumulative report with `returned` naira returned. */
  const withReturned = (returned: number) => ({ ...total, returned: naira(returned) });
  const mismatch = (payment_event: string, returned?: string) => ({
    payer_bank_account: payer,
    payment_event,
    message: 'depends on the preference',
    reversal: returned ? { status: 'success', amount: returned, destination: 'customer', currency: 'NGN' } : null,
  });

  /** Expects the report of the charge with these fields. */
  const expectReport = async (changedFields: object, money: readonly object[], state = 'complete'): Promise<void> => {
    expect(await lookUp({ ...charge, ...changedFields }, ours)).toEqual({ money, state });
  };

  test('asks by the reference and reports the accepted amount, the sender and the time', async () => {
    const { provider, paths } = scriptAdapter(success(charge));
    expect(await provider.lookUp(ours)).toEqual({ money: [total], state: 'complete' });
    expect(paths()).toEqual([`GET /charges/${PAYMENT}`]);
  });

  test('reports our reference even if Korapay’s reference is queried', async () => {
    const report = await lookUp(charge, { by: 'transaction', value: 'KPY-PAY-2bT' });
    expect(report).toEqual({ money: [total], state: 'complete' });
  });

  test('reports the reference that we queried, whatever reference the answer has', async () => {
    const attempt = { by: 'our_reference', value: `${PAYMENT}-2` } as const;
    const report = await lookUp({ ...charge, reference: 'KPY-PAY-2bT' }, attempt);
    expect(report).toMatchObject({ money: [{ payee: { by: 'our_reference', reference: `${PAYMENT}-2` } }] });
  });

  test.each([
    ['processing', 'open'],
    ['expired', 'open'],
    ['pending', 'open'],
    ['failed', 'failed'],
  ])('reports no money for the status %s with nothing accepted', async (status, state) => {
    await expectReport({ status, amount_accepted: 0, amount_paid: 0 }, [], state);
    await expectReport({ status, amount_accepted: null, amount_paid: null }, [], state);
    // Without an accepted amount, neither the amount nor the paid amount counts.
    await expectReport({ status, amount_accepted: undefined }, [], state);
  });

  test('reports accepted money with any status of the charge', async () => {
    await expectReport({ status: 'failed' }, [total], 'failed');
    await expectReport({ status: 'processing' }, [total], 'open');
  });

  test('reports the paid amount if a success lacks the accepted amount and the amount was right', async () => {
    await expectReport({ amount_accepted: undefined }, [total]);
  });

  test.each([
    [
      'without an accepted amount after a wrong amount',
      { amount_accepted: null, bank_transfer: mismatch('underpayment') },
    ],
    ['without any amounts', { amount_accepted: null, amount_paid: null }],
    ['with an accepted amount of zero', { amount_accepted: '0.00' }],
    ['with an invalid amount', { amount_accepted: '5,000' }],
    ['with a fraction of a kobo', { amount_accepted: 5000.001 }],
    ['with a negative amount', { amount_accepted: -5 }],
  ])('throws OutcomeUnknown for a success %s', async (_, changedFields) => {
    await expect(lookUp({ ...charge, ...changedFields }, ours)).rejects.toThrow(OutcomeUnknown);
  });

  test('reports the requested amount as kept and the excess as returned under Return Excess', async () => {
    const overpaid = { amount_paid: 7000, amount_accepted: 5000, bank_transfer: mismatch('overpayment', '2000.00') };
    await expectReport(overpaid, [withReturned(2_000)]);
  });

  test('does not count a returned excess under Return Excess, even if Korapay counts it as accepted', async () => {
    // The shape of the example on Korapay's page about over- and underpayments.
    const example = { amount: 1000, amount_paid: 2500, amount_accepted: 2500 };
    const bank_transfer = mismatch('overpayment', '1500.00');
    await expectReport({ ...example, bank_transfer }, [
      { ...withReturned(1_500), asked: naira(1_000), kept: naira(1_000) },
    ]);
  });

  const allReturned = (value: number, fee = 0) => ({ ...withReturned(value), kept: naira(0), fee: naira(fee) });

  test.each([
    ['overpayment', '7000.00'],
    ['underpayment', '3000.00'],
  ])('reports nothing kept after an %s under Return All, and everything returned', async (event, paid) => {
    const returned = { status: 'processing', amount_paid: paid, bank_transfer: mismatch(event, paid) };
    for (const amount_accepted of [0, undefined]) {
      await expectReport({ ...returned, amount_accepted }, [allReturned(Number(paid))], 'open');
    }
  });

  test.each(['success', 'processing', 'expired', 'failed'])(
    'reports nothing kept if a charge with the status %s has accepted zero and returned everything',
    async (status) => {
      const changedFields = {
        status,
        amount_paid: 7000,
        amount_accepted: 0,
        bank_transfer: mismatch('overpayment', '7000.00'),
      };
      const state = status === 'failed' ? 'failed' : 'open';
      await expectReport(changedFields, [allReturned(7_000)], state);
    },
  );

  test('reports nothing kept if a success lacks the accepted amount and the whole paid amount was returned', async () => {
    const changedFields = { amount_accepted: null, amount_paid: 7000 };
    const back = (amount: string) => ({ ...charge, ...changedFields, bank_transfer: mismatch('overpayment', amount) });
    expect(await lookUp(back('7000.00'), ours)).toEqual({ money: [allReturned(7_000)], state: 'open' });
    // A partial return does not show the accepted amount.
    await expect(lookUp(back('2000.00'), ours)).rejects.toThrow(OutcomeUnknown);
  });

  test('reports nothing kept if an accepted overpayment was returned in full', async () => {
    const changedFields = {
      amount_paid: 7000,
      amount_accepted: 7000,
      bank_transfer: mismatch('overpayment', '7000.00'),
    };
    await expectReport(changedFields, [allReturned(7_000, 53.75)], 'open');
  });

  const reversal = (amount: string) => ({
    payer_bank_account: payer,
    reversal: { status: 'success', amount, destination: 'customer', currency: 'NGN' },
  });

  test('still counts a payment if the same amount was paid again and returned', async () => {
    const again = { amount_paid: 10_000, bank_transfer: reversal('5000.00') };
    await expectReport(again, [withReturned(5_000)]);
    await expectReport({ ...again, amount_accepted: undefined }, [withReturned(5_000)]);
  });

  test('counts the right amount after a wrong one, although the return is still shown', async () => {
    const second = { amount_paid: 12_000, bank_transfer: reversal('7000.00') };
    await expectReport(second, [withReturned(7_000)]);
    // If `amount_paid` covers only the last transfer, it does not include the returned amount.
    const alone = { amount_paid: 5_000, bank_transfer: reversal('7000.00') };
    await expectReport(alone, [withReturned(7_000)]);
  });

  test('reports nothing kept if only the amounts show that everything was returned', async () => {
    const gone = { bank_transfer: reversal('5000.00') };
    await expectReport(gone, [allReturned(5_000, 53.75)], 'open');
    await expectReport({ ...gone, amount_paid: null }, [allReturned(5_000, 53.75)], 'open');
    const over = { amount_accepted: 9_000, amount_paid: undefined, bank_transfer: mismatch('overpayment', '9000.00') };
    await expectReport(over, [allReturned(9_000, 53.75)], 'open');
  });

  test('still counts a payment if a returned wrong amount was as large as the kept one', async () => {
    const changedFields = { amount_paid: 5_000, bank_transfer: mismatch('overpayment', '5000.00') };
    await expectReport(changedFields, [withReturned(5_000)]);
  });

  test('reports all returns so far under Return All, even if Korapay reports only the last one', async () => {
    const changedFields = { status: 'processing', amount_accepted: 0, amount_paid: 10_000 };
    const report = await lookUp(
      { ...charge, ...changedFields, bank_transfer: mismatch('underpayment', '3000.00') },
      ours,
    );
    expect(report).toEqual({ money: [allReturned(10_000)], state: 'open' });
    const excess = { amount_paid: 10_000, bank_transfer: mismatch('overpayment', '2000.00') };
    await expectReport(excess, [withReturned(5_000)]);
  });

  test('counts the right amount that came after a wrong one under Return All', async () => {
    const second = { ...charge, bank_transfer: mismatch('overpayment', '7000.00') };
    expect(await lookUp(second, ours)).toEqual({ money: [withReturned(7_000)], state: 'complete' });
  });

  test.each([
    ['overpayment', 7_000],
    ['underpayment', 3_000],
  ])('reports all received money as complete after an %s under Accept All', async (event, paid) => {
    const accepted = { amount_paid: paid, amount_accepted: paid, bank_transfer: mismatch(event) };
    await expectReport(accepted, [{ ...total, kept: naira(paid) }]);
  });

  test.each([
    ['processing', 1_000],
    [null, 1_000],
    ['failed', 2_500],
    ['cancelled', 2_500],
  ])(
    'reports the right kept amount of an excess that Korapay counts as accepted while its reversal is %p',
    async (status, kept) => {
      const reversal = { status, amount: '1500.00' };
      const bank_transfer = { ...mismatch('overpayment'), reversal };
      const example = { amount: 1000, amount_paid: 2500, amount_accepted: 2500, bank_transfer };
      await expectReport(example, [{ ...total, asked: naira(1_000), kept: naira(kept) }]);
    },
  );

  // With `merchant_bears_cost: false` the payer also sends the fee. `amount` is the amount of the request.
  test('reports the amount of the request as asked, without the fee', async () => {
    const changedFields = { amount: 4900, amount_expected: 4952.68, amount_paid: '5000.00' };
    expect(await lookUp({ ...charge, ...changedFields }, ours)).toMatchObject({ money: [{ asked: naira(4_900) }] });
  });

  test('reports no asked amount if the amount is missing, and still counts the money', async () => {
    const { asked: _, ...unasked } = total;
    await expectReport({ amount: null }, [unasked]);
  });

  test.each(['processing', 'success'])(
    'subtracts only the excess if a reversal that is %p includes an earlier returned amount',
    async (status) => {
      const bank_transfer = { ...mismatch('overpayment'), reversal: { status, amount: '7000.00' } };
      const twice = { amount: 5000, amount_paid: 12_000, amount_accepted: 6000, bank_transfer };
      const { money } = (await lookUp({ ...charge, ...twice }, ours)) as PaymentReport;
      const isReturned = status === 'success';
      expect(money).toEqual([withReturned(isReturned ? 7_000 : 0)]);
      // The same holds if the first amount was less than the kept amount.
      const reversal = { status, amount: '2000.00' };
      const first = { ...twice, amount_paid: 7000, bank_transfer: { ...bank_transfer, reversal } };
      expect(((await lookUp({ ...charge, ...first }, ours)) as PaymentReport).money).toEqual([
        withReturned(isReturned ? 2_000 : 0),
      ]);
    },
  );

  test.each(['processing', 'failed', null])('reports nothing returned while the reversal is %p', async (status) => {
    const bank_transfer = { ...mismatch('underpayment'), reversal: { status, amount: '3000.00' } };
    const report = await lookUp({ ...charge, status: 'processing', amount_accepted: 0, bank_transfer }, ours);
    expect(report).toEqual({ money: [], state: 'open' });
  });

  const returned = { payer_bank_account: payer, reversal: { status: 'success', amount: 5000 } };
  test.each([
    ['shown by its status', { status: 'reversed' }],
    ['shown by a full return without an event', { bank_transfer: returned }],
  ])('reports a reversal that is %s', async (_, changedFields) => {
    await expectReport(changedFields, [allReturned(5_000, 53.75)], 'open');
  });

  test('reports no money in another currency while nothing came, and throws OutcomeUnknown if some did', async () => {
    await expectReport({ currency: 'GHS', status: 'processing', amount_paid: 0, amount_accepted: 0 }, [], 'open');
    for (const moved of [{}, { status: 'processing', amount_accepted: null }, { amount_paid: '5,000' }])
      await expect(lookUp({ ...charge, currency: 'GHS', ...moved }, ours)).rejects.toThrow(OutcomeUnknown);
  });

  test.each(['ngn', 'NGN', ' Ngn ', '', null, undefined])('reads the currency %p as naira', async (currency) => {
    await expectReport({ currency }, [total]);
  });

  test.each([150.5, '', -1, 'free', null, true, {}, [], '1e400'])('reports the money with any fee: %p', async (fee) => {
    const paid = fee === 150.5 ? naira(154.25) : naira(3.75);
    await expectReport({ fee }, [{ ...total, fee: paid }]);
    const whole = fee === 150.5 ? naira(200.5) : naira(50);
    await expectReport({ vat: fee }, [{ ...total, fee: whole }]);
  });

  test.each([
    [{ account_name: '\ud83d', bank_name: 'Access\u0000Bank' }, null, 'Access Bank'],
    [{ account_name: `\u202eEZE ${'A'.repeat(200)}`, bank_name: '\u001b[31m' }, `EZE ${'A'.repeat(96)}`, '[31m'],
    [{ account_name: 5, bank_name: null }, null, null],
    ['CHIDI EZE', null, null],
    [[], null, null],
  ])('reports the money with the payer %j', async (payer_bank_account, senderName, senderBank) => {
    await expectReport({ bank_transfer: { payer_bank_account } }, [{ ...total, senderName, senderBank }]);
  });

  test.each([
    ['reference', { reference: PAYMENT, payment_reference: 'KPY-PAY-2bT' }],
    ['payment_reference', { reference: 'KPY-PAY-2bT', payment_reference: PAYMENT }],
  ])('finds our reference in %s if Korapay’s reference is queried', async (_, references) => {
    const report = await lookUp({ ...charge, ...references }, { by: 'transaction', value: 'KPY-PAY-2bT' });
    expect(report).toEqual({ money: [total], state: 'complete' });
  });

  const LOWER_CASE = PAYMENT.toLowerCase();
  const lowerCaseCharge = { ...charge, reference: LOWER_CASE };

  test('queries our spelling of a reference if Korapay does not know the spelling that was asked for', async () => {
    const { provider, paths } = scriptAdapter(failure(404, 'Charge not found'), success(charge));
    const report = await provider.lookUp({ by: 'our_reference', value: LOWER_CASE });
    expect(report).toEqual({ money: [total], state: 'complete' });
    expect(paths()).toEqual([`GET /charges/${LOWER_CASE}`, `GET /charges/${PAYMENT}`]);
  });

  test.each<[string, Record<string, unknown>, string]>([
    ['ours if our spelling finds the same charge', charge, PAYMENT],
    ['a stranger’s if our spelling finds another charge', { ...charge, payment_reference: 'KPY-PAY-9' }, LOWER_CASE],
  ])('a reference in small letters is %s', async (_, own, reference) => {
    for (const query of [
      { by: 'our_reference', value: LOWER_CASE },
      { by: 'transaction', value: 'KPY-PAY-2bT' },
    ] as const) {
      const { provider } = scriptAdapter(success(lowerCaseCharge), success(own));
      expect(await provider.lookUp(query)).toMatchObject({ money: [{ payee: { reference } }], state: 'complete' });
    }
  });

  test('reports a stranger’s own reference from either field', async () => {
    const foreign = { by: 'transaction', value: 'KPY-PAY-9' } as const;
    for (const references of [
      { reference: 'order-77', payment_reference: 'KPY-PAY-9' },
      { reference: 'KPY-PAY-9', payment_reference: 'order-77' },
    ])
      expect(await lookUp({ ...charge, ...references }, foreign)).toMatchObject({
        money: [{ payee: { reference: 'order-77' }, providerReference: 'KPY-PAY-9' }],
      });
  });

  test.each([
    ['another payment of ours', { reference: 'PAY-00000000000000000000' }],
    ['a reference that is no text', { reference: 5 }],
    ['a reference of several lines', { payment_reference: 'KPY-PAY\n2' }],
    ['a very long reference', { payment_reference: 'K'.repeat(201) }],
  ])('throws OutcomeUnknown if the answer has %s', async (_, references) => {
    await expect(lookUp({ ...charge, ...references }, ours)).rejects.toThrow(OutcomeUnknown);
  });

  test.each(['reversed', 'REVERSED', 'refunded'])('reports nothing kept with the status %s', async (status) => {
    await expectReport({ status }, [allReturned(5_000, 53.75)], 'open');
  });

  test.each([
    ['no parties, fee and date', {}, { fee: naira(0), paidAt: null, senderName: null, senderBank: null }],
    ['a tax in thousandths', { fee: '25', vat: 1.875 }, { fee: naira(26.88) }],
    ['an invalid fee', { fee: 'free' }, { fee: naira(0) }],
    ['a date with its zone', { transaction_date: '2026-11-20T11:45:00.250Z' }, { paidAt: NOON - 15 * MINUTE + 250 }],
    ['a date in the future', { transaction_date: '2026-11-20 14:00:00' }, { paidAt: NOON }],
    ['an invalid date', { transaction_date: 'yesterday' }, { paidAt: null }],
    ['a date that does not exist', { transaction_date: '2026-13-45 10:00:00' }, { paidAt: null }],
  ])('reads a charge with %s', async (_, changedFields, expected) => {
    const bare = { reference: PAYMENT, status: 'success', amount: 5000, amount_accepted: 5000, currency: 'NGN' };
    expect(await lookUp({ ...bare, ...changedFields }, ours)).toMatchObject({ money: [expected] });
  });

  test.each([
    ['lagos', '2026-11-20 12:30:04', NOON - 30 * MINUTE + 4 * SECOND],
    ['utc', '2026-11-20 11:30:04', NOON - 30 * MINUTE + 4 * SECOND],
    ['utc', '2026-11-20T11:30:04.000+01:00', NOON - 90 * MINUTE + 4 * SECOND],
  ] as const)(
    'reads a date without a zone in the zone of the settings: %s',
    async (zonelessDates, transaction_date, paidAt) => {
      const { provider } = scriptAdapterUnder({ zonelessDates }, success({ ...charge, transaction_date }));
      expect(await provider.lookUp(ours)).toMatchObject({ money: [{ paidAt }] });
    },
  );

  test('reads dates as Lagos time by default', () => {
    expect(KORAPAY.zonelessDates).toBe('lagos');
  });

  test.each([
    ['status', failure(404, 'No such thing')],
    ['message', failure(400, 'Charge not found')],
  ])('returns `unknown` if the %s says that there is no such charge', async (_, answer) => {
    expect(await scriptAdapter(answer).provider.lookUp(ours)).toBe('unknown');
  });

  test('throws if a gateway answers 404 or Korapay rejects the call', async () => {
    const gateway = scriptAdapter({ status: 404, json: undefined }).provider;
    await expect(gateway.lookUp(ours)).rejects.toThrow(OutcomeUnknown);
    const closed = scriptAdapter(failure(403, 'Forbidden')).provider;
    await expect(closed.lookUp(ours)).rejects.toThrow(ProviderError);
  });

  test.each([null, [], 'processing', { ...charge, bank_transfer: 5 }])('throws OutcomeUnknown for %p', async (data) => {
    await expect(lookUp(data, ours)).rejects.toThrow(OutcomeUnknown);
  });
});

describe('the look-up of a transfer to a virtual account at Korapay', () => {
  const query: PaymentQuery = { by: 'transaction', value: 'KPY-PAY-x9Qm2LwT' };
  const charge = {
    reference: 'KPY-PAY-x9Qm2LwT',
    status: 'success',
    amount: 25_000,
    amount_paid: '25000.00',
    fee: 150,
    currency: 'NGN',
    transaction_date: '2026-11-20 12:30:04',
    virtual_bank_account: {
      account_number: '7720011223',
      account_name: 'Ngozi Bello',
      account_reference: 'va_01KA0000000000000000000001',
    },
    payer_bank_account: payer,
  };
  const transfer = {
    kind: 'transfer',
    transferId: 'KPY-PAY-x9Qm2LwT',
    payee: { by: 'our_reference', reference: 'va_01KA0000000000000000000001' },
    providerReference: 'KPY-PAY-x9Qm2LwT',
    amount: naira(25_000),
    fee: naira(150),
    paidAt: NOON - 30 * MINUTE + 4 * SECOND,
    senderName: 'CHIDI EZE',
    senderBank: 'Access Bank',
    outcome: 'accepted',
  };

  test('reports one transfer for the account with our reference', async () => {
    expect(await lookUp(charge, query)).toEqual({ money: [transfer], state: 'open' });
  });

  test('reports the same transfer from the shape of a notification', async () => {
    const { virtual_bank_account, payer_bank_account, ...rest } = charge;
    const details = { virtual_bank_account, payer_bank_account };
    const report = await lookUp({ ...rest, virtual_bank_account_details: details }, query);
    expect(report).toEqual({ money: [transfer], state: 'open' });
  });

  test('reports the account number if our reference is missing', async () => {
    const virtual_bank_account = { account_number: '7720011223' };
    expect(await lookUp({ ...charge, virtual_bank_account }, query)).toMatchObject({
      money: [{ payee: { by: 'account_number', accountNumber: '7720011223' } }],
    });
  });

  test('never reports the number of a payment account', async () => {
    const changedFields = {
      virtual_bank_account: { account_number: '9977001122' },
      bank_transfer: { payer_bank_account: payer },
    };
    expect(await lookUp({ ...charge, ...changedFields, reference: PAYMENT }, ours)).toMatchObject({
      money: [{ kind: 'cumulative_report', payee: { by: 'our_reference', reference: PAYMENT } }],
      state: 'complete',
    });
  });

  test.each([
    ['the accepted amount', { amount_accepted: 24_000 }, 24_000],
    ['the paid amount', { amount_paid: 24_500 }, 24_500],
    ['the amount if the paid amount is zero', { amount_paid: 0 }, 25_000],
    ['the amount if nothing else is reported', { amount_paid: null }, 25_000],
  ])('reports %s as the amount', async (_, changedFields, expected) => {
    expect(await lookUp({ ...charge, ...changedFields }, query)).toMatchObject({
      money: [{ amount: naira(expected) }],
    });
  });

  test.each(['processing', 'failed', 'expired'])(
    'reports nothing with the status %s, and the account stays open',
    async (status) => {
      expect(await lookUp({ ...charge, status }, query)).toEqual({ money: [], state: 'open' });
    },
  );

  test('throws OutcomeUnknown if a success has no amount', async () => {
    await expect(lookUp({ ...charge, amount: null, amount_paid: 0 }, query)).rejects.toThrow(OutcomeUnknown);
  });

  test('reports a reversal under the same id', async () => {
    const report = await lookUp({ ...charge, status: 'reversed' }, query);
    expect(report).toEqual({ money: [{ ...transfer, outcome: 'reversed' }], state: 'open' });
  });

  test('reports a reversal if nothing is accepted and everything was returned, and throws while the return is processing', async () => {
    const back = (status: string) => ({ bank_transfer: { reversal: { status, amount: '25000.00' } } });
    const emptied = { ...charge, amount_accepted: '0.00' };
    const report = await lookUp({ ...emptied, ...back('success') }, query);
    expect(report).toEqual({ money: [{ ...transfer, outcome: 'reversed' }], state: 'open' });
    await expect(lookUp({ ...emptied, ...back('processing') }, query)).rejects.toThrow(OutcomeUnknown);
  });
});

describe('Korapay’s list of payments', () => {
  const span = { from: NOON - HOUR, to: NOON, cursor: null };
  const scriptList = (payins: unknown, has_more = false) => {
    const page = success({ has_more, payins });
    return scriptAdapter(page, page);
  };
  const payIn = {
    pointer: 'cus_7087',
    reference: PAYMENT,
    status: 'success',
    amount: '5000.00',
    amount_paid: '5000.00',
    amount_expected: '5000.00',
    fee: '26.88',
    currency: 'NGN',
    payment_method: 'bank_transfer',
    date_created: '2026-11-20 12:24:29',
  };

  test('requests a span of the list’s time', async () => {
    const { provider, paths } = scriptList([]);
    expect(await provider.listPayments(span)).toEqual({ payments: [], unreadable: 0, next: null });
    expect(paths()).toEqual([
      'GET /pay-ins?currency=NGN&date_from=2026-11-20-11-00-00&date_to=2026-11-20-12-00-00&limit=50',
    ]);
  });

  test('continues from the pointer of the last entry', async () => {
    const { provider, paths } = scriptList([payIn, { ...payIn, pointer: 'cus 7088&' }], true);
    expect((await provider.listPayments(span)).next).toBe('cus 7088&');
    await provider.listPayments({ ...span, cursor: 'cus 1&' });
    expect(paths()[1]).toMatch(/&starting_after=cus\+1%26$/);
  });

  const part = (reference: string) => ({ kind: 'part', reference, reached: naira(5_000), falls: 0 });

  test('has the query of each payment', async () => {
    const { provider } = scriptList([
      payIn,
      { ...payIn, reference: 'KPY-PAY-x9Qm2LwT', payment_method: 'virtual_bank_account' },
      { ...payIn, reference: 'KPY-PAY-2bT' },
      { ...payIn, reference: `${PAYMENT}-2`, status: 'processing', amount_paid: 3000, payment_method: null },
    ]);
    expect((await provider.listPayments(span)).payments).toEqual([
      { query: { by: 'our_reference', value: PAYMENT }, origin: part(PAYMENT), isReturned: false },
      {
        query: { by: 'transaction', value: 'KPY-PAY-x9Qm2LwT' },
        origin: { kind: 'transfer', transferId: 'KPY-PAY-x9Qm2LwT' },
        isReturned: false,
      },
      {
        query: { by: 'transaction', value: 'KPY-PAY-2bT' },
        origin: null,
        isReturned: false,
      },
      {
        query: { by: 'our_reference', value: `${PAYMENT}-2` },
        origin: null,
        isReturned: true,
        total: { reference: `${PAYMENT}-2`, asked: naira(5_000), paid: naira(3_000) },
      },
    ]);
  });

  const unclear = (isReturned: boolean) => ({ origin: null, isReturned });

  test.each([
    ['the right amount', {}, { origin: part(PAYMENT), isReturned: false }],
    ['the right amount, reversed', { status: 'reversed' }, { origin: part(PAYMENT), isReturned: true }],
    [
      'more than the requested amount',
      { amount_paid: '5000.01' },
      { ...unclear(true), total: { reference: PAYMENT, asked: naira(5_000), paid: naira(5_000.01) } },
    ],
    [
      'less than the requested amount',
      { amount_paid: 4_999.99 },
      { ...unclear(true), total: { reference: PAYMENT, asked: naira(5_000), paid: naira(4_999.99) } },
    ],
    ['less than the requested amount, reversed', { amount_paid: 4_999.99, status: 'reversed' }, unclear(true)],
    ['no requested amount', { amount: null }, unclear(false)],
    ['an invalid amount', { amount_paid: '5,000' }, unclear(false)],
  ])('shows whether a payment needs a look-up: %s', async (_, changedFields, expected) => {
    const { payments } = await scriptList([{ ...payIn, ...changedFields }]).provider.listPayments(span);
    expect(payments).toEqual([{ query: { by: 'our_reference', value: PAYMENT }, ...expected }]);
  });

  test('has the origin of a payment with our reference in either field, and none in another spelling', async () => {
    const lower = PAYMENT.toLowerCase();
    const { provider } = scriptList([
      { ...payIn, reference: lower },
      { ...payIn, reference: 'KPY-PAY-2bT', payment_reference: PAYMENT },
      { ...payIn, reference: 'KPY-PAY-2bT', payment_reference: lower },
      { ...payIn, reference: 'not a reference', payment_reference: PAYMENT },
    ]);
    const { payments, unreadable } = await provider.listPayments(span);
    const row = { query: { by: 'our_reference', value: PAYMENT }, origin: part(PAYMENT), isReturned: false };
    const spelled = { query: { by: 'our_reference', value: lower }, ...unclear(true) };
    expect({ payments, unreadable }).toEqual({ payments: [spelled, row, spelled, row], unreadable: 0 });
  });

  test('skips unreadable rows, and counts those that may be money', async () => {
    const { provider } = scriptList(
      [
        payIn,
        'no row',
        { ...payIn, reference: null },
        { ...payIn, reference: 'two words', payment_method: 'virtual_bank_account' },
        { ...payIn, reference: null, status: 'processing', amount_paid: '0.00' },
        { ...payIn, status: 5, amount: {}, amount_paid: [1], payment_method: 7 },
        { ...payIn, pointer: 5 },
        null,
      ],
      true,
    );
    const page = await provider.listPayments(span);
    expect(page.payments.map(({ query }) => query.value)).toEqual([PAYMENT, PAYMENT, PAYMENT]);
    expect(page).toMatchObject({ unreadable: 4, next: 'cus_7087' });
  });

  test.each([
    ['an unpaid charge', { status: 'processing', amount_paid: '0.00' }],
    ['a charge without a paid amount', { status: 'expired', amount_paid: null }],
    ['a payment by card', { payment_method: 'card' }],
  ])('leaves out %s', async (_, changedFields) => {
    expect(await scriptList([{ ...payIn, ...changedFields }]).provider.listPayments(span)).toEqual({
      payments: [],
      unreadable: 0,
      next: null,
    });
  });

  test('reads the documented shape and a bare list', async () => {
    const page = { status: 200, json: { status: true, has_more: true, data: payIn } };
    const origin = part(PAYMENT);
    const expected = [{ query: { by: 'our_reference', value: PAYMENT }, origin, isReturned: false }];
    expect(await scriptAdapter(page).provider.listPayments(span)).toEqual({
      payments: expected,
      unreadable: 0,
      next: 'cus_7087',
    });
    expect(await scriptAdapter(success([payIn])).provider.listPayments(span)).toEqual({
      payments: expected,
      unreadable: 0,
      next: null,
    });
  });

  test.each([
    ['a further page without a pointer', success({ has_more: true, payins: [{ ...payIn, pointer: null }] }), null],
    ['the same list page again', success({ has_more: true, payins: [payIn] }), 'cus_7087'],
    ['no list', success({ has_more: false }), null],
  ])('throws OutcomeUnknown if Korapay sends %s', async (_, answer, cursor) => {
    await expect(scriptAdapter(answer).provider.listPayments({ ...span, cursor })).rejects.toThrow(OutcomeUnknown);
  });

  test('throws ProviderError if Korapay rejects the call', async () => {
    const { provider } = scriptAdapter(failure(400, 'Invalid request data'));
    await expect(provider.listPayments(span)).rejects.toThrow(ProviderError);
  });
});
