import { MINUTE } from '#shared/domain/kernel/time.ts';
import type { ReportedMoney } from '#shared/domain/money/report.ts';
import { StaleReport } from '#shared/domain/providers/errors.ts';
import type { ProviderName } from '#shared/domain/providers/provider.ts';
import type { LiveProvider } from '#shared/ports/providers.ts';
import { lookUpCheckout } from '#shared/use-cases/checkouts/look-up-checkout.ts';
import { lookUpPayment } from '#shared/use-cases/money/look-up-payment.ts';
import { breakOpening } from '#test/support/worlds/live-faults.ts';
import { fetchCheckout, merchant, openWorldForEachTest, world } from '#test/support/worlds/live-merchant.ts';
import {
  announcedEvents,
  balances,
  eventTypesOf,
  expectBooksToAgree,
  holdNotifications,
  minutesPass,
  notify,
  recorded,
  signed,
  withScriptedProvider,
} from '#test/support/worlds/live-steps.ts';
import { describeAtProviders } from '#test/support/worlds/provider-scenes.ts';

openWorldForEachTest();

/** In kobo: what every checkout here asks for, ₦8,500, and wrong amounts. */
const ASKED = 850_000;
const UNDER = 800_000;
const OVER = 900_000;

interface Case {
  readonly provider: ProviderName;
  readonly reaction: string;
  readonly prefer: () => void;
  readonly sent: number;
  /** Events and state after the wrong amount. */
  readonly events: readonly string[];
  readonly state: string;
  readonly paid: number;
  /** Events after the right amount has been sent as well. */
  readonly after: readonly string[];
}
const REJECTED = {
  events: ['checkout.payment_rejected'],
  state: 'pending',
  paid: 0,
  after: ['checkout.payment_rejected', 'checkout.paid'],
};
const PAID = (paid: number) => ({ events: ['checkout.paid'], state: 'paid', paid, after: ['checkout.paid'] });
const none = (): void => {};
const monnify = (preference: 'reject' | 'accept') => () => world.twin.prefer('monnify', preference);
const korapay = (over: 'return_excess' | 'return_all' | 'accept_all', under: 'return_all' | 'accept_all') => () =>
  world.twin.prefer('korapay', { over, under });

/** What each provider may do with a wrong amount, and what the business must see. */
const WRONG_AMOUNTS: readonly Case[] = [
  { provider: 'paystack', reaction: 'rejects', prefer: none, sent: UNDER, ...REJECTED },
  { provider: 'paystack', reaction: 'rejects', prefer: none, sent: OVER, ...REJECTED },
  { provider: 'monnify', reaction: 'rejects', prefer: monnify('reject'), sent: UNDER, ...REJECTED },
  { provider: 'monnify', reaction: 'rejects', prefer: monnify('reject'), sent: OVER, ...REJECTED },
  {
    provider: 'monnify',
    reaction: 'accepts',
    prefer: monnify('accept'),
    sent: UNDER,
    events: ['checkout.underpaid'],
    state: 'underpaid',
    paid: 8_000,
    after: ['checkout.underpaid'],
  },
  { provider: 'monnify', reaction: 'accepts', prefer: monnify('accept'), sent: OVER, ...PAID(9_000) },
  {
    provider: 'korapay',
    reaction: 'returns the excess',
    prefer: korapay('return_excess', 'return_all'),
    sent: OVER,
    events: ['checkout.paid', 'checkout.payment_rejected'],
    state: 'paid',
    paid: 8_500,
    after: ['checkout.paid', 'checkout.payment_rejected'],
  },
  {
    provider: 'korapay',
    reaction: 'returns all',
    prefer: korapay('return_all', 'return_all'),
    sent: UNDER,
    ...REJECTED,
  },
  {
    provider: 'korapay',
    reaction: 'returns all',
    prefer: korapay('return_all', 'return_all'),
    sent: OVER,
    ...REJECTED,
  },
  {
    provider: 'korapay',
    reaction: 'accepts',
    prefer: korapay('accept_all', 'accept_all'),
    sent: UNDER,
    ...PAID(8_000),
  },
  { provider: 'korapay', reaction: 'accepts', prefer: korapay('accept_all', 'accept_all'), sent: OVER, ...PAID(9_000) },
];

describe.each(WRONG_AMOUNTS)(
  '$provider $reaction a wrong amount of $sent kobo',
  ({ provider, prefer, sent, ...expected }) => {
    const { events, state, paid, after } = expected;
    test('the checkout and its events show the outcome, and the right amount afterwards', async () => {
      prefer();
      const { reference, account_number: accountNumber } = await merchant.checkout(provider);
      const { kept } = await world.twin.pay({ provider, accountNumber, amount: sent, senderName: 'Chidi Eze' });
      await world.twin.settled();
      // Korapay notifies of no payment that it returned whole; reconciliation finds it.
      await minutesPass(world, 1);
      expect(await eventTypesOf(world, reference)).toEqual(events);
      const data = await fetchCheckout(reference);
      expect(data).toMatchObject({
        status: state,
        paid: state === 'paid',
        paid_amount: paid,
        version: 1 + events.length,
      });
      expect(paid * 100).toBe(kept);
      expect(data.payments.map(({ outcome }: { outcome: string }) => outcome).sort()).toEqual(
        events.map((type) => (type === 'checkout.payment_rejected' ? 'rejected' : 'accepted')).sort(),
      );
      await expectBooksToAgree(world);
      await world.twin.pay({ provider, accountNumber, amount: ASKED });
      await world.twin.settled();
      await minutesPass(world, 25, 5);
      expect(await eventTypesOf(world, reference)).toEqual(after);
      await expectBooksToAgree(world);
    });
  },
);

/** Lets us learn of a return: Paystack notifies of refunds, the others show it in their lists. */
const learnOfReturn = async (provider: ProviderName): Promise<void> => {
  if (provider === 'paystack') {
    for (const { providerReference } of await recorded(world)) {
      const data = { transaction_reference: providerReference, status: 'processed' };
      const sent = signed(world, provider, { event: 'refund.processed', data });
      expect((await notify(world, provider, sent)).status).toBe(200);
    }
  }
  await minutesPass(world, 12, 6);
};

describeAtProviders('money at %s', (provider) => {
  const pay = (accountNumber: string, amount: number, more: { paidAt?: number } = {}) =>
    world.twin.pay({ provider, accountNumber, amount, senderName: 'Chidi Eze', senderBank: 'GTBank', ...more });
  const payAndSettle = async (...args: Parameters<typeof pay>) => {
    const paid = await pay(...args);
    await world.twin.settled();
    return paid;
  };

  test('in the right amount pays a checkout once, however often it is reported', async () => {
    const { reference, account_number } = await merchant.checkout(provider);
    const { transferId } = await payAndSettle(account_number, ASKED);
    const data = await fetchCheckout(reference);
    expect(data).toMatchObject({
      status: 'paid',
      paid: true,
      paid_amount: 8_500,
      sender_name: 'Chidi Eze',
      paid_at: '2026-11-20T12:00:00.000000Z',
      version: 2,
      payments: [{ amount: 8_500, outcome: 'accepted', late: false, provider }],
    });
    await world.twin.resend(transferId);
    await minutesPass(world, 100, 10);
    expect(await fetchCheckout(reference)).toEqual(data);
    expect(await eventTypesOf(world, reference)).toEqual(['checkout.paid']);
    expect((await announcedEvents(world))[0]?.data).toEqual(data);
    await expectBooksToAgree(world);
  });

  test('sent twice for one checkout announces it as paid once, and counts as far as the provider keeps it', async () => {
    const { reference, account_number } = await merchant.checkout(provider);
    await payAndSettle(account_number, ASKED);
    await payAndSettle(account_number, ASKED);
    await minutesPass(world, 12, 6);
    expect(await eventTypesOf(world, reference)).toEqual(['checkout.paid']);
    await expectBooksToAgree(world);
  });

  test('paid in time but reported after the expiry makes the expired checkout paid, and is not late', async () => {
    const { reference, account_number, expires_at } = await merchant.checkout(provider);
    const paidAt = Date.parse(expires_at) - MINUTE;
    await minutesPass(world, 50, 5);
    expect((await fetchCheckout(reference)).status).toBe('expired');
    await payAndSettle(account_number, ASKED, { paidAt });
    expect(await fetchCheckout(reference)).toMatchObject({
      status: 'paid',
      paid_amount: 8_500,
      payments: [{ late: false }],
    });
    expect(await eventTypesOf(world, reference)).toEqual(['checkout.expired', 'checkout.paid']);
    await minutesPass(world, 90, 10);
    expect(await eventTypesOf(world, reference)).toEqual(['checkout.expired', 'checkout.paid']);
    await expectBooksToAgree(world);
  });

  test('that arrives after the expiry and is rejected does not count', async () => {
    const { reference, account_number } = await merchant.checkout(provider);
    await minutesPass(world, 50, 5);
    expect((await payAndSettle(account_number, ASKED)).kept).toBe(0);
    await minutesPass(world, 90, 10);
    expect(await fetchCheckout(reference)).toMatchObject({ status: 'expired', paid_amount: 0 });
    expect(await eventTypesOf(world, reference)).toEqual(['checkout.expired']);
    await expectBooksToAgree(world);
  });

  test('that is returned later is reversed, and the checkout is pending until it expires', async () => {
    const { reference, account_number } = await merchant.checkout(provider);
    const { transferId } = await payAndSettle(account_number, ASKED);
    await world.twin.reverse(provider, transferId);
    await learnOfReturn(provider);
    expect(await fetchCheckout(reference)).toMatchObject({
      status: 'pending',
      paid: false,
      paid_amount: 0,
      paid_at: null,
      sender_name: null,
      version: 3,
      payments: [{ amount: 8_500, outcome: 'reversed' }],
    });
    expect(await eventTypesOf(world, reference)).toEqual(['checkout.paid', 'checkout.payment_reversed']);
    await expectBooksToAgree(world);
    await minutesPass(world, 130, 10);
    const all = ['checkout.paid', 'checkout.payment_reversed', 'checkout.expired'];
    expect(await eventTypesOf(world, reference)).toEqual(all);
    await world.twin.resend(transferId);
    expect(await eventTypesOf(world, reference)).toEqual(all);
    await expectBooksToAgree(world);
  });

  test('that was returned before it was reported never counts', async () => {
    const held = await holdNotifications(world, provider);
    const { reference, account_number } = await merchant.checkout(provider);
    const account = await merchant.account(provider);
    for (const number of [account_number, account.account_number]) {
      const { transferId } = await pay(number, ASKED);
      await world.twin.reverse(provider, transferId);
    }
    for (const sent of await held.held()) expect((await notify(world, provider, sent)).status).toBe(200);
    await held.stop();
    await minutesPass(world, 60, 5);
    expect(await fetchCheckout(reference)).toMatchObject({ status: 'expired', paid_amount: 0 });
    expect(await eventTypesOf(world, reference)).toEqual(['checkout.payment_rejected', 'checkout.expired']);
    expect(await eventTypesOf(world, account.id)).toEqual([]);
    await expectBooksToAgree(world);
  });

  test('to a virtual account lands in any amount', async () => {
    const { id, account_number } = await merchant.account(provider);
    for (const amount of [1, 123_456, 99_999_999]) await payAndSettle(account_number, amount);
    expect(await eventTypesOf(world, id)).toEqual(Array.from({ length: 3 }, () => 'virtual_account.payment_received'));
    const { data } = (await merchant.api.listPayments(id)).json;
    expect(data.map(({ amount }: { amount: number }) => amount).sort((a: number, b: number) => a - b)).toEqual([
      0.01, 1_234.56, 999_999.99,
    ]);
    await expectBooksToAgree(world);
  });

  // Korapay lists a reversed credit under an id that we have recorded as accepted; it must still be looked up.
  test('to a virtual account that is returned is announced as reversed, once', async () => {
    const { id, account_number } = await merchant.account(provider);
    const { transferId } = await payAndSettle(account_number, 1_500_000);
    await payAndSettle(account_number, 20_000);
    await world.twin.reverse(provider, transferId);
    await learnOfReturn(provider);
    expect((await eventTypesOf(world, id)).toSorted()).toEqual([
      'virtual_account.payment_received',
      'virtual_account.payment_received',
      'virtual_account.payment_reversed',
    ]);
    const { data } = (await merchant.api.listPayments(id)).json;
    expect(
      data.map(({ amount, outcome }: { amount: number; outcome: string }) => `${amount} ${outcome}`).sort(),
    ).toEqual(['15000 reversed', '200 accepted']);
    await minutesPass(world, 30, 10);
    expect(await eventTypesOf(world, id)).toHaveLength(3);
    await expectBooksToAgree(world);
  });

  test('to an account that was deactivated meanwhile still lands', async () => {
    const held = await holdNotifications(world, provider);
    const { id, account_number } = await merchant.account(provider);
    await pay(account_number, 420_000);
    const [sent] = await held.held();
    await held.stop();
    expect((await merchant.api.deleteAccount(id)).json.data.status).toBe('inactive');
    expect(sent && (await notify(world, provider, sent)).status).toBe(200);
    expect(await announcedEvents(world)).toMatchObject([
      {
        type: 'virtual_account.payment_received',
        data: { payment: { amount: 4_200 }, virtual_account: { status: 'inactive' } },
      },
    ]);
    await expectBooksToAgree(world);
  });
});

// As the checkout opens, its running total is looked up again, with the provider's state of the whole payment.
test('an underpayment that the provider accepts as complete before the checkout opens makes it paid', async () => {
  world.twin.prefer('korapay', { under: 'accept_all' });
  world.twin.fault('korapay', { kind: 'lost_answer', path: /bank-transfer$/, times: 1 });
  const payer = { payer_email: 'chidi.eze@example.com', provider: 'korapay' };
  expect((await merchant.api.initialize({ amount: 8_500, ...payer })).status).toBe(502);
  const accountNumber = world.twin.books.accounts()[0]?.number ?? '';
  await world.twin.pay({ provider: 'korapay', accountNumber, amount: UNDER });
  await world.twin.settled();
  await minutesPass(world, 2);
  const [opened] = (await merchant.api.listCheckouts()).json.data;
  expect(opened).toMatchObject({ status: 'paid', paid_amount: 8_000 });
});

describe('reports that a provider may send and the twin does not', () => {
  const provider = 'korapay';
  /** A checkout, and `report`, which gives the provider's next answer and looks the checkout up. */
  const begin = async () => {
    const opened = await merchant.checkout(provider);
    const { reference } = opened;
    let money: readonly ReportedMoney[] = [];
    let state: 'open' | 'complete' | 'failed' = 'open';
    const scripted = withScriptedProvider(
      world,
      provider,
      (): Partial<LiveProvider> => ({ lookUp: async () => ({ money, state }) }),
    );
    const report = async (reported: typeof money, as: typeof state = 'open') => {
      [money, state] = [reported, as];
      await lookUpCheckout(scripted.deps, merchant.business.tenant, reference);
      return fetchCheckout(reference);
    };
    return { ...opened, report };
  };
  const common = (reference: string, paidAt: number) => ({
    providerReference: 'KPY-PAY-7',
    fee: 0 as never,
    paidAt,
    senderName: 'Chidi Eze',
    senderBank: 'GTBank',
    payee: { by: 'our_reference' as const, reference },
  });
  const total = (
    reference: string,
    amount: number,
    outcome: 'accepted' | 'reversed' = 'accepted',
    paidAt = world.clock.now(),
  ) =>
    ({
      kind: 'running_total',
      ...common(reference, paidAt),
      asked: ASKED as never,
      kept: (outcome === 'accepted' ? amount : 0) as never,
      returned: (outcome === 'accepted' ? 0 : amount) as never,
    }) satisfies ReportedMoney;
  const transfer = (
    reference: string,
    transferId: string,
    amount: number,
    outcome: 'accepted' | 'reversed' = 'accepted',
    paidAt = world.clock.now(),
  ) =>
    ({
      kind: 'transfer',
      ...common(reference, paidAt),
      transferId,
      amount: amount as never,
      outcome,
    }) satisfies ReportedMoney;

  const expectChanges = async (reference: string, types: readonly string[]): Promise<void> => {
    expect(await eventTypesOf(world, reference)).toEqual(types);
    const balance = (await balances(world)).find(({ id }) => id === reference);
    expect(balance?.accepted).toBe(balance?.shown);
    expect(balance?.announcedVersions).toEqual(types.map((_, i) => i + 2));
    expect(balance?.version).toBe(1 + types.length);
  };

  test('a running total that grows makes a payment of each part: underpaid, paid, overpaid', async () => {
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
    await expect(report([total(reference, 850_000)])).rejects.toThrow(StaleReport);
    expect(await fetchCheckout(reference)).toMatchObject({ paid_amount: 10_000 });
    await expectChanges(reference, ['checkout.underpaid', 'checkout.paid', 'checkout.overpaid']);
  });

  test('a running total that is returned reverses all its parts', async () => {
    const { reference, report } = await begin();
    await report([total(reference, 300_000)]);
    await report([total(reference, 850_000)]);
    world.clock.advance(MINUTE);
    expect(await report([total(reference, 850_000, 'reversed')])).toMatchObject({
      status: 'pending',
      paid_amount: 0,
      payments: [{ outcome: 'reversed' }, { outcome: 'reversed' }],
    });
    await report([total(reference, 850_000, 'reversed')]);
    await expectChanges(reference, ['checkout.underpaid', 'checkout.paid', 'checkout.payment_reversed']);
  });

  test('of several transfers each has its own outcome, and the sum follows', async () => {
    const { reference, report } = await begin();
    const [a, b] = [transfer(reference, 'trf-1', 400_000), transfer(reference, 'trf-2', 450_000)];
    const rejected = transfer(reference, 'trf-3', 100_000, 'reversed');
    expect(await report([a, b, rejected])).toMatchObject({ status: 'paid', paid_amount: 8_500 });
    expect(await report([a, { ...b, outcome: 'reversed' }, rejected])).toMatchObject({
      status: 'underpaid',
      paid_amount: 4_000,
      paid_at: null,
    });
    expect(await report([a, { ...b, outcome: 'reversed' }, transfer(reference, 'trf-4', 450_000)])).toMatchObject({
      status: 'paid',
      paid_amount: 8_500,
    });
    await expectChanges(reference, [
      'checkout.underpaid',
      'checkout.paid',
      'checkout.payment_rejected',
      'checkout.payment_reversed',
      'checkout.paid',
    ]);
  });

  test('late money that is kept makes an expired checkout paid, and is marked late', async () => {
    const { reference, report, expires_at } = await begin();
    await minutesPass(world, 40, 5);
    expect((await fetchCheckout(reference)).status).toBe('expired');
    const paidAt = Date.parse(expires_at) + 1;
    expect(await report([transfer(reference, 'trf-1', 850_000, 'accepted', paidAt)], 'complete')).toMatchObject({
      status: 'paid',
      payments: [{ late: true }],
    });
    await expectChanges(reference, ['checkout.expired', 'checkout.paid']);
  });

  test('late money that is too little makes an expired checkout underpaid, and it stays so', async () => {
    const { reference, report } = await begin();
    await minutesPass(world, 40, 5);
    expect(await report([transfer(reference, 'trf-1', 200_000)])).toMatchObject({
      status: 'underpaid',
      paid_amount: 2_000,
      payments: [{ late: true }],
    });
    await minutesPass(world, 120, 10);
    await expectChanges(reference, ['checkout.expired', 'checkout.underpaid']);
  });

  test('a reported failure fails the checkout once, and money reported afterwards still counts', async () => {
    const { reference, report } = await begin();
    expect(await report([], 'failed')).toMatchObject({ status: 'failed', paid_amount: 0 });
    await report([], 'failed');
    expect(await report([transfer(reference, 'trf-1', 850_000)], 'failed')).toMatchObject({ status: 'paid' });
    await report([transfer(reference, 'trf-1', 850_000)], 'failed');
    await expectChanges(reference, ['checkout.failed', 'checkout.paid']);
  });

  test('a reported failure fails the checkout only if it is of the attempt in use', async () => {
    breakOpening(world, provider, 'checkout', { kind: 'lost_answer' });
    const payer = { payer_email: 'chidi.eze@example.com', provider };
    expect((await merchant.api.initialize({ amount: 8_500, ...payer })).status).toBe(502);
    await minutesPass(world, 1);
    const [{ reference }] = (await merchant.api.listCheckouts()).json.data;
    const failing = withScriptedProvider(world, provider, () => ({
      lookUp: async () => ({ money: [], state: 'failed' }),
    }));
    const lookUp = async (value: string) => {
      const asked = failing.deps.liveProviders(provider) as LiveProvider;
      await lookUpPayment(failing.deps, provider, asked, { by: 'our_reference', value });
      return (await fetchCheckout(reference)).status;
    };
    expect(await lookUp(reference)).toBe('pending');
    expect(await lookUp(`${reference}-3`)).toBe('pending');
    expect(await eventTypesOf(world, reference)).toEqual([]);
    expect(await lookUp(`${reference}-2`)).toBe('failed');
    expect(await eventTypesOf(world, reference)).toEqual(['checkout.failed']);
  });

  test('an underpayment that the provider then reports as complete makes the checkout paid', async () => {
    const { reference, report } = await begin();
    expect(await report([total(reference, 800_000)])).toMatchObject({ status: 'underpaid' });
    expect(await report([total(reference, 800_000)], 'complete')).toMatchObject({ status: 'paid', paid_amount: 8_000 });
    await expectChanges(reference, ['checkout.underpaid', 'checkout.paid']);
  });

  // An underpaid checkout does not expire; once its money is returned it must be able to.
  test('an underpayment that is returned makes the checkout pending again, and it expires', async () => {
    const { reference, report } = await begin();
    await report([transfer(reference, 'trf-1', 200_000)]);
    expect(await report([transfer(reference, 'trf-1', 200_000, 'reversed')])).toMatchObject({
      status: 'pending',
      paid_amount: 0,
    });
    await minutesPass(world, 120, 10);
    await expectChanges(reference, ['checkout.underpaid', 'checkout.payment_reversed', 'checkout.expired']);
  });

  test('the right amount counts again when it is paid after all of it was returned', async () => {
    const { reference, report } = await begin();
    await report([total(reference, 850_000)]);
    world.clock.advance(MINUTE);
    await report([total(reference, 850_000, 'reversed')]);
    world.clock.advance(MINUTE);
    expect(await report([total(reference, 850_000)])).toMatchObject({ status: 'paid', paid_amount: 8_500 });
    await expectChanges(reference, ['checkout.paid', 'checkout.payment_reversed', 'checkout.paid']);
  });
});
