import { kobo } from '#shared/platform/kernel/money.ts';
import { HOUR, MINUTE, SECOND } from '#shared/platform/kernel/time.ts';
import { OUTAGE_AFTER, PROBE_INTERVAL } from '#shared/providers/domain/breaker.ts';
import { PROVIDERS } from '#shared/providers/domain/names.ts';
import type { ProviderName } from '#shared/providers/domain/provider.ts';
import type { LiveProvider, ProviderBreakerStore } from '#shared/providers/ports.ts';
import { providerBreakerStore } from '#shared/providers/store/provider-breaker-store.ts';
import { startFaultProxy } from '#test/support/emulators/fault-proxy.ts';
import { createGate, makeProvidersWith } from '#test/support/worlds/live-faults.ts';
import { ASKED, merchant, newCustomerFields, openWorldForEachTest, world } from '#test/support/worlds/live-merchant.ts';
import { tableAt } from '#test/support/worlds/table.ts';

/* Tests a provider's breaker, which many containers share through one table. */

openWorldForEachTest();

const FAULT = { kind: 'gateway_fault', status: 503 } as const;

/** Starts a new container. */
const startContainer = (name: ProviderName, breakers?: ProviderBreakerStore): LiveProvider => {
  const { liveProviders } = makeProvidersWith(world, world.settings, undefined, breakers);
  return world.provider(name, { liveProviders });
};
const startContainers = (name: ProviderName, count: number): LiveProvider[] =>
  Array.from({ length: count }, () => startContainer(name));
/** Looks a payment up. Returns `answered`, or the name of the error. */
const ask = (provider: LiveProvider): Promise<string> =>
  provider.lookUp({ by: 'our_reference', value: 'PAY-7H2KQ9XW4M1ZB8T5RC3N' }).then(
    () => 'answered',
    (error: Error) => error.name,
  );
const askAll = (all: readonly LiveProvider[]): Promise<string[]> => Promise.all(all.map(ask));
const listRows = () => world.itemsOf('BREAKER');

/** Makes a provider fail until all containers know that it is down. */
const takeDown = async (name: ProviderName): Promise<void> => {
  world.simulator.fault(name, FAULT);
  for (let i = 0; i < OUTAGE_AFTER; i++) await ask(startContainer(name));
};

describe.each(PROVIDERS)('%s behind its breaker:', (name) => {
  const requests = (): number => world.simulator.books.requests(name);

  test('ten new containers call a provider that is down five times in all, and then one container calls it every 30 seconds', async () => {
    world.simulator.fault(name, FAULT);
    for (let i = 0; i < 10; i++) expect(await ask(startContainer(name))).not.toBe('answered');
    expect(requests()).toBe(OUTAGE_AFTER);
    for (let rest = 1; rest <= 3; rest++) {
      world.clock.advance(PROBE_INTERVAL);
      expect(new Set(await askAll(startContainers(name, 10)))).not.toContain('answered');
      expect(requests()).toBe(OUTAGE_AFTER + rest);
    }
    expect([world.loggedTimes('provider_down'), world.loggedTimes('provider_up')]).toEqual([1, 0]);
  });

  test('after a successful probe all calls are admitted; waiting containers notice that within five seconds', async () => {
    await takeDown(name);
    const waiting = startContainers(name, 5);
    expect(new Set(await askAll(waiting))).toEqual(new Set(['ProviderUnavailable']));
    world.simulator.fault(name, null);
    world.clock.advance(PROBE_INTERVAL - 1);
    expect(await ask(startContainer(name))).toBe('ProviderUnavailable');
    world.clock.advance(1);
    expect(await ask(startContainer(name))).toBe('answered');
    expect(await askAll(startContainers(name, 5))).toEqual(Array(5).fill('answered'));
    world.clock.advance(5 * SECOND);
    expect(await askAll(waiting)).toEqual(Array(5).fill('answered'));
    expect([world.loggedTimes('provider_down'), world.loggedTimes('provider_up')]).toEqual([1, 1]);
  });
});

describe.each(PROVIDERS)('%s, opening accounts slowly:', (name) => {
  const SLOW = 500;
  const create = (until: number): Promise<string> => {
    const order = { amount: kobo.parse(ASKED), accountName: 'Ada Stores Limited', payerName: 'Chidi Eze' };
    const payer = { reference: 'PAY-7H2KQ9XW4M1ZB8T5RC3N', payerEmail: 'chidi.eze@example.com' };
    const times = { expiresAt: world.clock.now() + HOUR, until };
    return startContainer(name)
      .createPaymentAccount({ ...order, ...payer, ...times })
      .then(
        () => 'opened',
        (error: Error) => error.name,
      );
  };

  test('creations are aborted at their deadline and count once each, and five of them open the breaker', async () => {
    world.simulator.fault(name, { kind: 'slow', ms: SLOW });
    for (let times = 1; times < OUTAGE_AFTER; times++) expect(await create(world.clock.now() + 1)).not.toBe('opened');
    await world.deps.wait(2 * SLOW);
    expect(await listRows()).toMatchObject([{ calls: 'creations', failures: OUTAGE_AFTER - 1, openUntil: null }]);
    expect(await create(world.clock.now() + 1)).not.toBe('opened');
    expect(world.loggedTimes('provider_down')).toBe(1);
  });

  test('a creation whose deadline is over before its turn is not sent and not counted', async () => {
    expect(await create(world.clock.now())).toBe('ProviderUnavailable');
    expect([world.simulator.books.requests(name), await listRows()]).toEqual([0, []]);
  });
});

test('twenty containers that fail at once open the breaker once, and other containers stop calling it', async () => {
  world.simulator.fault('korapay', FAULT);
  await askAll(startContainers('korapay', 20));
  expect(world.loggedTimes('provider_down')).toBe(1);
  const before = world.simulator.books.requests('korapay');
  await askAll(startContainers('korapay', 20));
  expect(world.simulator.books.requests('korapay')).toBe(before);
  // Only korapay is down.
  expect(await ask(startContainer('paystack'))).toBe('answered');
});

describe('containers with a recent answer of the provider:', () => {
  const ROUNDS = 6;
  const failTimes = (times: number) => world.simulator.fault('korapay', { ...FAULT, times });
  const requests = (): number => world.simulator.books.requests('korapay');

  test('fifty containers keep calling, although five of them fail before each round’s first answer', async () => {
    const lasting = startContainers('korapay', 50);
    await askAll(lasting);
    for (let round = 0; round < ROUNDS; round++) {
      failTimes(OUTAGE_AFTER);
      const unlucky = lasting.splice(0, OUTAGE_AFTER);
      expect(await askAll(unlucky)).toEqual(Array(5).fill('OutcomeUnknown'));
      expect(await askAll(lasting)).toEqual(Array(45).fill('answered'));
      lasting.push(...unlucky);
      world.clock.advance(SECOND);
    }
    expect(await listRows()).toEqual([]);
  });

  test('if every tenth call of a pair of containers fails, nothing is written, and all calls are admitted', async () => {
    const lasting = startContainers('korapay', 2);
    await askAll(lasting);
    for (let call = 0; call < 60; call++) {
      const isBad = call % 10 === 9;
      if (isBad) failTimes(1);
      const [next] = lasting.splice(0, 1);
      if (!next) throw new Error('There are two containers.');
      lasting.push(next);
      expect(await ask(next)).toBe(isBad ? 'OutcomeUnknown' : 'answered');
      world.clock.advance(SECOND);
    }
    expect(await listRows()).toEqual([]);
  });

  test('failures of a pair of containers count from each one’s third failure on, and five counted failures open the breaker', async () => {
    const lasting = startContainers('korapay', 2);
    await askAll(lasting);
    world.simulator.fault('korapay', FAULT);
    const before = requests();
    for (let round = 0; round < ROUNDS; round++) await askAll(lasting);
    // Two failures of each container do not count. Then five failures count, and one call runs at the same time as the fifth.
    expect(requests() - before).toBe(10);
    expect([world.loggedTimes('provider_down'), await ask(startContainer('korapay'))]).toEqual([
      1,
      'ProviderUnavailable',
    ]);
  });

  test('a container without an answer in the last minute opens the breaker by its fifth failure', async () => {
    const lasting = startContainer('korapay');
    await ask(lasting);
    world.clock.advance(MINUTE + 1);
    world.simulator.fault('korapay', FAULT);
    const before = requests();
    for (let call = 0; call < 2 * OUTAGE_AFTER; call++) await ask(lasting);
    expect([requests() - before, world.loggedTimes('provider_down')]).toEqual([OUTAGE_AFTER, 1]);
  });
});

test('a container that dies during its probe delays the next probe by 30 seconds', async () => {
  await takeDown('korapay');
  world.simulator.fault('korapay', null);
  world.simulator.fault('korapay', { kind: 'hung', times: 1 });
  world.clock.advance(PROBE_INTERVAL);
  const before = world.simulator.books.requests('korapay');
  // This container never reports its result.
  const dead = ask(startContainer('korapay'));
  while (world.simulator.books.requests('korapay') === before) await new Promise((resolve) => setImmediate(resolve));
  world.clock.advance(PROBE_INTERVAL - 1);
  expect(await ask(startContainer('korapay'))).toBe('ProviderUnavailable');
  world.clock.advance(1);
  expect(await ask(startContainer('korapay'))).toBe('answered');
  expect(await Promise.race([dead, Promise.resolve('dead')])).toBe('dead');
});

test('a healthy provider causes no writes, and single failures do not add up to an outage', async () => {
  for (const name of PROVIDERS) await merchant.checkout(name);
  expect(await listRows()).toEqual([]);
  for (let i = 0; i < 3 * OUTAGE_AFTER; i++) {
    world.simulator.fault('korapay', { ...FAULT, times: 1 });
    expect(await ask(startContainer('korapay'))).toBe('OutcomeUnknown');
    expect(await ask(startContainer('korapay'))).toBe('answered');
  }
  expect(await listRows()).toMatchObject([{ provider: 'korapay', failures: 0, openUntil: null }]);
});

describe('the read of the breaker', () => {
  /** Creates dependencies that write an intent only after the breaker was requested. */
  const gatedDeps = () => {
    const { open, opened } = createGate();
    const { providerBreakers, checkoutIntents, accountIntents } = world.deps;
    const find: ProviderBreakerStore['find'] = (...key) => {
      open();
      return providerBreakers.find(...key);
    };
    const waitForBreaker = <S extends { begin: (...intents: never[]) => Promise<unknown> }>(store: S): S => ({
      ...store,
      begin: async (...intents: Parameters<S['begin']>) => {
        await opened;
        return store.begin(...intents);
      },
    });
    const live = makeProvidersWith(world, world.settings, undefined, { ...providerBreakers, find });
    return {
      ...live,
      checkoutIntents: waitForBreaker(checkoutIntents),
      accountIntents: waitForBreaker(accountIntents),
    };
  };

  test('runs at the same time as the writes before accounts are opened', async () => {
    const customer = { ...newCustomerFields(), provider: 'paystack' };
    expect((await merchant.apiWith(gatedDeps()).createAccounts(customer)).status).toBe(201);
    const order = { amount: 8_500, payer_email: 'chidi.eze@example.com', provider: 'korapay' };
    expect((await merchant.apiWith(gatedDeps()).initialize(order)).status).toBe(201);
  });
});

describe('during a fault of the table,', () => {
  test('calls are admitted if the table does not return the breaker', async () => {
    await takeDown('paystack');
    world.simulator.fault('paystack', null);
    const proxy = await startFaultProxy(process.env.AWS_ENDPOINT_URL_DYNAMODB ?? '');
    proxy.inject((operation) => (operation === 'GetItem' ? 'hang' : undefined));
    const breakers = providerBreakerStore(tableAt(world.table.name, proxy.endpoint));
    expect(await ask(startContainer('paystack', breakers))).toBe('answered');
    await proxy.stop();
  });

  test('a failed call fails as before if the table does not store the failure, which is logged', async () => {
    world.simulator.fault('paystack', FAULT);
    const proxy = await startFaultProxy(process.env.AWS_ENDPOINT_URL_DYNAMODB ?? '');
    const body = { __type: 'com.amazon.coral.service#AccessDeniedException', Message: 'may not PutItem' };
    proxy.inject((operation) => (operation === 'PutItem' ? { status: 400, body } : undefined));
    const breakers = providerBreakerStore(tableAt(world.table.name, proxy.endpoint), 20_000);
    expect(await ask(startContainer('paystack', breakers))).toBe('OutcomeUnknown');
    expect(world.logged).toContainEqual(expect.objectContaining({ event: 'provider_breaker_not_saved' }));
    await proxy.stop();
  });
});

test('a request is refused at once while a provider is down, and the provider is not called', async () => {
  world.simulator.fault('monnify', FAULT);
  // A container without an answer yet counts each failure.
  for (let i = 0; i < OUTAGE_AFTER; i++) await merchant.askForAccount('monnify');
  const before = world.simulator.books.requests('monnify');
  const { status, json } = await merchant.askForAccount('monnify');
  expect([status, json.errors[0].message]).toEqual([422, 'monnify cannot be reached at the moment. Try again later.']);
  expect(world.simulator.books.requests('monnify')).toBe(before);
});
