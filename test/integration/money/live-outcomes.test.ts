import { MINUTE } from '#shared/domain/kernel/time.ts';
import type { ReportedMoney } from '#shared/domain/money/report.ts';
import { OutdatedAnswer } from '#shared/domain/providers/errors.ts';
import type { ProviderName } from '#shared/domain/providers/provider.ts';
import type { LiveProvider } from '#shared/ports/providers.ts';
import { lookUpCheckout } from '#shared/use-cases/checkouts/look-up-checkout.ts';
import { lookUpPayment } from '#shared/use-cases/money/look-up-payment.ts';
import { breakOpening } from '#test/support/worlds/live-faults.ts';
import { fetchCheckout, merchant, world } from '#test/support/worlds/live-merchant.ts';
import {
  announcedEvents,
  balances,
  eventTypesOf,
  expectBooksToAgree,
  holdNotifications,
  minutesPass,
  notify,
  PROVIDERS,
  recorded,
  signed,
  withScriptedProvider,
} from '#test/support/worlds/live-steps.ts';

/** What every checkout here asks for: ₦8,500. */
const ASKED = 850_000;
const UNDER = 800_000;
const OVER = 900_000;

interface Case {
  readonly provider: ProviderName;
  readonly how: string;
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

/** What a wrong amount comes to, by what the provider does with it. */
const WRONG_AMOUNTS: readonly Case[] = [
  { provider: 'paystack', how: 'rejects', prefer: none, sent: UNDER, ...REJECTED },
  { provider: 'paystack', how: 'rejects', prefer: none, sent: OVER, ...REJECTED },
  { provider: 'monnify', how: 'rejects', prefer: monnify('reject'), sent: UNDER, ...REJECTED },
  { provider: 'monnify', how: 'rejects', prefer: monnify('reject'), sent: OVER, ...REJECTED },
  {
    provider: 'monnify',
    how: 'accepts',
    prefer: monnify('accept'),
    sent: UNDER,
    events: ['checkout.underpaid'],
    state: 'underpaid',
    paid: 8_000,
    after: ['checkout.underpaid'],
  },
  { provider: 'monnify', how: 'accepts', prefer: monnify('accept'), sent: OVER, ...PAID(9_000) },
  {
    provider: 'korapay',
    how: 'returns the excess',
    prefer: korapay('return_excess', 'return_all'),
    sent: OVER,
    events: ['checkout.paid', 'checkout.payment_rejected'],
    state: 'paid',
    paid: 8_500,
    after: ['checkout.paid', 'checkout.payment_rejected'],
  },
  { provider: 'korapay', how: 'returns all', prefer: korapay('return_all', 'return_all'), sent: UNDER, ...REJECTED },
  { provider: 'korapay', how: 'returns all', prefer: korapay('return_all', 'return_all'), sent: OVER, ...REJECTED },
  { provider: 'korapay', how: 'accepts', prefer: korapay('accept_all', 'accept_all'), sent: UNDER, ...PAID(8_000) },
  { provider: 'korapay', how: 'accepts', prefer: korapay('accept_all', 'accept_all'), sent: OVER, ...PAID(9_000) },
];

describe.each(WRONG_AMOUNTS)('$provider $how a wrong amount of $sent', ({ provider, prefer, sent, ...expected }) => {
  const { events, state, paid, after } = expected;
  test('and its business hears what it comes to', async () => {
    prefer();
    const { reference, account_number: accountNumber } = await merchant.checkout(provider);
    const { kept } = await world.twin.pay({ provider, accountNumber, amount: sent, senderName: 'Chidi Eze' });
    await world.twin.settled();
    // Korapay says nothing of what it returned altogether: the comparison of books finds it.
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
});

/** How news of money that went back reaches us: Paystack tells of refunds, the others show it in their lists. */
const hearOfReversal = async (provider: ProviderName): Promise<void> => {
  if (provider === 'paystack') {
    for (const { providerReference } of await recorded(world)) {
      const data = { transaction_reference: providerReference, status: 'processed' };
      const sent = signed(world, provider, { event: 'refund.processed', data });
      expect((await notify(world, provider, sent)).status).toBe(200);
    }
  }
  await minutesPass(world, 12, 6);
};

describe.each(PROVIDERS)('money at %s', (provider) => {
  const pay = (accountNumber: string, amount: number, more: { paidAt?: number } = {}) =>
    world.twin.pay({ provider, accountNumber, amount, senderName: 'Chidi Eze', senderBank: 'GTBank', ...more });
  const payAndSettle = async (...args: Parameters<typeof pay>) => {
    const paid = await pay(...args);
    await world.twin.settled();
    return paid;
  };

  test('in the right amount pays a checkout once', async () => {
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

  test('a second time for the same checkout counts as far as it is kept', async () => {
    const { reference, account_number } = await merchant.checkout(provider);
    await payAndSettle(account_number, ASKED);
    await payAndSettle(account_number, ASKED);
    await minutesPass(world, 12, 6);
    expect(await eventTypesOf(world, reference)).toEqual(['checkout.paid']);
    await expectBooksToAgree(world);
  });

  test('that was paid in time, but heard of after the expiry, revives the checkout and is not late', async () => {
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

  test('that comes after the expiry and is sent back counts for nothing', async () => {
    const { reference, account_number } = await merchant.checkout(provider);
    await minutesPass(world, 50, 5);
    expect((await payAndSettle(account_number, ASKED)).kept).toBe(0);
    await minutesPass(world, 90, 10);
    expect(await fetchCheckout(reference)).toMatchObject({ status: 'expired', paid_amount: 0 });
    expect(await eventTypesOf(world, reference)).toEqual(['checkout.expired']);
    await expectBooksToAgree(world);
  });

  test('that goes back later is taken out of the sum, and the checkout waits again until it expires', async () => {
    const { reference, account_number } = await merchant.checkout(provider);
    const { transferId } = await payAndSettle(account_number, ASKED);
    await world.twin.reverse(provider, transferId);
    await hearOfReversal(provider);
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

  test('that went back before we heard of it never counts', async () => {
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

  test('for a virtual account lands in any amount', async () => {
    const { id, account_number } = await merchant.account(provider);
    for (const amount of [1, 123_456, 99_999_999]) await payAndSettle(account_number, amount);
    expect(await eventTypesOf(world, id)).toEqual(Array.from({ length: 3 }, () => 'virtual_account.payment_received'));
    const { data } = (await merchant.api.listPayments(id)).json;
    expect(data.map(({ amount }: { amount: number }) => amount).sort((a: number, b: number) => a - b)).toEqual([
      0.01, 1_234.56, 999_999.99,
    ]);
    await expectBooksToAgree(world);
  });

  // pay-ins.ts lists a reversed credit under an id that is recorded as accepted: that it went back makes it owed.
  test('for a virtual account that goes back is told as reversed, once', async () => {
    const { id, account_number } = await merchant.account(provider);
    const { transferId } = await payAndSettle(account_number, 1_500_000);
    await payAndSettle(account_number, 20_000);
    await world.twin.reverse(provider, transferId);
    await hearOfReversal(provider);
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

  test('for an account that is inactive by now still lands', async () => {
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

// match-waiting.ts: a running total is asked for again when its checkout begins, with how the provider sees it as a whole.
test('too little that the provider accepts as complete, before the checkout was written: it is paid', async () => {
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

describe('what a provider may report that the twin does not', () => {
  const provider = 'korapay';
  /** A checkout whose provider answers what the test says. */
  const begin = async () => {
    const opened = await merchant.checkout(provider);
    const { reference } = opened;
    let money: readonly ReportedMoney[] = [];
    let state: 'open' | 'complete' | 'failed' = 'open';
    const told_ = withScriptedProvider(
      world,
      provider,
      (): Partial<LiveProvider> => ({ lookUp: async () => ({ money, state }) }),
    );
    const hear = async (reported: typeof money, as: typeof state = 'open') => {
      [money, state] = [reported, as];
      await lookUpCheckout(told_.deps, merchant.business.tenant, reference);
      return fetchCheckout(reference);
    };
    return { ...opened, hear };
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

  test('a running total that grows: underpaid, paid, overpaid, each part a payment of its own', async () => {
    const { reference, hear } = await begin();
    expect(await hear([total(reference, 300_000)])).toMatchObject({ status: 'underpaid', paid_amount: 3_000 });
    expect(await hear([total(reference, 300_000)])).toMatchObject({ version: 2 });
    expect(await hear([total(reference, 850_000)])).toMatchObject({ status: 'paid', paid_amount: 8_500 });
    expect(await hear([total(reference, 1_000_000)])).toMatchObject({
      status: 'paid',
      paid_amount: 10_000,
      payments: [{ amount: 1_500 }, { amount: 5_500 }, { amount: 3_000 }],
    });
    // An answer that may be older than what we know takes nothing away, and is asked for again.
    await expect(hear([total(reference, 850_000)])).rejects.toThrow(OutdatedAnswer);
    expect(await fetchCheckout(reference)).toMatchObject({ paid_amount: 10_000 });
    await expectChanges(reference, ['checkout.underpaid', 'checkout.paid', 'checkout.overpaid']);
  });

  test('a running total that is reversed takes all its parts out', async () => {
    const { reference, hear } = await begin();
    await hear([total(reference, 300_000)]);
    await hear([total(reference, 850_000)]);
    world.clock.advance(MINUTE);
    expect(await hear([total(reference, 850_000, 'reversed')])).toMatchObject({
      status: 'pending',
      paid_amount: 0,
      payments: [{ outcome: 'reversed' }, { outcome: 'reversed' }],
    });
    await hear([total(reference, 850_000, 'reversed')]);
    await expectChanges(reference, ['checkout.underpaid', 'checkout.paid', 'checkout.payment_reversed']);
  });

  test('several transfers: each lands, one is rejected, one reversed, the sum is computed anew', async () => {
    const { reference, hear } = await begin();
    const [a, b] = [transfer(reference, 'trf-1', 400_000), transfer(reference, 'trf-2', 450_000)];
    const sentBack = transfer(reference, 'trf-3', 100_000, 'reversed');
    expect(await hear([a, b, sentBack])).toMatchObject({ status: 'paid', paid_amount: 8_500 });
    expect(await hear([a, { ...b, outcome: 'reversed' }, sentBack])).toMatchObject({
      status: 'underpaid',
      paid_amount: 4_000,
      paid_at: null,
    });
    expect(await hear([a, { ...b, outcome: 'reversed' }, transfer(reference, 'trf-4', 450_000)])).toMatchObject({
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

  test('late money that is kept: it is marked late, and revives an expired checkout', async () => {
    const { reference, hear, expires_at } = await begin();
    await minutesPass(world, 40, 5);
    expect((await fetchCheckout(reference)).status).toBe('expired');
    const paidAt = Date.parse(expires_at) + 1;
    expect(await hear([transfer(reference, 'trf-1', 850_000, 'accepted', paidAt)], 'complete')).toMatchObject({
      status: 'paid',
      payments: [{ late: true }],
    });
    await expectChanges(reference, ['checkout.expired', 'checkout.paid']);
  });

  test('late money that is too little: an expired checkout is underpaid, and stays so', async () => {
    const { reference, hear } = await begin();
    await minutesPass(world, 40, 5);
    expect(await hear([transfer(reference, 'trf-1', 200_000)])).toMatchObject({
      status: 'underpaid',
      paid_amount: 2_000,
      payments: [{ late: true }],
    });
    await minutesPass(world, 120, 10);
    await expectChanges(reference, ['checkout.expired', 'checkout.underpaid']);
  });

  test('a final no: it fails once, and money that turns up still counts', async () => {
    const { reference, hear } = await begin();
    expect(await hear([], 'failed')).toMatchObject({ status: 'failed', paid_amount: 0 });
    await hear([], 'failed');
    expect(await hear([transfer(reference, 'trf-1', 850_000)], 'failed')).toMatchObject({ status: 'paid' });
    await hear([transfer(reference, 'trf-1', 850_000)], 'failed');
    await expectChanges(reference, ['checkout.failed', 'checkout.paid']);
  });

  test('a final no to an attempt that was given up for another: only that of the one in use fails the checkout', async () => {
    breakOpening(world, provider, 'checkout', { kind: 'lost_answer' });
    const payer = { payer_email: 'chidi.eze@example.com', provider };
    expect((await merchant.api.initialize({ amount: 8_500, ...payer })).status).toBe(502);
    await minutesPass(world, 1);
    const [{ reference }] = (await merchant.api.listCheckouts()).json.data;
    const no = withScriptedProvider(world, provider, () => ({ lookUp: async () => ({ money: [], state: 'failed' }) }));
    const hear = async (value: string) => {
      const asked = no.deps.liveProviders(provider) as LiveProvider;
      await lookUpPayment(no.deps, provider, asked, { by: 'our_reference', value });
      return (await fetchCheckout(reference)).status;
    };
    expect(await hear(reference)).toBe('pending');
    expect(await hear(`${reference}-3`)).toBe('pending');
    expect(await eventTypesOf(world, reference)).toEqual([]);
    expect(await hear(`${reference}-2`)).toBe('failed');
    expect(await eventTypesOf(world, reference)).toEqual(['checkout.failed']);
  });

  test('less than asked for, then nothing more but that it is complete: the checkout is paid', async () => {
    const { reference, hear } = await begin();
    expect(await hear([total(reference, 800_000)])).toMatchObject({ status: 'underpaid' });
    expect(await hear([total(reference, 800_000)], 'complete')).toMatchObject({ status: 'paid', paid_amount: 8_000 });
    await expectChanges(reference, ['checkout.underpaid', 'checkout.paid']);
  });

  // checkout.ts, reversePayments: only a paid checkout's state is computed anew, and an underpaid one never expires.
  test('all of too little goes back: the checkout waits again, and expires', async () => {
    const { reference, hear } = await begin();
    await hear([transfer(reference, 'trf-1', 200_000)]);
    expect(await hear([transfer(reference, 'trf-1', 200_000, 'reversed')])).toMatchObject({
      status: 'pending',
      paid_amount: 0,
    });
    await minutesPass(world, 120, 10);
    await expectChanges(reference, ['checkout.underpaid', 'checkout.payment_reversed', 'checkout.expired']);
  });

  test('the right amount again after all of it went back: the money counts', async () => {
    const { reference, hear } = await begin();
    await hear([total(reference, 850_000)]);
    world.clock.advance(MINUTE);
    await hear([total(reference, 850_000, 'reversed')]);
    world.clock.advance(MINUTE);
    expect(await hear([total(reference, 850_000)])).toMatchObject({ status: 'paid', paid_amount: 8_500 });
    await expectChanges(reference, ['checkout.paid', 'checkout.payment_reversed', 'checkout.paid']);
  });
});
