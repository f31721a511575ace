import { MINUTE } from '#shared/platform/kernel/time.ts';
import { PROVIDERS } from '#shared/providers/domain/names.ts';
import { longTest } from '#test/support/jest/long.ts';
import { SEED } from '#test/support/jest/seed.ts';
import { createApiClient } from '#test/support/worlds/api-client.ts';
import { type KilledRequest, playKilledRequest, REPAIRS } from '#test/support/worlds/killed-requests.ts';
import { ASKED, merchant, newCustomerFields, openWorldForEachTest, world } from '#test/support/worlds/live-merchant.ts';
import { describeAtOneProvider } from '#test/support/worlds/provider-scenes.ts';

/*
 * Kills a process before or after each of its calls to the table, to the queue or to a provider. Tests every endpoint that honours an
 * Idempotency-Key and calls a provider in live mode.
 */

openWorldForEachTest();

const ORDER = { amount: ASKED / 100, payer_email: 'chidi.eze@example.com', payer_name: 'Chidi Eze' };
let orders = 0;
const newReference = (): string => {
  orders += 1;
  return `INV-2026-${orders}`;
};

const play = (request: KilledRequest): Promise<void> =>
  playKilledRequest(
    {
      world,
      clientOf: (process) => createApiClient(process, merchant.business.keys.secret_live),
      settle: async () => {
        await world.minutesPass(2, 2);
        await world.takeJobs();
      },
      outside: () => ({}),
    },
    request,
  );

describe.each(REPAIRS)('a killed process whose work the %s repairs:', (repair) => {
  /** Declares a long test under one of the repairs. The length of the test’s name and the seed of the run choose the repair. */
  const longTestOnce = (...[name, work]: Parameters<jest.It>): void => {
    if (REPAIRS[(name.length + Math.abs(SEED)) % REPAIRS.length] === repair) longTest(name, work);
  };

  describeAtOneProvider(`a live request with an Idempotency-Key, repaired by the ${repair}, at %s`, (provider) => {
    const opened = { repair, calls: ['provider', 'table'], uncounted: 'checkout.expired' } as const;

    longTestOnce('has one effect and one answer at initialize-checkout', () =>
      play({ ...opened, prepare: async () => (client, headers) => client.initialize({ ...ORDER, provider }, headers) }),
    );

    longTestOnce('takes a merchant reference over once at initialize-checkout', () =>
      play({
        ...opened,
        prepare: async () => {
          const order = { ...ORDER, provider, merchant_reference: newReference() };
          const { reference } = (await merchant.api.initialize(order)).json.data;
          await merchant.api.expire(reference);
          return (client, headers) => client.initialize(order, headers);
        },
      }),
    );

    longTestOnce('has one effect and one answer at expire-checkout', () =>
      play({
        repair,
        calls: ['provider', 'queue', 'table'],
        prepare: async () => {
          const { reference } = await merchant.checkout(provider);
          return (client, headers) => client.expire(reference, undefined, headers);
        },
      }),
    );

    longTestOnce('lands money once if expire-checkout finds it', () =>
      play({
        repair,
        calls: ['provider', 'queue', 'table'],
        prepare: async () => {
          world.simulator.notifyAt(provider, null);
          const { reference, accountNumber } = await merchant.checkout(provider);
          world.clock.advance(MINUTE);
          await world.pay(provider, accountNumber, ASKED);
          return (client, headers) => client.expire(reference, undefined, headers);
        },
      }),
    );

    const declareTest = repair === 'repeat' ? test : longTestOnce;
    declareTest('has one effect and one answer at post-delete-virtual-account', () =>
      play({
        repair,
        // Korapay closes no account, so it is not called.
        calls: provider === 'korapay' ? ['table'] : ['provider', 'table'],
        prepare: async () => {
          const { id } = await merchant.account(provider);
          return (client, headers) => client.postDeleteAccount(id, undefined, headers);
        },
      }),
    );
  });

  longTestOnce(
    'has one effect and one answer at create-virtual-accounts, and one account at each provider',
    async () => {
      await play({
        repair,
        calls: ['provider', 'table'],
        // The sweeper announces accounts that it finds, but a repeat does not.
        uncounted: 'virtual_account.activated',
        prepare: async () => {
          const customer = newCustomerFields();
          return (client, headers) => client.createAccounts({ ...customer, banks: [...PROVIDERS] }, headers);
        },
      });
      const stored = (await world.itemsOf('VA')).filter(({ sk }) => sk === 'VA');
      const atSimulator = world.simulator.books.accounts().map(({ number }) => number);
      expect(stored.map(({ account }) => (account as { accountNumber: string }).accountNumber).toSorted()).toEqual(
        atSimulator.toSorted(),
      );
    },
  );
});
