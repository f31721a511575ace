import { MINUTE } from '#shared/platform/kernel/time.ts';
import { doMoneyWork } from '#test/support/worlds/functions.ts';
import { createBarrier } from '#test/support/worlds/live-faults.ts';
import { ASKED, merchant, openWorldForEachTest, world } from '#test/support/worlds/live-merchant.ts';
import { describeAtProviders } from '#test/support/worlds/provider-scenes.ts';

openWorldForEachTest();

describeAtProviders('a charge of %s', (provider) => {
  test('lands once if a notification, its expiry, a requery and reconciliation look it up at once', async () => {
    world.holdMoneyWork(true);
    const { reference, accountNumber, expiresAt } = await merchant.checkout(provider);
    world.clock.advance(expiresAt - MINUTE - world.clock.now());
    await world.pay(provider, accountNumber, ASKED);
    const [notificationTicket] = await world.takeTickets(provider);
    world.clock.advance(MINUTE);
    await world.dispatch(world.withoutReconciliation());
    const expiryTicket = (await world.takeTickets(provider)).find(({ pk }) => pk.startsWith('CHK#'));
    if (!notificationTicket || !expiryTicket) throw new Error('The notification and the expiry were not queued.');

    // The barrier holds the provider's answers back until three look-ups have been answered.
    const allHaveAsked = createBarrier(3);
    const changes = world.scripted(provider, ({ lookUp, requery }) => ({
      lookUp: async (query) => lookUp(query).finally(allHaveAsked),
      requery: async (query) => requery(query).finally(allHaveAsked),
    }));
    const deps = { ...world.deps, ...changes };
    const [answer] = await Promise.all([
      merchant.apiWith(changes).requery(reference),
      doMoneyWork(deps, notificationTicket),
      doMoneyWork(deps, expiryTicket),
      world.sweep(changes),
    ]);
    expect(answer).toMatchObject({ status: 200, json: { data: { status: 'paid' } } });
    expect(await world.recordedAmounts()).toEqual([ASKED]);
    expect(await world.eventsOf(reference)).toEqual(['checkout.paid']);
    await world.minutesPass(70, 10);
    expect(await world.eventsOf(reference)).toEqual(['checkout.paid']);
    await world.expectBooksToAgree();
  });
});
