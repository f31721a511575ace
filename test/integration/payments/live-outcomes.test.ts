import { lookUpCheckout } from '#shared/checkouts/use-cases/look-up-checkout.ts';
import type { Kobo } from '#shared/platform/kernel/money.ts';
import { MINUTE } from '#shared/platform/kernel/time.ts';
import type { ProviderName } from '#shared/providers/domain/provider.ts';
import type { ReportedMoney } from '#shared/providers/domain/report.ts';
import { describeRows, longTest } from '#test/support/jest/long.ts';
import { toEventCheckout } from '#test/support/worlds/answers.ts';
import { ASKED, merchant, OVER, openWorldForEachTest, UNDER, world } from '#test/support/worlds/live-merchant.ts';
import { describeAtProviders } from '#test/support/worlds/provider-scenes.ts';
import { makeCumulativeReport, makeTransfer } from '#test/support/worlds/reports.ts';
import { reconcileAt } from '#test/support/worlds/scene-provider.ts';

openWorldForEachTest();

interface Outcome {
  /** Events, state and sum (naira) after the wrong amount. */
  readonly events: readonly string[];
  readonly state: string;
  readonly paid: number;
  /** Events after the right amount was paid, too. */
  readonly after: readonly string[];
}
const rejection = 'checkout.payment_rejected';
const REJECTED: Outcome = { events: [rejection], state: 'pending', paid: 0, after: [rejection, 'checkout.paid'] };
const paidWith = (paid: number, ...events: readonly string[]): Outcome => ({
  events: ['checkout.paid', ...events],
  after: ['checkout.paid', ...events],
  state: 'paid',
  paid,
});
const underpayment = ['checkout.underpaid'];
const UNDERPAID: Outcome = { events: underpayment, state: 'underpaid', paid: 8_000, after: underpayment };
const none = (): void => {};
const monnify = (wrongAmounts: 'reject' | 'accept') => () => world.simulator.prefer('monnify', { wrongAmounts });
const korapay = (over: 'return_excess' | 'return_all' | 'accept_all', under: 'return_all' | 'accept_all') => () =>
  world.simulator.prefer('korapay', { over, under });

/** The ways of each provider to handle a wrong amount, and the outcome that the business must see. */
const WRONG_AMOUNTS: readonly (readonly [ProviderName, string, number, () => void, Outcome])[] = [
  ['paystack', 'rejects', UNDER, none, REJECTED],
  ['paystack', 'rejects', OVER, none, REJECTED],
  ['monnify', 'rejects', UNDER, monnify('reject'), REJECTED],
  ['monnify', 'rejects', OVER, monnify('reject'), REJECTED],
  ['monnify', 'accepts', UNDER, monnify('accept'), UNDERPAID],
  ['monnify', 'accepts', OVER, monnify('accept'), paidWith(9_000)],
  ['korapay', 'returns the excess', OVER, korapay('return_excess', 'return_all'), paidWith(8_500, rejection)],
  ['korapay', 'returns all', UNDER, korapay('return_all', 'return_all'), REJECTED],
  ['korapay', 'returns all', OVER, korapay('return_all', 'return_all'), REJECTED],
  ['korapay', 'accepts', UNDER, korapay('accept_all', 'accept_all'), paidWith(8_000)],
  ['korapay', 'accepts', OVER, korapay('accept_all', 'accept_all'), paidWith(9_000)],
];

describeRows(
  '%s, which %s, with a wrong amount of %i kobo,',
  WRONG_AMOUNTS,
  ([provider, kind]) => provider === 'korapay' && kind === 'returns the excess',
  (provider, _, sent, prefer, { events, state, paid, after }) => {
    reconcileAt(provider);

    test('has the listed outcome on the checkout and in its events, before and after the right amount is paid', async () => {
      prefer();
      const { reference, accountNumber, keptAmount } = await merchant.paidCheckout(provider, sent);
      // Korapay sends no notification of a payment that it returned whole. Reconciliation finds it.
      await world.minutesPass(1);
      expect(await world.eventsOf(reference)).toEqual(events);
      const data = await merchant.fetch(reference);
      expect(data).toMatchObject({
        status: state,
        paid: state === 'paid',
        paid_amount: paid,
        version: 1 + events.length,
      });
      expect(paid * 100).toBe(keptAmount);
      expect(data.payments.map(({ outcome }: { outcome: string }) => outcome).sort()).toEqual(
        events.map((type) => (type === 'checkout.payment_rejected' ? 'rejected' : 'accepted')).sort(),
      );
      await world.expectBooksToAgree();
      await world.pay(provider, accountNumber, ASKED);
      await world.minutesPass(25, 5);
      expect(await world.eventsOf(reference)).toEqual(after);
      await world.expectBooksToAgree();
    });
  },
);

/** Lets us learn of a return: Paystack notifies us of refunds; the others show the return in their lists. */
const learnOfReturn = async (provider: ProviderName): Promise<void> => {
  if (provider === 'paystack') {
    for (const { providerReference } of await world.recorded()) {
      const data = { transaction_reference: providerReference, status: 'processed' };
      const sent = world.signed(provider, { event: 'refund.processed', data });
      expect((await world.notify(provider, sent)).status).toBe(200);
    }
  }
  await world.minutesPass(12, 6);
};

describeAtProviders('money at %s', (provider) => {
  test('makes a checkout paid once if the amount is right, even if it is reported several times', async () => {
    const { reference, transferId } = await merchant.paidCheckout(provider);
    const data = await merchant.fetch(reference);
    expect(data).toMatchObject({
      status: 'paid',
      paid: true,
      paid_amount: 8_500,
      sender_name: 'Chidi Eze',
      paid_at: '2026-11-20T12:00:00.000000Z',
      version: 2,
      payments: [{ amount: 8_500, outcome: 'accepted', late: false, provider }],
    });
    await world.simulator.resend(transferId);
    await world.minutesPass(100, 10);
    expect(await merchant.fetch(reference)).toEqual(data);
    expect(await world.eventsOf(reference)).toEqual(['checkout.paid']);
    expect((await world.events())[0]?.data).toEqual(toEventCheckout(data));
    await world.expectBooksToAgree();
  });

  test('makes a checkout paid only once if it is sent twice, and what the provider keeps counts', async () => {
    const { reference, accountNumber } = await merchant.paidCheckout(provider);
    await world.pay(provider, accountNumber, ASKED);
    await world.minutesPass(12, 6);
    expect(await world.eventsOf(reference)).toEqual(['checkout.paid']);
    await world.expectBooksToAgree();
  });

  longTest(
    'makes an expired checkout paid and is not late if it was paid in time and reported after the expiry',
    async () => {
      const { reference, accountNumber, expiresAt } = await merchant.checkout(provider);
      await world.minutesPass(50, 5);
      expect(await merchant.statusOf(reference)).toBe('expired');
      await world.pay(provider, accountNumber, ASKED, { paidAt: expiresAt - MINUTE });
      expect(await merchant.fetch(reference)).toMatchObject({
        status: 'paid',
        paid_amount: 8_500,
        payments: [{ late: false }],
      });
      expect(await world.eventsOf(reference)).toEqual(['checkout.expired', 'checkout.paid']);
      await world.minutesPass(90, 10);
      expect(await world.eventsOf(reference)).toEqual(['checkout.expired', 'checkout.paid']);
      await world.expectBooksToAgree();
    },
  );

  longTest('does not count if it arrives after the expiry and is rejected', async () => {
    const { reference, accountNumber } = await merchant.checkout(provider);
    await world.minutesPass(50, 5);
    expect((await world.pay(provider, accountNumber, ASKED)).keptAmount).toBe(0);
    await world.minutesPass(90, 10);
    expect(await merchant.fetch(reference)).toMatchObject({ status: 'expired', paid_amount: 0 });
    expect(await world.eventsOf(reference)).toEqual(['checkout.expired']);
    await world.expectBooksToAgree();
  });

  longTest('gets reversed if it is returned later, and the checkout is pending until it expires', async () => {
    const { reference, transferId } = await merchant.paidCheckout(provider);
    await world.simulator.reverse(provider, transferId);
    await learnOfReturn(provider);
    expect(await merchant.fetch(reference)).toMatchObject({
      status: 'pending',
      paid: false,
      paid_amount: 0,
      paid_at: null,
      sender_name: null,
      version: 3,
      payments: [{ amount: 8_500, outcome: 'reversed' }],
    });
    expect(await world.eventsOf(reference)).toEqual(['checkout.paid', 'checkout.payment_reversed']);
    await world.expectBooksToAgree();
    await world.minutesPass(130, 10);
    const all = ['checkout.paid', 'checkout.payment_reversed', 'checkout.expired'];
    expect(await world.eventsOf(reference)).toEqual(all);
    await world.simulator.resend(transferId);
    expect(await world.eventsOf(reference)).toEqual(all);
    await world.expectBooksToAgree();
  });

  longTest('never counts if it was returned before it was reported', async () => {
    const held = await world.holdNotifications(provider);
    const { reference, ...paid } = await merchant.paidCheckout(provider);
    const { id, ...other } = await merchant.paidAccount(provider, ASKED);
    for (const { transferId } of [paid, other]) await world.simulator.reverse(provider, transferId);
    await held.deliver();
    await world.minutesPass(60, 5);
    expect(await merchant.fetch(reference)).toMatchObject({ status: 'expired', paid_amount: 0 });
    expect(await world.eventsOf(reference)).toEqual(['checkout.payment_rejected', 'checkout.expired']);
    expect(await world.eventsOf(id)).toEqual([]);
    await world.expectBooksToAgree();
  });

  test('lands on a virtual account with any amount', async () => {
    const { id, accountNumber } = await merchant.account(provider);
    for (const amount of [1, 123_456, 99_999_999]) await world.pay(provider, accountNumber, amount);
    expect(await world.eventsOf(id)).toEqual(Array.from({ length: 3 }, () => 'virtual_account.payment_received'));
    const { data } = (await merchant.api.listPayments(id)).json;
    expect(data.map(({ amount }: { amount: number }) => amount).sort((a: number, b: number) => a - b)).toEqual([
      0.01, 1_234.56, 999_999.99,
    ]);
    await world.expectBooksToAgree();
  });

  // Korapay lists a reversed credit under an id that we have recorded as accepted. It must be looked up anyway.
  test('gets announced as reversed once if it is returned from a virtual account', async () => {
    const { id, accountNumber, transferId } = await merchant.paidAccount(provider, 1_500_000);
    await world.pay(provider, accountNumber, 20_000);
    await world.simulator.reverse(provider, transferId);
    await learnOfReturn(provider);
    expect((await world.eventsOf(id)).toSorted()).toEqual([
      'virtual_account.payment_received',
      'virtual_account.payment_received',
      'virtual_account.payment_reversed',
    ]);
    const { data } = (await merchant.api.listPayments(id)).json;
    expect(
      data.map(({ amount, outcome }: { amount: number; outcome: string }) => `${amount} ${outcome}`).sort(),
    ).toEqual(['15000 reversed', '200 accepted']);
    await world.minutesPass(30, 10);
    expect(await world.eventsOf(id)).toHaveLength(3);
    await world.expectBooksToAgree();
  });

  test('still lands on an account that was deactivated meanwhile', async () => {
    const held = await world.holdNotifications(provider);
    const { id } = await merchant.paidAccount(provider, 420_000);
    expect((await merchant.api.deleteAccount(id)).json.data.status).toBe('inactive');
    await held.deliver();
    expect(await world.events()).toMatchObject([
      {
        type: 'virtual_account.payment_received',
        data: { payment: { amount: 4_200 }, virtual_account: { status: 'inactive' } },
      },
    ]);
    await world.expectBooksToAgree();
  });
});

// When the checkout opens, its cumulative report is looked up again, with the provider's state of the whole payment.
test('an underpayment that the provider accepts as complete before the checkout opens makes it paid', async () => {
  world.simulator.prefer('korapay', { under: 'accept_all' });
  const { accountNumber } = await merchant.lostCheckout('korapay');
  await world.pay('korapay', accountNumber, UNDER);
  await world.minutesPass(2);
  const [opened] = await merchant.listedCheckouts();
  expect(opened).toMatchObject({ status: 'paid', paid_amount: 8_000 });
});

describe('reports that a provider may send, but the simulator does not,', () => {
  const provider = 'korapay';
  /** Opens a checkout. `report` sets the provider's next answer and looks the checkout up. */
  const begin = async () => {
    const opened = await merchant.checkout(provider);
    const { reference } = opened;
    let money: readonly ReportedMoney[] = [];
    let state: 'open' | 'complete' | 'failed' = 'open';
    const scripted = world.scripted(provider, () => ({ lookUp: async () => ({ money, state }) }));
    const report = async (nextMoney: typeof money, nextState: typeof state = 'open') => {
      [money, state] = [nextMoney, nextState];
      await lookUpCheckout({ ...world.deps, ...scripted }, merchant.business.tenant, reference);
      return merchant.fetch(reference);
    };
    return { ...opened, report };
  };
  const total = (reference: string, kept: number, returned = 0): ReportedMoney => ({
    ...makeCumulativeReport(reference, kept, returned),
    asked: ASKED as Kobo,
  });
  const expectChanges = async (reference: string, types: readonly string[]): Promise<void> => {
    expect(await world.eventsOf(reference)).toEqual(types);
    await world.expectCheckoutSum(reference);
    expect((await merchant.fetch(reference)).version).toBe(1 + types.length);
  };

  test('make a payment of each growth of a cumulative report: underpaid, paid, overpaid', async () => {
    const { reference, report } = await begin();
    expect(await report([total(reference, 300_000)])).toMatchObject({ status: 'underpaid', paid_amount: 3_000 });
    expect(await report([total(reference, 300_000)])).toMatchObject({ version: 2 });
    expect(await report([total(reference, 850_000)])).toMatchObject({ status: 'paid', paid_amount: 8_500 });
    expect(await report([total(reference, 1_000_000)])).toMatchObject({
      status: 'paid',
      paid_amount: 10_000,
      payments: [{ amount: 1_500 }, { amount: 5_500 }, { amount: 3_000 }],
    });
    // A lower answer that may be stale lowers nothing.
    expect(await report([total(reference, 850_000)])).toMatchObject({ paid_amount: 10_000 });
    await expectChanges(reference, ['checkout.underpaid', 'checkout.paid', 'checkout.overpaid']);
  });

  test('reverse all parts of a cumulative report that is returned', async () => {
    const { reference, report } = await begin();
    await report([total(reference, 300_000)]);
    await report([total(reference, 850_000)]);
    world.clock.advance(MINUTE);
    expect(await report([total(reference, 0, 850_000)])).toMatchObject({
      status: 'pending',
      paid_amount: 0,
      payments: [{ outcome: 'reversed' }, { outcome: 'reversed' }],
    });
    await report([total(reference, 0, 850_000)]);
    await expectChanges(reference, ['checkout.underpaid', 'checkout.paid', 'checkout.payment_reversed']);
  });

  test('give each of several transfers its own outcome, and the sum follows', async () => {
    const { reference, report } = await begin();
    const transfer = (id: number, amount: number, outcome: 'accepted' | 'reversed' = 'accepted') =>
      makeTransfer(reference, amount, outcome, `trf-${id}`);
    const [a, b, rejected] = [transfer(1, 400_000), transfer(2, 450_000), transfer(3, 100_000, 'reversed')];
    const returned = { ...b, outcome: 'reversed' } as const;
    const underpaid = { status: 'underpaid', paid_amount: 4_000, paid_at: null };
    expect(await report([a, b, rejected])).toMatchObject({ status: 'paid', paid_amount: 8_500 });
    expect(await report([a, returned, rejected])).toMatchObject(underpaid);
    const paid = await report([a, returned, transfer(4, 450_000)]);
    expect(paid).toMatchObject({ status: 'paid', paid_amount: 8_500 });
    await expectChanges(reference, [
      'checkout.underpaid',
      'checkout.paid',
      'checkout.payment_rejected',
      'checkout.payment_reversed',
      'checkout.paid',
    ]);
  });

  test('make an expired checkout paid by late money, which is marked late', async () => {
    const { reference, report, expiresAt } = await begin();
    await world.minutesPass(40, 5);
    expect(await merchant.statusOf(reference)).toBe('expired');
    const late = { ...makeTransfer(reference, ASKED), paidAt: expiresAt + 1 };
    expect(await report([late], 'complete')).toMatchObject({ status: 'paid', payments: [{ late: true }] });
    await expectChanges(reference, ['checkout.expired', 'checkout.paid']);
  });

  longTest('make an expired checkout underpaid for good by too little late money', async () => {
    const { reference, report } = await begin();
    await world.minutesPass(40, 5);
    expect(await report([makeTransfer(reference, 200_000)])).toMatchObject({
      status: 'underpaid',
      paid_amount: 2_000,
      payments: [{ late: true }],
    });
    await world.minutesPass(120, 10);
    await expectChanges(reference, ['checkout.expired', 'checkout.underpaid']);
  });

  test('fail a checkout once, and money reported afterwards still counts', async () => {
    const { reference, report } = await begin();
    expect(await report([], 'failed')).toMatchObject({ status: 'failed', paid_amount: 0 });
    await report([], 'failed');
    expect(await report([makeTransfer(reference, ASKED)], 'failed')).toMatchObject({ status: 'paid' });
    await report([makeTransfer(reference, ASKED)], 'failed');
    await expectChanges(reference, ['checkout.failed', 'checkout.paid']);
  });

  test('fail a checkout only with the reference of the attempt in use', async () => {
    const { reference } = await merchant.lostCheckout(provider);
    await world.minutesPass(1);
    const failing = world.scripted(provider, () => ({ lookUp: async () => ({ money: [], state: 'failed' }) }));
    const lookUp = async (value: string) => {
      await world.lookUp(provider, value, failing);
      return merchant.statusOf(reference);
    };
    expect(await lookUp(reference)).toBe('pending');
    expect(await lookUp(`${reference}-3`)).toBe('pending');
    expect(await world.eventsOf(reference)).toEqual([]);
    expect(await lookUp(`${reference}-2`)).toBe('failed');
    expect(await world.eventsOf(reference)).toEqual(['checkout.failed']);
  });

  test('make an underpaid checkout paid if the provider calls it complete', async () => {
    const { reference, report } = await begin();
    expect(await report([total(reference, 800_000)])).toMatchObject({ status: 'underpaid' });
    expect(await report([total(reference, 800_000)], 'complete')).toMatchObject({ status: 'paid', paid_amount: 8_000 });
    await expectChanges(reference, ['checkout.underpaid', 'checkout.paid']);
  });

  // An underpaid checkout does not expire. After its money is returned, it must expire.
  test('make an underpaid checkout pending again if its money is returned, and then it expires', async () => {
    const { reference, report } = await begin();
    await report([makeTransfer(reference, 200_000)]);
    const returned = await report([makeTransfer(reference, 200_000, 'reversed')]);
    expect(returned).toMatchObject({ status: 'pending', paid_amount: 0 });
    await world.minutesPass(120, 10);
    await expectChanges(reference, ['checkout.underpaid', 'checkout.payment_reversed', 'checkout.expired']);
  });

  test('count the right amount again if it is paid again after a full return', async () => {
    const { reference, report } = await begin();
    await report([total(reference, 850_000)]);
    world.clock.advance(MINUTE);
    await report([total(reference, 0, 850_000)]);
    world.clock.advance(MINUTE);
    expect(await report([total(reference, 850_000)])).toMatchObject({ status: 'paid', paid_amount: 8_500 });
    await expectChanges(reference, ['checkout.paid', 'checkout.payment_reversed', 'checkout.paid']);
  });
});
