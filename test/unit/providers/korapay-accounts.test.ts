import { MINUTE } from '#shared/platform/kernel/time.ts';
import { InputError, NoReferenceLeft, OutcomeUnknown, ProviderError } from '#shared/providers/domain/errors.ts';
import type { Customer } from '#shared/providers/domain/provider.ts';
import { KORAPAY, NOON, naira } from '#test/unit/api/examples.ts';
import { failure, NOTIFICATION_URL, scripted, scriptedUnder, success } from './korapay-script.ts';

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
  test('is opened under our reference with everything that Korapay requires', async () => {
    const { provider, asked } = scripted(success(ACCOUNT));
    expect(await provider.createAccount(NGOZI, REFERENCE)).toEqual(ISSUED);
    expect(asked).toEqual([
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

  test('leaves out what the customer has not given', async () => {
    const { provider, asked } = scripted(success(ACCOUNT));
    await provider.createAccount({ ...NGOZI, email: null, nin: null }, REFERENCE);
    expect(asked[0]?.body).toMatchObject({ customer: { name: 'Ngozi Bello' }, kyc: { bvn: '22334455667' } });
    expect(JSON.stringify(asked[0]?.body)).not.toMatch(/null|nin|email/);
  });

  test('has no id of Korapay and no code where Korapay gives none', async () => {
    const { provider } = scripted(success({ account_number: '7720011223', bank_code: null }));
    const bare = { accountName: '', bankName: '', bankCode: null, providerId: null };
    expect(await provider.createAccount(NGOZI, REFERENCE)).toEqual({ accountNumber: '7720011223', ...bare });
  });

  const used = { account_reference: { message: 'has already been used' } };
  test.each([
    ['in the message', failure(409, 'Virtual account with this reference already exists')],
    ['in the documented words', failure(400, 'Duplicate payment reference')],
    ['in the fields', failure(400, 'Invalid request data', used)],
  ])('is the one of an earlier call when Korapay says so %s', async (_, reply) => {
    const { provider, asked } = scripted(reply, success(ACCOUNT));
    expect(await provider.createAccount(NGOZI, REFERENCE)).toEqual(ISSUED);
    expect(asked[1]).toMatchObject({ method: 'GET', path: `/virtual-bank-account/${REFERENCE}` });
  });

  test('is refused when the customer has one that we did not open', async () => {
    const { provider } = scripted(failure(400, 'Account already exists for this BVN'), NOT_FOUND);
    const refused = new ProviderError('The provider has an account for this customer already.');
    await expect(provider.createAccount(NGOZI, REFERENCE)).rejects.toEqual(refused);
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
  ])('that is refused with %i "%s" says why in our words', async (status, message, ours) => {
    const { provider } = scripted(failure(status, message), NOT_FOUND);
    await expect(provider.createAccount(NGOZI, REFERENCE)).rejects.toEqual(new ProviderError(ours));
  });

  test.each([
    ['a gateway page', { status: 403, json: undefined }],
    ['a list', { status: 200, json: [] }],
    ['no account', success(null)],
    ['an account without a number', success({ ...ACCOUNT, account_number: '' })],
    ['an internal error', failure(400, 'Internal Server Error')],
  ])('may or may not exist after %s, and the error reveals nothing', async (_, answer) => {
    const { provider } = scripted(answer);
    const error: unknown = await provider.createAccount(NGOZI, REFERENCE).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(OutcomeUnknown);
    for (const secret of SECRETS) expect(String(error)).not.toContain(secret);
  });

  test('is found under our reference, or not', async () => {
    const absent = failure(404, 'Virtual bank account not found');
    const { provider, asked } = scripted(success(ACCOUNT), absent, failure(403, 'Forbidden'));
    expect(await provider.findAccount(NGOZI, 'va/1')).toEqual(ISSUED);
    expect(asked[0]?.path).toBe('/virtual-bank-account/va%2F1');
    expect(await provider.findAccount(NGOZI, REFERENCE)).toBeUndefined();
    await expect(provider.findAccount(NGOZI, REFERENCE)).rejects.toThrow(ProviderError);
  });

  test('is closed without a call, since Korapay has none', async () => {
    const { provider, asked } = scripted();
    await provider.closeAccount(ISSUED, REFERENCE);
    expect(asked).toEqual([]);
  });
});

describe('the secret key', () => {
  test('is read again and tried once more when it was refused', async () => {
    const { provider, asked, reads } = scripted(failure(401, 'Invalid authorization key'), success(ACCOUNT));
    expect(await provider.createAccount(NGOZI, REFERENCE)).toEqual(ISSUED);
    expect(reads).toEqual([false, true]);
    expect(asked.map(({ headers }) => headers.authorization)).toEqual(['Bearer sk_live_old', 'Bearer sk_live_new']);
    expect(asked[1]?.body).toEqual(asked[0]?.body);
  });

  test.each([
    ['a 401', { status: 401, json: undefined }],
    ['the documented words under another status', failure(400, 'Invalid authorization key')],
  ])('is given up after a second refusal by %s', async (_, reply) => {
    const { provider, asked } = scripted(reply, reply);
    const refused = new ProviderError('The provider did not accept our credentials.');
    await expect(provider.findAccount(NGOZI, REFERENCE)).rejects.toEqual(refused);
    expect(asked).toHaveLength(2);
  });
});

describe('a payment account', () => {
  const PAYMENT = 'PAY-7H2KQ9XW4M1ZB8T5RC3N';
  const wanted = {
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
  const ending = (expiry_date_in_utc: string | null) => ({
    ...charge,
    bank_account: { ...charge.bank_account, expiry_date_in_utc },
  });
  const duplicate = failure(400, 'Duplicate payment reference');

  test('is opened for the amount in naira, at our cost, until the time that Korapay gives', async () => {
    const { provider, asked } = scripted(success(charge));
    expect(await provider.createPaymentAccount(wanted)).toEqual(opened);
    expect(asked).toEqual([
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

  test('has the amount to pay that Korapay expects, even if that is more, or text', async () => {
    const { provider } = scripted(success({ ...charge, amount_expected: '5054.25' }));
    expect(await provider.createPaymentAccount(wanted)).toMatchObject({ amountToPay: naira(5_054.25) });
  });

  test('has the requested amount to pay when Korapay does not repeat it', async () => {
    const { amount_expected: _, ...rest } = charge;
    const { provider } = scripted(success(rest));
    expect(await provider.createPaymentAccount(wanted)).toMatchObject({ amountToPay: naira(5_000.5) });
  });

  test.each([
    [60 * MINUTE, KORAPAY.usualAccountMinutes, 30 * MINUTE],
    [10 * MINUTE, KORAPAY.usualAccountMinutes, 10 * MINUTE],
    [60 * MINUTE, 45, 45 * MINUTE],
  ])('without a date of Korapay, of %i ms lives %i minutes at most', async (asked, usualAccountMinutes, given) => {
    const undated = success({ ...charge, bank_account: { account_number: '9977001122' } });
    const { provider } = scriptedUnder({ usualAccountMinutes }, undated);
    const account = await provider.createPaymentAccount({ ...wanted, expiresAt: NOON + asked });
    expect(account.expiresAt).toBe(NOON + given);
  });

  test('after a lost answer is the same one, if Korapay still returns it', async () => {
    const earlier = success({ ...charge, amount: '5000.50', amount_expected: undefined });
    const { provider, asked } = scripted(duplicate, earlier);
    expect(await provider.createPaymentAccount(wanted)).toEqual(opened);
    expect(asked[1]).toMatchObject({ method: 'GET', path: `/charges/${PAYMENT}` });
  });

  test.each([
    ['missing', { ...charge, bank_account: undefined }],
    ['for another amount', { ...charge, amount: 500 }],
    ['for an amount that is missing', { ...charge, amount: null }],
    ['past its time', ending('2026-11-20T12:00:00Z')],
    ['of no known time', ending(null)],
    ['failed', { ...charge, status: 'failed' }],
    ['expired', { ...charge, status: 'expired' }],
  ])('after a lost answer is another one under the next reference, where the earlier is %s', async (_, earlier) => {
    const { provider, asked } = scripted(duplicate, success(earlier), success(charge));
    expect(await provider.createPaymentAccount(wanted)).toEqual({ ...opened, providerReference: `${PAYMENT}-2` });
    expect(asked[2]?.body).toMatchObject({ reference: `${PAYMENT}-2`, amount: 5000.5 });
  });

  test.each([
    ['Invalid request data', { 'customer.email': { message: 'invalid' } }, true],
    ['Invalid request data', { customer: { email: { message: 'invalid' } } }, true],
    ['Please complete your KYC to collect payments', null, false],
    ['Business name is not verified', null, false],
    ['Your account has been suspended. Contact support by email', null, false],
  ])('%s %j lies in what the payer sent: %p', async (message, data, isInput) => {
    const { provider } = scripted(failure(400, message, data));
    const error: unknown = await provider.createPaymentAccount(wanted).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ProviderError);
    expect(error instanceof InputError).toBe(isInput);
  });

  test('is refused when all three references are used up', async () => {
    const lost = [duplicate, failure(404, 'Charge not found')];
    const { provider, asked } = scripted(...lost, ...lost, ...lost);
    await expect(provider.createPaymentAccount(wanted)).rejects.toBeInstanceOf(NoReferenceLeft);
    const references = [PAYMENT, `${PAYMENT}-2`, `${PAYMENT}-3`].map((reference) => ({ reference }));
    expect(asked.filter(({ method }) => method === 'POST').map(({ body }) => body)).toMatchObject(references);
  });

  test('is not requested twice in one call when the answer is lost', async () => {
    const { provider, asked } = scripted(new OutcomeUnknown('No answer in time.'));
    await expect(provider.createPaymentAccount(wanted)).rejects.toThrow(OutcomeUnknown);
    expect(asked).toHaveLength(1);
  });

  test('is not opened a second time while the earlier one cannot be looked up', async () => {
    const { provider, asked } = scripted(duplicate, failure(403, 'Forbidden'));
    await expect(provider.createPaymentAccount(wanted)).rejects.toThrow(ProviderError);
    expect(asked).toHaveLength(2);
  });

  test('is refused in our words', async () => {
    const { provider } = scripted(failure(403, 'Bank transfer is not enabled for chiamaka@example.ng'));
    const refused = new ProviderError('The provider has not enabled this kind of account for us.');
    await expect(provider.createPaymentAccount(wanted)).rejects.toEqual(refused);
  });

  test('is unknown when Korapay’s answer has none', async () => {
    const { provider } = scripted(success({ ...charge, bank_account: null }));
    await expect(provider.createPaymentAccount(wanted)).rejects.toThrow(OutcomeUnknown);
  });
});
