import { MINUTE } from '#shared/platform/kernel/time.ts';
import { describeRows, isFirst, testRows } from '#test/support/jest/long.ts';
import { ASKED, merchant, openWorldForEachTest, world } from '#test/support/worlds/live-merchant.ts';
import { reconcileAt } from '#test/support/worlds/scene-provider.ts';

/* Plays Monnify's reports in each form that its documentation leaves open (providers.md section 2). */

openWorldForEachTest();

const notNotified = (): number => world.measuredSum('payments_not_notified');

describeRows('Monnify’s list with the %s amount in its rows', ['asked', 'paid'] as const, isFirst, (rows) => {
  reconcileAt('monnify');

  test('causes no look-up of payments that were notified, and no alarm', async () => {
    world.simulator.prefer('monnify', { rows });
    const checkout = await merchant.checkout('monnify');
    const account = await merchant.account('monnify');
    const lookUps = world.countLookUps('monnify');
    await world.pay('monnify', checkout.accountNumber, ASKED);
    await world.pay('monnify', account.accountNumber, 310_000);
    expect(lookUps()).toBe(2);
    const lists = world.countLists('monnify');
    await world.minutesPass(90, 10);
    expect(lists()).toBeGreaterThan(6);
    expect(lookUps()).toBe(2);
    expect(notNotified()).toBe(0);
    expect((await world.recordedAmounts()).toSorted()).toEqual([310_000, ASKED].toSorted());
    await world.expectBooksToAgree();
  });

  testRows([-50_000, 50_000])(
    'raises no alarm about a notified payment that differs by %i kobo from the amount of its checkout',
    async (difference) => {
      world.simulator.prefer('monnify', { rows, wrongAmounts: 'accept' });
      const { accountNumber } = await merchant.checkout('monnify');
      await world.pay('monnify', accountNumber, ASKED + difference);
      await world.minutesPass(60, 10);
      expect(notNotified()).toBe(0);
      expect(await world.recordedAmounts()).toEqual([ASKED + difference]);
      await world.expectBooksToAgree();
    },
  );

  test('finds a payment of a checkout whose notification was lost, and raises the alarm once', async () => {
    world.simulator.prefer('monnify', { rows });
    const { reference, accountNumber } = await merchant.checkout('monnify');
    world.simulator.fault('monnify', { kind: 'lost' });
    await world.pay('monnify', accountNumber, ASKED);
    await world.minutesPass(20, 10);
    expect(await merchant.statusOf(reference)).toBe('paid');
    expect(notNotified()).toBe(1);
    await world.expectBooksToAgree();
  });
});

describe.each([
  ['as we sent them, then in small letters', 'as_sent', 'small_letters'],
  ['in small letters, then as we sent them', 'small_letters', 'as_sent'],
] as const)('references that Monnify repeats %s', (_, first, second) => {
  reconcileAt('monnify');

  test('name one payment of a checkout in notifications, look-ups and list rows', async () => {
    world.simulator.prefer('monnify', { references: first });
    const { reference, accountNumber } = await merchant.checkout('monnify');
    const { transferId } = await world.pay('monnify', accountNumber, ASKED);
    expect(await merchant.fetch(reference)).toMatchObject({ status: 'paid', paid_amount: ASKED / 100 });
    const lookUps = world.countLookUps('monnify');
    world.simulator.prefer('monnify', { references: second });
    await world.minutesPass(30, 10);
    // Rows in our spelling name the recorded payment. A row in another spelling may be a stranger's payment, so it is looked up.
    expect(lookUps() === 0).toBe(second === 'as_sent');
    world.clock.advance(MINUTE);
    await world.lookUp('monnify', reference);
    const [entry] = await world.recorded();
    await world.lookUp('monnify', { by: 'transaction', value: entry?.providerReference ?? '' });
    await world.simulator.resend(transferId);
    expect(await world.recordedAmounts()).toEqual([ASKED]);
    expect(await world.unmatched()).toEqual([]);
    expect(await world.eventsOf(reference)).toEqual(['checkout.paid']);
    await world.expectBooksToAgree();
  });

  test('name one virtual account', async () => {
    world.simulator.prefer('monnify', { references: first });
    const { id, accountNumber } = await merchant.account('monnify');
    const { transferId } = await world.pay('monnify', accountNumber, 310_000);
    world.simulator.prefer('monnify', { references: second });
    await world.simulator.resend(transferId);
    await world.pay('monnify', accountNumber, 200_000);
    expect((await world.recordedAmounts()).toSorted()).toEqual([200_000, 310_000]);
    expect(await world.eventsOf(id)).toHaveLength(2);
    expect(await world.unmatched()).toEqual([]);
    await world.expectBooksToAgree();
  });

  test('name one checkout of a rejected transfer', async () => {
    world.simulator.prefer('monnify', { references: first });
    const { reference, accountNumber } = await merchant.checkout('monnify');
    const { transferId } = await world.pay('monnify', accountNumber, ASKED - 50_000);
    world.simulator.prefer('monnify', { references: second });
    await world.simulator.resend(transferId);
    expect(await world.eventsOf(reference)).toEqual(['checkout.payment_rejected']);
    expect(await world.unmatched()).toEqual([]);
  });
});

testRows([
  ['half an emoji', 'Chidi\ud83d Eze', 'Chidi Eze'],
  ['control characters', '\u001b[31mChidi\u0000 Eze', '[31mChidi Eze'],
  ['a mark that turns text around', 'Chidi \u202eEze', 'Chidi Eze'],
])('a sender whose name holds %s keeps no money out of the books', async (_, senderName, cleanedName) => {
  const { reference, accountNumber } = await merchant.checkout('monnify');
  const account = await merchant.account('monnify');
  await world.pay('monnify', accountNumber, ASKED, { senderName });
  await world.pay('monnify', account.accountNumber, 310_000, { senderName });
  const names = (await world.recorded()).map((payment) => payment.senderName);
  expect(names).toEqual([cleanedName, cleanedName]);
  expect(await merchant.statusOf(reference)).toBe('paid');
  await world.expectBooksToAgree();
});
