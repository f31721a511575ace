import { SECOND } from '#shared/platform/kernel/time.ts';
import { ASKED, merchant, OVER, openWorldForEachTest, UNDER, world } from '#test/support/worlds/live-merchant.ts';

openWorldForEachTest();

/* Korapay sends a wrong amount back, and reports a charge as one cumulative report. Every checkout here asks for ₦8,500. */

test.each([UNDER, OVER])(
  'the right amount counts at once, ten seconds after a wrong amount of %i kobo was sent back',
  async (wrong) => {
    world.simulator.prefer('korapay', { over: 'return_all', under: 'return_all' });
    const { reference, accountNumber } = await merchant.checkout('korapay');
    await world.pay('korapay', accountNumber, wrong);
    expect(await merchant.fetch(reference)).toMatchObject({ status: 'pending', paid_amount: 0 });
    world.clock.advance(10 * SECOND);
    await world.pay('korapay', accountNumber, ASKED);
    expect(await merchant.fetch(reference)).toMatchObject({ status: 'paid', paid_amount: ASKED / 100 });
    expect((await merchant.api.requery(reference)).status).toBe(200);
    await world.expectBooksToAgree();
  },
);

test('a report that may be older than the return of counted money waits, and a requery gets a 200', async () => {
  const { reference, transferId } = await merchant.paidCheckout('korapay');
  world.clock.advance(60 * SECOND);
  await world.simulator.reverse('korapay', transferId);
  await world.lookUp('korapay', reference);
  world.simulator.reinstate('korapay', transferId);
  world.clock.advance(10 * SECOND);
  const requery = await merchant.api.requery(reference);
  expect([requery.status, requery.json.data.status]).toEqual([200, 'pending']);
  world.clock.advance(30 * SECOND);
  expect((await merchant.api.requery(reference)).json.data.status).toBe('paid');
});
