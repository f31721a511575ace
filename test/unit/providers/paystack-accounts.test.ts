import { HOUR, MINUTE } from '#shared/platform/kernel/time.ts';
import { NoReferenceLeft, OutcomeUnknown, ProviderUnavailable } from '#shared/providers/domain/errors.ts';
import type { Customer } from '#shared/providers/domain/provider.ts';
import { splitName } from '#shared/providers/paystack/virtual-accounts.ts';
import { id, NOON, naira } from '#test/unit/api/examples.ts';
import {
  DOMAIN,
  expectedError,
  failure,
  SECRET,
  scriptAdapter,
  scriptAdapterFor,
  success,
  unknownOutcome,
} from './paystack-script.ts';

const VA = id('va');
const ADDRESS = `${VA.toLowerCase()}@${DOMAIN}`;
const FETCH_CUSTOMER = `GET /customer/${encodeURIComponent(ADDRESS)}`;
const LIST_ACCOUNTS = 'GET /dedicated_account?customer=7454289';

const ADA: Customer = {
  name: 'Adaeze Ngozi Obi',
  phone: '+2348031234567',
  email: 'adaeze@example.ng',
  bvn: null,
  nin: null,
};
const PERSON = { first_name: 'Adaeze Ngozi', last_name: 'Obi', phone: '+2348031234567' };
const CUSTOMER = { id: 7454289, customer_code: 'CUS_8k2mz1', email: ADDRESS };
const DEDICATED = {
  id: 253,
  account_name: 'NAIJAPAY/ADAEZE OBI',
  account_number: '9930000902',
  assigned: true,
  active: true,
  bank: { name: 'Titan Paystack', id: 1, slug: 'titan-paystack' },
  customer: CUSTOMER,
  split_config: '{"subaccount":null}',
};
const ACCOUNT = {
  accountNumber: '9930000902',
  accountName: 'NAIJAPAY/ADAEZE OBI',
  bankName: 'Titan Paystack',
  bankCode: null,
  providerId: '253',
};
const OTHER_CUSTOMERS = { ...DEDICATED, id: 9, account_number: '9930000111', customer: { ...CUSTOMER, id: 1530104 } };

describe('splitName', () => {
  test.each([
    ['Adaeze Obi', 'Adaeze', 'Obi'],
    ['  Chukwuemeka   Ifeanyi  Okafor ', 'Chukwuemeka Ifeanyi', 'Okafor'],
    ['Ọláwálé Adébáyò-Williams', 'Ọláwálé', 'Adébáyò-Williams'],
  ])('takes the last word as the last name: %s', (name, first_name, last_name) => {
    expect(splitName(name)).toEqual({ first_name, last_name });
  });

  test.each(['Adaeze', '   ', ''])('returns undefined for one word or none: "%s"', (name) => {
    expect(splitName(name)).toBeUndefined();
  });
});

describe('a virtual account at Paystack', () => {
  test('opens for a customer of its own at Paystack, never under the real e-mail address', async () => {
    const { provider, requests } = scriptAdapter([success(CUSTOMER), success([]), success(DEDICATED)]);
    await expect(provider.createAccount(ADA, VA)).resolves.toEqual(ACCOUNT);
    const headers = { authorization: `Bearer ${SECRET}` };
    expect(requests).toEqual([
      { method: 'POST', path: '/customer', headers, body: { email: ADDRESS, ...PERSON } },
      { method: 'GET', path: '/dedicated_account?customer=7454289', headers },
      {
        method: 'POST',
        path: '/dedicated_account',
        headers,
        body: { customer: 'CUS_8k2mz1', preferred_bank: 'titan-paystack', ...PERSON },
      },
    ]);
    expect(JSON.stringify(requests)).not.toContain('adaeze@example.ng');
  });

  test.each([
    ['the customer call returns the known customer', [success(CUSTOMER), success([DEDICATED])], 2],
    [
      'the customer call rejects a known address',
      [failure(400, 'Email already in use'), success(CUSTOMER), success([DEDICATED])],
      3,
    ],
    [
      'the list was stale and Paystack says so',
      [success(CUSTOMER), success([]), failure(400, 'Customer already has an account'), success([DEDICATED])],
      4,
    ],
  ])('an existing account is found and not opened twice if %s', async (_, answers, expected) => {
    const { provider, calls } = scriptAdapter(answers);
    await expect(provider.createAccount(ADA, VA)).resolves.toEqual(ACCOUNT);
    expect(calls()).toHaveLength(expected);
  });

  test.each([
    ['another customer’s account', OTHER_CUSTOMERS],
    ['a closed account', { ...DEDICATED, assigned: false }],
    ['an account without a customer', { ...DEDICATED, customer: null }],
  ])('an entry of the list is not used if the entry is %s', async (_, listed) => {
    const { provider, calls } = scriptAdapter([success(CUSTOMER), success([listed]), success(DEDICATED)]);
    await expect(provider.createAccount(ADA, VA)).resolves.toEqual(ACCOUNT);
    expect(calls()).toContain('POST /dedicated_account');
  });

  test('characters that nobody can read are removed from names, and a name without visible characters is empty', async () => {
    const bank = { ...DEDICATED.bank, name: '\ud83d' };
    const named = { ...DEDICATED, account_name: 'NAIJAPAY/\u202eADAEZE\u0000 OBI', bank };
    const { provider } = scriptAdapter([success(CUSTOMER), success([]), success(named)]);
    await expect(provider.createAccount(ADA, VA)).resolves.toMatchObject({
      accountName: 'NAIJAPAY/ ADAEZE OBI',
      bankName: '',
    });
  });

  test('an unknown outcome is not followed by another request in the same call', async () => {
    const lost = scriptAdapter([success(CUSTOMER), success([]), new OutcomeUnknown('No answer in time.')]);
    await expect(lost.provider.createAccount(ADA, VA)).rejects.toEqual(unknownOutcome);
    const silent = scriptAdapter([new ProviderUnavailable('No connection in time.')]);
    await expect(silent.provider.createAccount(ADA, VA)).rejects.toThrow(ProviderUnavailable);
  });

  test.each([
    ['a single word as name', { ...ADA, name: 'Adaeze' }],
    ['no phone', { ...ADA, phone: null }],
  ])('a customer with %s is rejected without a call', async (_, customer) => {
    const { provider, calls } = scriptAdapter([]);
    await expect(provider.createAccount(customer, VA)).rejects.toMatchObject(
      expectedError('The provider did not accept the customer data.'),
    );
    expect(calls()).toEqual([]);
  });

  test.each([
    [403, 'Dedicated NUBAN is not available for your business', 'has not enabled this kind of account for us'],
    [400, 'Dedicated NUBAN is not available for your business', 'has not enabled this kind of account for us'],
    [400, 'Access Denied', 'has not enabled this kind of account for us'],
    [400, 'Invalid BVN', 'could not verify the identity number'],
    [400, 'Customer phone number 08031234567 is required', 'did not accept the customer data'],
    [400, 'Something for ADAEZE OBI went wrong', 'refused the request'],
  ])('an error is reported in our words: %i %s', async (status, message, sentence) => {
    const { provider } = scriptAdapter([success(CUSTOMER), success([]), failure(status, message)]);
    const error = await provider.createAccount(ADA, VA).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: 'ProviderError', message: expect.stringContaining(sentence) });
    expect(String(error)).not.toMatch(/obi|0803/i);
  });

  test.each([
    ['a gateway’s page', { status: 403, json: undefined }],
    ['a bare text', { status: 400, json: 'Forbidden' }],
    ['an account number of another form', success({ ...DEDICATED, account_number: '99300009O2' })],
    ['an account number of nine digits', success({ ...DEDICATED, account_number: '993000090' })],
    ['an envelope without data', success(undefined)],
    ['an account without a number', success({ ...DEDICATED, account_number: null })],
    ['an id that was rounded', success({ ...DEDICATED, id: 2 ** 60 })],
  ])('the outcome is unknown after %s', async (_, answer) => {
    const { provider } = scriptAdapter([success(CUSTOMER), success([]), answer]);
    await expect(provider.createAccount(ADA, VA)).rejects.toEqual(unknownOutcome);
  });

  test('an answer with the status "error" and HTTP 200 is an error', async () => {
    const { provider } = scriptAdapter([
      success(CUSTOMER),
      success([]),
      { status: 200, json: { status: 'error', message: 'Failed' } },
    ]);
    await expect(provider.createAccount(ADA, VA)).rejects.toMatchObject(
      expectedError('The provider refused the request.'),
    );
  });
});

describe('a virtual account whose customer must be validated', () => {
  const scriptValidatingAdapter = scriptAdapterFor(DOMAIN, { validatesCustomers: true });
  const NGOZI = { ...ADA, bvn: '22212345678', bankAccount: { accountNumber: '0123456789', bankCode: '058' } };
  const NO_CUSTOMER = failure(404, 'Customer email is invalid for your live domain.');
  const PROGRESS = { status: 200, json: { status: true, message: 'Assign dedicated account in progress' } };
  const pending = { name: 'OutcomePending' };

  test('a single call with the identity requests the account, which opens later', async () => {
    const { provider, requests } = scriptValidatingAdapter([NO_CUSTOMER, PROGRESS]);
    await expect(provider.createAccount(NGOZI, VA)).rejects.toMatchObject(pending);
    expect(requests[1]).toMatchObject({
      method: 'POST',
      path: '/dedicated_account/assign',
      body: {
        email: ADDRESS,
        ...PERSON,
        country: 'NG',
        preferred_bank: 'titan-paystack',
        bvn: '22212345678',
        account_number: '0123456789',
        bank_code: '058',
      },
    });
    expect(provider.opensWithin).toBe(24 * HOUR);
  });

  test('a known customer’s account is not requested again', async () => {
    const { provider, calls } = scriptValidatingAdapter([success(CUSTOMER), success([])]);
    await expect(provider.createAccount(NGOZI, VA)).rejects.toMatchObject(pending);
    expect(calls()).toEqual([FETCH_CUSTOMER, LIST_ACCOUNTS]);
  });

  test('an account is found after it was opened', async () => {
    const { provider } = scriptValidatingAdapter([success(CUSTOMER), success([DEDICATED])]);
    await expect(provider.createAccount(NGOZI, VA)).resolves.toEqual(ACCOUNT);
  });

  test('a rejected identity is reported in our words', async () => {
    const { provider } = scriptValidatingAdapter([NO_CUSTOMER, failure(400, 'Invalid BVN')]);
    await expect(provider.createAccount(NGOZI, VA)).rejects.toMatchObject(
      expectedError('The provider could not verify the identity number.'),
    );
  });

  test.each([
    ['a BVN', { ...NGOZI, bvn: null }],
    ['a bank account', { ...NGOZI, bankAccount: null }],
  ])('a customer without %s is rejected without a call', async (_, customer) => {
    const { provider, calls } = scriptValidatingAdapter([]);
    await expect(provider.createAccount(customer, VA)).rejects.toMatchObject(
      expectedError('The provider did not accept the customer data.'),
    );
    expect(calls()).toEqual([]);
  });

  test('an account opens at once if customers need no validation, and the identity is not sent', async () => {
    const { provider, requests } = scriptAdapter([success(CUSTOMER), success([]), success(DEDICATED)]);
    await expect(provider.createAccount(NGOZI, VA)).resolves.toEqual(ACCOUNT);
    expect(JSON.stringify(requests)).not.toMatch(/22212345678|0123456789/);
    expect(provider.opensWithin).toBeUndefined();
  });
});

describe('finding a virtual account at Paystack', () => {
  test.each([
    ['it exists', [success(CUSTOMER), success([OTHER_CUSTOMERS, DEDICATED])], ACCOUNT],
    ['the customer has no account', [success(CUSTOMER), success([])], undefined],
    ['the list is a 404', [success(CUSTOMER), failure(404, 'Not found')], undefined],
    ['there is no customer (404)', [failure(404, 'Customer not found')], undefined],
    ['there is no customer (400)', [failure(400, 'Customer not found')], undefined],
  ])('findAccount changes nothing: %s', async (_, answers, expected) => {
    const { provider, calls } = scriptAdapter(answers);
    await expect(provider.findAccount(ADA, VA)).resolves.toEqual(expected);
    expect(calls()).toEqual([FETCH_CUSTOMER, LIST_ACCOUNTS].slice(0, answers.length));
  });
});

describe('closing a virtual account at Paystack', () => {
  const FETCH = 'GET /dedicated_account/253';
  const CLOSE = 'DELETE /dedicated_account/253';

  test.each([
    ['an open account', [success(DEDICATED), success({ ...DEDICATED, assigned: false })], [FETCH, CLOSE]],
    ['an account that another call closes meanwhile', [success(DEDICATED), failure(404, 'Not found')], [FETCH, CLOSE]],
    ['a closed account', [success({ ...DEDICATED, assigned: false })], [FETCH]],
    ['a deleted account', [failure(404, 'Account not found')], [FETCH]],
    [
      'an account that another customer has now',
      [success({ ...DEDICATED, customer: { email: 'va_x@else.ng' } })],
      [FETCH],
    ],
  ])('closeAccount succeeds for %s', async (_, answers, expected) => {
    const { provider, calls } = scriptAdapter(answers);
    await expect(provider.closeAccount(ACCOUNT, VA)).resolves.toBeUndefined();
    expect(calls()).toEqual(expected);
  });

  test('closeAccount finds an account without a stored id', async () => {
    const { provider, calls } = scriptAdapter([
      success(CUSTOMER),
      success([DEDICATED]),
      success(DEDICATED),
      success(DEDICATED),
    ]);
    await provider.closeAccount({ ...ACCOUNT, providerId: null }, VA);
    expect(calls()).toEqual([FETCH_CUSTOMER, LIST_ACCOUNTS, FETCH, CLOSE]);
  });

  test('closeAccount throws Paystack’s error', async () => {
    const { provider } = scriptAdapter([success(DEDICATED), failure(400, 'Account has a pending settlement')]);
    await expect(provider.closeAccount(ACCOUNT, VA)).rejects.toMatchObject(
      expectedError('The provider refused the request.'),
    );
  });
});

describe('a payment account at Paystack', () => {
  const REFERENCE = 'PAY-7H2KQ9XW4M1ZB8T5RC3N';
  const REQUEST = {
    reference: REFERENCE,
    amount: naira(18_500.5),
    accountName: 'Mama Nkechi Kitchen',
    payerName: 'Tunde Bakare',
    payerEmail: 'tunde@example.ng',
    expiresAt: NOON + 5 * MINUTE,
  };
  const CHARGE = {
    reference: REFERENCE,
    status: 'pending_bank_transfer',
    account_name: 'PAYSTACK CHECKOUT',
    account_number: '1260257501',
    bank: { slug: 'wema-bank', name: 'Wema Bank', id: 24 },
    account_expires_at: '2026-11-20T12:15:00.957Z',
  };
  const ISSUED = {
    account: {
      accountNumber: '1260257501',
      accountName: 'PAYSTACK CHECKOUT',
      bankName: 'Wema Bank',
      bankCode: null,
      providerId: null,
    },
    providerReference: REFERENCE,
    amountToPay: 1_850_050,
    expiresAt: NOON + 15 * MINUTE + 957,
  };
  const DUPLICATE = failure(400, 'Duplicate Transaction Reference');

  test('opens for the amount in kobo under our own address, until Paystack’s expiry', async () => {
    const { provider, requests } = scriptAdapter([success(CHARGE)]);
    await expect(provider.createPaymentAccount(REQUEST)).resolves.toEqual(ISSUED);
    expect(requests[0]).toMatchObject({
      method: 'POST',
      path: '/charge',
      body: {
        email: `pay-7h2kq9xw4m1zb8t5rc3n@${DOMAIN}`,
        amount: 1_850_050,
        currency: 'NGN',
        reference: REFERENCE,
        bank_transfer: { account_expires_at: '2026-11-20T12:05:00.000Z' },
      },
    });
    expect(JSON.stringify(requests)).not.toContain('tunde');
  });

  test.each([DUPLICATE, failure(400, 'Duplicate charge request for reference')])(
    'the account of an earlier call is returned if Paystack still has it: %j',
    async (duplicate) => {
      const { provider, calls } = scriptAdapter([duplicate, success(CHARGE)]);
      await expect(provider.createPaymentAccount(REQUEST)).resolves.toEqual(ISSUED);
      expect(calls()).toEqual(['POST /charge', `GET /charge/${REFERENCE}`]);
    },
  );

  test.each([
    ['names no account', success({ reference: REFERENCE, status: 'pending' })],
    ['has an expired account', success({ ...CHARGE, account_expires_at: '2026-11-20T11:59:59.000Z' })],
    ['has an account without an expiry', success({ ...CHARGE, account_expires_at: null })],
    ['has ended', success({ ...CHARGE, status: 'failed' })],
    ['is unknown', failure(400, 'Transaction reference is invalid')],
  ])('another account opens under the next reference if the earlier charge %s', async (_, earlier) => {
    const { provider, requests } = scriptAdapter([
      DUPLICATE,
      earlier,
      success({ ...CHARGE, account_number: '1260257777' }),
    ]);
    await expect(provider.createPaymentAccount(REQUEST)).resolves.toMatchObject({
      account: { accountNumber: '1260257777' },
      providerReference: `${REFERENCE}-2`,
    });
    expect(requests[2]?.body).toMatchObject({
      reference: `${REFERENCE}-2`,
      email: `pay-7h2kq9xw4m1zb8t5rc3n@${DOMAIN}`,
    });
  });

  test('NoReferenceLeft is thrown after the third reference', async () => {
    const gone = failure(400, 'Transaction reference is invalid');
    const { provider, calls } = scriptAdapter([DUPLICATE, gone, DUPLICATE, gone, DUPLICATE, gone]);
    await expect(provider.createPaymentAccount(REQUEST)).rejects.toBeInstanceOf(NoReferenceLeft);
    expect(calls().filter((call) => call === 'POST /charge')).toHaveLength(3);
  });

  test.each([
    ['a failed charge under HTTP 200', success({ status: 'failed', message: 'Declined' }), { name: 'ProviderError' }],
    ['a charge without an account', success({ status: 'pending' }), { name: 'OutcomeUnknown' }],
    [
      'an expiry without its zone',
      success({ ...CHARGE, account_expires_at: '2026-11-20 12:15' }),
      { name: 'OutcomeUnknown' },
    ],
    [
      'a rate limit',
      failure(400, 'Please wait a few minutes and try again.'),
      { name: 'ProviderBusy', waitMs: 60_000 },
    ],
    [
      'a small amount',
      failure(400, 'Pay with transfer is not currently supported for less'),
      { name: 'ProviderError' },
    ],
  ])('no account is issued after %s', async (_, answer, error) => {
    await expect(scriptAdapter([answer]).provider.createPaymentAccount(REQUEST)).rejects.toMatchObject(error);
  });

  test('an expiry of eight hours is accepted', async () => {
    const { provider } = scriptAdapter([success({ ...CHARGE, account_expires_at: '2026-11-20T20:00:00+00:00' })]);
    const { expiresAt } = await provider.createPaymentAccount({ ...REQUEST, expiresAt: NOON + 24 * HOUR });
    expect(expiresAt).toBe(NOON + 8 * HOUR);
  });
});

describe('Paystack’s secret key', () => {
  test.each([failure(401, 'Invalid key'), failure(400, 'Invalid key')])(
    'a rejected key is read again once: %j',
    async (denied) => {
      const { provider, requests, reads } = scriptAdapter(
        [denied, success(CUSTOMER), success([])],
        ['sk_live_old', 'sk_live_new'],
      );
      await provider.findAccount(ADA, VA);
      expect(requests.map(({ headers }) => headers.authorization)).toEqual([
        'Bearer sk_live_old',
        'Bearer sk_live_new',
        'Bearer sk_live_new',
      ]);
      expect(reads).toEqual([false, true, false]);
    },
  );

  test('a second rejection of the key is an error of our credentials', async () => {
    const { provider, calls } = scriptAdapter([failure(401, 'Invalid key'), failure(401, 'Invalid key')]);
    await expect(provider.lookUp({ by: 'transaction', value: 'T1' })).rejects.toMatchObject(
      expectedError('The provider did not accept our credentials.'),
    );
    expect(calls()).toHaveLength(2);
  });
});
