import type { Preferences } from '#infra/local/simulator/simulator.ts';
import { landMoney } from '#shared/payments/use-cases/land-money.ts';
import type { Kobo } from '#shared/platform/kernel/money.ts';
import { DAY, MINUTE } from '#shared/platform/kernel/time.ts';
import type { ProviderName } from '#shared/providers/domain/provider.ts';
import { describeRows, isFirst, testRows } from '#test/support/jest/long.ts';
import { ASKED, merchant, openWorldForEachTest, world } from '#test/support/worlds/live-merchant.ts';
import { makeTransfer } from '#test/support/worlds/reports.ts';
import { reconcileAt } from '#test/support/worlds/scene-provider.ts';

/* A payment of ₦8,500 is partly refunded. Later its provider returns the remainder. */

openWorldForEachTest();

const READINGS: readonly (readonly [ProviderName, Partial<Preferences[ProviderName]>])[] = [
  ['paystack', { partRefunded: 'reduced', allRefunded: 'reversed' }],
  ['paystack', { partRefunded: 'reversed' }],
  ['monnify', { refunds: 'hidden' }],
  ['monnify', { refunds: 'status' }],
];
const KINDS = ['checkout', 'account'] as const;

/** Kobo of a refund. */
const PART = 250_000;

const sumAccepted = async (): Promise<number> =>
  (await world.recorded()).reduce((sum, { amount, outcome }) => (outcome === 'accepted' ? sum + amount : sum), 0);

describeRows('a return of the remainder at %s (%j)', READINGS, isFirst, (provider, preference) => {
  reconcileAt(provider);

  testRows(KINDS)('is found through the list of payments without a notification (%s)', async (kind) => {
    world.simulator.prefer(provider, preference);
    const { transferId } =
      kind === 'checkout' ? await merchant.paidCheckout(provider) : await merchant.paidAccount(provider, ASKED);
    world.clock.advance(MINUTE);
    world.simulator.refund(transferId, { amount: PART as Kobo });
    await world.simulator.settled();
    await world.minutesPass(4, 2);
    expect(await sumAccepted()).toBe(ASKED - PART);
    await world.simulator.reverse(provider, transferId, false);
    world.clock.advance(DAY);
    await world.minutesPass(40, 10);
    expect(await sumAccepted()).toBe(0);
    await world.expectBooksToAgree();
  });
});

test.each(KINDS)(
  'a return that is read while a refund lands takes out the remainder after that refund (%s)',
  async (kind) => {
    const to =
      kind === 'checkout' ? (await merchant.checkout('paystack')).reference : (await merchant.account('paystack')).id;
    const report = (outcome: 'accepted' | 'reversed') => makeTransfer(to, ASKED, outcome);
    const refund = async (id: string) => {
      world.clock.advance(MINUTE);
      const askedAt = world.clock.now();
      await landMoney(world.deps, 'paystack', report('accepted'), { askedAt, refund: { id, amount: PART as Kobo } });
    };
    await landMoney(world.deps, 'paystack', report('accepted'), { askedAt: world.clock.now() });
    await refund('rfd-1');
    let isRaced = false;
    const { ledger } = world.deps;
    const racing = {
      ...ledger,
      locate: async (...args: Parameters<typeof ledger.locate>) => {
        const located = await ledger.locate(...args);
        if (!isRaced) {
          isRaced = true;
          await refund('rfd-2');
        }
        return located;
      },
    };
    const askedAt = world.clock.now() + MINUTE;
    await landMoney({ ...world.deps, ledger: racing }, 'paystack', report('reversed'), { askedAt });
    expect(await sumAccepted()).toBe(0);
  },
);
