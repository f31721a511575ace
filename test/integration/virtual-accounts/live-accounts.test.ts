import type { Fault } from '#infra/local/simulator/simulator.ts';
import { DependencyUnavailable } from '#shared/platform/kernel/errors.ts';
import { MINUTE, SECOND } from '#shared/platform/kernel/time.ts';
import { ProviderUnavailable } from '#shared/providers/domain/errors.ts';
import { PROVIDERS } from '#shared/providers/domain/names.ts';
import type { ProviderName } from '#shared/providers/domain/provider.ts';
import { startFaultProxy } from '#test/support/emulators/fault-proxy.ts';
import { describeRows, longTest, testRows } from '#test/support/jest/long.ts';
import { expectOneCreation, expectReplay, IN_PROGRESS, KEY_REUSED } from '#test/support/worlds/answers.ts';
import { CRASHES, crash } from '#test/support/worlds/live-crash.ts';
import {
  breakOpening,
  changeProviders,
  createBarrier,
  createHoldingPoint,
  type LiveApi,
  makeProvidersWith,
  makeUnreachableSettings,
  SHORT_TIMEOUTS,
  untilReached,
} from '#test/support/worlds/live-faults.ts';
import { merchant, newCustomerFields, openWorldForEachTest, world } from '#test/support/worlds/live-merchant.ts';
import { type LiveWorld, LONG_TIMEOUTS } from '#test/support/worlds/live-world.ts';
import { describeAtProviders } from '#test/support/worlds/provider-scenes.ts';

const KEY = { 'idempotency-key': 'customer-2026-11-20-0417' };
const BVN = '22212345678';
const NIN = '12345678901';
const ADAEZE = {
  customer_name: 'Adaeze Okafor',
  customer_phone: '+2348031234567',
  customer_email: 'adaeze.okafor@example.com',
  bvn: BVN,
  nin: NIN,
  banks: [...PROVIDERS],
};
/** Duration of a request's lease on its Idempotency-Key and its intents. */
const LEASE = 30 * SECOND;

openWorldForEachTest();
let api: LiveApi;
beforeEach(() => {
  ({ api } = merchant);
});
/** Lists provider and number of every account at the simulator. */
const numbersAtSimulator = (): [string, string][] =>
  world.simulator.books.accounts().map(({ provider, number }): [string, string] => [provider, number]);
const listedAccounts = (): Promise<Record<string, unknown>[]> => merchant.listedAccounts();
const listNumbers = (accounts: readonly Record<string, unknown>[]): unknown[][] =>
  accounts.map(({ provider, account_number }) => [provider, account_number]);
/** Lists the accounts in the table, including those that the API does not show. */
const storedAccounts = async () => (await world.itemsOf('VA')).filter(({ sk }) => sk === 'VA');
const storedIds = async (): Promise<unknown[]> => (await storedAccounts()).map(({ id }) => id).toSorted();
const listIds = (accounts: readonly Record<string, unknown>[]): unknown[] => accounts.map(({ id }) => id).toSorted();

/** Returns the business's API while the credentials of these providers cannot be read. */
const apiWithout = (names: readonly string[]): LiveApi => {
  const createAccount = async (): Promise<never> => {
    throw new ProviderUnavailable('Its credentials cannot be read.', { cause: new DependencyUnavailable('Busy.') });
  };
  return merchant.apiWith(changeProviders(world, (_, name) => (names.includes(name) ? { createAccount } : {})));
};

/** Makes providers that answer only after `release`. */
const holdAnswers = () => {
  const point = createHoldingPoint();
  const slow = changeProviders(world, (issuer) => ({
    createAccount: async (...args) => {
      await point.pass();
      return issuer.createAccount(...args);
    },
  }));
  return { ...point, slow };
};

describe('creating accounts at three providers', () => {
  test('issues one account at each provider', async () => {
    const answer = await api.createAccounts(ADAEZE);
    expect(answer).toMatchObject({
      status: 201,
      json: { status: true, message: 'Virtual accounts created.', customer_name: 'Adaeze Okafor', errors: [] },
    });
    expect(answer.json.accounts.map(({ status, mode }: Record<string, unknown>) => [status, mode])).toEqual(
      PROVIDERS.map(() => ['active', 'live']),
    );
    expect(numbersAtSimulator()).toHaveLength(3);
    expect(listNumbers(answer.json.accounts).toSorted()).toEqual(numbersAtSimulator().toSorted());
    expect(listIds(await listedAccounts())).toEqual(listIds(answer.json.accounts));
    for (const account of answer.json.accounts) expect((await api.getAccount(account.id)).json.data).toEqual(account);
    expect(await world.events()).toEqual([]);
  });

  test('asks all three at the same time', async () => {
    const allAsked = createBarrier(3);
    const asking = changeProviders(world, (issuer) => ({
      createAccount: async (...args) => {
        await allAsked();
        return issuer.createAccount(...args);
      },
    }));
    expect((await merchant.apiWith(asking).createAccounts(ADAEZE)).status).toBe(201);
    expect(numbersAtSimulator()).toHaveLength(3);
  });

  test('answers 422 if all reject, and nothing is stored or announced', async () => {
    for (const name of PROVIDERS) world.simulator.fault(name, { kind: 'unauthorised' });
    const answer = await api.createAccounts(ADAEZE);
    expect(answer).toMatchObject({ status: 422, json: { status: false, code: 'all_providers_failed', accounts: [] } });
    expect(answer.json.errors).toEqual(
      PROVIDERS.map((provider) => ({
        provider,
        message: 'The provider did not accept our credentials.',
        code: 'provider_refused',
      })),
    );
    expect(await listedAccounts()).toEqual([]);
    expect(await storedAccounts()).toEqual([]);
    expect(numbersAtSimulator()).toEqual([]);
    await world.sweepAfter(LEASE);
    expect(await world.events()).toEqual([]);
  });

  test('answers 503 if no credentials can be read, and 422 with Retry-After if one provider is busy as well', async () => {
    const [first, ...others] = PROVIDERS;
    expect((await apiWithout(PROVIDERS).createAccounts(ADAEZE, KEY)).status).toBe(503);
    world.simulator.fault(first as ProviderName, { kind: 'rate_limited' });
    const answer = await apiWithout(others).createAccounts(ADAEZE, KEY);
    expect(answer).toMatchObject({
      status: 422,
      json: {
        accounts: [],
        errors: [
          { provider: first, code: 'provider_busy' },
          ...others.map((provider) => ({ provider, code: 'provider_unreachable' })),
        ],
      },
    });
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    expect(await storedAccounts()).toEqual([]);
    world.simulator.fault(first as ProviderName, null);
    world.clock.advance(MINUTE);
    expect((await api.createAccounts(ADAEZE, KEY)).json.accounts).toHaveLength(PROVIDERS.length);
  });

  // The customer's list of accounts is an item of its own, which must be deleted too.
  test('leaves no item in the table if all providers reject, except their health counts and the key’s last use', async () => {
    const keys = async () => (await world.itemsOf('')).map(({ pk, sk }) => `${pk} ${sk}`);
    const before = await keys();
    for (const name of PROVIDERS) world.simulator.fault(name, { kind: 'unauthorised' });
    await api.createAccounts(ADAEZE);
    expect((await keys()).filter((key) => !/^(HEALTH|LAST)#/.test(key))).toEqual(before);
  });

  test('shows no account in the API before the request is answered', async () => {
    const { reached, release, slow } = holdAnswers();
    const creating = merchant.apiWith(slow).createAccounts(ADAEZE);
    await untilReached(reached, creating);
    expect(await storedAccounts()).toHaveLength(3);
    for (const { id } of await storedAccounts()) expect((await api.getAccount(String(id))).status).toBe(404);
    expect(await listedAccounts()).toEqual([]);
    release();
    expect((await creating).status).toBe(201);
  });

  test('hides opening accounts, even after a crash, from the customer’s list', async () => {
    await api.createAccounts({ ...ADAEZE, banks: ['korapay'] });
    await merchant.dieBeforeWriting((dying) => dying.createAccounts({ ...ADAEZE, banks: ['paystack'] }));
    const listed = await api.listAccounts(undefined, {}, { customer_email: ADAEZE.customer_email });
    expect(listed).toMatchObject({ status: 200, json: { data: [{ provider: 'korapay' }] } });
  });
});

describeAtProviders('creating an account at %s', (name) => {
  const others = PROVIDERS.filter((other) => other !== name);
  const listAtProvider = async () => (await listedAccounts()).filter(({ provider }) => provider === name);
  const createOne = (customer: Partial<typeof ADAEZE> = {}) =>
    api.createAccounts({ ...ADAEZE, ...customer, banks: [name] });

  longTest(
    'leaves a pending account and an error if the provider does not answer, and the others are active',
    async () => {
      breakOpening(world, name, 'accounts', { kind: 'hung' });
      const shortTimeouts = merchant.apiWith(makeProvidersWith(world, world.settings, SHORT_TIMEOUTS));
      const answer = await shortTimeouts.createAccounts(ADAEZE);
      expect(answer).toMatchObject({
        status: 201,
        json: {
          message: `Virtual accounts created, except at ${name}. See errors.`,
          accounts: others.map((provider) => ({ provider, status: 'active' })),
          errors: [
            {
              provider: name,
              message: expect.stringContaining('did not answer in time'),
              code: 'outcome_unknown',
              virtual_account_id: expect.stringMatching(/^va_/),
            },
          ],
        },
      });
      expect(answer.json.errors).toHaveLength(1);
      const [pending] = await listAtProvider();
      expect(pending).toMatchObject({ status: 'pending', account_number: null, customer_email: ADAEZE.customer_email });
      expect((await api.getAccount(String(pending?.id))).json.data).toEqual(pending);
      expect(await listedAccounts()).toHaveLength(3);
    },
  );

  test('reports an error and stores nothing if the provider is unreachable', async () => {
    const unreached = merchant.apiWith(makeProvidersWith(world, makeUnreachableSettings(world, [name])));
    const answer = await unreached.createAccounts(ADAEZE);
    expect(answer).toMatchObject({
      status: 201,
      json: {
        errors: [
          { provider: name, message: expect.stringContaining('cannot be reached'), code: 'provider_unreachable' },
        ],
      },
    });
    expect(answer.json.errors).toHaveLength(1);
    expect((await listedAccounts()).map(({ provider }) => provider).toSorted()).toEqual(others.toSorted());
    expect(await storedAccounts()).toHaveLength(2);
    expect(await unreached.createAccounts({ ...ADAEZE, banks: [name] })).toMatchObject({
      status: 422,
      json: {
        code: 'all_providers_failed',
        accounts: [],
        errors: [{ provider: name, code: 'provider_unreachable' }],
      },
    });
    expect(await storedAccounts()).toHaveLength(2);
  });

  test('answers 503 if no credentials can be read and no other account opens, and starts again under the same key', async () => {
    expect(await apiWithout([name]).createAccounts(ADAEZE)).toMatchObject({
      status: 201,
      json: {
        errors: [{ provider: name, message: expect.stringContaining('is not ready'), code: 'provider_unreachable' }],
      },
    });
    const customer = newCustomerFields();
    const answer = await apiWithout(PROVIDERS).createAccounts({ ...ADAEZE, ...customer, banks: [name] }, KEY);
    expect(answer).toMatchObject({ status: 503, json: { code: 'service_unavailable' } });
    expect(answer.headers['retry-after']).toBe('1');
    expect(await api.createAccounts({ ...ADAEZE, ...customer, banks: [name] }, KEY)).toMatchObject({ status: 201 });
  });

  test('answers 503 to a retry after a crash if no credentials can be read, and keeps the account of the crashed request', async () => {
    const body = { ...ADAEZE, banks: [name] };
    await merchant.dieBeforeWriting((dying) => dying.createAccounts(body, KEY));
    const [before] = await storedAccounts();
    world.clock.advance(LEASE);
    expect((await apiWithout([name]).createAccounts(body, KEY)).status).toBe(503);
    expect(await storedIds()).toEqual([before?.id]);
    expect(await api.createAccounts(body, KEY)).toMatchObject({
      status: 201,
      json: { accounts: [{ id: before?.id }] },
    });
    expect(numbersAtSimulator()).toHaveLength(1);
  });

  // If the answer said that nothing was asked, the business would ask again and get two accounts.
  test('leaves its account pending if the provider is busy after a crash, while the others open', async () => {
    await merchant.dieBeforeWriting((dying) => dying.createAccounts(ADAEZE, KEY));
    const left = await storedAccounts();
    world.clock.advance(LEASE);
    world.simulator.fault(name, { kind: 'rate_limited' });
    const answer = await api.createAccounts(ADAEZE, KEY);
    const id = left.find(({ provider }) => provider === name)?.id;
    expect(answer).toMatchObject({
      status: 201,
      json: { errors: [{ provider: name, code: 'outcome_unknown', virtual_account_id: id }] },
    });
    expect((await api.getAccount(String(id))).json.data).toMatchObject({ status: 'pending' });
    expect((await api.createAccounts(ADAEZE, KEY)).text).toBe(answer.text);
    world.simulator.fault(name, null);
    await world.sweepAfter(5 * MINUTE);
    expect((await api.getAccount(String(id))).json.data.status).toBe('active');
    expect(numbersAtSimulator()).toHaveLength(PROVIDERS.length);
  });

  test('leaves a pending account after a lost answer until a look-up finds it, with one event', async () => {
    breakOpening(world, name, 'accounts', { kind: 'lost_answer' });
    expect(await createOne()).toMatchObject({ status: 422, json: { accounts: [], errors: [{ provider: name }] } });
    const [pending] = await listAtProvider();
    expect(pending).toMatchObject({ status: 'pending', account_number: null });
    expect(await world.events()).toEqual([]);
    await world.sweepAfter(10 * SECOND);
    await world.sweep();
    const active = (await api.getAccount(String(pending?.id))).json.data;
    expect(numbersAtSimulator()).toEqual([[name, active.account_number]]);
    expect(active).toMatchObject({ id: pending?.id, status: 'active', bank_name: expect.stringMatching(/./) });
    expect(await world.events()).toMatchObject([{ type: 'virtual_account.activated', data: active }]);
    await world.sweepAfter(60 * MINUTE);
    expect(await world.events()).toHaveLength(1);
    expect(numbersAtSimulator()).toHaveLength(1);
  });

  test('leaves a pending, then failed account if the provider fails before it issues, with one event', async () => {
    breakOpening(world, name, 'accounts', { kind: 'gateway_fault', status: 502 });
    await createOne();
    const [pending] = await listAtProvider();
    expect(pending).toMatchObject({ status: 'pending' });
    // The first look-up is not final, because a provider may show a new account only later.
    await world.sweepAfter(10 * SECOND);
    expect(await listAtProvider()).toEqual([pending]);
    await world.sweepAfter(30 * MINUTE);
    await world.sweep();
    expect(await listAtProvider()).toEqual([{ ...pending, status: 'failed' }]);
    expect(await world.events()).toMatchObject([
      { type: 'virtual_account.failed', data: { id: pending?.id, status: 'failed', account_number: null } },
    ]);
    expect(numbersAtSimulator()).toEqual([]);
  });

  test('leaves a pending account if the look-up fails too, and settles it later', async () => {
    breakOpening(world, name, 'accounts', { kind: 'lost_answer' });
    await createOne();
    world.simulator.fault(name, { kind: 'gateway_fault', status: 503 });
    await world.sweepAfter(10 * SECOND);
    expect(await listAtProvider()).toMatchObject([{ status: 'pending' }]);
    world.simulator.fault(name, null);
    await world.sweepAfter(2 * MINUTE);
    expect(await listAtProvider()).toMatchObject([{ status: 'active', account_number: numbersAtSimulator()[0]?.[1] }]);
    expect(await world.events()).toMatchObject([{ type: 'virtual_account.activated' }]);
    expect(numbersAtSimulator()).toHaveLength(1);
  });

  test('fails only the new account if the provider returns the number of another account of ours', async () => {
    const [first] = (await createOne()).json.accounts;
    const [issued] = await storedAccounts();
    const duplicating = changeProviders(world, (_, provider) =>
      provider === name ? { createAccount: async () => issued?.account as never } : {},
    );
    const answer = await merchant.apiWith(duplicating).createAccounts({ ...newCustomerFields(), banks: PROVIDERS });
    expect(answer).toMatchObject({
      status: 201,
      json: {
        accounts: others.map((provider) => ({ provider })),
        errors: [{ provider: name, code: 'provider_refused' }],
      },
    });
    expect(await listAtProvider()).toEqual([first]);
    await world.pay(name, first.account_number, 1_250_000);
    expect(await world.events()).toMatchObject([
      { type: 'virtual_account.payment_received', data: { virtual_account: { id: first.id } } },
    ]);
  });

  // The account must fail, instead of staying pending and being looked up every minute.
  test('fails the new account if its look-up returns the number of another account of ours', async () => {
    await createOne();
    const [issued] = await storedAccounts();
    breakOpening(world, name, 'accounts', { kind: 'gateway_fault', status: 502 });
    await createOne({ customer_name: 'Ngozi Eze', bvn: '22287654321', nin: '12345678902' });
    const duplicating = changeProviders(world, () => ({ findAccount: async () => issued?.account as never }));
    await world.sweepAfter(10 * SECOND, duplicating);
    expect(await world.events()).toMatchObject([{ type: 'virtual_account.failed' }]);
    expect((await listedAccounts()).map(({ status }) => status).toSorted()).toEqual(['active', 'failed']);
  });

  // The retry must not drop the intent, because the provider may have issued the account for the first request.
  test('keeps an issued account after a crash and a retry that cannot reach the provider', async () => {
    await merchant.dieBeforeWriting((dying) => dying.createAccounts({ ...ADAEZE, banks: [name] }, KEY));
    const [before] = await storedAccounts();
    world.clock.advance(LEASE);
    world.simulator.fault(name, { kind: 'rate_limited' });
    await api.createAccounts({ ...ADAEZE, banks: [name] }, KEY);
    world.simulator.fault(name, null);
    await world.sweepAfter(5 * MINUTE);
    expect(await listAtProvider()).toMatchObject([
      { id: before?.id, status: 'active', account_number: numbersAtSimulator()[0]?.[1] },
    ]);
    expect(numbersAtSimulator()).toHaveLength(1);
  });

  describe('deactivation', () => {
    const create = async () => (await createOne()).json.accounts[0];
    const isOpen = () => world.simulator.books.accounts()[0]?.open;

    test('closes the account at the provider if possible, and gives the same answer when repeated', async () => {
      const account = await create();
      const closed = await api.deleteAccount(account.id);
      expect(closed).toMatchObject({
        status: 200,
        json: { data: { ...account, status: 'inactive', deactivated_at: expect.any(String) } },
      });
      expect(isOpen()).toBe(name === 'korapay');
      world.clock.advance(MINUTE);
      expect(await api.deleteAccount(account.id)).toMatchObject({ status: 200, text: closed.text });
      expect((await api.postDeleteAccount(account.id)).json).toEqual(closed.json);
      expect((await api.getAccount(account.id)).json.data).toEqual(closed.json.data);
    });

    test('lets money in transit land, with its event', async () => {
      const account = await create();
      const pay = () => world.pay(name, account.account_number, 2_500_050);
      world.simulator.fault(name, { kind: 'lost', times: 1 });
      const { transferId } = await pay();
      await api.deleteAccount(account.id);
      await world.simulator.resend(transferId);
      await world.simulator.settled();
      if (name === 'korapay') await pay();
      const landed = {
        type: 'virtual_account.payment_received',
        data: { payment: { amount: 25_000.5 }, virtual_account: { id: account.id, status: 'inactive' } },
      };
      expect(await world.events()).toMatchObject(name === 'korapay' ? [landed, landed] : [landed]);
    });
  });
});

describe.each(['paystack', 'monnify'] as const)('a deactivation at %s', (name) => {
  const create = async () => (await api.createAccounts({ ...ADAEZE, banks: [name] })).json.accounts[0];

  const FAILED = { status: 502, json: { code: 'provider_error' } };
  const expectStaysActive = async (fault: Fault, answer = FAILED): Promise<void> => {
    const account = await create();
    world.simulator.fault(name, fault);
    expect(await api.deleteAccount(account.id)).toMatchObject(answer);
    expect((await api.getAccount(account.id)).json.data).toEqual(account);
    expect(world.simulator.books.accounts()[0]?.open).toBe(true);
    world.simulator.fault(name, null);
    world.clock.advance(5 * SECOND);
    expect(await api.deleteAccount(account.id)).toMatchObject({ status: 200, json: { data: { status: 'inactive' } } });
  };

  testRows<[string, Fault]>([
    ['down behind its gateway', { kind: 'gateway_fault', status: 503 }],
    ['rejecting our credentials', { kind: 'unauthorised' }],
  ])('answers 502 while the provider is %s, leaves the account active, and works later', (_, fault) =>
    expectStaysActive(fault),
  );

  test('answers 503 if the provider limits our rate, leaves the account active, and works later', () =>
    expectStaysActive({ kind: 'rate_limited' }, { status: 503, json: { code: 'provider_busy' } }));

  test('answers 502 if the provider is unreachable, and leaves the account active', async () => {
    const account = await create();
    const unreached = merchant.apiWith(makeProvidersWith(world, makeUnreachableSettings(world, [name])));
    expect(await unreached.deleteAccount(account.id)).toMatchObject({ status: 502, json: { code: 'provider_error' } });
    expect((await api.getAccount(account.id)).json.data).toEqual(account);
  });

  test('answers 503 if Secrets Manager is too busy, leaves the account active, and works later under the same key', async () => {
    const account = await create();
    const closeAccount = async (): Promise<never> => {
      throw new ProviderUnavailable('Its credentials cannot be read.', { cause: new DependencyUnavailable('Busy.') });
    };
    const busy = merchant.apiWith(changeProviders(world, () => ({ closeAccount })));
    for (const headers of [{}, KEY, KEY]) {
      expect(await busy.postDeleteAccount(account.id, undefined, headers)).toMatchObject({
        status: 503,
        json: { code: 'service_unavailable' },
        headers: { 'retry-after': '1' },
      });
    }
    expect((await api.getAccount(account.id)).json.data).toEqual(account);
    expect(world.simulator.books.accounts()[0]?.open).toBe(true);
    const closed = await api.postDeleteAccount(account.id, undefined, KEY);
    expect(closed).toMatchObject({ status: 200, json: { data: { status: 'inactive' } } });
    expect(closed.headers['idempotent-replayed']).toBeUndefined();
    expect(world.simulator.books.accounts()[0]?.open).toBe(false);
  });

  test('answers 502 if the provider’s answer is lost, leaves the account active, and answers 200 when repeated', async () => {
    const account = await create();
    const closing = name === 'paystack' ? /^\/dedicated_account\/\d+$/ : /\/reference\//;
    // Paystack's read of the account just before has the same path.
    let passing = name === 'paystack' ? 1 : 0;
    const random = (): number => {
      passing -= 1;
      return passing >= 0 ? 1 : 0;
    };
    world.simulator.fault(name, { kind: 'lost_answer', path: closing, times: 1, probability: 0.5, random });
    expect(await api.deleteAccount(account.id)).toMatchObject({ status: 502, json: { code: 'provider_error' } });
    expect(world.simulator.books.accounts()[0]?.open).toBe(false);
    expect((await api.getAccount(account.id)).json.data).toEqual(account);
    expect(await api.deleteAccount(account.id)).toMatchObject({ status: 200, json: { data: { status: 'inactive' } } });
  });
});

describeRows(
  'a process killed %s',
  CRASHES,
  (at) => at === 'before the answer is written',
  (at) => {
    const isIssued = at === 'before the answer is written';
    const die = () => {
      const requests = [{ body: ADAEZE, headers: KEY }];
      return crash(world, merchant.business, { work: 'accounts', providers: PROVIDERS, requests }, at);
    };

    test('answers a retry with its key 409 until the lease ends, then with the same accounts', async () => {
      const output = await die();
      expect(output + JSON.stringify(await world.itemsOf(''))).not.toMatch(`${BVN}|${NIN}`);
      const ids = await storedIds();
      expect(ids).toHaveLength(3);
      expect(numbersAtSimulator()).toHaveLength(isIssued ? 3 : 0);
      expect(await listedAccounts()).toEqual([]);
      expect(await api.createAccounts(ADAEZE, KEY)).toMatchObject(IN_PROGRESS);
      world.clock.advance(LEASE);
      const retried = await api.createAccounts(ADAEZE, KEY);
      expect(retried).toMatchObject({ status: 201, json: { errors: [] } });
      expect(listIds(retried.json.accounts)).toEqual(ids);
      expect(listNumbers(retried.json.accounts).toSorted()).toEqual(numbersAtSimulator().toSorted());
      expect(numbersAtSimulator()).toHaveLength(3);
      expect(listIds(await listedAccounts())).toEqual(ids);
      expect(await world.events()).toEqual([]);
      expect(await api.createAccounts(ADAEZE, KEY)).toMatchObject(expectReplay(retried));
    });

    test('leaves accounts that the sweeper settles without a retry, and a later retry issues nothing twice', async () => {
      await die();
      const ids = await storedIds();
      await world.sweepAfter(LEASE - 1);
      expect(await listedAccounts()).toEqual([]);
      await world.sweepAfter(1);
      expect(listNumbers(await listedAccounts()).toSorted()).toEqual(numbersAtSimulator().toSorted());
      await world.sweepAfter(30 * MINUTE);
      expect(await storedIds()).toEqual(isIssued ? ids : []);
      expect((await world.events()).map(({ type }) => type)).toEqual(
        isIssued ? PROVIDERS.map(() => 'virtual_account.activated') : [],
      );
      const retried = await api.createAccounts(ADAEZE, KEY);
      expect(retried).toMatchObject({ status: 201, json: { errors: [] } });
      expect(listIds(retried.json.accounts)).toEqual(ids);
      expect(numbersAtSimulator()).toHaveLength(3);
    });
  },
);

describe('an Idempotency-Key', () => {
  test('creates accounts once for 20 identical simultaneous POSTs; the other answers are 409 or replays', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => api.createAccounts(ADAEZE, KEY)));
    const created = expectOneCreation(answers);
    expect(numbersAtSimulator()).toHaveLength(3);
    expect(await storedAccounts()).toHaveLength(3);
    expect(await api.createAccounts(ADAEZE, KEY)).toMatchObject(expectReplay(created));
  });

  test('answers 409 while its first request runs, and rejects another body then and afterwards', async () => {
    const { reached, release, slow } = holdAnswers();
    const first = merchant.apiWith(slow).createAccounts(ADAEZE, KEY);
    await untilReached(reached, first);
    const other = { ...ADAEZE, customer_name: 'Adaeze Obi' };
    expect(await api.createAccounts(ADAEZE, KEY)).toMatchObject(IN_PROGRESS);
    const during = await api.createAccounts(other, KEY);
    release();
    const answer = await first;
    expect(answer.status).toBe(201);
    for (const reused of [during, await api.createAccounts(other, KEY)]) expect(reused).toMatchObject(KEY_REUSED);
    expect(await api.createAccounts(ADAEZE, KEY)).toMatchObject(expectReplay(answer));
    expect(numbersAtSimulator()).toHaveLength(3);
  });

  test('goes to exactly one of two requests after its lease has ended', async () => {
    await merchant.dieBeforeWriting((dying) => dying.createAccounts(ADAEZE, KEY));
    world.clock.advance(LEASE);
    const both = createBarrier(2);
    const accountIntents: LiveWorld['deps']['accountIntents'] = {
      ...world.deps.accountIntents,
      takeOver: async (...args) => {
        await both();
        return world.deps.accountIntents.takeOver(...args);
      },
    };
    const { calls, release, slow } = holdAnswers();
    const rival = merchant.apiWith({ ...slow, accountIntents });
    const requests = [rival.createAccounts(ADAEZE, KEY), rival.createAccounts(ADAEZE, KEY)];
    // The winner waits for its provider until the other request has its answer.
    await Promise.race(requests);
    release();
    const answers = await Promise.all(requests);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409]);
    expect(answers.find(({ status }) => status === 409)?.json.code).toBe('idempotency_in_progress');
    expect(calls()).toBe(3);
    expect(numbersAtSimulator()).toHaveLength(3);
    expect(await storedAccounts()).toHaveLength(3);
  });

  // Taking over must change the intent's version; otherwise the sweeper would drop the retry's account.
  test('keeps its accounts if a retry takes the key over while the sweeper looks the accounts up', async () => {
    const body = { ...ADAEZE, banks: ['monnify'] };
    const { reached, slow } = holdAnswers();
    // The first process dies before the provider was asked.
    await untilReached(reached, merchant.apiWith(slow).createAccounts(body, KEY));
    const [intent] = await storedAccounts();
    world.clock.advance(LEASE);
    // The sweeper learns that there is no account, and records that late.
    const lookedUp = createHoldingPoint();
    const slowly = changeProviders(world, (issuer) => ({
      findAccount: async (...args) => {
        const account = await issuer.findAccount(...args);
        await lookedUp.pass();
        return account;
      },
    }));
    const sweeping = world.sweep(slowly);
    await lookedUp.reached;
    // Meanwhile the retry begins, and the provider opens the account.
    const retry = holdAnswers();
    const retrying = merchant.apiWith(retry.slow).createAccounts(body, KEY);
    await untilReached(retry.reached, retrying);
    lookedUp.release();
    await sweeping;
    retry.release();
    expect(await retrying).toMatchObject({ status: 201, json: { accounts: [{ id: intent?.id }] } });
    expect(await listedAccounts()).toMatchObject([{ id: intent?.id, account_number: numbersAtSimulator()[0]?.[1] }]);
  });
});

describe('identity numbers', () => {
  test('reach the providers that need them, and appear in no item, log line or answer', async () => {
    const origin = new URL(world.simulator.baseUrls.paystack).origin;
    const wire = await startFaultProxy(origin);
    let sent: string[] = [];
    wire.inject((_, input) => {
      sent.push(JSON.stringify(input));
      return undefined;
    });
    const { paystack, monnify, korapay } = JSON.parse(
      JSON.stringify(world.settings).replaceAll(origin, wire.endpoint),
    ) as LiveWorld['settings'];
    const recordedApi = (timeouts: typeof LONG_TIMEOUTS): LiveApi =>
      merchant.apiWith(makeProvidersWith(world, { paystack, monnify, korapay }, timeouts));
    const answers = [await recordedApi(LONG_TIMEOUTS).createAccounts(ADAEZE)];
    const withBvn = sent.filter((body) => body.includes(BVN));
    expect(withBvn).toHaveLength(2);
    for (const body of withBvn) expect(body).toContain(NIN);
    sent = [];

    const faults: Fault[] = [{ kind: 'unauthorised' }, { kind: 'hung' }, { kind: 'lost_answer' }];
    for (const fault of faults) {
      for (const name of PROVIDERS) {
        if (fault.kind === 'unauthorised') world.simulator.fault(name, fault);
        else breakOpening(world, name, 'accounts', fault);
      }
      answers.push(
        await recordedApi(SHORT_TIMEOUTS).createAccounts(ADAEZE, { 'idempotency-key': `creation-${fault.kind}` }),
      );
      for (const name of PROVIDERS) world.simulator.fault(name, null);
    }
    await merchant.dieBeforeWriting((dying) => dying.createAccounts(ADAEZE, KEY));
    const itemsBefore = JSON.stringify(await world.itemsOf(''));
    await world.sweepAfter(LEASE);
    await wire.stop();
    const all = [
      itemsBefore,
      await world.itemsOf(''),
      world.logged,
      answers,
      await listedAccounts(),
      await world.events(),
    ];
    expect(JSON.stringify(all)).not.toMatch(`${BVN}|${NIN}`);
    expect(answers.map(({ status }) => status)).toEqual([201, 422, 422, 422]);
  });
});

describe('a customer of two businesses', () => {
  test('becomes two customers with two accounts at Paystack', async () => {
    const second = await world.addBusiness([], 'live');
    const body = { ...ADAEZE, banks: ['paystack'] };
    const [mine] = (await api.createAccounts(body)).json.accounts;
    const [theirs] = (await world.live(second).createAccounts(body)).json.accounts;
    expect(theirs.account_number).not.toBe(mine.account_number);
    const references = world.simulator.books.accounts().map(({ reference }) => reference);
    expect(references).toEqual([mine.id.toLowerCase(), theirs.id.toLowerCase()]);
    expect((await world.live(second).getAccount(mine.id)).status).toBe(404);
    await world.pay('paystack', theirs.account_number, 500_000);
    expect(await world.events()).toMatchObject([
      { business_id: second.id, data: { virtual_account: { id: theirs.id } } },
    ]);
  });
});
