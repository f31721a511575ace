import type { Fault } from '#infra/local/twin/twin.ts';
import { MINUTE, SECOND } from '#shared/domain/kernel/time.ts';
import { startFaultProxy } from '#test/support/engines/fault-proxy.ts';
import { sweepDueWork } from '#test/support/worlds/functions.ts';
import { CRASHES, crash } from '#test/support/worlds/live-crash.ts';
import {
  apiWith,
  type Business,
  barrier,
  breakOpening,
  changedProviders,
  dieBeforeWriting,
  gate,
  type LiveApi,
  providersWith,
  SHORT_TIMEOUTS,
  unreachable,
  untilReached,
} from '#test/support/worlds/live-faults.ts';
import { announcedEvents, PROVIDERS } from '#test/support/worlds/live-steps.ts';
import { type LiveWorld, LONG_TIMEOUTS, makeLiveWorld } from '#test/support/worlds/live-world.ts';
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
/** How long a request holds its Idempotency-Key and its intents. */
const LEASE = 30 * SECOND;

let world: LiveWorld;
let business: Business;
let api: LiveApi;

beforeEach(async () => {
  world = await makeLiveWorld();
  business = await world.addBusiness(['http://127.0.0.1:9/unused'], 'live');
  api = world.live(business);
});
afterEach(() => world.stop());

const sweep = (): Promise<void> => sweepDueWork(world.deps, world.clock.now() + 30_000);
/** Provider and number of every account at the twin. */
const numbersAtTwin = (): [string, string][] =>
  world.twin.books.accounts().map(({ provider, number }): [string, string] => [provider, number]);
const listedAccounts = async (): Promise<Record<string, unknown>[]> => (await api.listAccounts()).json.data;
const numbersOf = (accounts: readonly Record<string, unknown>[]): unknown[][] =>
  accounts.map(({ provider, account_number }) => [provider, account_number]);
/** The accounts in the table, also those that the API does not show. */
const storedAccounts = async () => (await world.itemsOf('VA')).filter(({ sk }) => sk === 'VA');
const storedIds = async (): Promise<unknown[]> => (await storedAccounts()).map(({ id }) => id).toSorted();
const idsOf = (accounts: readonly Record<string, unknown>[]): unknown[] => accounts.map(({ id }) => id).toSorted();

describe('creating accounts at three providers', () => {
  test('issues one account at each', async () => {
    const answer = await api.createAccounts(ADAEZE);
    expect(answer).toMatchObject({
      status: 201,
      json: { status: true, message: 'Virtual accounts created.', customer_name: 'Adaeze Okafor', errors: [] },
    });
    expect(answer.json.accounts.map(({ status, mode }: Record<string, unknown>) => [status, mode])).toEqual(
      PROVIDERS.map(() => ['active', 'live']),
    );
    expect(numbersAtTwin()).toHaveLength(3);
    expect(numbersOf(answer.json.accounts).toSorted()).toEqual(numbersAtTwin().toSorted());
    expect(idsOf(await listedAccounts())).toEqual(idsOf(answer.json.accounts));
    for (const account of answer.json.accounts) expect((await api.getAccount(account.id)).json.data).toEqual(account);
    expect(await announcedEvents(world)).toEqual([]);
  });

  test('asks all of them at the same time', async () => {
    const allAsked = barrier(3);
    const asking = changedProviders(world, (issuer) => ({
      createAccount: async (...asked) => {
        await allAsked();
        return issuer.createAccount(...asked);
      },
    }));
    expect((await apiWith(world, business, asking).createAccounts(ADAEZE)).status).toBe(201);
    expect(numbersAtTwin()).toHaveLength(3);
  });

  test('is 422 when all refuse, and nothing is stored or announced', async () => {
    for (const name of PROVIDERS) world.twin.fault(name, { kind: 'unauthorised' });
    const answer = await api.createAccounts(ADAEZE);
    expect(answer).toMatchObject({ status: 422, json: { status: false, code: 'all_providers_failed', accounts: [] } });
    expect(answer.json.errors).toEqual(
      PROVIDERS.map((provider) => ({ provider, message: 'The provider did not accept our credentials.' })),
    );
    expect(await listedAccounts()).toEqual([]);
    expect(await storedAccounts()).toEqual([]);
    expect(numbersAtTwin()).toEqual([]);
    world.clock.advance(LEASE);
    await sweep();
    expect(await announcedEvents(world)).toEqual([]);
  });

  // The customer's list of accounts is an item of its own, which has to go too.
  test('leaves no item in the table when all refuse', async () => {
    const before = (await world.itemsOf('')).map(({ pk, sk }) => [pk, sk]);
    for (const name of PROVIDERS) world.twin.fault(name, { kind: 'unauthorised' });
    await api.createAccounts(ADAEZE);
    expect((await world.itemsOf('')).map(({ pk, sk }) => [pk, sk])).toEqual(before);
  });

  test('shows no account in the API before the request is answered', async () => {
    const [entered, answers] = [gate(), gate()];
    const slow = changedProviders(world, (issuer) => ({
      createAccount: async (...asked) => {
        entered.open();
        await answers.opened;
        return issuer.createAccount(...asked);
      },
    }));
    const creating = apiWith(world, business, slow).createAccounts(ADAEZE);
    await untilReached(entered.opened, creating);
    expect(await storedAccounts()).toHaveLength(3);
    for (const { id } of await storedAccounts()) expect((await api.getAccount(String(id))).status).toBe(404);
    expect(await listedAccounts()).toEqual([]);
    answers.open();
    expect((await creating).status).toBe(201);
  });

  test('hides accounts that are being opened, or whose request crashed, from the customer’s list', async () => {
    await api.createAccounts({ ...ADAEZE, banks: ['korapay'] });
    await dieBeforeWriting(world, business, (dying) => dying.createAccounts({ ...ADAEZE, banks: ['paystack'] }));
    const found = await api.listAccounts(undefined, {}, { customer_email: ADAEZE.customer_email });
    expect(found).toMatchObject({ status: 200, json: { data: [{ provider: 'korapay' }] } });
  });
});

describeAtProviders('with %s', (name) => {
  const others = PROVIDERS.filter((other) => other !== name);
  const ofProvider = async () => (await listedAccounts()).filter(({ provider }) => provider === name);
  const createOne = (customer: Partial<typeof ADAEZE> = {}) =>
    api.createAccounts({ ...ADAEZE, ...customer, banks: [name] });

  test('not answering, the other accounts are active and its own is pending and in errors', async () => {
    breakOpening(world, name, 'accounts', { kind: 'hung' });
    const shortTimeouts = apiWith(world, business, providersWith(world, world.settings, SHORT_TIMEOUTS));
    const answer = await shortTimeouts.createAccounts(ADAEZE);
    expect(answer).toMatchObject({
      status: 201,
      json: {
        message: `Virtual accounts created, except at ${name}. See errors.`,
        accounts: others.map((provider) => ({ provider, status: 'active' })),
        errors: [{ provider: name, message: expect.stringContaining('did not answer in time') }],
      },
    });
    expect(answer.json.errors).toHaveLength(1);
    const [pending] = await ofProvider();
    expect(pending).toMatchObject({ status: 'pending', account_number: null, customer_email: ADAEZE.customer_email });
    expect((await api.getAccount(String(pending?.id))).json.data).toEqual(pending);
    expect(await listedAccounts()).toHaveLength(3);
  });

  test('unreachable, errors says so and nothing is stored for it', async () => {
    const unreached = apiWith(world, business, providersWith(world, unreachable(world, [name])));
    const answer = await unreached.createAccounts(ADAEZE);
    expect(answer).toMatchObject({
      status: 201,
      json: { errors: [{ provider: name, message: expect.stringContaining('cannot be reached') }] },
    });
    expect(answer.json.errors).toHaveLength(1);
    expect((await listedAccounts()).map(({ provider }) => provider).toSorted()).toEqual(others.toSorted());
    expect(await storedAccounts()).toHaveLength(2);
    expect(await unreached.createAccounts({ ...ADAEZE, banks: [name] })).toMatchObject({
      status: 422,
      json: { code: 'all_providers_failed', accounts: [], errors: [{ provider: name }] },
    });
    expect(await storedAccounts()).toHaveLength(2);
  });

  test('and a lost answer, the account is pending until a look-up finds it, with one event', async () => {
    breakOpening(world, name, 'accounts', { kind: 'lost_answer' });
    expect(await createOne()).toMatchObject({ status: 422, json: { accounts: [], errors: [{ provider: name }] } });
    const [pending] = await ofProvider();
    expect(pending).toMatchObject({ status: 'pending', account_number: null });
    expect(await announcedEvents(world)).toEqual([]);
    world.clock.advance(10 * SECOND);
    await sweep();
    await sweep();
    const active = (await api.getAccount(String(pending?.id))).json.data;
    expect(numbersAtTwin()).toEqual([[name, active.account_number]]);
    expect(active).toMatchObject({ id: pending?.id, status: 'active', bank_name: expect.stringMatching(/./) });
    expect(await announcedEvents(world)).toMatchObject([{ type: 'virtual_account.activated', data: active }]);
    world.clock.advance(60 * MINUTE);
    await sweep();
    expect(await announcedEvents(world)).toHaveLength(1);
    expect(numbersAtTwin()).toHaveLength(1);
  });

  test('failing before it issues, the account is pending and then failed, with one event', async () => {
    breakOpening(world, name, 'accounts', { kind: 'gateway_fault', status: 502 });
    await createOne();
    const [pending] = await ofProvider();
    expect(pending).toMatchObject({ status: 'pending' });
    // The first look-up is not final, because a provider may show a new account only later.
    world.clock.advance(10 * SECOND);
    await sweep();
    expect(await ofProvider()).toEqual([pending]);
    world.clock.advance(30 * MINUTE);
    await sweep();
    await sweep();
    expect(await ofProvider()).toEqual([{ ...pending, status: 'failed' }]);
    expect(await announcedEvents(world)).toMatchObject([
      { type: 'virtual_account.failed', data: { id: pending?.id, status: 'failed', account_number: null } },
    ]);
    expect(numbersAtTwin()).toEqual([]);
  });

  test('failing at the look-up too, the account stays pending and is settled later', async () => {
    breakOpening(world, name, 'accounts', { kind: 'lost_answer' });
    await createOne();
    world.twin.fault(name, { kind: 'gateway_fault', status: 503 });
    world.clock.advance(10 * SECOND);
    await sweep();
    expect(await ofProvider()).toMatchObject([{ status: 'pending' }]);
    world.twin.fault(name, null);
    world.clock.advance(2 * MINUTE);
    await sweep();
    expect(await ofProvider()).toMatchObject([{ status: 'active', account_number: numbersAtTwin()[0]?.[1] }]);
    expect(await announcedEvents(world)).toMatchObject([{ type: 'virtual_account.activated' }]);
    expect(numbersAtTwin()).toHaveLength(1);
  });

  test('returning the number of another account of ours, only the new account fails', async () => {
    const [first] = (await createOne()).json.accounts;
    const [issued] = await storedAccounts();
    const duplicating = changedProviders(world, (_, provider) =>
      provider === name ? { createAccount: async () => issued?.account as never } : {},
    );
    const ngozi = {
      ...ADAEZE,
      customer_name: 'Ngozi Eze',
      customer_email: 'ngozi.eze@example.com',
      bvn: '22287654321',
    };
    const answer = await apiWith(world, business, duplicating).createAccounts({ ...ngozi, nin: '12345678902' });
    expect(answer).toMatchObject({
      status: 201,
      json: { accounts: others.map((provider) => ({ provider })), errors: [{ provider: name }] },
    });
    expect(await ofProvider()).toEqual([first]);
    await world.twin.pay({ provider: name, accountNumber: first.account_number, amount: 1_250_000 });
    await world.twin.settled();
    expect(await announcedEvents(world)).toMatchObject([
      { type: 'virtual_account.payment_received', data: { virtual_account: { id: first.id } } },
    ]);
  });

  // It must fail, and not stay pending and be looked up every minute.
  test('finding the number of another account of ours at the look-up, the new account fails', async () => {
    await createOne();
    const [issued] = await storedAccounts();
    breakOpening(world, name, 'accounts', { kind: 'gateway_fault', status: 502 });
    const ngozi = { customer_name: 'Ngozi Eze', bvn: '22287654321', nin: '12345678902' };
    await createOne(ngozi);
    const duplicating = changedProviders(world, () => ({ findAccount: async () => issued?.account as never }));
    world.clock.advance(10 * SECOND);
    await sweepDueWork({ ...world.deps, ...duplicating }, world.clock.now() + 30_000);
    expect(await announcedEvents(world)).toMatchObject([{ type: 'virtual_account.failed' }]);
    expect((await listedAccounts()).map(({ status }) => status).toSorted()).toEqual(['active', 'failed']);
  });

  // The retry must not drop the intent, because the first request may have had the account issued.
  test('and a crash after it issued the account, a retry that cannot reach it does not lose the account', async () => {
    await dieBeforeWriting(world, business, (dying) => dying.createAccounts({ ...ADAEZE, banks: [name] }, KEY));
    const [before] = await storedAccounts();
    world.clock.advance(LEASE);
    world.twin.fault(name, { kind: 'rate_limited' });
    await api.createAccounts({ ...ADAEZE, banks: [name] }, KEY);
    world.twin.fault(name, null);
    world.clock.advance(5 * MINUTE);
    await sweep();
    expect(await ofProvider()).toMatchObject([
      { id: before?.id, status: 'active', account_number: numbersAtTwin()[0]?.[1] },
    ]);
    expect(numbersAtTwin()).toHaveLength(1);
  });

  describe('deactivation', () => {
    const create = async () => (await createOne()).json.accounts[0];
    const isOpen = () => world.twin.books.accounts()[0]?.open;

    test('closes the account at the provider if it can, and a repetition has the same answer', async () => {
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

    test('lets money that is on its way land, with its event', async () => {
      const account = await create();
      const payment = { provider: name, accountNumber: account.account_number, amount: 2_500_050 };
      world.twin.fault(name, { kind: 'lost', times: 1 });
      const { transferId } = await world.twin.pay(payment);
      await api.deleteAccount(account.id);
      await world.twin.resend(transferId);
      await world.twin.settled();
      if (name === 'korapay') await world.twin.pay(payment);
      await world.twin.settled();
      const landed = {
        type: 'virtual_account.payment_received',
        data: { payment: { amount: 25_000.5 }, virtual_account: { id: account.id, status: 'inactive' } },
      };
      expect(await announcedEvents(world)).toMatchObject(name === 'korapay' ? [landed, landed] : [landed]);
    });
  });
});

describe.each(['paystack', 'monnify'] as const)('a deactivation at %s', (name) => {
  const create = async () => (await api.createAccounts({ ...ADAEZE, banks: [name] })).json.accounts[0];

  const FAILED = { status: 502, json: { code: 'provider_error' } };
  const expectStaysActive = async (fault: Fault, answer = FAILED): Promise<void> => {
    const account = await create();
    world.twin.fault(name, fault);
    expect(await api.deleteAccount(account.id)).toMatchObject(answer);
    expect((await api.getAccount(account.id)).json.data).toEqual(account);
    expect(world.twin.books.accounts()[0]?.open).toBe(true);
    world.twin.fault(name, null);
    world.clock.advance(5 * SECOND);
    expect(await api.deleteAccount(account.id)).toMatchObject({ status: 200, json: { data: { status: 'inactive' } } });
  };

  test.each<[string, Fault]>([
    ['down behind its gateway', { kind: 'gateway_fault', status: 503 }],
    ['refusing our credentials', { kind: 'unauthorised' }],
  ])('that is %s is 502, leaves the account active, and works later', (_, fault) => expectStaysActive(fault));

  test('that limits our rate is 503, leaves the account active, and works later', () =>
    expectStaysActive({ kind: 'rate_limited' }, { status: 503, json: { code: 'provider_busy' } }));

  test('that is unreachable is 502 and leaves the account active', async () => {
    const account = await create();
    const unreached = apiWith(world, business, providersWith(world, unreachable(world, [name])));
    expect(await unreached.deleteAccount(account.id)).toMatchObject({ status: 502, json: { code: 'provider_error' } });
    expect((await api.getAccount(account.id)).json.data).toEqual(account);
  });

  test('that closes but whose answer is lost is 502, leaves the account active, and is 200 when repeated', async () => {
    const account = await create();
    const closing = name === 'paystack' ? /^\/dedicated_account\/\d+$/ : /\/reference\//;
    // Paystack's read of the account just before has the same path.
    let passing = name === 'paystack' ? 1 : 0;
    const random = (): number => {
      passing -= 1;
      return passing >= 0 ? 1 : 0;
    };
    world.twin.fault(name, { kind: 'lost_answer', path: closing, times: 1, probability: 0.5, random });
    expect(await api.deleteAccount(account.id)).toMatchObject({ status: 502, json: { code: 'provider_error' } });
    expect(world.twin.books.accounts()[0]?.open).toBe(false);
    expect((await api.getAccount(account.id)).json.data).toEqual(account);
    expect(await api.deleteAccount(account.id)).toMatchObject({ status: 200, json: { data: { status: 'inactive' } } });
  });
});

describe.each(CRASHES)('a process killed %s', (at) => {
  const issued = at === 'before the answer is written';
  const die = () =>
    crash(
      world,
      {
        work: 'accounts',
        providers: PROVIDERS,
        calls: [
          {
            method: 'POST',
            path: '/api/v1/virtual-accounts',
            headers: { authorization: `Bearer ${business.keys.secret_live}`, ...KEY },
            body: ADAEZE,
          },
        ],
      },
      at,
    );

  test('and a retry with its key: 409 until the lease ends, then the same accounts', async () => {
    const output = await die();
    expect(output + JSON.stringify(await world.itemsOf(''))).not.toMatch(`${BVN}|${NIN}`);
    const ids = await storedIds();
    expect(ids).toHaveLength(3);
    expect(numbersAtTwin()).toHaveLength(issued ? 3 : 0);
    expect(await listedAccounts()).toEqual([]);
    expect(await api.createAccounts(ADAEZE, KEY)).toMatchObject({
      status: 409,
      headers: { 'retry-after': '30' },
      json: { code: 'idempotency_in_progress' },
    });
    world.clock.advance(LEASE);
    const retried = await api.createAccounts(ADAEZE, KEY);
    expect(retried).toMatchObject({ status: 201, json: { errors: [] } });
    expect(idsOf(retried.json.accounts)).toEqual(ids);
    expect(numbersOf(retried.json.accounts).toSorted()).toEqual(numbersAtTwin().toSorted());
    expect(numbersAtTwin()).toHaveLength(3);
    expect(idsOf(await listedAccounts())).toEqual(ids);
    expect(await announcedEvents(world)).toEqual([]);
    expect(await api.createAccounts(ADAEZE, KEY)).toMatchObject({
      text: retried.text,
      headers: { 'idempotent-replayed': 'true' },
    });
  });

  test('and no retry: the sweeper settles its accounts, and a later retry issues nothing twice', async () => {
    await die();
    const ids = await storedIds();
    world.clock.advance(LEASE - 1);
    await sweep();
    expect(await listedAccounts()).toEqual([]);
    world.clock.advance(1);
    await sweep();
    expect(numbersOf(await listedAccounts()).toSorted()).toEqual(numbersAtTwin().toSorted());
    world.clock.advance(30 * MINUTE);
    await sweep();
    expect(await storedIds()).toEqual(issued ? ids : []);
    expect((await announcedEvents(world)).map(({ type }) => type)).toEqual(
      issued ? PROVIDERS.map(() => 'virtual_account.activated') : [],
    );
    const retried = await api.createAccounts(ADAEZE, KEY);
    expect(retried).toMatchObject({ status: 201, json: { errors: [] } });
    expect(idsOf(retried.json.accounts)).toEqual(ids);
    expect(numbersAtTwin()).toHaveLength(3);
  });
});

describe('an Idempotency-Key', () => {
  /** Providers that answer only after `release`, and a promise that resolves when the first was asked. */
  const holdAnswers = () => {
    const [asked, answers] = [gate(), gate()];
    let calls = 0;
    const slow = changedProviders(world, (issuer) => ({
      createAccount: async (...given) => {
        calls += 1;
        asked.open();
        await answers.opened;
        return issuer.createAccount(...given);
      },
    }));
    return { asked: asked.opened, release: answers.open, calls: () => calls, slow };
  };

  test('of 20 identical POSTs at once creates accounts once; the others are 409 or replays', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => api.createAccounts(ADAEZE, KEY)));
    const created = answers.filter(({ status }) => status === 201);
    const early = answers.filter(({ status }) => status === 409);
    expect(answers.filter(({ status }) => status !== 201 && status !== 409)).toEqual([]);
    expect(new Set(created.map(({ text }) => text)).size).toBe(1);
    expect(created.filter(({ headers }) => headers['idempotent-replayed'] === undefined)).toHaveLength(1);
    for (const { json, headers } of early) {
      expect(json.code).toBe('idempotency_in_progress');
      expect(Number(headers['retry-after'])).toBeGreaterThanOrEqual(1);
    }
    expect(numbersAtTwin()).toHaveLength(3);
    expect(await storedAccounts()).toHaveLength(3);
    expect(await api.createAccounts(ADAEZE, KEY)).toMatchObject({
      status: 201,
      text: created[0]?.text,
      headers: { 'idempotent-replayed': 'true' },
    });
  });

  test('is 409 while its first request runs, and refuses another body then and afterwards', async () => {
    const { asked, release, slow } = holdAnswers();
    const first = apiWith(world, business, slow).createAccounts(ADAEZE, KEY);
    await untilReached(asked, first);
    const other = { ...ADAEZE, customer_name: 'Adaeze Obi' };
    expect(await api.createAccounts(ADAEZE, KEY)).toMatchObject({
      status: 409,
      headers: { 'retry-after': '30' },
      json: { code: 'idempotency_in_progress' },
    });
    const during = await api.createAccounts(other, KEY);
    release();
    const answer = await first;
    expect(answer.status).toBe(201);
    for (const reused of [during, await api.createAccounts(other, KEY)]) {
      expect(reused).toMatchObject({ status: 422, json: { code: 'idempotency_key_reused' } });
    }
    expect(await api.createAccounts(ADAEZE, KEY)).toMatchObject({
      text: answer.text,
      headers: { 'idempotent-replayed': 'true' },
    });
    expect(numbersAtTwin()).toHaveLength(3);
  });

  test('whose lease has ended is taken over by exactly one of two requests', async () => {
    await dieBeforeWriting(world, business, (dying) => dying.createAccounts(ADAEZE, KEY));
    world.clock.advance(LEASE);
    const both = barrier(2);
    const accountIntents: LiveWorld['deps']['accountIntents'] = {
      ...world.deps.accountIntents,
      takeOver: async (...given) => {
        await both();
        return world.deps.accountIntents.takeOver(...given);
      },
    };
    const { calls, release, slow } = holdAnswers();
    release();
    const rival = apiWith(world, business, { ...slow, accountIntents });
    const answers = await Promise.all([rival.createAccounts(ADAEZE, KEY), rival.createAccounts(ADAEZE, KEY)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409]);
    expect(answers.find(({ status }) => status === 409)?.json.code).toBe('idempotency_in_progress');
    expect(calls()).toBe(3);
    expect(numbersAtTwin()).toHaveLength(3);
    expect(await storedAccounts()).toHaveLength(3);
  });

  // Taking over must change the intent's version; otherwise the sweeper would drop the retry's account.
  test('that is taken over while the sweeper looks its accounts up loses none', async () => {
    const one = { ...ADAEZE, banks: ['monnify'] };
    const { asked, slow } = holdAnswers();
    // The first process dies before the provider was asked.
    await untilReached(asked, apiWith(world, business, slow).createAccounts(one, KEY));
    const [intent] = await storedAccounts();
    world.clock.advance(LEASE);
    // The sweeper learns that there is no account, and is slow to write that.
    const [looked, continues] = [gate(), gate()];
    const slowly = changedProviders(world, (issuer) => ({
      findAccount: async (...given) => {
        const found = await issuer.findAccount(...given);
        looked.open();
        await continues.opened;
        return found;
      },
    }));
    const sweeping = sweepDueWork({ ...world.deps, ...slowly }, world.clock.now() + 30_000);
    await looked.opened;
    // Meanwhile the retry begins, and the provider opens the account.
    const retry = holdAnswers();
    const retrying = apiWith(world, business, retry.slow).createAccounts(one, KEY);
    await untilReached(retry.asked, retrying);
    continues.open();
    await sweeping;
    retry.release();
    expect(await retrying).toMatchObject({ status: 201, json: { accounts: [{ id: intent?.id }] } });
    expect(await listedAccounts()).toMatchObject([{ id: intent?.id, account_number: numbersAtTwin()[0]?.[1] }]);
  });
});

describe('identity numbers', () => {
  test('are sent to the providers that need them, and are in no item, log line or answer', async () => {
    const origin = new URL(world.twin.baseUrls.paystack).origin;
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
      apiWith(world, business, providersWith(world, { paystack, monnify, korapay }, timeouts));
    const answers = [await recordedApi(LONG_TIMEOUTS).createAccounts(ADAEZE)];
    const withBvn = sent.filter((body) => body.includes(BVN));
    expect(withBvn).toHaveLength(2);
    for (const body of withBvn) expect(body).toContain(NIN);
    sent = [];

    const faults: Fault[] = [{ kind: 'unauthorised' }, { kind: 'hung' }, { kind: 'lost_answer' }];
    for (const fault of faults) {
      for (const name of PROVIDERS) {
        if (fault.kind === 'unauthorised') world.twin.fault(name, fault);
        else breakOpening(world, name, 'accounts', fault);
      }
      answers.push(
        await recordedApi(SHORT_TIMEOUTS).createAccounts(ADAEZE, { 'idempotency-key': `creation-${fault.kind}` }),
      );
      for (const name of PROVIDERS) world.twin.fault(name, null);
    }
    await dieBeforeWriting(world, business, (dying) => dying.createAccounts(ADAEZE, KEY));
    const itemsBefore = JSON.stringify(await world.itemsOf(''));
    world.clock.advance(LEASE);
    await sweep();
    await wire.stop();
    const all = [
      itemsBefore,
      await world.itemsOf(''),
      world.logged,
      answers,
      await listedAccounts(),
      await announcedEvents(world),
    ];
    expect(JSON.stringify(all)).not.toMatch(`${BVN}|${NIN}`);
    expect(answers.map(({ status }) => status)).toEqual([201, 422, 422, 422]);
  });
});

describe('two businesses with the same customer', () => {
  test('get separate customers and accounts at Paystack', async () => {
    const second = await world.addBusiness([], 'live');
    const one = { ...ADAEZE, banks: ['paystack'] };
    const [mine] = (await api.createAccounts(one)).json.accounts;
    const [theirs] = (await world.live(second).createAccounts(one)).json.accounts;
    expect(theirs.account_number).not.toBe(mine.account_number);
    const references = world.twin.books.accounts().map(({ reference }) => reference);
    expect(references).toEqual([mine.id.toLowerCase(), theirs.id.toLowerCase()]);
    expect((await world.live(second).getAccount(mine.id)).status).toBe(404);
    await world.twin.pay({ provider: 'paystack', accountNumber: theirs.account_number, amount: 500_000 });
    await world.twin.settled();
    expect(await announcedEvents(world)).toMatchObject([
      { business_id: second.id, data: { virtual_account: { id: theirs.id } } },
    ]);
  });
});
