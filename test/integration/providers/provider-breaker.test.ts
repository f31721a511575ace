import { kobo } from '#shared/platform/kernel/money.ts';
import { HOUR, MINUTE, SECOND } from '#shared/platform/kernel/time.ts';
import { OUTAGE_AFTER, PROBE_INTERVAL } from '#shared/providers/domain/breaker.ts';
import { PROVIDERS } from '#shared/providers/domain/names.ts';
import type { ProviderName } from '#shared/providers/domain/provider.ts';
import type { LiveProvider, ProviderBreakerStore } from '#shared/providers/ports.ts';
import { providerBreakerStore } from '#shared/providers/store/provider-breaker-store.ts';
import { startFaultProxy } from '#test/support/emulators/fault-proxy.ts';
import { gate, providersWith } from '#test/support/worlds/live-faults.ts';
import { ASKED, merchant, newCustomerFields, openWorldForEachTest, world } from '#test/support/worlds/live-merchant.ts';
import { tableAt } from '#test/support/worlds/table.ts';

/* Many containers share a provider's breaker through one table. */

openWorldForEachTest();

const FAULT = { kind: 'gateway_fault', status: 503 } as const;

/** A container that has just started. */
const container = (name: ProviderName, breakers?: ProviderBreakerStore): LiveProvider => {
  const { liveProviders } = providersWith(world, world.settings, undefined, breakers);
  return world.provider(name, { liveProviders });
};
const containers = (name: ProviderName, count: number): LiveProvider[] =>
  Array.from({ length: count }, () => container(name));
/** The result of a look-up: `answered`, or the name of its error. */
const ask = (provider: LiveProvider): Promise<string> =>
  provider.lookUp({ by: 'our_reference', value: 'PAY-7H2KQ9XW4M1ZB8T5RC3N' }).then(
    () => 'answered',
    (error: Error) => error.name,
  );
const askAll = (all: readonly LiveProvider[]): Promise<string[]> => Promise.all(all.map(ask));
const rows = () => world.itemsOf('BREAKER');

/** Makes a provider fail until all containers know that it is down. */
const takeDown = async (name: ProviderName): Promise<void> => {
  world.simulator.fault(name, FAULT);
  for (let i = 0; i < OUTAGE_AFTER; i++) await ask(container(name));
};

describe.each(PROVIDERS)('%s', (name) => {
  const requests = (): number => world.simulator.books.requests(name);

  test('down: ten new containers call it five times in all, then one of them every 30 seconds', async () => {
    world.simulator.fault(name, FAULT);
    for (let i = 0; i < 10; i++) expect(await ask(container(name))).not.toBe('answered');
    expect(requests()).toBe(OUTAGE_AFTER);
    for (let rest = 1; rest <= 3; rest++) {
      world.clock.advance(PROBE_INTERVAL);
      expect(new Set(await askAll(containers(name, 10)))).not.toContain('answered');
      expect(requests()).toBe(OUTAGE_AFTER + rest);
    }
    expect([world.loggedTimes('provider_down'), world.loggedTimes('provider_up')]).toEqual([1, 0]);
  });

  test('up again: after the probe succeeds all calls are admitted, in other containers within five seconds', async () => {
    await takeDown(name);
    const waiting = containers(name, 5);
    expect(new Set(await askAll(waiting))).toEqual(new Set(['ProviderUnavailable']));
    world.simulator.fault(name, null);
    world.clock.advance(PROBE_INTERVAL - 1);
    expect(await ask(container(name))).toBe('ProviderUnavailable');
    world.clock.advance(1);
    expect(await ask(container(name))).toBe('answered');
    expect(await askAll(containers(name, 5))).toEqual(Array(5).fill('answered'));
    world.clock.advance(5 * SECOND);
    expect(await askAll(waiting)).toEqual(Array(5).fill('answered'));
    expect([world.loggedTimes('provider_down'), world.loggedTimes('provider_up')]).toEqual([1, 1]);
  });
});

describe.each(PROVIDERS)('%s, which opens accounts slowly', (name) => {
  const SLOW = 500;
  const create = (until: number): Promise<string> => {
    const wanted = { amount: kobo.parse(ASKED), accountName: 'Ada Stores Limited', payerName: 'Chidi Eze' };
    const forWhom = { reference: 'PAY-7H2KQ9XW4M1ZB8T5RC3N', payerEmail: 'chidi.eze@example.com' };
    const times = { expiresAt: world.clock.now() + HOUR, until };
    return container(name)
      .createPaymentAccount({ ...wanted, ...forWhom, ...times })
      .then(
        () => 'opened',
        (error: Error) => error.name,
      );
  };

  test('creations that nobody waits for any more are cut, count once each, and five of them suspend it', async () => {
    world.simulator.fault(name, { kind: 'slow', ms: SLOW });
    for (let times = 1; times < OUTAGE_AFTER; times++) expect(await create(world.clock.now() + 1)).not.toBe('opened');
    await world.deps.wait(2 * SLOW);
    expect(await rows()).toMatchObject([{ calls: 'creations', failures: OUTAGE_AFTER - 1, suspendedUntil: null }]);
    expect(await create(world.clock.now() + 1)).not.toBe('opened');
    expect(world.loggedTimes('provider_down')).toBe(1);
  });

  test('a creation whose time is over before its turn is not sent, and counts nothing', async () => {
    expect(await create(world.clock.now())).toBe('ProviderUnavailable');
    expect([world.simulator.books.requests(name), await rows()]).toEqual([0, []]);
  });
});

test('twenty containers that fail at once suspend the provider once, and the others see it', async () => {
  world.simulator.fault('korapay', FAULT);
  await askAll(containers('korapay', 20));
  expect(world.loggedTimes('provider_down')).toBe(1);
  const before = world.simulator.books.requests('korapay');
  await askAll(containers('korapay', 20));
  expect(world.simulator.books.requests('korapay')).toBe(before);
  // Only korapay is down.
  expect(await ask(container('paystack'))).toBe('answered');
});

describe('containers that the provider has just answered', () => {
  const ROUNDS = 6;
  const gone = (times: number) => world.simulator.fault('korapay', { ...FAULT, times });
  const requests = (): number => world.simulator.books.requests('korapay');

  test('fifty with a call each, five of which fail before each round’s first answer: every call is admitted', async () => {
    const lasting = containers('korapay', 50);
    await askAll(lasting);
    for (let round = 0; round < ROUNDS; round++) {
      gone(OUTAGE_AFTER);
      const unlucky = lasting.splice(0, OUTAGE_AFTER);
      expect(await askAll(unlucky)).toEqual(Array(5).fill('OutcomeUnknown'));
      expect(await askAll(lasting)).toEqual(Array(45).fill('answered'));
      lasting.push(...unlucky);
      world.clock.advance(SECOND);
    }
    expect(await rows()).toEqual([]);
  });

  test('two in turn, with every tenth call failing: every call is admitted, and nothing is written', async () => {
    const lasting = containers('korapay', 2);
    await askAll(lasting);
    for (let call = 0; call < 60; call++) {
      const isBad = call % 10 === 9;
      if (isBad) gone(1);
      const [asked] = lasting.splice(0, 1);
      if (!asked) throw new Error('There are two.');
      lasting.push(asked);
      expect(await ask(asked)).toBe(isBad ? 'OutcomeUnknown' : 'answered');
      world.clock.advance(SECOND);
    }
    expect(await rows()).toEqual([]);
  });

  test('two with every call failing: from the third on failures count, and five of them suspend the provider', async () => {
    const lasting = containers('korapay', 2);
    await askAll(lasting);
    world.simulator.fault('korapay', FAULT);
    const before = requests();
    for (let round = 0; round < ROUNDS; round++) await askAll(lasting);
    // Twice two that do not count, five that do, and one concurrent with the fifth.
    expect(requests() - before).toBe(10);
    expect([world.loggedTimes('provider_down'), await ask(container('korapay'))]).toEqual([1, 'ProviderUnavailable']);
  });

  test('one whose last answer is more than a minute old: its fifth failure suspends the provider', async () => {
    const lasting = container('korapay');
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
  // This one never reports its result.
  const dead = ask(container('korapay'));
  while (world.simulator.books.requests('korapay') === before) await new Promise((resolve) => setImmediate(resolve));
  world.clock.advance(PROBE_INTERVAL - 1);
  expect(await ask(container('korapay'))).toBe('ProviderUnavailable');
  world.clock.advance(1);
  expect(await ask(container('korapay'))).toBe('answered');
  expect(await Promise.race([dead, Promise.resolve('dead')])).toBe('dead');
});

test('a healthy provider causes no writes, and single failures do not add up to an outage', async () => {
  for (const name of PROVIDERS) await merchant.checkout(name);
  expect(await rows()).toEqual([]);
  for (let i = 0; i < 3 * OUTAGE_AFTER; i++) {
    world.simulator.fault('korapay', { ...FAULT, times: 1 });
    expect(await ask(container('korapay'))).toBe('OutcomeUnknown');
    expect(await ask(container('korapay'))).toBe('answered');
  }
  expect(await rows()).toMatchObject([{ provider: 'korapay', failures: 0, suspendedUntil: null }]);
});

describe('the breaker is read concurrently with the writes before a call', () => {
  /** A world whose table answers no other call until the breaker has been requested. */
  const asked = () => {
    const { open, opened } = gate();
    const { providerBreakers, checkoutIntents, accountIntents } = world.deps;
    const find: ProviderBreakerStore['find'] = (...of) => {
      open();
      return providerBreakers.find(...of);
    };
    const afterAsked = <S extends { begin: (...given: never[]) => Promise<unknown> }>(store: S): S => ({
      ...store,
      begin: async (...given: Parameters<S['begin']>) => {
        await opened;
        return store.begin(...given);
      },
    });
    const live = providersWith(world, world.settings, undefined, { ...providerBreakers, find });
    return {
      ...live,
      checkoutIntents: afterAsked(checkoutIntents),
      accountIntents: afterAsked(accountIntents),
    };
  };

  test('when accounts are opened', async () => {
    const customer = { ...newCustomerFields(), provider: 'paystack' };
    expect((await merchant.apiWith(asked()).createAccounts(customer)).status).toBe(201);
    const order = { amount: 8_500, payer_email: 'chidi.eze@example.com', provider: 'korapay' };
    expect((await merchant.apiWith(asked()).initialize(order)).status).toBe(201);
  });
});

describe('a table that', () => {
  test('does not return the breaker: calls are admitted', async () => {
    await takeDown('paystack');
    world.simulator.fault('paystack', null);
    const proxy = await startFaultProxy(process.env.AWS_ENDPOINT_URL_DYNAMODB ?? '');
    proxy.inject((operation) => (operation === 'GetItem' ? 'hang' : undefined));
    const breakers = providerBreakerStore(tableAt(world.table.name, proxy.endpoint));
    expect(await ask(container('paystack', breakers))).toBe('answered');
    await proxy.stop();
  });

  test('does not store a failure: the call fails as before, and it is logged', async () => {
    world.simulator.fault('paystack', FAULT);
    const proxy = await startFaultProxy(process.env.AWS_ENDPOINT_URL_DYNAMODB ?? '');
    const body = { __type: 'com.amazon.coral.service#AccessDeniedException', Message: 'may not PutItem' };
    proxy.inject((operation) => (operation === 'PutItem' ? { status: 400, body } : undefined));
    const breakers = providerBreakerStore(tableAt(world.table.name, proxy.endpoint), 20_000);
    expect(await ask(container('paystack', breakers))).toBe('OutcomeUnknown');
    expect(world.logged).toContainEqual(expect.objectContaining({ event: 'provider_breaker_not_saved' }));
    await proxy.stop();
  });
});

test('a request is refused at once while a provider is down, and nothing is stored', async () => {
  world.simulator.fault('monnify', FAULT);
  // A container that had no answer yet counts each failure.
  for (let i = 0; i < OUTAGE_AFTER; i++) await merchant.askForAccount('monnify');
  const before = world.simulator.books.requests('monnify');
  const { status, json } = await merchant.askForAccount('monnify');
  expect([status, json.errors[0].message]).toEqual([422, 'monnify cannot be reached at the moment. Try again later.']);
  expect(world.simulator.books.requests('monnify')).toBe(before);
});
