import { PROVIDERS } from '#shared/providers/domain/names.ts';
import { longTest } from '#test/support/jest/long.ts';
import { eventually, type Merchant, openBusiness } from '#test/support/worlds/merchant.ts';
import { openTarget, type Target } from '#test/support/worlds/stack.ts';

const AMARA = {
  customer_name: 'Amara Okonkwo',
  customer_phone: '+2348031234567',
  customer_email: 'amara.okonkwo@example.com',
};

/** Tells whether a NUBAN has the right check digit: a sum of the digits of bank code and serial number, with CBN's weights. */
const hasCheckDigit = (accountNumber: string): boolean => {
  const digits = [...`999${accountNumber.slice(0, 9)}`].map(Number);
  const weights = [3, 7, 3, 3, 7, 3, 3, 7, 3, 3, 7, 3];
  const sum = digits.reduce((total, digit, i) => total + digit * (weights[i] ?? 0), 0);
  return (10 - (sum % 10)) % 10 === Number(accountNumber[9]);
};

describe('virtual accounts in test mode', () => {
  let target: Target;
  let merchant: Merchant;
  let webhooks: Awaited<ReturnType<Merchant['listen']>>;

  beforeAll(async () => {
    target = await openTarget();
    merchant = await openBusiness(target, 'Lekki Savings Club');
    webhooks = await merchant.listen();
  });
  afterAll(async () => {
    await webhooks.stop();
    await target.stop();
  });

  const create = (body: Record<string, unknown>) => merchant.api('POST', '/virtual-accounts', { body });
  const awaitEvent = (type: string, accountId: string) =>
    eventually(`the webhook ${type} arrives for ${accountId}`, () =>
      webhooks.received
        .map(({ body }) => JSON.parse(body))
        .find(({ type: t, data }) => t === type && (data.virtual_account?.id ?? data.id) === accountId),
    );

  test('open at each provider that banks names', async () => {
    const answer = await create({ ...AMARA, banks: PROVIDERS, metadata: { tier: 'gold' } });
    expect(answer.status).toBe(201);
    expect(Object.keys(answer.json)).toEqual(['status', 'message', 'customer_name', 'accounts', 'errors']);
    expect(answer.json).toMatchObject({
      status: true,
      message: 'Virtual accounts created.',
      customer_name: 'Amara Okonkwo',
      errors: [],
    });
    const { accounts } = answer.json;
    expect(accounts.map((a: { bank_name: string }) => a.bank_name)).toEqual([
      'Sandbox Bank (paystack)',
      'Sandbox Bank (monnify)',
      'Sandbox Bank (korapay)',
    ]);
    for (const account of accounts) {
      expect(account).toMatchObject({
        id: expect.stringMatching(/^va_[0-9A-Z]{26}$/),
        account_name: 'Amara Okonkwo',
        bank_code: null,
        ...AMARA,
        metadata: { tier: 'gold' },
        mode: 'test',
        status: 'active',
        deactivated_at: null,
      });
      expect(hasCheckDigit(account.account_number)).toBe(true);
    }
    expect(new Set(accounts.map((a: { account_number: string }) => a.account_number)).size).toBe(3);
  });

  test('open at the one provider that the field provider names, with an answer of the same shape', async () => {
    const { status, json } = await create({ customer_name: 'Amara Okonkwo', provider: 'monnify' });
    expect([status, json.accounts.length, json.errors]).toEqual([201, 1, []]);
  });

  test('open at the other providers if one fails: 201, and the message names the failed provider', async () => {
    const answer = await create({
      ...AMARA,
      customer_email: 'fail+monnify@example.com',
      banks: ['paystack', 'monnify'],
    });
    expect(answer.status).toBe(201);
    expect(answer.json.message).toBe('Virtual accounts created, except at monnify. See errors.');
    expect(answer.json.accounts.map((a: { provider: string }) => a.provider)).toEqual(['paystack']);
    expect(answer.json.errors).toEqual([
      { provider: 'monnify', message: 'Duplicate identity document. (simulated)', code: 'provider_refused' },
    ]);
    expect(Object.keys(answer.json.errors[0])).toEqual(['provider', 'message', 'code']);
  });

  test('do not open if every provider fails: 422 with an empty list', async () => {
    const answer = await create({ ...AMARA, customer_email: 'fail+all@example.com', banks: ['paystack', 'korapay'] });
    expect([answer.status, answer.json]).toEqual([
      422,
      {
        status: false,
        message: 'No virtual account could be created. See errors.',
        code: 'all_providers_failed',
        request_id: answer.headers.get('x-request-id'),
        accounts: [],
        errors: [
          { provider: 'paystack', message: 'Duplicate identity document. (simulated)', code: 'provider_refused' },
          { provider: 'korapay', message: 'Duplicate identity document. (simulated)', code: 'provider_refused' },
        ],
      },
    ]);
  });

  longTest('stay pending if the provider times out, until the sweeper settles them with an event', async () => {
    const answer = await create({ ...AMARA, customer_email: 'slow+korapay@example.com', banks: ['korapay'] });
    expect([answer.status, answer.json.code, answer.json.errors[0].provider]).toEqual([
      422,
      'all_providers_failed',
      'korapay',
    ]);
    const { data } = (await merchant.api('GET', '/virtual-accounts?customer_email=slow%2Bkorapay@example.com')).json;
    expect(data).toMatchObject([
      { id: answer.json.errors[0].virtual_account_id, status: 'pending', account_number: null },
    ]);
    const settled = await eventually('the pending account becomes active', async () => {
      const account = (await merchant.api('GET', `/virtual-accounts/${data[0].id}`)).json.data;
      return account.status === 'active' ? account : undefined;
    });
    expect((await awaitEvent('virtual_account.activated', data[0].id)).data).toEqual(settled);
  });

  test('do not open in live mode without an enabled provider: 422, and the errors name each provider', async () => {
    const answer = await merchant.api('POST', '/virtual-accounts', {
      body: { ...AMARA, banks: ['paystack'] },
      headers: { authorization: `Bearer ${merchant.secretLive.key}` },
    });
    expect([answer.status, answer.json.code]).toEqual([422, 'all_providers_failed']);
    expect(answer.json.errors).toEqual([
      { provider: 'paystack', message: 'paystack is not enabled for live mode here.', code: 'provider_not_enabled' },
    ]);
  });

  test('receive payments, which are listed and announced', async () => {
    const [account] = (await create({ ...AMARA, provider: 'paystack' })).json.accounts;
    const placement = {
      mode: 'test',
      currency: 'NGN',
      checkout_reference: null,
      merchant_reference: null,
      virtual_account_id: account.id,
      recorded_at: expect.any(String),
    };
    const landed = await merchant.api('POST', `/virtual-accounts/${account.id}/sandbox/simulate`, {
      body: { amount: 2_500.4, sender_name: 'Bola Ade', sender_bank: 'Kuda MFB' },
    });
    expect([landed.status, landed.json.data]).toEqual([
      200,
      {
        id: expect.stringMatching(/^pay_/),
        amount: 2_500.4,
        fee: 0,
        outcome: 'accepted',
        paid_at: expect.any(String),
        late: false,
        sender_name: 'Bola Ade',
        sender_bank: 'Kuda MFB',
        provider: 'paystack',
        provider_reference: expect.any(String),
        ...placement,
      },
    ]);
    const payments = await merchant.api('GET', `/virtual-accounts/${account.id}/payments`);
    expect(payments.json).toEqual({
      status: true,
      data: [landed.json.data],
      meta: { has_more: false, next_cursor: null },
    });
    const { payment, virtual_account } = (await awaitEvent('virtual_account.payment_received', account.id)).data;
    expect([{ ...payment, ...placement }, virtual_account]).toEqual([landed.json.data, account]);
  });

  test.each([
    ['DELETE', (id: string) => `/virtual-accounts/${id}`],
    ['POST', (id: string) => `/virtual-accounts/${id}/delete`],
  ])('can be deactivated by %s, repeatedly with the same answer, and then reject simulations', async (method, path) => {
    const [account] = (await create({ ...AMARA, provider: 'paystack' })).json.accounts;
    const wrong = await merchant.api(method, `${path(account.id)}?provider=monnify`);
    expect([wrong.status, wrong.json.errors[0].field]).toEqual([422, 'provider']);

    const first = await merchant.api(method, `${path(account.id)}?provider=paystack`);
    expect([first.status, first.json.data]).toEqual([
      200,
      { ...account, status: 'inactive', deactivated_at: expect.any(String) },
    ]);
    const again = await merchant.api(method, path(account.id));
    expect([again.status, again.json.data]).toEqual([200, first.json.data]);

    const refused = await merchant.api('POST', `/virtual-accounts/${account.id}/sandbox/simulate`, {
      body: { amount: 10 },
    });
    expect([refused.status, refused.json.code, refused.json.message]).toEqual([
      409,
      'virtual_account_inactive',
      'Virtual account is inactive.',
    ]);
  });

  test.each([
    [{ customer_name: 'Amara Okonkwo', banks: ['paystack'] }, ['customer_phone', 'customer_email']],
    [{ ...AMARA, banks: ['zenith'] }, ['banks.0']],
    [{ ...AMARA, banks: [] }, ['banks']],
    [{ ...AMARA }, ['banks']],
    [{ ...AMARA, banks: ['monnify'], provider: 'monnify' }, ['banks']],
    [{ ...AMARA, banks: ['monnify', 'monnify'] }, ['banks']],
    [{ banks: ['monnify'] }, ['customer_name']],
    [{ ...AMARA, banks: ['monnify'], bvn: '1234' }, ['bvn']],
  ])('do not open with the body %j: no provider is asked, and the errors name %j', async (body, fields) => {
    const answer = await create(body);
    expect([answer.status, answer.json.code]).toEqual([422, 'validation_failed']);
    expect(answer.json.errors.map(({ field }: { field: string }) => field)).toEqual(fields);
    for (const { message } of answer.json.errors) expect(message).toMatch(/^\S.+\.$/);
  });

  test('appear in the list by customer e-mail in any case, newest first', async () => {
    const other = await openBusiness(target, 'Yaba Books');
    const post = (customer_email: string) =>
      other.api('POST', '/virtual-accounts', {
        body: { customer_name: 'Kemi Alade', customer_email, provider: 'monnify' },
      });
    await post('kemi.alade@example.com');
    await post('other@example.com');
    await post('Kemi.Alade@example.com');
    expect((await other.api('GET', '/virtual-accounts')).json.data).toHaveLength(3);
    const { json } = await other.api('GET', '/virtual-accounts?customer_email=kemi.alade@example.com&limit=1');
    expect(json.data[0].customer_email).toBe('Kemi.Alade@example.com');
    const next = await other.api(
      'GET',
      `/virtual-accounts?customer_email=kemi.alade@example.com&cursor=${json.meta.next_cursor}`,
    );
    expect(next.json.data.map((a: { customer_email: string }) => a.customer_email)).toEqual(['kemi.alade@example.com']);
    expect(next.json.meta).toEqual({ has_more: false, next_cursor: null });
  });
});
