import { MINUTE } from '#shared/platform/kernel/time.ts';
import { merchant, openWorldForEachTest, world } from '#test/support/worlds/live-merchant.ts';

openWorldForEachTest();

test('unreadable rows of a list are counted and logged, and the other rows are reconciled', async () => {
  const { accountNumber } = await merchant.account('paystack');
  world.simulator.fault('paystack', { kind: 'lost' });
  await world.pay('paystack', accountNumber, 500_000);
  const { liveProviders } = world.deps;
  const unreadable: typeof liveProviders = (name) => {
    const provider = liveProviders(name);
    if (!provider || name !== 'paystack') return provider;
    const listPayments: typeof provider.listPayments = async (span) => ({
      ...(await provider.listPayments(span)),
      unreadable: 2,
    });
    return { ...provider, listPayments };
  };
  await world.sweepAfter(MINUTE, { liveProviders: unreadable });
  expect(world.logged).toContainEqual({ event: 'listed_payment_unreadable', provider: 'paystack', count: 2 });
  // The sum has two unreadable rows, and the payment whose notification was lost.
  expect(world.measuredSum('payments_not_notified')).toBeGreaterThanOrEqual(3);
  expect((await world.events()).map(({ type }) => type)).toEqual(['virtual_account.payment_received']);
});
