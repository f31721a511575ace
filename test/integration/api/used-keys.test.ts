import { createBusiness } from '#shared/businesses/use-cases/create-business.ts';
import { revokeKey } from '#shared/businesses/use-cases/revoke-key.ts';
import { setProfile } from '#shared/businesses/use-cases/set-profile.ts';
import { suspendBusiness } from '#shared/businesses/use-cases/suspend-business.ts';
import { updateKey } from '#shared/businesses/use-cases/update-key.ts';
import { SECOND } from '#shared/platform/kernel/time.ts';
import { expectReplay, KEY_REUSED } from '#test/support/worlds/answers.ts';
import { type ApiAnswer, createApiClient } from '#test/support/worlds/api-client.ts';
import { CHECKOUT, CUSTOMER, KEY } from '#test/support/worlds/keyed-requests.ts';
import { api, business, endpointId, openMerchantForEachTest, world } from '#test/support/worlds/test-merchant.ts';

/* Tests that a repeat is answered from the record of its Idempotency-Key. Only the checks of the caller come before that. */

const QUOTA = { creations: 1, publicCreations: 2, addressCreations: 1, seconds: 10 };
const PAYER = '203.0.113.7';
/** How many checkouts browsers at one address may start in test mode: five times as many as in live mode. */
const ADDRESS_QUOTA = 5 * QUOTA.addressCreations;

openMerchantForEachTest({ world: { providerQuota: QUOTA, sandboxWait: async () => {} } });

const browser = () => {
  const calls = createApiClient(world, business.keys.public_test, PAYER);
  return (body: unknown, headers: Record<string, string> = {}) =>
    calls.initialize(body, { 'x-business-id': business.id, ...headers });
};
/** Makes the merchant's API client with changed dependencies, as a repeat may find them. */
const apiWith = (changes: Partial<typeof world.deps>) =>
  createApiClient({ ...world, deps: { ...world.deps, ...changes } }, business.keys.secret_test);

describe('a used Idempotency-Key is answered from its record', () => {
  test('if a browser repeats a test checkout after its address has used up its limit', async () => {
    const ask = browser();
    const first = await ask(CHECKOUT, KEY);
    expect(first.status).toBe(201);
    for (let i = 1; i < ADDRESS_QUOTA; i++) expect((await ask(CHECKOUT)).status).toBe(201);
    expect((await ask(CHECKOUT)).json.code).toBe('provider_busy');
    expect(await ask(CHECKOUT, KEY)).toMatchObject(expectReplay(first));
  });

  test('without using any limit, however often it is repeated', async () => {
    const ask = browser();
    const first = await ask(CHECKOUT, KEY);
    for (let i = 0; i < 2 * ADDRESS_QUOTA; i++) expect((await ask(CHECKOUT, KEY)).text).toBe(first.text);
    for (let i = 1; i < ADDRESS_QUOTA; i++) expect((await ask(CHECKOUT)).status).toBe(201);
  });

  test('if the return URL of a browser is no longer on a website of the business', async () => {
    const shop = { businessId: business.id, actor: 'amaka' };
    await setProfile(world.deps, { ...shop, change: { websites: ['https://adastores.example'] } });
    const body = { ...CHECKOUT, callback_url: 'https://adastores.example/thanks' };
    const first = await browser()(body, KEY);
    expect(first.status).toBe(201);
    await setProfile(world.deps, { ...shop, change: { websites: [] } });
    expect((await browser()(body)).json.code).toBe('validation_failed');
    expect(await browser()(body, KEY)).toMatchObject(expectReplay(first));
  });

  test('if the provider now needs more of a customer', async () => {
    const first = await api.createAccounts(CUSTOMER, KEY);
    expect(first.status).toBe(201);
    const need = { field: 'bvn', isMetBy: () => false, markdown: '`bvn`', error: () => 'bvn is required.' };
    const later = apiWith({ needsOf: () => ({ always: [need], live: [] }) });
    expect((await later.createAccounts(CUSTOMER)).json.code).toBe('validation_failed');
    expect(await later.createAccounts(CUSTOMER, KEY)).toMatchObject(expectReplay(first));
  });

  test('if the provider no longer exists', async () => {
    const first = await api.initialize(CHECKOUT, KEY);
    const accounts = await api.createAccounts(CUSTOMER, KEY);
    const later = apiWith({ providers: () => undefined });
    expect((await later.initialize(CHECKOUT)).status).toBe(422);
    expect(await later.initialize(CHECKOUT, KEY)).toMatchObject(expectReplay(first));
    expect(await later.createAccounts(CUSTOMER, KEY)).toMatchObject(expectReplay(accounts));
  });

  test('if the webhook endpoint of the request no longer exists', async () => {
    const first = await api.testEndpoint(endpointId, undefined, KEY);
    expect(first.status).toBe(201);
    const later = apiWith({ endpoints: { ...world.deps.endpoints, find: async () => undefined } });
    expect((await later.testEndpoint(endpointId)).status).toBe(404);
    expect(await later.testEndpoint(endpointId, undefined, KEY)).toMatchObject(expectReplay(first));
  });

  /** Makes a valid request under the key for each endpoint that honours one. */
  const keyedCalls = async (): Promise<Record<string, (body: unknown) => Promise<ApiAnswer>>> => {
    const { reference } = (await api.initialize(CHECKOUT)).json.data;
    const other = (await api.initialize(CHECKOUT)).json.data.reference;
    const [account] = (await api.createAccounts({ ...CUSTOMER, banks: ['monnify'] })).json.accounts;
    const [closing] = (await api.createAccounts({ ...CUSTOMER, banks: ['korapay'] })).json.accounts;
    await api.simulate({ reference });
    const [event] = (await api.listEvents()).json.data;
    const since = new Date(world.clock.now() - SECOND).toISOString();
    const orDefault = (good: unknown) => (body: unknown) => body ?? good;
    const [checkout, customer, sum] = [orDefault(CHECKOUT), orDefault(CUSTOMER), orDefault({ amount: 700 })];
    return {
      initialize: (body) => api.initialize(checkout(body), KEY),
      'create virtual accounts': (body) => api.createAccounts(customer(body), KEY),
      'simulate a checkout’s payment': (body) => api.simulate(body ?? { reference: other }, KEY),
      'simulate a transfer': (body) => api.simulateAccount(account.id, sum(body), KEY),
      'expire a checkout': (body) => api.expire(reference, body, KEY),
      'delete a virtual account': (body) => api.postDeleteAccount(closing.id, body, KEY),
      'test an endpoint': (body) => api.testEndpoint(endpointId, body, KEY),
      'recover an endpoint': (body) => api.recoverEndpoint(endpointId, body ?? { since }, KEY),
      'redeliver an event': (body) => api.redeliver(event.id, body ?? {}, KEY),
    };
  };

  test('if the repeat has equal bytes, at any endpoint; other bytes get a 422, even if they are no JSON or not valid', async () => {
    const calls = await keyedCalls();
    for (const [name, call] of Object.entries(calls)) {
      const first = await call(undefined);
      expect([name, first.status < 500]).toEqual([name, true]);
      expect([name, await call(undefined)]).toMatchObject([name, expectReplay(first)]);
      for (const body of ['{', '[]', '{"amount":-1,"customer_name":7}']) {
        expect([name, body, await call(body)]).toMatchObject([name, body, KEY_REUSED]);
      }
      expect([name, await call(undefined)]).toMatchObject([name, expectReplay(first)]);
    }
    expect(Object.keys(calls)).toHaveLength(9);
  });

  test.each([
    ['broken JSON', '{', 400, 'malformed_json'],
    ['a field missing', '{"amount":5}', 422, 'validation_failed'],
  ])('only after a valid request: %s does not use the key', async (_, body, status, code) => {
    expect(await api.initialize(body, KEY)).toMatchObject({ status, json: { code } });
    expect((await api.initialize(CHECKOUT, KEY)).status).toBe(201);
  });

  test.each([
    ['another media type', { 'content-type': 'text/plain' }, CHECKOUT, 415],
    ['a body that is too large', {}, `${JSON.stringify(CHECKOUT)}${' '.repeat(65_536)}`, 413],
  ])('except for %s, whose body is not read and cannot be compared', async (_, headers, body, status) => {
    await api.initialize(CHECKOUT, KEY);
    expect((await api.initialize(body, { ...KEY, ...headers })).status).toBe(status);
  });
});

describe('a used Idempotency-Key replays nothing', () => {
  const summarise = ({ status, headers, text }: ApiAnswer) => [
    status,
    headers['idempotent-replayed'],
    text.includes('PAY-'),
  ];

  /** Creates a business as an operator, and lets a container admit its secret test key. */
  const newShop = async () => {
    const { business: shop, keys } = await createBusiness(world.deps, { name: 'Ada Stores', actor: 'amaka' });
    const { id = '', key = '' } = keys.find(({ mode, kind }) => mode === 'test' && kind === 'secret') ?? {};
    const container = createApiClient(world, key, PAYER);
    const first = await container.initialize(CHECKOUT, KEY);
    expect(await container.initialize(CHECKOUT, KEY)).toMatchObject(expectReplay(first));
    return { businessId: shop.id, keyId: id, actor: 'amaka', ask: () => container.initialize(CHECKOUT, KEY) };
  };

  test('if its API key was revoked meanwhile', async () => {
    const shop = await newShop();
    await revokeKey(world.deps, shop);
    for (let i = 0; i < 2; i++) expect(summarise(await shop.ask())).toEqual([401, undefined, false]);
  });

  test('if the business was suspended meanwhile', async () => {
    const shop = await newShop();
    await suspendBusiness(world.deps, shop);
    for (let i = 0; i < 2; i++) expect(summarise(await shop.ask())).toEqual([401, undefined, false]);
  });

  test('if the address is no longer on the key’s whitelist', async () => {
    const shop = await newShop();
    await updateKey(world.deps, { ...shop, entries: ['41.58.0.9'] });
    for (let i = 0; i < 2; i++) expect(summarise(await shop.ask())).toEqual([403, undefined, false]);
  });

  test('if its API key is over the rate limit', async () => {
    await api.initialize(CHECKOUT, KEY);
    const few = apiWith({ rateLimits: { live: 1, test: 1, publicAddress: 1 } });
    expect((await few.initialize(CHECKOUT, KEY)).headers['idempotent-replayed']).toBe('true');
    expect(summarise(await few.initialize(CHECKOUT, KEY))).toEqual([429, undefined, false]);
  });

  test('if it comes in another mode or from a browser, which have keys of their own', async () => {
    const { reference } = (await api.initialize(CHECKOUT, KEY)).json.data;
    const live = await createApiClient(world, business.keys.secret_live).initialize(CHECKOUT, KEY);
    expect(live.headers['idempotent-replayed']).toBeUndefined();
    const fromBrowser = await browser()(CHECKOUT, KEY);
    expect(fromBrowser.status).toBe(201);
    expect(fromBrowser.json.data.reference).not.toBe(reference);
  });
});

describe('equal simultaneous requests', () => {
  test('open one checkout even if a limit has room for few, and a refused request gets the answer when it is repeated', async () => {
    const ask = browser();
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask(CHECKOUT, KEY)));
    const opened = answers.filter(({ status }) => status === 201);
    expect(new Set(opened.map(({ text }) => text)).size).toBe(1);
    expect(opened.filter(({ headers }) => headers['idempotent-replayed'] === undefined)).toHaveLength(1);
    for (const { status, headers } of answers.filter((answer) => answer.status !== 201)) {
      expect([status, Number(headers['retry-after']) > 0]).toEqual([503, true]);
    }
    expect(await ask(CHECKOUT, KEY)).toMatchObject({ status: 201, text: opened[0]?.text });
    expect(await world.itemsOf('CHK')).toHaveLength(1);
  });

  test('send an event again once, and all get the first answer', async () => {
    const { reference } = (await api.initialize(CHECKOUT)).json.data;
    await api.simulate({ reference });
    const [event] = (await api.listEvents()).json.data;
    await world.takeJobs();
    const answers = await Promise.all(Array.from({ length: 20 }, () => api.redeliver(event.id, {}, KEY)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(await world.takeJobs()).toHaveLength(1);
  });
});

describe('an unused Idempotency-Key', () => {
  test.each(['secret', 'public'] as const)('causes one look-up of its record, with a %s API key', async (kind) => {
    const lookUps: string[] = [];
    const { find } = world.deps.idempotency;
    const idempotency: typeof world.deps.idempotency = {
      ...world.deps.idempotency,
      find: (scope, now) => {
        lookUps.push(scope);
        return find(scope, now);
      },
    };
    const counting = { ...world, deps: { ...world.deps, idempotency } };
    const container = createApiClient(counting, business.keys[`${kind}_test`], PAYER);
    const headers = { 'x-business-id': business.id };
    expect((await container.initialize(CHECKOUT, headers)).status).toBe(201);
    expect(lookUps).toHaveLength(0);
    const slow = { ...CHECKOUT, payer_email: 'slow+monnify@example.com', provider: 'monnify' };
    for (const [i, body] of [CHECKOUT, slow].entries()) {
      lookUps.length = 0;
      const { status } = await container.initialize(body, { ...headers, 'idempotency-key': `order-${i}` });
      expect([status, lookUps.length]).toEqual([201, 1]);
    }
  });
});
