import { hasLiveAttemptAt } from '#shared/checkouts/domain/attempt.ts';
import { checkout } from '#shared/checkouts/domain/checkout.ts';
import { MINUTE } from '#shared/platform/kernel/time.ts';
import { providerName } from '#shared/providers/domain/provider.ts';
import { CALM, type LifeOdds } from '#test/support/chaos/lives.ts';
import { makeAccountsOpening, makeCheckoutOpening, openAll } from '#test/support/chaos/money-openings.ts';
import { CALM_QUEUE } from '#test/support/chaos/money-queue.ts';
import { type Chaos, listActiveAccounts, type PlannedTransfer, startChaos } from '#test/support/chaos/money-stage.ts';
import { createStrangers } from '#test/support/chaos/money-strangers.ts';
import { describeRows, isFirst, longTest } from '#test/support/jest/long.ts';
import { SEED } from '#test/support/jest/seed.ts';

/*
 * In a scene every process dies before or after one call of a port. `npm test` plays the deaths after the decisive calls. The long run plays the
 * deaths before the decisive calls, and one death for each other call: the seed chooses whether it is before or after the call. That is enough,
 * because a death before a call is much like a death after the previous call.
 */

/** The writes that decide whether money is credited once. */
const DECISIVE = new Set([
  'notifications.save',
  'dueTickets.take',
  'dueTickets.postpone',
  'ledger.record',
  'ledger.assignReference',
  'reconciliations.save',
  'transactions.commit',
]);

describe('live money and a process that dies at one step', () => {
  let chaos: Chaos;
  beforeEach(async () => {
    chaos = await startChaos(() => 0.5, 1);
  });
  afterEach(() => chaos.stop());

  /** Plays a scene in which every process dies before or after one of these calls. `%s` in the name stands for that step. */
  const testDeathsAt = (calls: readonly string[], name: string, scene: (step: string) => Promise<void>): void => {
    for (const [index, call] of calls.entries()) {
      const moment = DECISIVE.has(call) || (index + Math.abs(SEED)) % 2 === 0 ? 'before' : 'after';
      if (DECISIVE.has(call)) test(name.replace('%s', `after ${call}`), () => scene(`after ${call}`));
      longTest(name.replace('%s', `${moment} ${call}`), () => scene(`${moment} ${call}`));
    }
  };

  /** Opens an account and a checkout of ₦8,500.75 at each provider, without faults. */
  const openCalmly = async (): Promise<PlannedTransfer[]> => {
    const { world, lives, businesses } = chaos;
    const [shop] = businesses;
    if (!shop) throw new Error('No business.');
    await openAll(world, lives, [makeAccountsOpening(shop, 1)], () => false);
    const checkouts = providerName.options.map((name, i) => makeCheckoutOpening(shop, i, name, 850_075));
    const answers = await openAll(world, lives, checkouts, () => false);
    return [
      ...(await listActiveAccounts(chaos)).map((account) => ({ ...account, amount: 500_025 })),
      ...answers.map((answer, i) => ({
        provider: providerName.options[i] as PlannedTransfer['provider'],
        accountNumber: answer?.json.data.account_number,
        amount: 850_075,
      })),
    ];
  };
  const expectAllCredited = async (step: string): Promise<void> => {
    await chaos.settle();
    const { books, problems } = await chaos.audit();
    expect(problems).toEqual([]);
    expect(books.payments).toHaveLength(chaos.world.simulator.books.accounts().length);
    expect(chaos.lives.faultCounts[`killed ${step}`]).toBeGreaterThan(0);
  };

  testDeathsAt(
    [
      'provider.authenticate',
      'notifications.save',
      'moneyQueue.send',
      'dueTickets.take',
      'provider.lookUp',
      'ledger.locate',
      'ledger.readVirtualAccount',
      'ledger.readCheckout',
      'ledger.record',
      'queue.send',
      'notifications.replace',
    ],
    'all money is credited once if every process that handles a notification dies %s',
    async (step) => {
      const planned = await openCalmly();
      chaos.lives.setOdds({ ...CALM, dieAt: step });
      await Promise.all(planned.map(chaos.pay));
      await expectAllCredited(step);
    },
  );

  testDeathsAt(
    ['dueTickets.postpone', 'moneyQueue.send', 'dueTickets.take'],
    'all money is credited once if the queue loses every message of a notification, and the processes that repeat it die %s',
    async (step) => {
      const planned = await openCalmly();
      chaos.setQueueOdds({ lost: 1, duplicated: 0, delayed: 0 });
      await Promise.all(planned.map(chaos.pay));
      await chaos.world.simulator.settled();
      chaos.setQueueOdds(CALM_QUEUE);
      chaos.lives.setOdds({ ...CALM, dieAt: step });
      chaos.world.clock.advance(2 * MINUTE);
      await chaos.sweep({ ...CALM, dieAt: step });
      await expectAllCredited(step);
    },
  );

  /** Runs three sweeps at once, whose consumers compare pages, then three more, whose consumers look up differences. Each process dies at the step. */
  const sweepAndDie = async (step: string): Promise<void> => {
    const odds = { ...CALM, dieAt: step };
    chaos.lives.setOdds(odds);
    for (let i = 0; i < 2; i++) await Promise.all(Array.from({ length: 3 }, () => chaos.sweep(odds)));
  };

  testDeathsAt(
    [
      'reconciliations.find',
      'provider.listPayments',
      'reconciliations.findBooked',
      'notifications.findEach',
      'notifications.save',
      'moneyQueue.send',
      'reconciliations.save',
      'provider.lookUp',
      'ledger.locate',
      'ledger.record',
      'queue.send',
      'notifications.replace',
    ],
    'all money is credited once if no notification comes, and every process that reconciles dies %s',
    async (step) => {
      const planned = await openCalmly();
      for (const name of providerName.options) chaos.world.simulator.fault(name, { kind: 'lost' });
      await Promise.all(planned.map(chaos.pay));
      chaos.world.clock.advance(11 * MINUTE);
      await sweepAndDie(step);
      await expectAllCredited(step);
    },
  );

  testDeathsAt(
    ['ledger.record'],
    'fully returned money is taken out once if every process that reconciles dies %s',
    async (step) => {
      const { simulator, clock } = chaos.world;
      await Promise.all((await openCalmly()).map(chaos.pay));
      await simulator.settled();
      for (const { account, transferId } of simulator.books.transfers())
        await simulator.reverse(account.provider, transferId);
      clock.advance(11 * MINUTE);
      await sweepAndDie(step);
      await expectAllCredited(step);
      expect(simulator.books.totalKept()).toBe(0);
    },
  );

  testDeathsAt(
    ['businesses.recordChange', 'ledger.assignReference', 'ledger.record'],
    'unmatched money is credited once if every operator’s assignment dies %s and another one repeats it',
    async (step) => {
      const { world, operators, lives } = chaos;
      const others = createStrangers(world);
      const strangersAccounts = (await others.openVirtualAccounts()).map((account) => ({
        ...account,
        amount: 500_025,
      }));
      for (const name of providerName.options) {
        const issued = await others.openPaymentAccount(name, 850_075);
        if (issued) strangersAccounts.push(issued);
      }
      await openCalmly();
      await Promise.all(strangersAccounts.map(chaos.pay));
      await world.simulator.settled();
      const checkouts = (await world.itemsOf('CHK')).map((item) => checkout.parse(item));
      const assignAll = async (odds: LifeOdds): Promise<void> => {
        world.clock.advance(MINUTE);
        for (const { id, provider } of await operators.list()) {
          const to = checkouts.find((candidate) => hasLiveAttemptAt(provider, candidate))?.reference ?? '';
          await operators.assign(id, to, odds);
        }
      };
      expect(await operators.list()).toHaveLength(strangersAccounts.length);
      await assignAll({ ...CALM, dieAt: step });
      await assignAll(CALM);
      await chaos.settle();
      const { books, problems } = await chaos.audit(others.attempted);
      expect(problems).toEqual([]);
      expect(books.payments).toHaveLength(strangersAccounts.length);
      expect(lives.faultCounts[`killed ${step}`]).toBeGreaterThan(0);
    },
  );

  testDeathsAt(
    ['ledger.record'],
    'partly returned money is taken out once if every process that reconciles dies %s',
    async (step) => {
      chaos.world.simulator.prefer('korapay', { over: 'accept_all' });
      const [overpaid] = (await openCalmly()).filter(
        ({ provider, amount }) => provider === 'korapay' && amount === 850_075,
      );
      if (!overpaid) throw new Error('No checkout.');
      await chaos.pay({ ...overpaid, amount: 900_000 });
      await chaos.world.simulator.settled();
      for (const { transferId } of chaos.world.simulator.books.transfers()) {
        await chaos.world.simulator.returnExcess(transferId, 'success');
      }
      chaos.world.clock.advance(11 * MINUTE);
      await sweepAndDie(step);
      await chaos.settle();
      const { books, problems } = await chaos.audit();
      expect(problems).toEqual([]);
      expect(books.payments.map(({ amount, outcome }) => `${amount} ${outcome}`).toSorted()).toEqual([
        '850075 accepted',
        '900000 reversed',
      ]);
      expect(chaos.lives.faultCounts[`killed ${step}`]).toBeGreaterThan(0);
    },
  );

  describeRows(
    'money arrives before the provider’s answer, and %s',
    ['the client repeats its request', 'the client leaves'],
    isFirst,
    (client) => {
      testDeathsAt(
        [
          'checkoutIntents.begin',
          'accountIntents.begin',
          'provider.createAccount',
          'provider.createPaymentAccount',
          'transactions.commit',
          'unmatched.newest',
        ],
        'all money is credited once if every request that opens an account dies %s',
        async (step) => {
          const { world, lives, businesses } = chaos;
          const [shop] = businesses;
          if (!shop) throw new Error('No business.');
          for (const name of providerName.options) world.simulator.fault(name, { kind: 'before_answer' });
          const openings = [
            makeAccountsOpening(shop, 1),
            ...providerName.options.map((name, i) => makeCheckoutOpening(shop, i, name, 850_075)),
          ];
          lives.setOdds({ ...CALM, dieAt: step });
          await openAll(world, lives, openings, () => true);
          lives.setOdds(CALM);
          if (client === 'the client repeats its request') await openAll(world, lives, openings, () => false);
          await chaos.settle();
          const { problems } = await chaos.audit();
          expect(problems).toEqual([]);
          expect(lives.faultCounts[`killed ${step}`]).toBeGreaterThan(0);
        },
      );
    },
  );
});
