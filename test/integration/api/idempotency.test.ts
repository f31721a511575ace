import { expectReplay } from '#test/support/worlds/answers.ts';
import { createApiClient } from '#test/support/worlds/api-client.ts';
import { CHECKOUT, CUSTOMER, KEY } from '#test/support/worlds/keyed-requests.ts';
import { api, business, meter, openMerchantForEachTest, world } from '#test/support/worlds/test-merchant.ts';

describe('an Idempotency-Key', () => {
  openMerchantForEachTest({ metered: true });

  test.each([
    ['initialize', () => api.initialize(CHECKOUT, KEY), 'CHK', 1],
    ['create virtual accounts', () => api.createAccounts(CUSTOMER, KEY), 'VA', 3],
  ])(
    'gives 50 simultaneous equal POSTs to %s one effect, and the first answer, byte for byte',
    async (_, post, sk, effects) => {
      const answers = await Promise.all(Array.from({ length: 50 }, post));
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
      expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
      expect(answers.filter(({ headers }) => headers['idempotent-replayed'] === 'true')).toHaveLength(49);
      const created = (await world.itemsOf(sk)).filter((item) => item.sk === sk);
      expect(created).toHaveLength(effects);
    },
  );

  test('gives 50 simultaneous equal simulations one effect and one answer', async () => {
    const { reference } = (await api.initialize(CHECKOUT)).json.data;
    const answers = await Promise.all(Array.from({ length: 50 }, () => api.simulate({ reference }, KEY)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(await world.itemsOf('PAY')).toHaveLength(1);
    expect(await world.takeJobs()).toHaveLength(1);
  });

  test('replays an error of the use case, too, with the first request id', async () => {
    const { reference } = (await api.initialize(CHECKOUT)).json.data;
    await api.simulate({ reference });
    const first = await api.simulate({ reference }, KEY);
    expect(first).toMatchObject({ status: 409, json: { code: 'checkout_not_payable' } });
    expect(first.headers['idempotent-replayed']).toBeUndefined();
    expect(await api.simulate({ reference }, KEY)).toMatchObject(expectReplay(first));
  });

  test('refuses a different body, which then has no effect', async () => {
    const first = await api.initialize(CHECKOUT, KEY);
    const other = await api.initialize({ ...CHECKOUT, amount: 12_001 }, KEY);
    expect(other).toMatchObject({
      status: 422,
      json: { code: 'idempotency_key_reused', message: 'This Idempotency-Key was used with a different request.' },
    });
    expect(await world.itemsOf('CHK')).toHaveLength(1);
    expect((await api.initialize(CHECKOUT, KEY)).text).toBe(first.text);
  });

  test('counts as the same key with and without quotes', async () => {
    const bare = await api.initialize(CHECKOUT, KEY);
    const quoted = await api.initialize(CHECKOUT, { 'idempotency-key': `"${KEY['idempotency-key']}"` });
    expect(quoted.text).toBe(bare.text);
  });

  test('counts as another key at another business, for another path, and under a public API key', async () => {
    const other = await world.addBusiness();
    await api.initialize(CHECKOUT, KEY);
    expect((await createApiClient(world, other.keys.secret_test).initialize(CHECKOUT, KEY)).status).toBe(201);
    const browser = createApiClient(world, business.keys.public_test);
    const headers = { ...KEY, 'x-business-id': business.id };
    const first = await browser.initialize(CHECKOUT, headers);
    expect([first.status, first.headers['idempotent-replayed']]).toEqual([201, undefined]);
    expect(await browser.initialize(CHECKOUT, headers)).toMatchObject(expectReplay(first));
    expect((await api.createAccounts(CUSTOMER, KEY)).status).toBe(201);
    expect(await world.itemsOf('CHK')).toHaveLength(3);
  });

  test('counts as another key for a payer at another address, who is not blocked and does not see the other’s checkout', async () => {
    const headers = { ...KEY, 'x-business-id': business.id };
    const payerAt = (address: string) => createApiClient(world, business.keys.public_test, address);
    const first = await payerAt('198.51.100.66').initialize({ ...CHECKOUT, amount: 1 }, headers);
    const payer = await payerAt('203.0.113.7').initialize(CHECKOUT, headers);
    const curious = await payerAt('198.51.100.67').initialize(CHECKOUT, headers);
    expect([first, payer, curious].map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(new Set([first, payer, curious].map(({ json }) => json.data.reference)).size).toBe(3);
    expect(await payerAt('203.0.113.7').initialize(CHECKOUT, headers)).toMatchObject(expectReplay(payer));
    expect((await payerAt('203.0.113.7').initialize({ ...CHECKOUT, amount: 1 }, headers)).status).toBe(422);

    // A host may change the last half of its IPv6 address.
    const before = await payerAt('2001:db8:7:1::1').initialize(CHECKOUT, headers);
    expect((await payerAt('2001:db8:7:1:a:b:c:d').initialize(CHECKOUT, headers)).text).toBe(before.text);
  });

  test('counts as the same key for a server from every address', async () => {
    const server = (address: string) => createApiClient(world, business.keys.secret_test, address);
    const first = await server('198.51.100.66').initialize(CHECKOUT, KEY);
    expect((await server('203.0.113.7').initialize(CHECKOUT, KEY)).text).toBe(first.text);
  });

  test('stays free for the corrected request after a validation error', async () => {
    expect((await api.initialize({ ...CHECKOUT, amount: 0 }, KEY)).status).toBe(422);
    expect((await api.initialize(CHECKOUT, KEY)).status).toBe(201);
  });

  test('stays free for a retry after an internal error', async () => {
    const body = { __type: 'com.amazonaws.dynamodb.v20120810#AccessDeniedException', message: 'no' };
    meter.inject((operation) => (operation === 'TransactWriteItems' ? { status: 400, body } : undefined));
    expect(await api.initialize(CHECKOUT, KEY)).toMatchObject({ status: 500, json: { code: 'internal_error' } });
    meter.inject(() => undefined);
    const retried = await api.initialize(CHECKOUT, KEY);
    expect(retried.status).toBe(201);
    expect(retried.headers['idempotent-replayed']).toBeUndefined();
  });

  test('replays the first answer, and does nothing twice, after the answer of a commit was lost', async () => {
    const { reference } = (await api.initialize(CHECKOUT)).json.data;
    // The SDK's first try commits, the others repeat it, and all answers are lost.
    meter.inject((operation) => (operation === 'TransactWriteItems' ? 'lose-answer' : undefined));
    expect((await api.simulate({ reference }, KEY)).status).toBe(503);
    meter.inject(() => undefined);
    const retried = await api.simulate({ reference }, KEY);
    expect(retried).toMatchObject({ status: 200, json: { data: { status: 'paid' } } });
    expect(retried.headers['idempotent-replayed']).toBe('true');
    expect(await world.itemsOf('PAY')).toHaveLength(1);
  });

  test('replays an answer for 24 hours and no longer, even if the table has not deleted it yet', async () => {
    const first = await api.initialize(CHECKOUT, KEY);
    world.clock.advance(24 * 3_600_000 - 1);
    expect((await api.initialize(CHECKOUT, KEY)).text).toBe(first.text);
    world.clock.advance(1);
    const afterwards = await api.initialize(CHECKOUT, KEY);
    expect(afterwards.status).toBe(201);
    expect(afterwards.json.data.reference).not.toBe(first.json.data.reference);
  });

  test('replays a deletion by POST; without a key a deletion is not replayed', async () => {
    const [account] = (await api.createAccounts({ ...CUSTOMER, banks: ['monnify'] })).json.accounts;
    const first = await api.postDeleteAccount(account.id, undefined, KEY);
    expect(first).toMatchObject({ status: 200, json: { data: { status: 'inactive' } } });
    expect(await api.postDeleteAccount(account.id, undefined, KEY)).toMatchObject(expectReplay(first));
    expect((await api.postDeleteAccount(account.id)).headers['idempotent-replayed']).toBeUndefined();
  });
});
