import { HOUR, MINUTE, SECOND } from '#shared/domain/kernel/time.ts';
import { ProviderRefusal } from '#shared/domain/providers/errors.ts';
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
  PROVIDERS,
  unmatched,
} from '#test/support/worlds/live-steps.ts';
import { type LiveWorld, makeLiveWorld } from '#test/support/worlds/live-world.ts';

/* Accounts that are deactivated before anybody knows whether the provider has issued them. */

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
const later = async (milliseconds: number, deps?: Deps): Promise<void> => {
  world.clock.advance(milliseconds);
  await sweep(deps);
};
const atTwin = () => world.twin.books.accounts()[0];
const account = async (id: string) => (await api.getAccount(id)).json.data;
const isDue = async (): Promise<boolean> => (await world.itemsOf('VA')).some(({ gsi2pk }) => gsi2pk !== undefined);

/** A world whose closing calls are counted. */
const counting = () => {
  let calls = 0;
  const providers = changedProviders(world, (issuer) => ({
    closeAccount: (...given) => {
      calls += 1;
      return issuer.closeAccount(...given);
    },
  }));
  return { deps: { ...world.deps, ...providers }, calls: () => calls };
};

describe.each(PROVIDERS)('at %s', (provider) => {
  const isClosable = provider !== 'korapay';

  /** An account that is pending, and was deactivated. */
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

  test('what was issued after all is closed once, without a word, and money on it has an owner', async () => {
    const id = await deactivated();
    const { number = '' } = atTwin() ?? {};
    const early = await world.twin.pay({ provider, accountNumber: number, amount: 125_050 });
    await world.twin.settled();
    const { deps, calls } = counting();
    await later(10 * SECOND, deps);
    expect(atTwin()?.open).toBe(!isClosable);
    expect(await account(id)).toMatchObject({ status: 'inactive', account_number: number });
    await later(HOUR, deps);
    expect([calls(), await isDue()]).toEqual([1, false]);

    // What came before it was closed, and what a provider that closes nothing takes in later.
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

  test('what was never issued is asked for during half an hour, and then left alone', async () => {
    const id = await deactivated({ kind: 'gateway_fault', status: 502 });
    await later(10 * SECOND);
    expect(await isDue()).toBe(true);
    await later(30 * MINUTE);
    expect([await isDue(), await announcedEvents(world)]).toEqual([false, []]);
    expect(await account(id)).toMatchObject({ status: 'inactive', account_number: null });
    expect(world.twin.books.accounts()).toEqual([]);
  });

  test('while the provider is away, or not enabled, it stays due and is seen; then it is closed', async () => {
    const id = await deactivated();
    world.twin.fault(provider, { kind: 'gateway_fault', status: 503 });
    await later(10 * SECOND);
    world.twin.fault(provider, null);
    const { [provider]: _, ...others } = world.settings;
    const away = measuredSum(world, 'provider_failures');
    await later(HOUR, { ...world.deps, ...providersWith(world, others) });
    expect(measuredSum(world, 'provider_failures')).toBeGreaterThan(away);
    expect([await isDue(), atTwin()?.open]).toEqual([true, true]);
    await later(HOUR);
    expect([await isDue(), atTwin()?.open]).toEqual([false, !isClosable]);
    expect(await account(id)).toMatchObject({ account_number: atTwin()?.number });
  });

  // What closes is one for all: that a provider cannot is the only difference, and what a payment is recognised by.
  if (provider === 'paystack') {
    // By the account's number alone, which is not known before.
    test('a sweeper that dies before it has matched the money on it: the next one does', async () => {
      const id = await deactivated();
      await world.twin.pay({ provider, accountNumber: atTwin()?.number ?? '', amount: 125_050 });
      await world.twin.settled();
      // Reconciliation would land it as well.
      world.twin.fault(provider, { kind: 'server_fault', path: LIST[provider] });
      const { open: die, opened: dead } = gate();
      const newest = (): Promise<never> => {
        die();
        return new Promise<never>(() => {});
      };
      world.clock.advance(10 * SECOND);
      await untilReached(dead, sweep({ ...world.deps, unmatched: { ...world.deps.unmatched, newest } }));
      expect(await unmatched(world)).toHaveLength(1);
      // Less than the minute after which unmatched money is due by itself.
      await later(20 * SECOND);
      expect(await unmatched(world)).toEqual([]);
      expect(await announcedEvents(world)).toMatchObject([
        { data: { payment: { amount: 1_250.5 }, virtual_account: { id } } },
      ]);
    });
    return;
  }

  test.each(['before it is written down', 'before it is closed', 'after it was closed'] as const)(
    'a sweeper that dies %s: the next one makes good',
    async (point) => {
      await deactivated();
      const { open: die, opened: dead } = gate();
      const never = (): Promise<never> => {
        die();
        return new Promise<never>(() => {});
      };
      const { deps, calls } = counting();
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
      await later(HOUR, deps);
      expect([await isDue(), atTwin()?.open]).toEqual([false, !isClosable]);
      // Whoever dies just after it closed the account cannot tell; closing it again does nothing.
      expect(calls()).toBe(point === 'after it was closed' ? 2 : 1);
      expect(await announcedEvents(world)).toEqual([]);
    },
  );

  test.each([
    ['findAccount', [1, 2, 4, 8, 16, 32, 64]],
    // Over after 72 hours: at most half an hour apart.
    ['closeAccount', [1, 2, 4, 8, 16, 32, 62, 92]],
  ] as const)('a provider that refuses %s is asked at growing gaps, and each no is counted', async (call, minutes) => {
    await deactivated();
    const askedAt: number[] = [];
    const refusing = changedProviders(world, () => ({
      [call]: async () => {
        askedAt.push(world.clock.now());
        throw new ProviderRefusal('The provider refuses it.');
      },
    }));
    const [before, failures] = [world.clock.now(), measuredSum(world, 'provider_failures')];
    for (let minute = 0; minute < 120; minute += 1) await later(MINUTE, { ...world.deps, ...refusing });
    expect(askedAt.map((at) => (at - before) / MINUTE)).toEqual(minutes);
    expect(measuredSum(world, 'provider_failures') - failures).toBe(askedAt.length);
    await later(2 * HOUR);
    expect([await isDue(), atTwin()?.open]).toEqual([false, !isClosable]);
  });

  test('a provider that has refused for 72 hours to close it is left to people; money on it still has an owner', async () => {
    const id = await deactivated();
    const { number = '' } = atTwin() ?? {};
    const refusing = {
      ...world.deps,
      ...changedProviders(world, () => ({
        closeAccount: async () => {
          throw new ProviderRefusal('The provider refuses it.');
        },
      })),
    };
    const failures = measuredSum(world, 'provider_failures');
    await later(71 * HOUR, refusing);
    expect([await isDue(), loggedTimes(world, 'closing_given_up')]).toEqual([true, 0]);
    await later(HOUR, refusing);
    expect([await isDue(), loggedTimes(world, 'closing_given_up')]).toEqual([false, 1]);
    expect(measuredSum(world, 'provider_failures') - failures).toBe(2);
    expect(measuredSum(world, 'closings_given_up')).toBe(1);
    await world.twin.pay({ provider, accountNumber: number, amount: 640_000 });
    await world.twin.settled();
    expect(await announcedEvents(world)).toMatchObject([
      { data: { payment: { amount: 6_400 }, virtual_account: { id } } },
    ]);
  });

  test('three sweepers at once close it once', async () => {
    await deactivated();
    const { deps, calls } = counting();
    world.clock.advance(10 * SECOND);
    await Promise.all([sweep(deps), sweep(deps), sweep(deps)]);
    await later(HOUR, deps);
    expect([calls(), await isDue(), atTwin()?.open]).toEqual([1, false, !isClosable]);
  });
});

test('a deactivation while the sweeper finds the account: closed at the provider, whoever is first', async () => {
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
    await later(HOUR);
    expect(await account(id)).toMatchObject({ status: 'inactive', account_number: expect.any(String) });
    expect(world.twin.books.accounts().filter(({ open }) => open)).toEqual([]);
  }
});
