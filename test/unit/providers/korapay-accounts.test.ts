import { MINUTE } from '#shared/platform/kernel/time.ts';
import { InputError, NoReferenceLeft, OutcomeUnknown, ProviderError } from '#shared/providers/domain/errors.ts';
import type { Customer } from '#shared/providers/domain/provider.ts';
import { KORAPAY, NOON, naira } from '#test/unit/api/examples.ts';
import { failure, NOTIFICATION_URL, scriptAdapter, scriptAdapterUnder, success } from './korapay-script.ts';

const NGOZI: Customer = {
  name: 'Ngozi Bello',
  phone: '08031234567',
  email: 'ngozi.bello@example.ng',
  bvn: '22334455667',
  nin: '66778899001',
};
const REFERENCE = 'va_01KA0000000000000000000001';
const ACCOUNT = {
  account_name: 'Ngozi Bello',
  account_number: '7720011223',
  bank_code: '035',
  bank_name: 'wema',
  account_reference: REFERENCE,
  unique_id: 'KPY-VA-8sJd2',
  account_status: 'active',
  created_at: '2026-11-20T12:00:00.000Z',
  currency: 'NGN',
};
const ISSUED = {
  accountNumber: '7720011223',
  accountName: 'Ngozi Bello',
  bankName: 'wema',
  bankCode: '035',
  providerId: 'KPY-VA-8sJd2',
};
const NOT_FOUND = failure(404, 'Virtual account not found');
const SECRETS = [NGOZI.bvn, NGOZI.nin, 'Ngozi', 'sk_live'] as const;

describe('a virtual account at Korapay', () => {
  test('opens under our reference, with all fields that Korapay requires', async () => {
    const { provider, requests } = scriptAdapter(success(ACCOUNT));
    expect(await provider.createAccount(NGOZI, REFERENCE)).toEqual(ISSUED);
    expect(requests).toEqual([
      {
        method: 'POST',
        path: '/virtual-bank-account',
        headers: { authorization: 'Bearer sk_live_old' },
        body: {
          account_name: 'Ngozi Bello',
          account_reference: REFERENCE,
          permanent: true,
          bank_code: '035',
          customer: { name: 'Ngozi Bello', email: 'ngozi.bello@example.ng' },
          kyc: { bvn: '22334455667', nin: '66778899001' },
        },
      },
    ]);
  });

  test('sends only the details that the customer has', async () => {
    const { provider, requests } = scriptAdapter(success(ACCOUNT));
    await provider.createAccount({ ...NGOZI, email: null, nin: null }, REFERENCE);
    expect(requests[0]?.body).toMatchObject({ customer: { name: 'Ngozi Bello' }, kyc: { bvn: '22334455667' } });
    expect(JSON.stringify(requests[0]?.body)).not.toMatch(/null|nin|email/);
  });

  test('has neither Korapay’s id nor a bank code if Korapay sends none', async () => {
    const { provider } = scriptAdapter(success({ account_number: '7720011223', bank_code: null }));
    const bare = { accountName: '', bankName: '', bankCode: null, providerId: null };
    expect(await provider.createAccount(NGOZI, REFERENCE)).toEqual({ accountNumber: '7720011223', ...bare });
  });

  const used = { account_reference: { message: 'has already been used' } };
  test.each([
    ['in the message', failure(409, 'Virtual account with this reference already exists')],
    ['in the documented words', failure(400, 'Duplicate payment reference')],
    ['in the fields', failure(400, 'Invalid request data', used)],
  ])('an earlier call’s account is returned if Korapay reports a duplicate %s', async (_, reply) => {
    const { provider, requests } = scriptAdapter(reply, success(ACCOUNT));
    expect(await provider.createAccount(NGOZI, REFERENCE)).toEqual(ISSUED);
    expect(requests[1]).toMatchObject({ method: 'GET', path: `/virtual-bank-account/${REFERENCE}` });
  });

  test('a customer with an account that we did not open is rejected', async () => {
    const { provider } = scriptAdapter(failure(400, 'Account already exists for this BVN'), NOT_FOUND);
    const expectedError = new ProviderError('The provider has an account for this customer already.');
    await expect(provider.createAccount(NGOZI, REFERENCE)).rejects.toEqual(expectedError);
  });

  test.each([
    [400, 'Invalid request data', 'The provider refused the request.'],
    [422, 'account_name is too short', 'The provider did not accept the customer data.'],
    [400, 'BVN 22334455667 does not match Ngozi Bello', 'The provider could not verify the identity number.'],
    [400, 'You have reached the limit of virtual accounts', 'The provider issues no more accounts to us.'],
    [400, 'Invalid bank provided.', 'The provider does not offer accounts at this bank at the moment.'],
    [403, 'Please contact support', 'The provider has not enabled this kind of account for us.'],
    [400, 'not_authorized', 'The provider has not enabled this kind of account for us.'],
    [418, 'Ngozi', 'The provider refused the request.'],
    [200, 'Unable to process', 'The provider refused the request.'],
    [400, 'Customer name is required', 'The provider did not accept the customer data.'],
  ])('the error %i "%s" is reported in our words', async (status, message, ours) => {
    const { provider } = scriptAdapter(failure(status, message), NOT_FOUND);
    await expect(provider.createAccount(NGOZI, REFERENCE)).rejects.toEqual(new ProviderError(ours));
  });

  test.each([
    ['a gateway page', { status: 403, json: undefined }],
    ['a list', { status: 200, json: [] }],
    ['no account', success(null)],
    ['an account without a number', success({ ...ACCOUNT, account_number: '' })],
    ['an internal error', failure(400, 'Internal Server Error')],
  ])('the outcome is unknown after %s, and the error reveals nothing', async (_, answer) => {
    const { provider } = scriptAdapter(answer);
    const error: unknown = await provider.createAccount(NGOZI, REFERENCE).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(OutcomeUnknown);
    for (const secret of SECRETS) expect(String(error)).not.toContain(secret);
  });

  test('findAccount finds an account by our reference, or none', async () => {
    const absent = failure(404, 'Virtual bank account not found');
    const { provider, requests } = scriptAdapter(success(ACCOUNT), absent, failure(403, 'Forbidden'));
    expect(await provider.findAccount(NGOZI, 'va/1')).toEqual(ISSUED);
    expect(requests[0]?.path).toBe('/virtual-bank-account/va%2F1');
    expect(await provider.findAccount(NGOZI, REFERENCE)).toBeUndefined();
    await expect(provider.findAccount(NGOZI, REFERENCE)).rejects.toThrow(ProviderError);
  });

  test('closeAccount makes no call, because Korapay has none', async () => {
    const { provider, requests } = scriptAdapter();
    await provider.closeAccount(ISSUED, REFERENCE);
    expect(requests).toEqual([]);
  });
});

describe('Korapay’s secret key', () => {
  test('a rejected key is read again and the call is sent once more', async () => {
    const { provider, requests, reads } = scriptAdapter(failure(401, 'Invalid authorization key'), success(ACCOUNT));
    expect(await provider.createAccount(NGOZI, REFERENCE)).toEqual(ISSUED);
    expect(reads).toEqual([false, true]);
    expect(requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer sk_live_old', 'Bearer sk_live_new']);
    expect(requests[1]?.body).toEqual(requests[0]?.body);
  });

  test.each([
    ['a 401', { status: 401, json: undefined }],
    ['the documented words under another status', failure(400, 'Invalid authorization key')],
  ])('a second rejection by %s is an error of our credentials', async (_, reply) => {
    const { provider, requests } = scriptAdapter(reply, reply);
    const expectedError = new ProviderError('The provider did not accept our credentials.');
    await expect(provider.findAccount(NGOZI, REFERENCE)).rejects.toEqual(expectedError);
    expect(requests).toHaveLength(2);
  });
});

describe('a payment account at Korapay', () => {
  const PAYMENT = 'PAY-7H2KQ9XW4M1ZB8T5RC3N';
  const request = {
    reference: PAYMENT,
    amount: naira(5_000.5),
    accountName: 'Ada Stores',
    payerName: 'Chiamaka Okafor',
    payerEmail: 'chiamaka@example.ng',
    expiresAt: NOON + 60 * MINUTE,
  };
  const charge = {
    currency: 'NGN',
    amount: 5000.5,
    amount_expected: 5000.5,
    fee: 50,
    vat: 3.75,
    reference: PAYMENT,
    payment_reference: 'KPY-PAY-2bT',
    status: 'processing',
    merchant_bears_cost: true,
    bank_account: {
      account_name: 'Chiamaka Okafor',
      account_number: '9977001122',
      bank_name: 'wema',
      bank_code: '035',
      expiry_date_in_utc: '2026-11-20T12:30:00.000Z',
    },
    customer: { name: 'Chiamaka Okafor', email: 'chiamaka@example.ng' },
  };
  const opened = {
    account: {
      accountNumber: '9977001122',
      accountName: 'Chiamaka Okafor',
      bankName: 'wema',
      bankCode: '035',
      providerId: null,
    },
    providerReference: PAYMENT,
    amountToPay: naira(5_000.5),
    expiresAt: NOON + 30 * MINUTE,
  };
  const chargeUntil = (expiry_date_in_utc: string | null) => ({
    ...charge,
    bank_account: { ...charge.bank_account, expiry_date_in_utc },
  });
  const duplicate = failure(400, 'Duplicate payment reference');

  test('opens for the amount in naira, at our cost, until Korapay’s expiry', async () => {
    const { provider, requests } = scriptAdapter(success(charge));
    expect(await provider.createPaymentAccount(request)).toEqual(opened);
    expect(requests).toEqual([
      {
        method: 'POST',
        path: '/charges/bank-transfer',
        headers: { authorization: 'Bearer sk_live_old' },
        body: {
          reference: PAYMENT,
          amount: 5000.5,
          currency: 'NGN',
          account_name: 'Ada Stores',
          customer: { email: 'chiamaka@example.ng', name: 'Chiamaka Okafor' },
          merchant_bears_cost: true,
          notification_url: NOTIFICATION_URL,
        },
      },
    ]);
  });

  test('has the amount that Korapay expects as its amount to pay, even if that amount is higher or a text', async () => {
    const { provider } = scriptAdapter(success({ ...charge, amount_expected: '5054.25' }));
    expect(await provider.createPaymentAccount(request)).toMatchObject({ amountToPay: naira(5_054.25) });
  });

  test('has the requested amount to pay if Korapay does not repeat it', async () => {
    const { amount_expected: _, ...rest } = charge;
    const { provider } = scriptAdapter(success(rest));
    expect(await provider.createPaymentAccount(request)).toMatchObject({ amountToPay: naira(5_000.5) });
  });

  test.each([
    [60 * MINUTE, KORAPAY.usualAccountMinutes, 30 * MINUTE],
    [10 * MINUTE, KORAPAY.usualAccountMinutes, 10 * MINUTE],
    [60 * MINUTE, 45, 45 * MINUTE],
  ])(
    'an account that is requested for %i ms, under a limit of %i minutes, lives %i ms if Korapay sends no expiry',
    async (requestedMs, usualAccountMinutes, expected) => {
      const undated = success({ ...charge, bank_account: { account_number: '9977001122' } });
      const { provider } = scriptAdapterUnder({ usualAccountMinutes }, undated);
      const account = await provider.createPaymentAccount({ ...request, expiresAt: NOON + requestedMs });
      expect(account.expiresAt).toBe(NOON + expected);
    },
  );

  test('a retry after a lost answer returns the same account if Korapay still has it', async () => {
    const earlier = success({ ...charge, amount: '5000.50', amount_expected: undefined });
    const { provider, requests } = scriptAdapter(duplicate, earlier);
    expect(await provider.createPaymentAccount(request)).toEqual(opened);
    expect(requests[1]).toMatchObject({ method: 'GET', path: `/charges/${PAYMENT}` });
  });

  test.each([
    ['missing', { ...charge, bank_account: undefined }],
    ['for another amount', { ...charge, amount: 500 }],
    ['without an amount', { ...charge, amount: null }],
    ['expired by its date', chargeUntil('2026-11-20T12:00:00Z')],
    ['without an expiry', chargeUntil(null)],
    ['failed', { ...charge, status: 'failed' }],
    ['expired', { ...charge, status: 'expired' }],
  ])(
    'a retry after a lost answer opens another account under the next reference if the earlier one is %s',
    async (_, earlier) => {
      const { provider, requests } = scriptAdapter(duplicate, success(earlier), success(charge));
      expect(await provider.createPaymentAccount(request)).toEqual({ ...opened, providerReference: `${PAYMENT}-2` });
      expect(requests[2]?.body).toMatchObject({ reference: `${PAYMENT}-2`, amount: 5000.5 });
    },
  );

  test.each([
    ['Invalid request data', { 'customer.email': { message: 'invalid' } }, true],
    ['Invalid request data', { customer: { email: { message: 'invalid' } } }, true],
    ['Please complete your KYC to collect payments', null, false],
    ['Business name is not verified', null, false],
    ['Your account has been suspended. Contact support by email', null, false],
  ])('the error %s %j is the payer’s fault: %p', async (message, data, isInput) => {
    const { provider } = scriptAdapter(failure(400, message, data));
    const error: unknown = await provider.createPaymentAccount(request).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ProviderError);
    expect(error instanceof InputError).toBe(isInput);
  });

  test('NoReferenceLeft is thrown if all three references are used', async () => {
    const lost = [duplicate, failure(404, 'Charge not found')];
    const { provider, requests } = scriptAdapter(...lost, ...lost, ...lost);
    await expect(provider.createPaymentAccount(request)).rejects.toBeInstanceOf(NoReferenceLeft);
    const references = [PAYMENT, `${PAYMENT}-2`, `${PAYMENT}-3`].map((reference) => ({ reference }));
    expect(requests.filter(({ method }) => method === 'POST').map(({ body }) => body)).toMatchObject(references);
  });

  test('a lost answer is not followed by a second request in the same call', async () => {
    const { provider, requests } = scriptAdapter(new OutcomeUnknown('No answer in time.'));
    await expect(provider.createPaymentAccount(request)).rejects.toThrow(OutcomeUnknown);
    expect(requests).toHaveLength(1);
  });

  test('no second account is opened while the earlier one cannot be looked up', async () => {
    const { provider, requests } = scriptAdapter(duplicate, failure(403, 'Forbidden'));
    await expect(provider.createPaymentAccount(request)).rejects.toThrow(ProviderError);
    expect(requests).toHaveLength(2);
  });

  test('an error is reported in our words', async () => {
    const { provider } = scriptAdapter(failure(403, 'Bank transfer is not enabled for chiamaka@example.ng'));
    const expectedError = new ProviderError('The provider has not enabled this kind of account for us.');
    await expect(provider.createPaymentAccount(request)).rejects.toEqual(expectedError);
  });

  test('the outcome is unknown if Korapay’s answer has no account', async () => {
    const { provider } = scriptAdapter(success({ ...charge, bank_account: null }));
    await expect(provider.createPaymentAccount(request)).rejects.toThrow(OutcomeUnknown);
  });
});
