import { MINUTE, SECOND } from '#shared/platform/kernel/time.ts';
import { OUTAGE_AFTER } from '#shared/providers/domain/breaker.ts';
import type { ProviderName } from '#shared/providers/domain/provider.ts';
import { liveProviders } from '#shared/providers/live-providers.ts';
import type { LiveProvider } from '#shared/providers/ports.ts';
import { longTest } from '#test/support/jest/long.ts';
import { type LiveApi, makeProvidersWith } from '#test/support/worlds/live-faults.ts';
import {
  ASKED,
  type LiveMerchant,
  merchant,
  newCustomerFields,
  openMerchant,
  openWorldForEachTest,
  world,
} from '#test/support/worlds/live-merchant.ts';
import type { LiveWorld } from '#test/support/worlds/live-world.ts';
import { LOOK_UP } from '#test/support/worlds/provider-calls.ts';
import { describeAtProviders } from '#test/support/worlds/provider-scenes.ts';

/* A busy provider does not count as down. No business can use up the limit that a provider sets for us all. */

const QUOTA = { creations: 10, publicCreations: 8, addressCreations: 2, seconds: 10 };
const WINDOW = QUOTA.seconds * SECOND;
const KEY = { 'idempotency-key': 'order-2026-11-20-0417' };
const ORDER = { amount: 8_500, payer_email: 'chidi.eze@example.com' };

const BUSY = { status: 503, json: { code: 'provider_busy' } };

openWorldForEachTest({ providerQuota: QUOTA });

/** Starts a new container with the business's API. */
const startContainer = (): LiveApi => merchant.apiWith(makeProvidersWith(world, world.settings));
const countStatus = (answers: readonly { status: number }[], status: number): number =>
  answers.filter((answer) => answer.status === status).length;

const makeServerCaller = ({ business }: LiveMerchant) =>
  ({ businessId: business.id, mode: 'live', kind: 'secret', addressBlock: '102.89.23.17' }) as const;
/** Uses up a merchant's quota, or a part of it. */
const useUp = async (
  provider: ProviderName,
  work: Parameters<LiveWorld['deps']['quotaMeter']['charge']>[2] = 'creations',
  times = QUOTA.creations,
): Promise<void> => {
  for (let used = 0; used < times; used++) {
    await world.deps.quotaMeter.charge(makeServerCaller(merchant), provider, work);
  }
};

describeAtProviders('a merchant that opens accounts at %s as fast as possible', (provider) => {
  longTest('does not affect another merchant’s creations, nor anybody’s landings', async () => {
    world.simulator.limit(provider, { writes: { calls: 45, seconds: 10 }, reads: { calls: 200, seconds: 10 } });
    const other = await openMerchant(world);
    const greedy = Array.from({ length: 5 }, startContainer);
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, i) => {
        const api = greedy[i % greedy.length] as LiveApi;
        return i % 4 === 0
          ? api.createAccounts({ ...newCustomerFields(), provider })
          : api.initialize({ ...ORDER, provider });
      }),
    );
    const opened = answers.filter(({ status }) => status === 201);
    expect(opened).toHaveLength(QUOTA.creations);
    for (const { status, json, headers } of answers.filter((answer) => answer.status !== 201)) {
      const message = `${provider} takes no more requests right now.`;
      if (status === 503) expect(json).toMatchObject({ code: 'provider_busy', message });
      else expect([status, json.errors]).toEqual([422, [{ provider, message, code: 'provider_busy' }]]);
      expect(Number(headers['retry-after'])).toBe(QUOTA.seconds);
    }

    // Meanwhile the other merchant is not affected.
    const account = await other.account(provider);
    const checkout = await other.checkout(provider);
    await other.checkout(provider);
    expect(world.simulator.books.limited(provider)).toBe(0);
    await world.pay(provider, checkout.accountNumber, ASKED);
    await world.pay(provider, account.accountNumber, 120_000);
    expect(await other.fetch(checkout.reference)).toMatchObject({ status: 'paid', paid_amount: 8_500 });
    expect((await other.api.listPayments(account.id)).json.data).toMatchObject([{ amount: 1_200 }]);

    // No operator is called: the 503 answers are only counted, and the alarms on 5xx leave them out.
    const answered503 = answers.filter(({ status }) => status === 503).length;
    expect(world.measuredSum('provider_busy')).toBe(answered503);
    expect([world.measuredSum('provider_failures'), world.loggedTimes('provider_down')]).toEqual([0, 0]);
    world.clock.advance(WINDOW);
    expect((await startContainer().initialize({ ...ORDER, provider })).status).toBe(201);
  });
});

describeAtProviders('%s with a limit on our creations', (provider) => {
  test('the provider is not down: creations wait until the limit ends, and money lands meanwhile', async () => {
    const paid = await merchant.checkout(provider);
    world.clock.advance(WINDOW);
    world.simulator.limit(provider, { writes: { calls: 0, seconds: 10 } });
    const before = world.simulator.books.requests(provider);
    const first = await Promise.all(
      Array.from({ length: 8 }, () => startContainer().initialize({ ...ORDER, provider })),
    );
    expect(countStatus(first, 503)).toBe(8);
    expect(first.map(({ headers }) => headers['retry-after'])).toEqual(Array(8).fill('10'));
    const requests = world.simulator.books.requests(provider) - before;
    expect(requests).toBeGreaterThanOrEqual(OUTAGE_AFTER);
    // Now no container sends a request before the limit ends.
    const stillBusy = await (await openMerchant(world)).askForAccount(provider);
    expect([stillBusy.status, stillBusy.headers['retry-after']]).toEqual([422, '10']);
    expect(await startContainer().initialize({ ...ORDER, provider })).toMatchObject({ status: 503 });
    expect(world.simulator.books.requests(provider) - before).toBe(requests);

    await world.pay(provider, paid.accountNumber, ASKED);
    expect(await merchant.statusOf(paid.reference)).toBe('paid');
    expect([world.measuredSum('provider_failures'), world.measuredSum('look_ups_limited')]).toEqual([0, 0]);
    const rows = await world.itemsOf('BREAKER');
    expect(rows).toMatchObject([{ provider, calls: 'creations', failures: 0, openUntil: null }]);
    expect(world.loggedTimes('provider_limited')).toBe(1);

    world.simulator.limit(provider, {});
    world.clock.advance(WINDOW);
    expect((await startContainer().initialize({ ...ORDER, provider })).status).toBe(201);
  });

  test('an outage of creations holds back only creations, and money lands', async () => {
    const { reference, accountNumber } = await merchant.checkout(provider);
    const creating = { paystack: /^\/charge$/, monnify: /init-transaction$/, korapay: /^\/charges\/bank-transfer$/ };
    world.simulator.fault(provider, { kind: 'gateway_fault', status: 503, path: creating[provider] });
    // Monnify answers the container's login, so the container counts failures only from the third on.
    const failing = startContainer();
    for (let i = 0; i < OUTAGE_AFTER + 2; i++) await failing.initialize({ ...ORDER, provider });
    expect(world.loggedTimes('provider_down')).toBe(1);
    await world.pay(provider, accountNumber, ASKED);
    expect(await merchant.statusOf(reference)).toBe('paid');
  });
});

describeAtProviders('%s with a limit on our look-ups', (provider) => {
  const limited = { kind: 'rate_limited', retryAfter: '30', path: LOOK_UP[provider] } as const;

  test('a look-up is repeated after the limit and is not counted as a try, and accounts open meanwhile', async () => {
    const { reference, accountNumber } = await merchant.checkout(provider);
    world.simulator.fault(provider, limited);
    await world.pay(provider, accountNumber, ASKED);
    expect(await merchant.statusOf(reference)).toBe('pending');
    expect(await world.itemsOf('NTF')).toMatchObject([{ tries: 0 }]);
    expect([world.measuredSum('look_ups_limited'), world.measuredSum('provider_failures')]).toEqual([1, 0]);
    await merchant.checkout(provider);

    const before = world.simulator.books.requests(provider);
    await world.sweepAfter(30 * SECOND - 1);
    expect(world.simulator.books.requests(provider)).toBe(before);
    world.simulator.fault(provider, null);
    await world.sweepAfter(MINUTE);
    expect(await merchant.statusOf(reference)).toBe('paid');
  });

  /** Creates a container whose waits end at once and advance the world's clock. */
  const impatient = () => {
    const waits: number[] = [];
    const { now, log, metrics, providerBreakers: breakers } = world.deps;
    const wait = async (milliseconds: number): Promise<void> => {
      waits.push(milliseconds);
      world.clock.advance(milliseconds);
    };
    const live = liveProviders(world.settings, { now, wait, log, metrics, breakers, stageUrl: world.stageUrl })(
      provider,
    ) as LiveProvider;
    return { waits, ask: () => live.lookUp({ by: 'our_reference', value: 'PAY-7H2KQ9XW4M1ZB8T5RC3N' }) };
  };

  test('a call waits for a short limit and is sent again, once', async () => {
    const { waits, ask } = impatient();
    world.simulator.fault(provider, { ...limited, retryAfter: '2', times: 1 });
    expect(await ask()).toBe('unknown');
    world.simulator.fault(provider, { ...limited, retryAfter: '1', times: 2 });
    await expect(ask()).rejects.toMatchObject({ name: 'ProviderBusy', waitMs: SECOND });
    expect(waits).toEqual([2 * SECOND, SECOND]);
  });

  test.each([
    ['3600', MINUTE],
    ['-', 5 * SECOND],
    ['7', 7 * SECOND],
    ['Fri, 20 Nov 2026 12:00:09 GMT', 9 * SECOND],
  ])('Retry-After %p delays look-ups, within bounds', async (retryAfter, waitMs) => {
    world.simulator.fault(provider, { ...limited, retryAfter, times: 1 });
    await expect(impatient().ask()).rejects.toMatchObject({ name: 'ProviderBusy', waitMs });
    world.clock.advance(waitMs - 1);
    const before = world.simulator.books.requests(provider);
    const other = impatient();
    expect(await other.ask()).toBe('unknown');
    // The call waits for the last millisecond.
    expect(other.waits).toEqual([1]);
    expect(world.simulator.books.requests(provider)).toBeGreaterThan(before);
  });
});

describeAtProviders('the quota at %s', (provider) => {
  const order = { ...ORDER, provider };
  const named = { ...order, merchant_reference: 'INV-0417' };
  const listCounts = async (): Promise<unknown[]> =>
    (await world.itemsOf('USED')).filter(({ pk }) => String(pk).includes('creations')).map(({ requests }) => requests);

  test('all containers share the quota of a business at a provider', async () => {
    const answers = await Promise.all(
      Array.from({ length: 3 * QUOTA.creations }, () => startContainer().initialize(order)),
    );
    expect([countStatus(answers, 201), countStatus(answers, 503)]).toEqual([QUOTA.creations, 2 * QUOTA.creations]);
    expect(await listCounts()).toEqual([QUOTA.creations]);
    const another = provider === 'korapay' ? 'paystack' : 'korapay';
    expect((await merchant.api.initialize({ ...order, provider: another })).status).toBe(201);
  });

  test('a used-up quota refuses a checkout before anything is stored, and the same key works in the next window', async () => {
    await useUp(provider);
    expect(await merchant.api.initialize(named, KEY)).toMatchObject({ status: 503, headers: { 'retry-after': '10' } });
    for (const kind of ['CHK', 'MREF', 'IDEM']) expect(await world.itemsOf(kind)).toEqual([]);
    world.clock.advance(WINDOW);
    expect((await merchant.api.initialize(named, KEY)).status).toBe(201);
  });

  test('a replay is not charged, and is answered even if the quota is used up', async () => {
    const first = await merchant.api.initialize(order, KEY);
    await merchant.api.initialize(order, KEY);
    expect(await listCounts()).toEqual([1]);
    await useUp(provider);
    expect(await merchant.api.initialize(order, KEY)).toMatchObject({ status: 201, text: first.text });
    expect((await merchant.api.initialize({ ...order, amount: 9_000 }, KEY)).json.code).toBe('idempotency_key_reused');
    expect(await listCounts()).toEqual([QUOTA.creations]);
  });

  test('an interrupted request is not charged again, and is resumed even if the quota is used up', async () => {
    await merchant.dieBeforeWriting((dying) => dying.initialize(order, KEY));
    await merchant.dieBeforeWriting((dying) => dying.createAccounts({ ...ADAEZE, provider }, KEY));
    world.clock.advance(30 * SECOND);
    await useUp(provider);
    expect((await merchant.api.initialize(order, KEY)).status).toBe(201);
    expect((await merchant.api.createAccounts({ ...ADAEZE, provider }, KEY)).status).toBe(201);
    expect((await merchant.api.initialize(order)).status).toBe(503);
  });

  test('a busy provider’s intent is dropped, and a retry with the same key is charged anew', async () => {
    world.simulator.fault(provider, { kind: 'rate_limited', times: 1 });
    expect(await merchant.api.initialize(named, KEY)).toMatchObject(BUSY);
    for (const kind of ['CHK', 'MREF', 'IDEM']) expect(await world.itemsOf(kind)).toEqual([]);
    world.clock.advance(5 * SECOND);
    expect((await merchant.api.initialize(named, KEY)).status).toBe(201);
    expect(await listCounts()).toEqual([2]);
  });

  test('the quota limits the look-ups that a business causes when it expires checkouts, and other businesses’ money lands', async () => {
    const { reference } = await merchant.checkout(provider);
    const other = await openMerchant(world);
    const paid = await other.checkout(provider);
    await useUp(provider, 'expiries');
    const before = world.simulator.books.requests(provider);
    expect(await merchant.api.expire(reference)).toMatchObject(BUSY);
    expect(world.simulator.books.requests(provider)).toBe(before);
    expect(await merchant.statusOf(reference)).toBe('pending');
    await world.pay(provider, paid.accountNumber, ASKED);
    expect(await other.statusOf(paid.reference)).toBe('paid');
    world.clock.advance(WINDOW);
    expect((await merchant.api.expire(reference)).json.data.status).toBe('expired');
  });

  test('a provider limit on expiring checkouts does not delay look-ups that land money', async () => {
    const { reference } = await merchant.checkout(provider);
    const other = await openMerchant(world);
    const paid = await other.checkout(provider);
    world.simulator.limit(provider, { reads: { calls: 0, seconds: 60 } });
    expect(await merchant.api.expire(reference)).toMatchObject(BUSY);
    world.simulator.limit(provider, {});
    await world.pay(provider, paid.accountNumber, ASKED);
    expect(await other.statusOf(paid.reference)).toBe('paid');
    expect(world.measuredSum('look_ups_limited')).toBe(0);
  });

  test('a checkout that reuses a merchant reference is charged once', async () => {
    const { reference } = (await merchant.api.initialize(named)).json.data;
    await merchant.api.expire(reference);
    expect((await merchant.api.initialize(named)).status).toBe(201);
    expect(await listCounts()).toEqual([2]);
  });

  test('closings and creations are counted separately', async () => {
    if (provider === 'korapay') return;
    const { id } = await merchant.account(provider);
    await useUp(provider);
    await useUp(provider, 'closings', QUOTA.creations - 1);
    expect((await merchant.api.deleteAccount(id)).status).toBe(200);
    world.clock.advance(WINDOW);
    const other = await merchant.account(provider);
    await useUp(provider, 'closings');
    const before = world.simulator.books.requests(provider);
    const refused = await merchant.api.deleteAccount(other.id);
    expect(refused).toMatchObject({ ...BUSY, headers: { 'retry-after': '10' } });
    expect(world.simulator.books.requests(provider)).toBe(before);
    expect((await merchant.api.getAccount(other.id)).json.data.status).toBe('active');
  });
});

const ADAEZE = newCustomerFields();

describe('accounts at several providers', () => {
  const banks = ['paystack', 'monnify'];
  const RETRY_LATER = { status: 422, headers: { 'retry-after': '10' } };
  const busy = (provider: string) => ({
    provider,
    message: `${provider} takes no more requests right now.`,
    code: 'provider_busy',
  });

  test('one busy provider does not keep the other from opening, and the answer is stored', async () => {
    await useUp('monnify');
    const first = await merchant.api.createAccounts({ ...ADAEZE, banks }, KEY);
    expect(first).toMatchObject({
      status: 201,
      json: { accounts: [{ provider: 'paystack' }], errors: [busy('monnify')] },
    });
    expect(first.headers['retry-after']).toBeUndefined();
    world.clock.advance(WINDOW);
    expect((await merchant.api.createAccounts({ ...ADAEZE, banks }, KEY)).text).toBe(first.text);
  });

  test('all busy providers are answered with 422 and Retry-After, and the same key works later', async () => {
    await useUp('monnify');
    await useUp('paystack');
    const refused = await merchant.api.createAccounts({ ...ADAEZE, banks }, KEY);
    expect(refused).toMatchObject({ ...RETRY_LATER, json: { errors: banks.map(busy) } });
    for (const kind of ['VA', 'IDEM']) expect(await world.itemsOf(kind)).toEqual([]);
    world.clock.advance(WINDOW);
    expect((await merchant.api.createAccounts({ ...ADAEZE, banks }, KEY)).json.accounts).toHaveLength(2);
  });

  test('a busy provider and a rejection store nothing, and the same key opens both later', async () => {
    world.simulator.fault('paystack', { kind: 'unauthorised' });
    await useUp('monnify');
    const refused = await merchant.api.createAccounts({ ...ADAEZE, banks }, KEY);
    expect(refused).toMatchObject(RETRY_LATER);
    for (const kind of ['VA', 'IDEM']) expect(await world.itemsOf(kind)).toEqual([]);
    world.simulator.fault('paystack', null);
    world.clock.advance(WINDOW);
    expect((await merchant.api.createAccounts({ ...ADAEZE, banks }, KEY)).json.accounts).toHaveLength(2);
  });

  test('a busy provider and a pending account: the same key continues the pending one and opens the other', async () => {
    world.simulator.fault('paystack', { kind: 'lost_answer', path: /^\/dedicated_account$/ });
    await useUp('monnify');
    const refused = await merchant.api.createAccounts({ ...ADAEZE, banks }, KEY);
    expect(refused).toMatchObject(RETRY_LATER);
    world.simulator.fault('paystack', null);
    world.clock.advance(WINDOW);
    const retried = await merchant.api.createAccounts({ ...ADAEZE, banks }, KEY);
    expect(retried).toMatchObject({ status: 201, json: { accounts: [{ provider: 'monnify' }] } });
    expect(await merchant.api.createAccounts({ ...ADAEZE, banks }, KEY)).toMatchObject({ text: retried.text });
    expect((await world.itemsOf('VA')).filter(({ sk }) => sk === 'VA')).toHaveLength(2);
  });
});

describe('a provider that the stage has not enabled', () => {
  const apiWithoutPaystack = () => {
    const { paystack: _, ...others } = world.settings;
    return merchant.apiWith(makeProvidersWith(world, others));
  };

  test('a checkout is answered with 422, accounts with an entry of errors, and nothing is stored', async () => {
    const order = { ...ORDER, provider: 'paystack' };
    const message = 'paystack is not enabled for live mode here.';
    const refused = await apiWithoutPaystack().initialize(order, KEY);
    expect(refused).toMatchObject({ status: 422, json: { code: 'provider_not_enabled', message } });
    expect(await world.itemsOf('IDEM')).toEqual([]);
    const accounts = await apiWithoutPaystack().createAccounts({ ...ADAEZE, provider: 'paystack' });
    expect([accounts.status, accounts.json.errors]).toEqual([
      422,
      [{ provider: 'paystack', message, code: 'provider_not_enabled' }],
    ]);
    for (const kind of ['CHK', 'VA']) expect(await world.itemsOf(kind)).toEqual([]);
    expect((await merchant.api.initialize(order, KEY)).status).toBe(201);
    expect(world.measuredSum('provider_failures')).toBe(0);
  });

  test('an answer from the time when it was enabled is replayed', async () => {
    const order = { ...ORDER, provider: 'paystack' };
    const first = await merchant.api.initialize(order, KEY);
    expect(await apiWithoutPaystack().initialize(order, KEY)).toMatchObject({ status: 201, text: first.text });
  });
});
