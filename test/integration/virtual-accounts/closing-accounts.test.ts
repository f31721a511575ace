import { HOUR, MINUTE, SECOND } from '#shared/domain/kernel/time.ts';
import { ProviderRefusal } from '#shared/domain/providers/errors.ts';
import { longTest } from '#test/support/jest/long.ts';
import { sweepDueWork } from '#test/support/worlds/functions.ts';
import {
  apiWith,
  type Business,
  breakOpening,
  changedProviders,
  gate,
  type LiveApi,
  providersWith,
  untilReached,
} from '#test/support/worlds/live-faults.ts';
import {
  announcedEvents,
  LIST,
  loggedTimes,
  measuredSum,
  newCustomer,
  unmatched,
} from '#test/support/worlds/live-steps.ts';
import { type LiveWorld, makeLiveWorld } from '#test/support/worlds/live-world.ts';
import { describeAtProviders } from '#test/support/worlds/provider-scenes.ts';

/* Accounts that are deactivated before we know whether the provider has issued them. */

let world: LiveWorld;
let business: Business;
let api: LiveApi;
beforeEach(async () => {
  world = await makeLiveWorld();
  business = await world.addBusiness(['http://127.0.0.1:9/unused'], 'live');
  api = world.live(business);
});
afterEach(() => world.stop());

type Deps = LiveWorld['deps'];
const sweep = (deps: Deps = world.deps): Promise<void> => sweepDueWork(deps, world.clock.now() + 30 * SECOND);
const sweepAfter = async (milliseconds: number, deps?: Deps): Promise<void> => {
  world.clock.advance(milliseconds);
  await sweep(deps);
};
const accountAtTwin = () => world.twin.books.accounts()[0];
const account = async (id: string) => (await api.getAccount(id)).json.data;
const isDue = async (): Promise<boolean> => (await world.itemsOf('VA')).some(({ gsi2pk }) => gsi2pk !== undefined);

/** Dependencies that count the calls that close an account. */
const countClosings = () => {
  let calls = 0;
  const providers = changedProviders(world, (issuer) => ({
    closeAccount: (...given) => {
      calls += 1;
      return issuer.closeAccount(...given);
    },
  }));
  return { deps: { ...world.deps, ...providers }, calls: () => calls };
};

describeAtProviders('an account at %s that was deactivated while pending', (provider) => {
  const isClosable = provider !== 'korapay';

  /** Creates an account that stays pending, and deactivates it; returns its id. */
  const deactivated = async (fault: Parameters<typeof breakOpening>[3] = { kind: 'lost_answer' }): Promise<string> => {
    const { name, email, phone, digits } = newCustomer();
    const customer = { customer_name: name, customer_email: email, customer_phone: phone, bvn: digits, nin: digits };
    breakOpening(world, provider, 'accounts', fault);
    expect((await api.createAccounts({ ...customer, provider })).status).toBe(422);
    const [pending] = (await api.listAccounts()).json.data;
    expect(pending.status).toBe('pending');
    const answer = await api.deleteAccount(pending.id);
    expect(answer).toMatchObject({ status: 200, json: { data: { status: 'inactive', account_number: null } } });
    return pending.id;
  };

  test('is closed once, without an event, if it was issued after all, and money on it lands', async () => {
    const id = await deactivated();
    const { number = '' } = accountAtTwin() ?? {};
    const early = await world.twin.pay({ provider, accountNumber: number, amount: 125_050 });
    await world.twin.settled();
    const { deps, calls } = countClosings();
    await sweepAfter(10 * SECOND, deps);
    expect(accountAtTwin()?.open).toBe(!isClosable);
    expect(await account(id)).toMatchObject({ status: 'inactive', account_number: number });
    await sweepAfter(HOUR, deps);
    expect([calls(), await isDue()]).toEqual([1, false]);

    // Korapay closes no accounts, so it takes more money later.
    if (!isClosable) await world.twin.pay({ provider, accountNumber: number, amount: 640_000 });
    await world.twin.resend(early.transferId);
    await world.twin.settled();
    const received = (amount: number) => ({
      type: 'virtual_account.payment_received',
      data: { payment: { amount }, virtual_account: { id, status: 'inactive' } },
    });
    expect(await announcedEvents(world)).toMatchObject(
      isClosable ? [received(1_250.5)] : [received(1_250.5), received(6_400)],
    );
    expect(await unmatched(world)).toEqual([]);
  });

  test('is looked up for half an hour if it was never issued, and then no more', async () => {
    const id = await deactivated({ kind: 'gateway_fault', status: 502 });
    await sweepAfter(10 * SECOND);
    expect(await isDue()).toBe(true);
    await sweepAfter(30 * MINUTE);
    expect([await isDue(), await announcedEvents(world)]).toEqual([false, []]);
    expect(await account(id)).toMatchObject({ status: 'inactive', account_number: null });
    expect(world.twin.books.accounts()).toEqual([]);
  });

  test('stays due and counts as a failure while the provider is down or not enabled, and is closed afterwards', async () => {
    const id = await deactivated();
    world.twin.fault(provider, { kind: 'gateway_fault', status: 503 });
    await sweepAfter(10 * SECOND);
    world.twin.fault(provider, null);
    const { [provider]: _, ...others } = world.settings;
    const failuresBefore = measuredSum(world, 'provider_failures');
    await sweepAfter(HOUR, { ...world.deps, ...providersWith(world, others) });
    expect(measuredSum(world, 'provider_failures')).toBeGreaterThan(failuresBefore);
    expect([await isDue(), accountAtTwin()?.open]).toEqual([true, true]);
    await sweepAfter(HOUR);
    expect([await isDue(), accountAtTwin()?.open]).toEqual([false, !isClosable]);
    expect(await account(id)).toMatchObject({ account_number: accountAtTwin()?.number });
  });

  // Closing works the same at all providers, so the other tests skip Paystack, except how its payments are matched.
  if (provider === 'paystack') {
    // Paystack's payments are matched by account number alone, which is not known before.
    test('has its money matched by the next sweeper when one dies before it does so', async () => {
      const id = await deactivated();
      await world.twin.pay({ provider, accountNumber: accountAtTwin()?.number ?? '', amount: 125_050 });
      await world.twin.settled();
      // Reconciliation must not land it instead.
      world.twin.fault(provider, { kind: 'server_fault', path: LIST[provider] });
      const { open: die, opened: dead } = gate();
      const newest = (): Promise<never> => {
        die();
        return new Promise<never>(() => {});
      };
      world.clock.advance(10 * SECOND);
      await untilReached(dead, sweep({ ...world.deps, unmatched: { ...world.deps.unmatched, newest } }));
      expect(await unmatched(world)).toHaveLength(1);
      // Less than the minute after which unmatched money is matched again in any case.
      await sweepAfter(20 * SECOND);
      expect(await unmatched(world)).toEqual([]);
      expect(await announcedEvents(world)).toMatchObject([
        { data: { payment: { amount: 1_250.5 }, virtual_account: { id } } },
      ]);
    });
    return;
  }

  test.each(['before it is written down', 'before it is closed', 'after it was closed'] as const)(
    'is closed by the next sweeper when one dies %s',
    async (point) => {
      await deactivated();
      const { open: die, opened: dead } = gate();
      const never = (): Promise<never> => {
        die();
        return new Promise<never>(() => {});
      };
      const { deps, calls } = countClosings();
      let records = 0;
      const record: Deps['ledger']['record'] = (entry) => {
        records += 1;
        const isLast = point === 'before it is written down' ? records === 1 : records === 2;
        return isLast && point !== 'before it is closed' ? never() : deps.ledger.record(entry);
      };
      const dying = { ...deps, ledger: { ...deps.ledger, record } };
      const unclosed = changedProviders(world, () => ({ closeAccount: never }));
      world.clock.advance(10 * SECOND);
      await untilReached(dead, sweep(point === 'before it is closed' ? { ...dying, ...unclosed } : dying));
      await sweepAfter(HOUR, deps);
      expect([await isDue(), accountAtTwin()?.open]).toEqual([false, !isClosable]);
      // A sweeper that died after closing left no record, so the next closes again, which changes nothing.
      expect(calls()).toBe(point === 'after it was closed' ? 2 : 1);
      expect(await announcedEvents(world)).toEqual([]);
    },
  );

  longTest.each([
    ['findAccount', [1, 2, 4, 8, 16, 32, 64]],
    // Tries end after 72 hours and are at most half an hour apart.
    ['closeAccount', [1, 2, 4, 8, 16, 32, 62, 92]],
  ] as const)(
    'is retried with backoff while the provider refuses %s, and each refusal is counted',
    async (call, minutes) => {
      await deactivated();
      const askedAt: number[] = [];
      const refusing = changedProviders(world, () => ({
        [call]: async () => {
          askedAt.push(world.clock.now());
          throw new ProviderRefusal('The provider refuses it.');
        },
      }));
      const [before, failures] = [world.clock.now(), measuredSum(world, 'provider_failures')];
      for (let minute = 0; minute < 120; minute += 1) await sweepAfter(MINUTE, { ...world.deps, ...refusing });
      expect(askedAt.map((at) => (at - before) / MINUTE)).toEqual(minutes);
      expect(measuredSum(world, 'provider_failures') - failures).toBe(askedAt.length);
      await sweepAfter(2 * HOUR);
      expect([await isDue(), accountAtTwin()?.open]).toEqual([false, !isClosable]);
    },
  );

  test('is given up with an alert when the provider refuses to close it for 72 hours, and money on it still lands', async () => {
    const id = await deactivated();
    const { number = '' } = accountAtTwin() ?? {};
    const refusing = {
      ...world.deps,
      ...changedProviders(world, () => ({
        closeAccount: async () => {
          throw new ProviderRefusal('The provider refuses it.');
        },
      })),
    };
    const failures = measuredSum(world, 'provider_failures');
    await sweepAfter(71 * HOUR, refusing);
    expect([await isDue(), loggedTimes(world, 'closing_given_up')]).toEqual([true, 0]);
    await sweepAfter(HOUR, refusing);
    expect([await isDue(), loggedTimes(world, 'closing_given_up')]).toEqual([false, 1]);
    expect(measuredSum(world, 'provider_failures') - failures).toBe(2);
    expect(measuredSum(world, 'closings_given_up')).toBe(1);
    await world.twin.pay({ provider, accountNumber: number, amount: 640_000 });
    await world.twin.settled();
    expect(await announcedEvents(world)).toMatchObject([
      { data: { payment: { amount: 6_400 }, virtual_account: { id } } },
    ]);
  });

  test('is closed once by three sweepers at once', async () => {
    await deactivated();
    const { deps, calls } = countClosings();
    world.clock.advance(10 * SECOND);
    await Promise.all([sweep(deps), sweep(deps), sweep(deps)]);
    await sweepAfter(HOUR, deps);
    expect([calls(), await isDue(), accountAtTwin()?.open]).toEqual([1, false, !isClosable]);
  });
});

test('an account that is deactivated while the sweeper finds it is closed at the provider, whichever writes first', async () => {
  for (const isSweeperFirst of [true, false]) {
    const { name, email, phone } = newCustomer();
    breakOpening(world, 'paystack', 'accounts', { kind: 'lost_answer' });
    const wanted = { customer_name: name, customer_email: email, customer_phone: phone, provider: 'paystack' };
    await api.createAccounts(wanted);
    const [{ id }] = (await api.listAccounts()).json.data;
    // Both have read the account as pending before either writes.
    const [read, written] = [gate(), gate()];
    const ledger: Deps['ledger'] = {
      ...world.deps.ledger,
      record: async (entry) => {
        read.open();
        await written.opened;
        return world.deps.ledger.record(entry);
      },
    };
    const slow = { ledger };
    world.clock.advance(10 * SECOND);
    const second = isSweeperFirst
      ? apiWith(world, business, slow).deleteAccount(id)
      : sweepDueWork({ ...world.deps, ...slow }, world.clock.now() + 30 * SECOND);
    await untilReached(read.opened, second);
    await (isSweeperFirst ? sweep() : api.deleteAccount(id));
    written.open();
    await second;
    await sweepAfter(HOUR);
    expect(await account(id)).toMatchObject({ status: 'inactive', account_number: expect.any(String) });
    expect(world.twin.books.accounts().filter(({ open }) => open)).toEqual([]);
  }
});
