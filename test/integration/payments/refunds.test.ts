import type { Preferences } from '#infra/local/simulator/simulator.ts';
import type { Kobo } from '#shared/platform/kernel/money.ts';
import { DAY, HOUR, MINUTE } from '#shared/platform/kernel/time.ts';
import type { ProviderName } from '#shared/providers/domain/provider.ts';
import { describeRows, isFirst, longTest, testRows } from '#test/support/jest/long.ts';
import { SEED } from '#test/support/jest/seed.ts';
import { ASKED, merchant, openWorldForEachTest, world } from '#test/support/worlds/live-merchant.ts';
import { runOpsAsJson } from '#test/support/worlds/operations.ts';
import { openPayersCharge } from '#test/support/worlds/payers-charge.ts';
import { reconcileAt } from '#test/support/worlds/scene-provider.ts';

/*
 * A merchant makes refunds at the provider. The provider notifies us of each refund under its own id. Its look-up may show refunds or not. Every payment
 * here is ₦8,500.
 */

openWorldForEachTest();

const BEHAVIOURS: readonly (readonly [string, ProviderName, Partial<Preferences[ProviderName]>])[] = [
  ['paystack, whose look-up shows no refund', 'paystack', { partRefunded: 'unchanged', allRefunded: 'unchanged' }],
  ['paystack, whose look-up shows less', 'paystack', { partRefunded: 'reduced', allRefunded: 'reversed' }],
  ['paystack, whose status is reversed for a part, too', 'paystack', { partRefunded: 'reversed' }],
  ['monnify, whose look-up shows no refund', 'monnify', { refunds: 'hidden' }],
  ['monnify, whose status shows refunds', 'monnify', { refunds: 'status' }],
  ['monnify, whose amount shows refunds', 'monnify', { refunds: 'amount' }],
  ['monnify, whose status is reversed after a refund in full', 'monnify', { refunds: 'reversed' }],
  ['korapay, whose look-up shows no refund', 'korapay', { refundsShow: 'nothing' }],
  ['korapay, whose amounts show refunds', 'korapay', { refundsShow: 'amounts' }],
];

const PART = 250_000;

const refund = async (transferId: string, amount?: number): Promise<void> => {
  world.clock.advance(HOUR);
  world.simulator.refund(transferId, amount === undefined ? {} : { amount: amount as Kobo });
  await world.simulator.settled();
  // A report that may be older than our records is looked up again.
  await world.minutesPass(4, 2);
};

const sumKept = async (): Promise<number> =>
  (await world.recorded()).reduce((sum, { amount, outcome }) => (outcome === 'accepted' ? sum + amount : sum), 0);

/** Expects the kept sum, and that later look-ups change nothing. */
const expectSettled = async (amount: number): Promise<void> => {
  expect(await sumKept()).toBe(amount);
  await world.expectBooksToAgree();
  const payments = await world.recorded();
  world.clock.advance(DAY);
  await world.minutesPass(30, 10);
  expect(await world.recorded()).toEqual(payments);
  expect(await world.unmatched()).toEqual([]);
};

/** The seed chooses a third of the behaviours, because each takes seconds in the long run. */
const PLAYED = BEHAVIOURS.filter((_, i) => i % 3 === Math.abs(SEED) % 3);

describeRows('a refund at %s', PLAYED, isFirst, (_, provider, preference) => {
  reconcileAt(provider);
  beforeEach(() => world.simulator.prefer(provider, preference));

  test('subtracts a whole checkout payment once', async () => {
    const { reference, transferId } = await merchant.paidCheckout(provider);
    await refund(transferId);
    // The checkout waits for money again, but its time is over.
    const events = ['checkout.paid', 'checkout.payment_reversed', 'checkout.expired'];
    expect(await world.eventsOf(reference)).toEqual(events);
    await merchant.api.requery(reference);
    await expectSettled(0);
  });

  longTest(
    'subtracts a part of a checkout payment, twice, and the checkout stays paid with the remainder',
    async () => {
      const { reference, transferId } = await merchant.paidCheckout(provider);
      await refund(transferId, PART);
      await refund(transferId, PART);
      expect(await merchant.fetch(reference)).toMatchObject({ status: 'paid', paid_amount: (ASKED - 2 * PART) / 100 });
      await merchant.api.requery(reference);
      await expectSettled(ASKED - 2 * PART);
    },
  );

  longTest('subtracts a whole payment of a virtual account once', async () => {
    const { id, transferId } = await merchant.paidAccount(provider, ASKED);
    await refund(transferId);
    expect((await world.eventsOf(id)).toSorted()).toEqual([
      'virtual_account.payment_received',
      'virtual_account.payment_reversed',
    ]);
    await expectSettled(0);
  });

  test('subtracts a part of a virtual account’s payment, and the remainder is announced as another payment', async () => {
    const { id, transferId } = await merchant.paidAccount(provider, ASKED);
    await refund(transferId, PART);
    expect((await world.eventsOf(id)).toSorted()).toEqual([
      'virtual_account.payment_received',
      'virtual_account.payment_received',
      'virtual_account.payment_reversed',
    ]);
    await refund(transferId, PART);
    await expectSettled(ASKED - 2 * PART);
  });
});

test('a refund whose notification comes before that of its payment is subtracted when the payment lands', async () => {
  const held = await world.holdNotifications('korapay');
  const { reference, transferId } = await merchant.paidCheckout('korapay');
  world.clock.advance(MINUTE);
  world.simulator.refund(transferId, { amount: PART as Kobo });
  const [payment, refunded] = await held.held();
  for (const sent of [refunded, payment, refunded]) if (sent) await world.notify('korapay', sent);
  expect(await merchant.fetch(reference)).toMatchObject({ paid_amount: (ASKED - PART) / 100 });
});

const EARLY_BEHAVIOURS: readonly (readonly [ProviderName, Partial<Preferences[ProviderName]>])[] = [
  ['paystack', { partRefunded: 'unchanged' }],
  ['paystack', { partRefunded: 'reduced' }],
  ['paystack', { partRefunded: 'reversed' }],
  ['monnify', { refunds: 'hidden' }],
  ['monnify', { refunds: 'amount' }],
  ['korapay', { refundsShow: 'nothing' }],
  ['korapay', { refundsShow: 'amounts' }],
];

const TITLE = 'partial refunds at %s before we learn of the payment (%j)';
describeRows(TITLE, EARLY_BEHAVIOURS, isFirst, (provider, preference) => {
  reconcileAt(provider);
  beforeEach(() => world.simulator.prefer(provider, preference));

  /** Refunds parts of a payment. Then its notifications come in this order; number 0 is the payment's own. */
  const refundFirst = async (pay: () => Promise<{ transferId: string }>, order: readonly number[]) => {
    const { held } = await world.holdNotifications(provider);
    const { transferId } = await pay();
    for (const _ of order.slice(1)) {
      world.clock.advance(MINUTE);
      world.simulator.refund(transferId, { amount: PART as Kobo });
    }
    const sent = await held();
    for (const place of order) {
      const notification = sent[place];
      if (!notification) throw new Error(`There is no notification ${place}.`);
      await world.notify(provider, notification);
    }
    await world.minutesPass(4, 2);
    return { held, transferId };
  };

  const ORDERS = [
    [1, 0],
    [0, 1],
    [0, 1, 2],
    [0, 2, 1],
    [1, 0, 2],
    [2, 1, 0],
  ].map((order) => [order]);
  const row = EARLY_BEHAVIOURS.findIndex(([, shown]) => shown === preference);
  /** Chooses a quarter of the orders, by the seed of the run and the row. The checkout and the virtual account get different ones. */
  const ordersFrom = (start: number) => ORDERS.filter((_, i) => (i + row + start + Math.abs(SEED)) % 4 === 0);

  testRows(ordersFrom(0))('reduce a checkout once, in the order %j', async (order) => {
    const opened = await merchant.checkout(provider);
    await refundFirst(() => world.pay(provider, opened.accountNumber, ASKED), order);
    const left = ASKED - PART * (order.length - 1);
    expect(await merchant.fetch(opened.reference)).toMatchObject({ paid_amount: left / 100 });
    await world.expectBooksToAgree();
  });

  testRows(ordersFrom(2))('reduce a virtual account once, in the order %j', async (order) => {
    const { accountNumber } = await merchant.account(provider);
    await refundFirst(() => world.pay(provider, accountNumber, ASKED), order);
    await expectSettled(ASKED - PART * (order.length - 1));
  });

  test('stay distinct from later refunds', async () => {
    const { accountNumber } = await merchant.account(provider);
    const { held, transferId } = await refundFirst(() => world.pay(provider, accountNumber, ASKED), [0, 1]);
    await refund(transferId, PART);
    const later = (await held()).at(-1);
    if (later) await world.notify(provider, later);
    await expectSettled(ASKED - 2 * PART);
  });
});

describeRows(
  'partial refunds at korapay, whose look-up shows %s of a refund,',
  ['amounts', 'nothing'] as const,
  isFirst,
  (refundsShow) => {
    const UNDER = ASKED - 50_000;
    reconcileAt('korapay');

    testRows([
      ['the right amount, after a wrong one that was sent back', { over: 'return_all' }, ASKED],
      ['a smaller amount, after a larger one that was sent back', { over: 'return_all', under: 'accept_all' }, UNDER],
    ] as const)('reduce %s, once', async (_, preference, paid) => {
      world.simulator.prefer('korapay', { ...preference, refundsShow });
      const { reference, accountNumber } = await merchant.checkout('korapay');
      await world.pay('korapay', accountNumber, 2 * ASKED);
      await merchant.api.requery(reference);
      world.clock.advance(MINUTE);
      const { deliver } = await world.holdNotifications('korapay');
      const { transferId } = await world.pay('korapay', accountNumber, paid);
      world.clock.advance(MINUTE);
      world.simulator.refund(transferId, { amount: PART as Kobo });
      await deliver();
      await world.minutesPass(4, 2);
      expect(await merchant.fetch(reference)).toMatchObject({ paid_amount: (paid - PART) / 100 });
      await refund(transferId, 50_000);
      await deliver();
      await expectSettled(paid - PART - 50_000);
    });
  },
);

test.each(['TRF_card', undefined])('a refund of a card payment (%p) needs no action', async (refund_reference) => {
  const data = {
    status: 'processed',
    transaction_reference: 'T-card',
    refund_reference,
    amount: PART,
    currency: 'NGN',
  };
  await world.notify('paystack', world.signed('paystack', { event: 'refund.processed', data }));
  await world.sweepAfter(
    MINUTE,
    world.scripted('paystack', () => ({ lookUp: async () => ({ money: [], state: 'complete' }) })),
  );
  const [stored, ...others] = await world.itemsOf('NTF');
  expect([stored?.dueAt, stored?.why, others]).toEqual([null, null, []]);
});

describe('a refund without an id of its own', () => {
  reconcileAt('paystack');
  const ops = (...args: string[]) =>
    runOpsAsJson({ ...world.deps, operator: async () => 'bisi' }, 'notification', ...args);
  const stuck = async () => (await ops('list')).notifications;

  beforeEach(() => world.simulator.prefer('paystack', { refundId: 'none', allRefunded: 'reversed' }));

  test('needs no operator if the look-up shows it', async () => {
    const { transferId } = await merchant.paidCheckout('paystack');
    await refund(transferId);
    await world.minutesPass(60, 10);
    expect(await stuck()).toEqual([]);
    expect(await sumKept()).toBe(0);
  });

  testRows(['unchanged', 'reduced'] as const)(
    'is listed for operators, who enter its id, within the hour, if the look-up shows the payment %s',
    async (partRefunded) => {
      world.simulator.prefer('paystack', { refundId: 'none', partRefunded });
      const { transferId } = await merchant.paidAccount('paystack', ASKED);
      await refund(transferId, PART);
      expect(await stuck()).toEqual([]);
      await world.minutesPass(60, 10);
      const [{ id, why }, ...others] = await stuck();
      expect([why, others, await sumKept()]).toEqual(['refund_without_id', [], ASKED]);
      expect(world.measuredSum('provider_failures')).toBe(0);
      await expect(ops('retry', id, '--refund-id', 'two words')).rejects.toThrow(/no spaces/);
      expect((await ops('retry', id, '--refund-id', 'TRF_9vgfawjnoz58uxy')).settled).toBe(true);
      expect(await stuck()).toEqual([]);
      await expectSettled(ASKED - PART);
    },
  );

  longTest(
    'gets subtracted once if its two notifications differ in their bytes, and operators enter the same id for both',
    async () => {
      const { transferId } = await merchant.paidCheckout('paystack');
      const { held } = await world.holdNotifications('paystack');
      await refund(transferId, PART);
      const [sent] = await held();
      const { event, data } = JSON.parse(sent?.body ?? '');
      for (const note of ['first', 'second']) {
        const variant = world.signed('paystack', { event, data: { ...data, merchant_note: note } });
        await world.notify('paystack', variant);
      }
      await world.minutesPass(60, 10);
      const listed = await stuck();
      expect(listed).toHaveLength(2);
      for (const { id } of listed) expect((await ops('retry', id, '--refund-id', '3018284')).settled).toBe(true);
      await expectSettled(ASKED - PART);
    },
  );
});

test('a refund of unmatched money waits, and lands with the money when operators assign it', async () => {
  const account = await world
    .provider('paystack')
    .createAccount(
      { name: 'Bola Ade', phone: '+2348030000000', email: 'bola.ade@example.com', bvn: null, nin: null },
      'order-of-others-7',
    );
  const { transferId } = await world.pay('paystack', account.accountNumber, ASKED);
  await refund(transferId, PART);
  const [unmatched] = await world.unmatched();
  const to = await merchant.account('paystack');
  await world.assign(unmatched?.id ?? '', to.id);
  await world.minutesPass(30, 10);
  expect(await sumKept()).toBe(ASKED - PART);
});

describe('a full refund of unmatched money that its look-up shows', () => {
  reconcileAt('paystack');

  const expectNothingToDo = async (): Promise<void> => {
    await world.minutesPass(60, 10);
    expect((await world.itemsOf('NTF')).filter(({ dueAt }) => dueAt !== null)).toEqual([]);
    expect(await world.deps.notifications.countStuck(10)).toBe(0);
    expect([await world.unmatched(), await world.recorded()]).toEqual([[], []]);
  };

  test('leaves nothing to do', async () => {
    const customer = { name: 'Bola Ade', phone: '+2348030000000', email: 'b@example.com', bvn: null, nin: null };
    const { accountNumber } = await world.provider('paystack').createAccount(customer, 'order-of-others-7');
    const { transferId } = await world.pay('paystack', accountNumber, ASKED);
    expect(await world.unmatched()).toHaveLength(1);
    await refund(transferId);
    await expectNothingToDo();
  });

  longTest('leaves nothing to do if its reference belongs to another provider', async () => {
    const held = await world.holdNotifications('paystack');
    const { reference } = await merchant.checkout('monnify');
    const accountNumber = await openPayersCharge(world.simulator, 'paystack', { reference, naira: ASKED / 100 });
    const { transferId } = await world.pay('paystack', accountNumber, ASKED);
    await refund(transferId);
    await held.deliver();
    await expectNothingToDo();
  });
});
