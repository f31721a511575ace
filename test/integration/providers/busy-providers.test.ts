import { MINUTE, SECOND } from '#shared/platform/kernel/time.ts';
import { OUTAGE_AFTER } from '#shared/providers/domain/breaker.ts';
import type { ProviderName } from '#shared/providers/domain/provider.ts';
import { liveProviders } from '#shared/providers/live-providers.ts';
import type { LiveProvider } from '#shared/providers/ports.ts';
import { longTest } from '#test/support/jest/long.ts';
import { type LiveApi, providersWith } from '#test/support/worlds/live-faults.ts';
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

/* A provider that takes no more requests is not down, and no business uses up what it gives us for all. */

const QUOTA = { creations: 10, publicCreations: 8, addressCreations: 2, seconds: 10 };
const WINDOW = QUOTA.seconds * SECOND;
const KEY = { 'idempotency-key': 'order-2026-11-20-0417' };
const ORDER = { amount: 8_500, payer_email: 'chidi.eze@example.com' };

const BUSY = { status: 503, json: { code: 'provider_busy' } };

openWorldForEachTest({ providerQuota: QUOTA });

/** The business's API in a container that has just started. */
const container = (): LiveApi => merchant.apiWith(providersWith(world, world.settings));
const countOf = (answers: readonly { status: number }[], status: number): number =>
  answers.filter((answer) => answer.status === status).length;

const serverOf = ({ business }: LiveMerchant) =>
  ({ businessId: business.id, mode: 'live', kind: 'secret', addressBlock: '102.89.23.17' }) as const;
/** Uses up a merchant's quota, or part of it. */
const useUp = async (
  provider: ProviderName,
  work: Parameters<LiveWorld['deps']['quotaMeter']['charge']>[2] = 'creations',
  times = QUOTA.creations,
): Promise<void> => {
  for (let used = 0; used < times; used++) {
    await world.deps.quotaMeter.charge(serverOf(merchant), provider, work);
  }
};

describeAtProviders('a merchant that opens accounts at %s as fast as it may', (provider) => {
  longTest('leaves another merchant’s creations, and everybody’s landings, unharmed', async () => {
    world.simulator.limit(provider, { writes: { calls: 45, seconds: 10 }, reads: { calls: 200, seconds: 10 } });
    const other = await openMerchant(world);
    const greedy = Array.from({ length: 5 }, container);
    const asked = await Promise.all(
      Array.from({ length: 100 }, (_, i) => {
        const api = greedy[i % greedy.length] as LiveApi;
        return i % 4 === 0
          ? api.createAccounts({ ...newCustomerFields(), provider })
          : api.initialize({ ...ORDER, provider });
      }),
    );
    const opened = asked.filter(({ status }) => status === 201);
    expect(opened).toHaveLength(QUOTA.creations);
    for (const { status, json, headers } of asked.filter((one) => one.status !== 201)) {
      const message = `${provider} takes no more requests right now.`;
      if (status === 503) expect(json).toMatchObject({ code: 'provider_busy', message });
      else expect([status, json.errors]).toEqual([422, [{ provider, message, code: 'provider_busy' }]]);
      expect(Number(headers['retry-after'])).toBe(QUOTA.seconds);
    }

    // In between, the other merchant works as ever.
    const account = await other.account(provider);
    const checkout = await other.checkout(provider);
    await other.checkout(provider);
    expect(world.simulator.books.limited(provider)).toBe(0);
    await world.pay(provider, checkout.accountNumber, ASKED);
    await world.pay(provider, account.accountNumber, 120_000);
    expect(await other.fetch(checkout.reference)).toMatchObject({ status: 'paid', paid_amount: 8_500 });
    expect((await other.api.listPayments(account.id)).json.data).toMatchObject([{ amount: 1_200 }]);

    // Nobody is called: only the answers 503 are counted, to be left out of the alarms on 5xx.
    const answered503 = asked.filter(({ status }) => status === 503).length;
    expect(world.measuredSum('provider_busy')).toBe(answered503);
    expect([world.measuredSum('provider_failures'), world.loggedTimes('provider_down')]).toEqual([0, 0]);
    world.clock.advance(WINDOW);
    expect((await container().initialize({ ...ORDER, provider })).status).toBe(201);
  });
});

describeAtProviders('%s, when it limits our creations itself', (provider) => {
  test('is not down: creations wait until it takes them again, and money lands meanwhile', async () => {
    const paid = await merchant.checkout(provider);
    world.clock.advance(WINDOW);
    world.simulator.limit(provider, { writes: { calls: 0, seconds: 10 } });
    const before = world.simulator.books.requests(provider);
    const first = await Promise.all(Array.from({ length: 8 }, () => container().initialize({ ...ORDER, provider })));
    expect(countOf(first, 503)).toBe(8);
    expect(first.map(({ headers }) => headers['retry-after'])).toEqual(Array(8).fill('10'));
    const asked = world.simulator.books.requests(provider) - before;
    expect(asked).toBeGreaterThanOrEqual(OUTAGE_AFTER);
    // From now on no container asks before the limit ends.
    const stillBusy = await (await openMerchant(world)).askForAccount(provider);
    expect([stillBusy.status, stillBusy.headers['retry-after']]).toEqual([422, '10']);
    expect(await container().initialize({ ...ORDER, provider })).toMatchObject({ status: 503 });
    expect(world.simulator.books.requests(provider) - before).toBe(asked);

    await world.pay(provider, paid.accountNumber, ASKED);
    expect(await merchant.statusOf(paid.reference)).toBe('paid');
    expect([world.measuredSum('provider_failures'), world.measuredSum('look_ups_limited')]).toEqual([0, 0]);
    const rows = await world.itemsOf('BREAKER');
    expect(rows).toMatchObject([{ provider, calls: 'creations', failures: 0, suspendedUntil: null }]);
    expect(world.loggedTimes('provider_limited')).toBe(1);

    world.simulator.limit(provider, {});
    world.clock.advance(WINDOW);
    expect((await container().initialize({ ...ORDER, provider })).status).toBe(201);
  });

  test('an outage of creations suspends them alone: money lands', async () => {
    const { reference, accountNumber } = await merchant.checkout(provider);
    const creating = { paystack: /^\/charge$/, monnify: /init-transaction$/, korapay: /^\/charges\/bank-transfer$/ };
    world.simulator.fault(provider, { kind: 'gateway_fault', status: 503, path: creating[provider] });
    // Monnify answers the login of a container, which counts its failures from the third on.
    const failing = container();
    for (let i = 0; i < OUTAGE_AFTER + 2; i++) await failing.initialize({ ...ORDER, provider });
    expect(world.loggedTimes('provider_down')).toBe(1);
    await world.pay(provider, accountNumber, ASKED);
    expect(await merchant.statusOf(reference)).toBe('paid');
  });
});

describeAtProviders('%s, when it limits our look-ups', (provider) => {
  const limited = { kind: 'rate_limited', retryAfter: '30', path: LOOK_UP[provider] } as const;

  test('is asked again when it takes requests, without a try lost; accounts are opened meanwhile', async () => {
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

  /** A container whose waits pass at once, on the world's clock. */
  const impatient = () => {
    const waits: number[] = [];
    const { now, log, metrics, providerBreakers: breakers } = world.deps;
    const wait = async (milliseconds: number): Promise<void> => {
      waits.push(milliseconds);
      world.clock.advance(milliseconds);
    };
    const found = liveProviders(world.settings, { now, wait, log, metrics, breakers, stageUrl: world.stageUrl })(
      provider,
    ) as LiveProvider;
    return { waits, ask: () => found.lookUp({ by: 'our_reference', value: 'PAY-7H2KQ9XW4M1ZB8T5RC3N' }) };
  };

  test('for a moment, the call waits and is made again, once', async () => {
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
  ])('with Retry-After %p, waits for that time, within bounds', async (retryAfter, waitMs) => {
    world.simulator.fault(provider, { ...limited, retryAfter, times: 1 });
    await expect(impatient().ask()).rejects.toMatchObject({ name: 'ProviderBusy', waitMs });
    world.clock.advance(waitMs - 1);
    const before = world.simulator.books.requests(provider);
    const other = impatient();
    expect(await other.ask()).toBe('unknown');
    // The millisecond that was left is waited for.
    expect(other.waits).toEqual([1]);
    expect(world.simulator.books.requests(provider)).toBeGreaterThan(before);
  });
});

describeAtProviders('the quota at %s', (provider) => {
  const order = { ...ORDER, provider };
  const named = { ...order, merchant_reference: 'INV-0417' };
  const counted = async (): Promise<unknown[]> =>
    (await world.itemsOf('USED')).filter(({ pk }) => String(pk).includes('creations')).map(({ requests }) => requests);

  test('is one for all containers, each business and each provider', async () => {
    const answers = await Promise.all(Array.from({ length: 3 * QUOTA.creations }, () => container().initialize(order)));
    expect([countOf(answers, 201), countOf(answers, 503)]).toEqual([QUOTA.creations, 2 * QUOTA.creations]);
    expect(await counted()).toEqual([QUOTA.creations]);
    const another = provider === 'korapay' ? 'paystack' : 'korapay';
    expect((await merchant.api.initialize({ ...order, provider: another })).status).toBe(201);
  });

  test('refuses before anything is stored: the same key opens the checkout in the next window', async () => {
    await useUp(provider);
    expect(await merchant.api.initialize(named, KEY)).toMatchObject({ status: 503, headers: { 'retry-after': '10' } });
    for (const kind of ['CHK', 'MREF', 'IDEM']) expect(await world.itemsOf(kind)).toEqual([]);
    world.clock.advance(WINDOW);
    expect((await merchant.api.initialize(named, KEY)).status).toBe(201);
  });

  test('is charged nothing by a replay, which is answered when it is used up', async () => {
    const first = await merchant.api.initialize(order, KEY);
    await merchant.api.initialize(order, KEY);
    expect(await counted()).toEqual([1]);
    await useUp(provider);
    expect(await merchant.api.initialize(order, KEY)).toMatchObject({ status: 201, text: first.text });
    expect((await merchant.api.initialize({ ...order, amount: 9_000 }, KEY)).json.code).toBe('idempotency_key_reused');
    expect(await counted()).toEqual([QUOTA.creations]);
  });

  test('is not charged again by what a crash interrupted, which is resumed when it is used up', async () => {
    await merchant.dieBeforeWriting((dying) => dying.initialize(order, KEY));
    await merchant.dieBeforeWriting((dying) => dying.createAccounts({ ...ADAEZE, provider }, KEY));
    world.clock.advance(30 * SECOND);
    await useUp(provider);
    expect((await merchant.api.initialize(order, KEY)).status).toBe(201);
    expect((await merchant.api.createAccounts({ ...ADAEZE, provider }, KEY)).status).toBe(201);
    expect((await merchant.api.initialize(order)).status).toBe(503);
  });

  test('where the provider is busy, drops what was begun: the same key begins anew, and is charged anew', async () => {
    world.simulator.fault(provider, { kind: 'rate_limited', times: 1 });
    expect(await merchant.api.initialize(named, KEY)).toMatchObject(BUSY);
    for (const kind of ['CHK', 'MREF', 'IDEM']) expect(await world.itemsOf(kind)).toEqual([]);
    world.clock.advance(5 * SECOND);
    expect((await merchant.api.initialize(named, KEY)).status).toBe(201);
    expect(await counted()).toEqual([2]);
  });

  test('bounds the look-ups that a business causes by expiring checkouts: others’ money lands', async () => {
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

  test('that businesses exhaust together by expiring checkouts delays no look-up that lands money', async () => {
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

  test('is charged once by a merchant reference that is used again', async () => {
    const { reference } = (await merchant.api.initialize(named)).json.data;
    await merchant.api.expire(reference);
    expect((await merchant.api.initialize(named)).status).toBe(201);
    expect(await counted()).toEqual([2]);
  });

  test('counts closings apart from creations', async () => {
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
  const LATER = { status: 422, headers: { 'retry-after': '10' } };
  const busy = (provider: string) => ({
    provider,
    message: `${provider} takes no more requests right now.`,
    code: 'provider_busy',
  });

  test('of which one is busy: the other opens, and the answer is kept', async () => {
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

  test('that are all busy: 422 that says when to come back, and the same key opens them then', async () => {
    await useUp('monnify');
    await useUp('paystack');
    const refused = await merchant.api.createAccounts({ ...ADAEZE, banks }, KEY);
    expect(refused).toMatchObject({ ...LATER, json: { errors: banks.map(busy) } });
    for (const kind of ['VA', 'IDEM']) expect(await world.itemsOf(kind)).toEqual([]);
    world.clock.advance(WINDOW);
    expect((await merchant.api.createAccounts({ ...ADAEZE, banks }, KEY)).json.accounts).toHaveLength(2);
  });

  test('of which one is busy and one refuses: the same key opens both once they take it', async () => {
    world.simulator.fault('paystack', { kind: 'unauthorised' });
    await useUp('monnify');
    const refused = await merchant.api.createAccounts({ ...ADAEZE, banks }, KEY);
    expect(refused).toMatchObject(LATER);
    for (const kind of ['VA', 'IDEM']) expect(await world.itemsOf(kind)).toEqual([]);
    world.simulator.fault('paystack', null);
    world.clock.advance(WINDOW);
    expect((await merchant.api.createAccounts({ ...ADAEZE, banks }, KEY)).json.accounts).toHaveLength(2);
  });

  test('of which one is busy and one pending: the same key continues with the pending one, and opens the other', async () => {
    world.simulator.fault('paystack', { kind: 'lost_answer', path: /^\/dedicated_account$/ });
    await useUp('monnify');
    const refused = await merchant.api.createAccounts({ ...ADAEZE, banks }, KEY);
    expect(refused).toMatchObject(LATER);
    world.simulator.fault('paystack', null);
    world.clock.advance(WINDOW);
    const retried = await merchant.api.createAccounts({ ...ADAEZE, banks }, KEY);
    expect(retried).toMatchObject({ status: 201, json: { accounts: [{ provider: 'monnify' }] } });
    expect(await merchant.api.createAccounts({ ...ADAEZE, banks }, KEY)).toMatchObject({ text: retried.text });
    expect((await world.itemsOf('VA')).filter(({ sk }) => sk === 'VA')).toHaveLength(2);
  });
});

describe('a provider that the stage has not enabled', () => {
  const only = () => {
    const { paystack: _, ...others } = world.settings;
    return merchant.apiWith(providersWith(world, others));
  };

  test('is 422 for a checkout, an entry of errors for accounts, and stores nothing of either', async () => {
    const order = { ...ORDER, provider: 'paystack' };
    const message = 'paystack is not enabled for live mode here.';
    const refused = await only().initialize(order, KEY);
    expect(refused).toMatchObject({ status: 422, json: { code: 'provider_not_enabled', message } });
    expect(await world.itemsOf('IDEM')).toEqual([]);
    const accounts = await only().createAccounts({ ...ADAEZE, provider: 'paystack' });
    expect([accounts.status, accounts.json.errors]).toEqual([
      422,
      [{ provider: 'paystack', message, code: 'provider_not_enabled' }],
    ]);
    for (const kind of ['CHK', 'VA']) expect(await world.itemsOf(kind)).toEqual([]);
    expect((await merchant.api.initialize(order, KEY)).status).toBe(201);
    expect(world.measuredSum('provider_failures')).toBe(0);
  });

  test('replays what was answered while it was enabled', async () => {
    const order = { ...ORDER, provider: 'paystack' };
    const first = await merchant.api.initialize(order, KEY);
    expect(await only().initialize(order, KEY)).toMatchObject({ status: 201, text: first.text });
  });
});
