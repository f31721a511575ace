import { MINUTE } from '#shared/platform/kernel/time.ts';
import { ASKED, merchant, openWorldForEachTest, world } from '#test/support/worlds/live-merchant.ts';
import { openPayersCharge } from '#test/support/worlds/payers-charge.ts';
import { describeAtProviders } from '#test/support/worlds/provider-scenes.ts';

/*
 * A provider may distinguish references by their letter case. Then a payer can open a charge under our reference in small letters. The money of
 * that charge does not belong to the checkout.
 */

openWorldForEachTest();

describeAtProviders('a stranger’s charge at %s under our reference in small letters', (provider) => {
  const expectUnmatched = async (reference: string, isPaid: boolean): Promise<void> => {
    expect(await world.recordedAmounts()).toEqual(isPaid ? [ASKED] : []);
    expect(await merchant.fetch(reference)).toMatchObject({ status: isPaid ? 'paid' : 'pending' });
    expect(await world.unmatched()).toMatchObject([
      { provider, money: { payee: { reference: reference.toLowerCase() } } },
    ]);
  };

  test.each([
    ['paid', true],
    ['unpaid', false],
  ])('stays unmatched money while the checkout is %s', async (_, isPaid) => {
    const { reference, accountNumber } = await merchant.checkout(provider);
    if (isPaid) await world.pay(provider, accountNumber, ASKED);
    const foreign = await openPayersCharge(world.simulator, provider, {
      reference: reference.toLowerCase(),
      naira: 100,
    });
    const { transferId } = await world.pay(provider, foreign, 10_000);
    await world.minutesPass(20, 10);
    await world.simulator.resend(transferId);
    await merchant.api.requery(reference);
    await expectUnmatched(reference, isPaid);
  });

  test('gets found by reconciliation if its notification is lost, even with the same amount', async () => {
    const { reference } = await merchant.paidCheckout(provider);
    const naira = ASKED / 100;
    const foreign = await openPayersCharge(world.simulator, provider, { reference: reference.toLowerCase(), naira });
    await world.holdNotifications(provider);
    await world.pay(provider, foreign, ASKED);
    world.clock.advance(MINUTE);
    await world.reconcile(provider);
    await expectUnmatched(reference, true);
    const notNotified = world.measuredSum('payments_not_notified');
    await world.minutesPass(60, 10);
    await expectUnmatched(reference, true);
    // Each list shows the charge, but it counts only once as a lost notification.
    expect(world.measuredSum('payments_not_notified')).toBe(notNotified);
  });
});
