import { HOUR, MINUTE, SECOND } from '#shared/platform/kernel/time.ts';
import { ProviderError } from '#shared/providers/domain/errors.ts';
import {
  breakOpening,
  changeProviders,
  createDeath,
  createHoldingPoint,
  type LiveApi,
  makeProvidersWith,
  untilReached,
} from '#test/support/worlds/live-faults.ts';
import { merchant, openWorldForEachTest, world } from '#test/support/worlds/live-merchant.ts';
import type { LiveWorld } from '#test/support/worlds/live-world.ts';
import { LIST } from '#test/support/worlds/provider-calls.ts';
import { describeAtProviders, longTestOnceAt } from '#test/support/worlds/provider-scenes.ts';

/* Tests accounts that are deactivated before we know whether the provider has issued them. */

openWorldForEachTest();
let api: LiveApi;
beforeEach(() => {
  ({ api } = merchant);
});

type Deps = LiveWorld['deps'];
const accountAtSimulator = () => world.simulator.books.accounts()[0];
const account = async (id: string) => (await api.getAccount(id)).json.data;
const isDue = async (): Promise<boolean> => (await world.itemsOf('VA')).some(({ gsi2pk }) => gsi2pk !== undefined);

/** Dependencies that count the calls that close an account. */
const countClosings = () => {
  let calls = 0;
  const providers = changeProviders(world, (issuer) => ({
    closeAccount: (...args) => {
      calls += 1;
      return issuer.closeAccount(...args);
    },
  }));
  return { ...providers, calls: () => calls };
};

describeAtProviders('an account at %s that was deactivated while pending', (provider) => {
  const longTestOnce = longTestOnceAt(provider);
  const isClosable = provider !== 'korapay';

  /** Creates an account that stays pending, and deactivates it; returns its id. */
  const createDeactivated = async (
    fault: Parameters<typeof breakOpening>[3] = { kind: 'lost_answer' },
  ): Promise<string> => {
    breakOpening(world, provider, 'accounts', fault);
    expect((await merchant.askForAccount(provider)).status).toBe(422);
    const [pending] = await merchant.listedAccounts();
    expect(pending.status).toBe('pending');
    const answer = await api.deleteAccount(pending.id);
    expect(answer).toMatchObject({ status: 200, json: { data: { status: 'inactive', account_number: null } } });
    return pending.id;
  };

  test('closes once without an event if the provider issued it, and money on it lands', async () => {
    const id = await createDeactivated();
    const { number = '' } = accountAtSimulator() ?? {};
    const early = await world.pay(provider, number, 125_050);
    const { providers, calls } = countClosings();
    await world.sweepAfter(10 * SECOND, { providers });
    expect(accountAtSimulator()?.open).toBe(!isClosable);
    expect(await account(id)).toMatchObject({ status: 'inactive', account_number: number });
    await world.sweepAfter(HOUR, { providers });
    expect([calls(), await isDue()]).toEqual([1, false]);

    // Korapay closes no accounts, so it takes more money later.
    if (!isClosable) await world.simulator.pay({ provider, accountNumber: number, amount: 640_000 });
    await world.simulator.resend(early.transferId);
    await world.simulator.settled();
    const received = (amount: number) => ({
      type: 'virtual_account.payment_received',
      data: { payment: { amount }, virtual_account: { id, status: 'inactive' } },
    });
    expect(await world.events()).toMatchObject(isClosable ? [received(1_250.5)] : [received(1_250.5), received(6_400)]);
    expect(await world.unmatched()).toEqual([]);
  });

  test('causes look-ups for half an hour if it was never issued', async () => {
    const id = await createDeactivated({ kind: 'gateway_fault', status: 502 });
    await world.sweepAfter(10 * SECOND);
    expect(await isDue()).toBe(true);
    await world.sweepAfter(30 * MINUTE);
    expect([await isDue(), await world.events()]).toEqual([false, []]);
    expect(await account(id)).toMatchObject({ status: 'inactive', account_number: null });
    expect(world.simulator.books.accounts()).toEqual([]);
  });

  test('stays due and counts as a failure while the provider is down or not enabled, and is closed afterwards', async () => {
    const id = await createDeactivated();
    world.simulator.fault(provider, { kind: 'gateway_fault', status: 503 });
    await world.sweepAfter(10 * SECOND);
    world.simulator.fault(provider, null);
    const { [provider]: _, ...others } = world.settings;
    const failuresBefore = world.measuredSum('provider_failures');
    await world.sweepAfter(HOUR, makeProvidersWith(world, others));
    expect(world.measuredSum('provider_failures')).toBeGreaterThan(failuresBefore);
    expect([await isDue(), accountAtSimulator()?.open]).toEqual([true, true]);
    await world.sweepAfter(HOUR);
    expect([await isDue(), accountAtSimulator()?.open]).toEqual([false, !isClosable]);
    expect(await account(id)).toMatchObject({ account_number: accountAtSimulator()?.number });
  });

  // Closing works the same at all providers, so Paystack needs only the test of how its payments are matched.
  if (provider === 'paystack') {
    // Paystack's payments are matched only by account number, which is unknown until the sweeper finds the account.
    test('has its money matched by the next sweeper if one dies before it matches the money', async () => {
      const id = await createDeactivated();
      await world.pay(provider, accountAtSimulator()?.number ?? '', 125_050);
      // Reconciliation must not land it instead.
      world.simulator.fault(provider, { kind: 'server_fault', path: LIST[provider] });
      const { die, dead } = createDeath();
      const unmatched = { ...world.deps.unmatched, newest: die };
      await untilReached(dead, world.sweepAfter(10 * SECOND, { unmatched }));
      expect(await world.unmatched()).toHaveLength(1);
      // Advance by less than a minute: after a minute unmatched money is matched again in any case.
      await world.sweepAfter(20 * SECOND);
      expect(await world.unmatched()).toEqual([]);
      expect(await world.events()).toMatchObject([{ data: { payment: { amount: 1_250.5 }, virtual_account: { id } } }]);
    });
    return;
  }

  test.each(['before it is recorded', 'before it is closed', 'after it was closed'] as const)(
    'gets closed by the next sweeper if one dies %s',
    async (point) => {
      await createDeactivated();
      const { die, dead } = createDeath();
      const { providers, calls } = countClosings();
      let records = 0;
      const record: Deps['ledger']['record'] = (entry) => {
        records += 1;
        const isLast = records === (point === 'before it is recorded' ? 1 : 2);
        return isLast && point !== 'before it is closed' ? die() : world.deps.ledger.record(entry);
      };
      const unclosed = point === 'before it is closed' ? changeProviders(world, () => ({ closeAccount: die })) : {};
      const dying = { providers, ledger: { ...world.deps.ledger, record }, ...unclosed };
      await untilReached(dead, world.sweepAfter(10 * SECOND, dying));
      await world.sweepAfter(HOUR, { providers });
      expect([await isDue(), accountAtSimulator()?.open]).toEqual([false, !isClosable]);
      // A sweeper that died after closing left no record, so the next closes again, which changes nothing.
      expect(calls()).toBe(point === 'after it was closed' ? 2 : 1);
      expect(await world.events()).toEqual([]);
    },
  );

  for (const [call, minutes] of [
    ['findAccount', [1, 2, 4, 8, 16, 32, 64]],
    // Retries end after 72 hours and are at most half an hour apart.
    ['closeAccount', [1, 2, 4, 8, 16, 32, 62, 92]],
  ] as const) {
    longTestOnce(
      `causes retries with backoff while the provider rejects ${call}, and each rejection is counted`,
      async () => {
        await createDeactivated();
        const askedAt: number[] = [];
        const refusing = changeProviders(world, () => ({
          [call]: async () => {
            askedAt.push(world.clock.now());
            throw new ProviderError('The provider rejects it.');
          },
        }));
        const [before, failures] = [world.clock.now(), world.measuredSum('provider_failures')];
        for (let minute = 0; minute < 120; minute += 1) await world.sweepAfter(MINUTE, refusing);
        expect(askedAt.map((at) => (at - before) / MINUTE)).toEqual(minutes);
        expect(world.measuredSum('provider_failures') - failures).toBe(askedAt.length);
        await world.sweepAfter(2 * HOUR);
        expect([await isDue(), accountAtSimulator()?.open]).toEqual([false, !isClosable]);
      },
    );
  }

  test('stays open with an alert if the provider rejects the closing for 72 hours, and money on it still lands', async () => {
    const id = await createDeactivated();
    const { number = '' } = accountAtSimulator() ?? {};
    const refuse = () => Promise.reject(new ProviderError('The provider rejects it.'));
    const refusing = changeProviders(world, () => ({ closeAccount: refuse }));
    const failures = world.measuredSum('provider_failures');
    await world.sweepAfter(71 * HOUR, refusing);
    expect([await isDue(), world.loggedTimes('closing_given_up')]).toEqual([true, 0]);
    await world.sweepAfter(HOUR, refusing);
    expect([await isDue(), world.loggedTimes('closing_given_up')]).toEqual([false, 1]);
    expect(world.measuredSum('provider_failures') - failures).toBe(2);
    expect(world.measuredSum('closings_given_up')).toBe(1);
    await world.pay(provider, number, 640_000);
    expect(await world.events()).toMatchObject([{ data: { payment: { amount: 6_400 }, virtual_account: { id } } }]);
  });

  test('closes once under three simultaneous sweepers', async () => {
    await createDeactivated();
    const { providers, calls } = countClosings();
    world.clock.advance(10 * SECOND);
    await Promise.all(Array.from({ length: 3 }, () => world.sweep({ providers })));
    await world.sweepAfter(HOUR, { providers });
    expect([calls(), await isDue(), accountAtSimulator()?.open]).toEqual([1, false, !isClosable]);
  });
});

test('an account that is deactivated while the sweeper finds it is closed at the provider, whichever writes first', async () => {
  for (const isSweeperFirst of [true, false]) {
    breakOpening(world, 'paystack', 'accounts', { kind: 'lost_answer' });
    await merchant.askForAccount('paystack');
    const [{ id }] = await merchant.listedAccounts();
    // Both have read the account as pending before either writes.
    const written = createHoldingPoint();
    const writing: Pick<Deps, 'ledger' | 'transactions'> = {
      ledger: {
        ...world.deps.ledger,
        record: async (entry) => {
          await written.pass();
          return world.deps.ledger.record(entry);
        },
      },
      transactions: {
        commit: async (...transaction) => {
          await written.pass();
          return world.deps.transactions.commit(...transaction);
        },
      },
    };
    world.clock.advance(10 * SECOND);
    const second = isSweeperFirst ? merchant.apiWith(writing).deleteAccount(id) : world.sweep(writing);
    await untilReached(written.reached, second);
    await (isSweeperFirst ? world.sweep() : api.deleteAccount(id));
    written.release();
    await second;
    await world.sweepAfter(HOUR);
    expect(await account(id)).toMatchObject({ status: 'inactive', account_number: expect.any(String) });
    expect(world.simulator.books.accounts().filter(({ open }) => open)).toEqual([]);
  }
});
