import fc from 'fast-check';
import {
  type Checkout,
  checkout as checkoutSchema,
  failedAtProvider,
  MAX_EMBEDDED_PAYMENTS,
  passTime,
} from '#shared/domain/checkouts/checkout.ts';
import {
  countsAs,
  type LandingStep,
  landOnCheckout,
  landOnVirtualAccount,
  transferIdOf,
} from '#shared/domain/checkouts/landing.ts';
import type { Kobo } from '#shared/domain/kernel/money.ts';
import { kobo } from '#shared/domain/kernel/money.ts';
import { HOUR, MINUTE, SECOND } from '#shared/domain/kernel/time.ts';
import type { Payment } from '#shared/domain/money/payment.ts';
import { type ReportedTransfer, type RunningTotal, returnId } from '#shared/domain/money/report.ts';
import type { VirtualAccount } from '#shared/domain/virtual-accounts/virtual-account.ts';
import { id, NOON, naira, paymentOf, pendingCheckout, SHOP } from '#test/unit/http/examples.ts';

const REFERENCE = 'PAY-7H2KQ9XW4M1ZB8T5RC3N';
const MADE = { id: id('pay', 7), recordedAt: NOON + 5 * MINUTE };
/** It was asked for after everything that counts. */
const ASKED = { ...MADE, askedAt: NOON + 5 * MINUTE };
const live = pendingCheckout({ mode: 'live' });

/** As `toBe`, for properties that ask half a million times: `expect` alone takes longer than all that they look at. */
const same = (actual: unknown, expected: unknown): void => {
  if (!Object.is(actual, expected)) expect(actual).toBe(expected);
};
/** As `toBeLessThanOrEqual`, for the same reason. */
const atMost = (actual: number, limit: number): void => {
  if (!(actual <= limit)) expect(actual).toBeLessThanOrEqual(limit);
};

const common = {
  providerReference: '1633565152-abc',
  fee: naira(50),
  paidAt: NOON + 3 * MINUTE,
  senderName: 'EZE CHIDI',
  senderBank: 'GTBank',
  payee: { by: 'our_reference', reference: REFERENCE },
} as const;
const transfer = (amount: number, of: Partial<ReportedTransfer> = {}): ReportedTransfer => ({
  ...common,
  kind: 'transfer',
  transferId: 'trf-1',
  amount: naira(amount),
  outcome: 'accepted',
  ...of,
});
const total = (amount: number, of: Partial<RunningTotal> = {}): RunningTotal => ({
  ...common,
  kind: 'running_total',
  amount: naira(amount),
  outcome: 'accepted',
  ...of,
});
/** A recorded part of a running total. */
const part = (reached: number, amount: number, of: Partial<Payment> = {}): Payment =>
  paymentOf({ id: id('pay', reached), transferId: `${REFERENCE}:${reached * 100}`, amount: naira(amount), ...of });

/** A checkout on which these payments have landed. */
const landed = (status: 'underpaid' | 'paid', payments: Payment[]): Checkout => {
  const paidAmount = payments
    .filter(({ outcome }) => outcome === 'accepted')
    .reduce((sum, { amount }) => sum + amount, 0);
  const counted = payments
    .filter(({ outcome, transferId }) => outcome === 'accepted' && transferId.startsWith(`${REFERENCE}:`))
    .reduce((sum, { amount }) => sum + amount, 0);
  const who = { paidAt: NOON, senderName: null, senderBank: null };
  return checkoutSchema.parse({
    ...live,
    status,
    payments,
    paidAmount,
    totals: counted > 0 ? { [REFERENCE]: { counted, changedAt: NOON, reversals: 0, fell: 0 } } : {},
    version: 1 + payments.length,
    ...(status === 'paid' && who),
  });
};
const land = (
  before: Checkout,
  money: ReportedTransfer | RunningTotal,
  known?: Payment,
  complete = false,
): LandingStep | undefined => landOnCheckout(ASKED, before, money, known, complete);

describe('what makes reported money one payment', () => {
  test('is the provider’s id of a transfer', () => {
    expect(transferIdOf(transfer(5_000, { transferId: 'MNFY|04|20261120130000|000001' }))).toBe(
      'MNFY|04|20261120130000|000001',
    );
  });

  test('is the reference with the total that was reached, in kobo', () => {
    expect(transferIdOf(total(5_000.75))).toBe(`${REFERENCE}:500075`);
  });
});

describe('money for a checkout', () => {
  test('is recorded as the provider reports it', () => {
    expect(land(live, transfer(5_000))?.payment).toEqual({
      ...MADE,
      mode: 'live',
      businessId: SHOP,
      provider: 'paystack',
      owner: { kind: 'checkout', reference: REFERENCE },
      transferId: 'trf-1',
      providerReference: common.providerReference,
      amount: naira(5_000),
      fee: naira(50),
      paidAt: common.paidAt,
      senderName: 'EZE CHIDI',
      senderBank: 'GTBank',
      outcome: 'accepted',
      late: false,
    });
  });

  const recordedTransfer = paymentOf({ mode: 'live', transferId: 'trf-1', amount: naira(5_000) });
  const reversedTransfer = { ...recordedTransfer, outcome: 'reversed' } as const;
  const rejectedTransfer = { ...recordedTransfer, outcome: 'rejected' } as const;
  const paid = landed('paid', [recordedTransfer]);
  const ofTwoParts = landed('paid', [part(5_000, 2_000), part(3_000, 3_000)]);
  const underpaid = landed('underpaid', [part(3_000, 3_000)]);

  type Row = readonly [
    string,
    Checkout,
    ReportedTransfer | RunningTotal,
    Payment | undefined,
    { status: Checkout['status']; paid: number; announce: string; amount?: number; reversed?: number } | 'nothing',
  ];
  const ROWS: readonly Row[] = [
    [
      'the whole amount',
      live,
      transfer(5_000),
      undefined,
      { status: 'paid', paid: 5_000, announce: 'checkout.paid', amount: 5_000 },
    ],
    [
      'too little',
      live,
      transfer(4_999.99),
      undefined,
      { status: 'underpaid', paid: 4_999.99, announce: 'checkout.underpaid', amount: 4_999.99 },
    ],
    [
      'too much',
      live,
      transfer(5_000.01),
      undefined,
      { status: 'paid', paid: 5_000.01, announce: 'checkout.paid', amount: 5_000.01 },
    ],
    [
      'more after it was paid',
      paid,
      transfer(100, { transferId: 'trf-2' }),
      undefined,
      { status: 'paid', paid: 5_100, announce: 'checkout.overpaid', amount: 100 },
    ],
    ['a transfer that is recorded', paid, transfer(5_000), recordedTransfer, 'nothing'],
    [
      'a rejected transfer',
      live,
      transfer(4_000, { outcome: 'rejected' }),
      undefined,
      { status: 'pending', paid: 0, announce: 'checkout.payment_rejected', amount: 4_000 },
    ],
    ['a rejected transfer again', live, transfer(5_000, { outcome: 'rejected' }), rejectedTransfer, 'nothing'],
    [
      'the reversal of a recorded transfer',
      paid,
      transfer(5_000, { outcome: 'reversed' }),
      recordedTransfer,
      { status: 'pending', paid: 0, announce: 'checkout.payment_reversed', reversed: 1 },
    ],
    [
      'a rejection of what was recorded as accepted',
      paid,
      transfer(5_000, { outcome: 'rejected' }),
      recordedTransfer,
      { status: 'pending', paid: 0, announce: 'checkout.payment_reversed', reversed: 1 },
    ],
    ['the same reversal again', live, transfer(5_000, { outcome: 'reversed' }), reversedTransfer, 'nothing'],
    ['an older answer after a reversal', live, transfer(5_000), reversedTransfer, 'nothing'],
    [
      'a first total',
      live,
      total(3_000),
      undefined,
      { status: 'underpaid', paid: 3_000, announce: 'checkout.underpaid', amount: 3_000 },
    ],
    [
      'a total that grew',
      underpaid,
      total(5_000),
      undefined,
      { status: 'paid', paid: 5_000, announce: 'checkout.paid', amount: 2_000 },
    ],
    [
      'a total that grew beyond',
      ofTwoParts,
      total(6_500),
      undefined,
      { status: 'paid', paid: 6_500, announce: 'checkout.overpaid', amount: 1_500 },
    ],
    ['the same total', underpaid, total(3_000), part(3_000, 3_000), 'nothing'],
    [
      'a smaller total, by a whole part',
      ofTwoParts,
      total(3_000),
      undefined,
      { status: 'underpaid', paid: 3_000, announce: 'checkout.payment_reversed', reversed: 1 },
    ],
    [
      'a smaller total, by some of a part',
      ofTwoParts,
      total(4_000),
      undefined,
      { status: 'underpaid', paid: 4_000, announce: 'checkout.payment_reversed', amount: 1_000, reversed: 1 },
    ],
    [
      'a smaller total, by some of the first part too',
      ofTwoParts,
      total(1_000),
      undefined,
      { status: 'underpaid', paid: 1_000, announce: 'checkout.payment_reversed', amount: 1_000, reversed: 2 },
    ],
    [
      'a smaller total that is no less than was asked for',
      landed('paid', [part(7_000, 7_000)]),
      total(5_000),
      undefined,
      { status: 'paid', paid: 5_000, announce: 'checkout.payment_reversed', amount: 5_000, reversed: 1 },
    ],
    [
      'the reversal of a total',
      ofTwoParts,
      total(5_000, { outcome: 'reversed' }),
      part(5_000, 2_000),
      { status: 'pending', paid: 0, announce: 'checkout.payment_reversed', reversed: 2 },
    ],
    [
      'the reversal of a total that nobody heard of',
      live,
      total(5_000, { outcome: 'reversed' }),
      undefined,
      { status: 'pending', paid: 0, announce: 'checkout.payment_rejected', amount: 5_000 },
    ],
  ];
  test.each(ROWS)('%s', (_, before, money, known, expected) => {
    const step = land(before, money, known);
    if (expected === 'nothing') {
      expect(step).toBeUndefined();
      return;
    }
    expect(step?.checkout).toMatchObject({
      status: expected.status,
      paidAmount: naira(expected.paid),
      version: before.version + 1,
    });
    expect(step?.announce).toBe(expected.announce);
    expect(step?.payment?.amount).toBe(expected.amount === undefined ? undefined : naira(expected.amount));
    expect(step?.reversed?.map(({ outcome }) => outcome) ?? []).toEqual(
      Array.from({ length: expected.reversed ?? 0 }, () => 'reversed'),
    );
    expect(() => checkoutSchema.parse(step?.checkout)).not.toThrow();
  });

  test('never counts when it went back before we heard of it', () => {
    const step = land(live, transfer(5_000, { outcome: 'reversed' }));
    expect(step?.checkout.paidAmount ?? 0).toBe(0);
    expect(step?.payment?.outcome).not.toBe('accepted');
  });

  test('is late when its time of payment is after the expiry, and still counts', () => {
    const expired = { ...live, status: 'expired', version: 2 } as const;
    const late = land(expired, transfer(5_000, { paidAt: live.expiresAt + 1 }));
    expect(late?.payment?.late).toBe(true);
    expect(late?.checkout).toMatchObject({ status: 'paid', paidAmount: naira(5_000), senderName: 'EZE CHIDI' });
    expect(land(expired, transfer(5_000, { paidAt: live.expiresAt }))?.payment?.late).toBe(false);
  });

  test('completes it below the amount where the provider takes it as paid', () => {
    expect(land(live, total(4_000), undefined, true)).toMatchObject({
      announce: 'checkout.paid',
      checkout: { status: 'paid', paidAmount: naira(4_000) },
    });
  });

  test('completes it when the provider takes what is recorded as the whole', () => {
    expect(land(underpaid, total(3_000), part(3_000, 3_000), true)).toMatchObject({
      announce: 'checkout.paid',
      checkout: { status: 'paid', paidAmount: naira(3_000) },
    });
  });

  test('leaves an underpaid checkout pending when all of it goes back', () => {
    expect(land(underpaid, total(3_000, { outcome: 'reversed' }), part(3_000, 3_000))?.checkout).toMatchObject({
      status: 'pending',
      paidAmount: 0,
    });
  });

  /** A part of a total, and so many rejected transfers after it. */
  const crowded = (after: number): Checkout => {
    let now: Checkout = landed('underpaid', [part(3_000, 3_000)]);
    for (let n = 1; n <= after; n += 1) {
      const money = transfer(100, { transferId: `trf-${n}`, outcome: 'rejected' });
      now = landOnCheckout({ ...ASKED, id: id('pay', n) }, now, money, undefined, false)?.checkout ?? now;
    }
    return now;
  };
  test('adds to a total whose first part is still carried along', () => {
    const after = land(crowded(MAX_EMBEDDED_PAYMENTS - 1), total(5_000))?.checkout;
    expect(after?.paidAmount).toBe(naira(5_000));
  });
  test('adds to a total whose first part is not carried along any more', () => {
    const after = land(crowded(MAX_EMBEDDED_PAYMENTS), total(5_000))?.checkout;
    expect(after?.paidAmount).toBe(naira(5_000));
  });
  test('takes some of a total back whose only part is not carried along any more', () => {
    expect(land(crowded(MAX_EMBEDDED_PAYMENTS), total(1_000))?.checkout.paidAmount).toBe(naira(1_000));
  });
  test('takes back more than the parts that are carried along hold', () => {
    const parts = [part(9_000, 6_000), part(3_000, 3_000)];
    const { totals } = landed('paid', parts);
    const before = { ...landed('paid', parts.slice(0, 1)), paidAmount: naira(9_000), totals };
    const step = land(before, total(1_000));
    expect(step).toMatchObject({
      checkout: { status: 'underpaid', paidAmount: naira(1_000), totals: { [REFERENCE]: { counted: naira(1_000) } } },
      reversed: [{ amount: naira(6_000), outcome: 'reversed' }],
    });
    expect(step?.payment).toBeUndefined();
    expect(land(before, total(4_000))?.checkout.paidAmount).toBe(naira(4_000));
  });
  test('tells no fee of a new part where that of another one may be in it', () => {
    const fees = (after: number) => land(crowded(after), total(5_000, { fee: naira(80) }))?.payment?.fee;
    expect(fees(MAX_EMBEDDED_PAYMENTS - 1)).toBe(naira(80));
    expect(fees(MAX_EMBEDDED_PAYMENTS)).toBe(0);
  });
  test('takes back a total whose only part is not carried along any more', () => {
    const known = part(3_000, 3_000);
    const after = land(crowded(MAX_EMBEDDED_PAYMENTS), total(3_000, { outcome: 'reversed' }), known)?.checkout;
    expect(after?.paidAmount).toBe(0);
  });
});

describe('a total that fell', () => {
  const over = landed('paid', [part(7_000, 7_000)]);
  const fell = land(over, total(5_000))?.checkout ?? over;
  const asked = (before: Checkout, askedAt: number, money: ReportedTransfer | RunningTotal) =>
    landOnCheckout({ ...MADE, id: id('pay', 8), recordedAt: askedAt, askedAt }, before, money, undefined, false);
  /** So much of the reference's money went back by then, in all. */
  const returned = (amount: number) =>
    transfer(amount, { outcome: 'rejected', transferId: returnId(REFERENCE, naira(amount)) });

  test('leaves a payment of what stays, by the same payer at the same time', () => {
    const before = part(7_000, 7_000);
    expect(land(over, total(5_000, { paidAt: NOON + HOUR, senderName: 'SOMEBODY ELSE' }))).toMatchObject({
      payment: { ...before, ...MADE, amount: naira(5_000), transferId: `${REFERENCE}:500000:1`, outcome: 'accepted' },
      reversed: [{ ...before, outcome: 'reversed' }],
      checkout: { payments: [{ id: MADE.id }, { id: before.id, outcome: 'reversed' }], paidAt: NOON },
    });
  });

  test('stays paid below the amount where the provider takes the rest as the whole', () => {
    const step = land(over, total(4_000), undefined, true);
    expect(step).toMatchObject({
      announce: 'checkout.payment_reversed',
      checkout: { status: 'paid', paidAmount: naira(4_000) },
    });
  });

  test('waits again when all of it went back, whatever the provider calls it', () => {
    expect(land(over, total(7_000, { outcome: 'reversed' }), undefined, true)?.checkout.status).toBe('pending');
  });

  const CHANGED = over.totals[REFERENCE]?.changedAt ?? 0;
  test.each([
    ['before what counts was recorded', CHANGED - 1, false],
    ['right after it', CHANGED + 30 * SECOND - 1, false],
    ['well after it', CHANGED + 30 * SECOND, true],
    ['nobody knows when', 0, false],
  ])('is believed if it was asked for %s: %i', (_, askedAt, isBelieved) => {
    expect(asked(over, askedAt, total(5_000)) !== undefined).toBe(isBelieved);
    expect(asked(over, askedAt, total(7_000, { outcome: 'reversed' })) !== undefined).toBe(isBelieved);
  });

  test('is not raised by an answer from before it fell, but by one from after', () => {
    expect(asked(fell, MADE.recordedAt - MINUTE, total(7_000))).toBeUndefined();
    expect(asked(fell, MADE.recordedAt + MINUTE, total(7_000))).toMatchObject({
      announce: 'checkout.overpaid',
      payment: { amount: naira(2_000), transferId: `${REFERENCE}:700000:1` },
    });
  });

  test('grows at once by an answer that was asked for after what counts was recorded, and by no older one', () => {
    expect(asked(over, CHANGED, total(8_000))?.payment?.amount).toBe(naira(1_000));
    expect(asked(over, CHANGED - 1, total(8_000))).toBeUndefined();
    expect(asked(over, 0, total(8_000))).toBeUndefined();
  });

  test('before we heard of it is told as sent back once, and older answers count for nothing', () => {
    const gone = asked(live, NOON + MINUTE, total(7_000, { outcome: 'reversed' }))?.checkout ?? live;
    expect(gone).toMatchObject({ status: 'pending', paidAmount: 0, payments: [{ outcome: 'rejected' }] });
    expect(asked(gone, NOON + 2 * MINUTE, total(7_000, { outcome: 'reversed' }))).toBeUndefined();
    expect(asked(gone, NOON, total(7_000))).toBeUndefined();
    expect(asked(gone, NOON + 2 * MINUTE, total(7_000))).toMatchObject({ announce: 'checkout.paid' });
    expect(land(gone, returned(7_000))).toBeUndefined();
  });

  /** Unseen: it changes what older answers count for, and neither the version nor anything that is shown. */
  const expectUnseen = (step: LandingStep | undefined, before: Checkout): Checkout => {
    expect(step).toEqual({ checkout: { ...before, totals: step?.checkout.totals }, announce: null });
    return step?.checkout ?? before;
  };

  test('after it was told as sent back is not told again, and older answers count for nothing', () => {
    const told = land(live, returned(7_000))?.checkout ?? live;
    expect(asked(told, NOON + HOUR, total(7_000, { outcome: 'reversed' }))).toBeUndefined();
    expect(asked(told, MADE.recordedAt - 1, total(7_000))).toBeUndefined();
    // A new payment of the same amount counts, beside what was told.
    expect(asked(told, NOON + HOUR, total(7_000))).toMatchObject({
      announce: 'checkout.paid',
      payment: { transferId: `${REFERENCE}:700000:1` },
    });
  });

  test('and rose in between without our hearing of it: an answer from then counts for nothing', () => {
    const back = land(over, total(7_000))?.checkout ?? over;
    const told = asked(back, NOON + HOUR, returned(1_000))?.checkout ?? back;
    expect(asked(told, NOON + HOUR - MINUTE, total(8_000))).toBeUndefined();
  });

  test('of which nothing is told is remembered without a word', () => {
    const gone = expectUnseen(asked(live, NOON + HOUR, total(0, { outcome: 'reversed' })), live);
    expect(asked(gone, NOON + HOUR - 1, total(7_000))).toBeUndefined();
    expect(asked(gone, NOON + 2 * HOUR, total(0, { outcome: 'reversed' }))).toBeUndefined();
  });

  test('as items of before tell it, which have no sum of what was told as sent back: it is not told again', () => {
    const told = land(live, returned(7_000))?.checkout ?? live;
    const before = { ...told, totals: {} };
    expectUnseen(asked(before, NOON + HOUR, total(7_000, { outcome: 'reversed' })), before);
    expect(checkoutSchema.parse(before)).toEqual(before);
  });

  test('a second time tells of what went back since, whether it had counted or not', () => {
    const again = asked(fell, NOON + HOUR, total(6_500))?.checkout ?? fell;
    const twice = asked(again, NOON + 2 * HOUR, total(5_000))?.checkout ?? again;
    expect(twice.totals[REFERENCE]).toMatchObject({ counted: naira(5_000), fell: naira(3_500), reversals: 2 });
    expect(land(twice, returned(3_500))).toBeUndefined();
    expect(land(twice, returned(4_000))).toMatchObject({
      announce: 'checkout.payment_rejected',
      payment: { amount: naira(500), transferId: returnId(REFERENCE, naira(4_000)), outcome: 'rejected' },
      checkout: { paidAmount: naira(5_000), totals: { [REFERENCE]: { counted: naira(5_000), fell: naira(4_000) } } },
    });
    const all = asked(twice, NOON + 3 * HOUR, total(9_000, { outcome: 'reversed' }))?.checkout ?? twice;
    expect(all).toMatchObject({ status: 'pending', paidAmount: 0, totals: { [REFERENCE]: { fell: naira(9_000) } } });
  });

  test('that never counted tells only what nobody has heard of', () => {
    const first = land(live, returned(2_000))?.checkout ?? live;
    const second = asked(first, NOON + HOUR, total(5_000, { outcome: 'reversed' }));
    expect(second).toMatchObject({
      announce: 'checkout.payment_rejected',
      payment: { amount: naira(3_000), transferId: returnId(REFERENCE, naira(5_000)) },
    });
    const third = asked(second?.checkout ?? first, NOON + 2 * HOUR, total(6_000, { outcome: 'reversed' }));
    expect(third?.payment).toMatchObject({ amount: naira(1_000), transferId: returnId(REFERENCE, naira(6_000)) });
    expect(third?.checkout.payments.map(({ outcome, amount }) => `${amount / 100} ${outcome}`)).toEqual([
      '1000 rejected',
      '3000 rejected',
      '2000 rejected',
    ]);
  });

  test('has parts whose fees come to the fee of the whole', () => {
    const first = asked(live, NOON + MINUTE, total(3_000, { fee: naira(45) }))?.checkout ?? live;
    const second = asked(first, NOON + 2 * MINUTE, total(5_000, { fee: naira(75) }))?.checkout ?? first;
    const third = asked(second, NOON + 3 * MINUTE, total(6_000, { fee: naira(60) }))?.checkout ?? second;
    expect(third.payments.map(({ fee }) => fee)).toEqual([0, naira(30), naira(45)]);
  });

  test('has told of what went back, and only of that', () => {
    expect(land(fell, returned(2_000))).toBeUndefined();
    // What went back in all only grows: less is of before.
    expect(land(fell, returned(1_500))).toBeUndefined();
    expect(land(fell, returned(2_500))?.payment?.amount).toBe(naira(500));
    expect(land(over, returned(2_000))?.payment?.amount).toBe(naira(2_000));
  });

  test('says whether it counts as it was reported', () => {
    expect(countsAs(fell, total(5_000))).toBe(true);
    expect(countsAs(fell, total(7_000))).toBe(false);
    expect(countsAs(fell, total(5_000, { outcome: 'reversed' }))).toBe(false);
    expect(countsAs(live, total(5_000, { outcome: 'reversed' }))).toBe(true);
    expect(countsAs(live, transfer(5_000))).toBe(true);
  });
});

describe('money that never counted and is told twice to have gone back', () => {
  const TRANSACTION = common.providerReference;
  const rejection = (amount: number, apart: string): ReportedTransfer =>
    transfer(amount, { transferId: `${TRANSACTION}|${apart}`, outcome: 'rejected' });
  const reversed = (amount: number): RunningTotal => total(amount, { outcome: 'reversed' });
  /** Paystack's name of what it tells in a notification, and of the same transaction in a look-up. */
  const ofPaystack = {
    rejected: transfer(4_000, { transferId: '3103-rejected-400000', providerReference: '3103', outcome: 'rejected' }),
    reversed: transfer(4_000, { transferId: '3103', providerReference: REFERENCE, outcome: 'reversed' }),
  };

  /** What a checkout is told, in naira, as news come an hour apart; what was recorded is known. */
  const toldBy = (news: readonly (ReportedTransfer | RunningTotal)[]) => {
    let now: Checkout = live;
    const payments = new Map<string, Payment>();
    const told: number[] = [];
    for (const [n, money] of news.entries()) {
      const at = NOON + (n + 1) * HOUR;
      const known = money.kind === 'transfer' ? payments.get(money.transferId) : undefined;
      const before = now;
      const step = landOnCheckout({ id: id('pay', n + 1), recordedAt: at, askedAt: at }, now, money, known, false);
      if (!step) continue;
      now = step.checkout;
      for (const one of [...(step.payment ? [step.payment] : []), ...(step.reversed ?? [])]) {
        payments.set(one.transferId, one);
      }
      if (step.announce === 'checkout.payment_rejected') told.push((step.payment?.amount ?? 0) / 100);
      same(now.version, before.version + (step.announce ? 1 : 0));
      if (!step.announce) same(now.payments.length, before.payments.length);
      expect(checkoutSchema.parse(now)).toEqual(now);
    }
    return { told, end: now, payments };
  };

  test.each([
    ['rejected, then reversed', [rejection(4_000, 's1'), reversed(4_000)]],
    ['reversed, then rejected', [reversed(4_000), rejection(4_000, 's1')]],
    ['rejected, then reversed, at Paystack', [ofPaystack.rejected, ofPaystack.reversed]],
    ['reversed, then rejected, at Paystack', [ofPaystack.reversed, ofPaystack.rejected]],
  ])('is told once: %s', (_, news) => {
    expect(toldBy(news).told).toEqual([4_000]);
    expect(toldBy([...news, ...news]).told).toEqual([4_000]);
  });

  test('counts for nothing by older news that it was accepted', () => {
    const { end, payments } = toldBy([ofPaystack.rejected, ofPaystack.reversed]);
    const money = { ...ofPaystack.reversed, outcome: 'accepted' } as const;
    expect(land(end, money, payments.get(money.transferId))).toBeUndefined();
    const ofTotal = toldBy([rejection(4_000, 's1'), reversed(4_000)]).end;
    expect(land(ofTotal, total(4_000))).toBeUndefined();
  });

  test.each([
    [
      'two rejections of one amount after the reversal of one',
      [reversed(4_000), rejection(4_000, 's1'), rejection(4_000, 's2')],
    ],
    ['two rejections of one amount before it', [rejection(4_000, 's1'), rejection(4_000, 's2'), reversed(4_000)]],
    [
      'two rejections of one amount, and both are reversed',
      [rejection(4_000, 's1'), rejection(4_000, 's2'), reversed(4_000), reversed(8_000)],
    ],
  ])('is told as often as it came: %s', (_, news) => {
    expect(toldBy(news).told).toEqual([4_000, 4_000]);
  });

  test('is told beside another amount that came, counted for nobody and went back', () => {
    expect(toldBy([rejection(4_000, 's1'), reversed(5_000)]).told).toEqual([4_000, 5_000]);
    expect(toldBy([reversed(5_000), rejection(4_000, 's1')]).told).toEqual([5_000, 4_000]);
  });

  test('is told beside money that counted and was reversed', () => {
    const { told, end } = toldBy([total(5_000), reversed(5_000), rejection(5_000, 's1')]);
    expect(told).toEqual([5_000]);
    expect(end.payments.map(({ outcome }) => outcome)).toEqual(['rejected', 'reversed']);
  });

  test('is told to the kobo, in whatever order its rejections and its reversals are heard, lost or repeated', () => {
    const anyTransfer = fc.record({ amount: fc.integer({ min: 1, max: 3 }), heard: fc.integer({ min: 0, max: 2 }) });
    const histories = fc
      .array(anyTransfer, { minLength: 1, maxLength: 4 })
      .chain((transfers) => fc.tuple(fc.constant(transfers), fc.array(fc.nat(), { minLength: 30, maxLength: 30 })));
    fc.assert(
      fc.property(histories, ([transfers, draws]) => {
        const rejections = transfers.flatMap(({ amount, heard }, i) =>
          Array.from({ length: heard }, () => rejection(amount * 1_000, `s${i}`)),
        );
        // Look-ups are heard in their order, each more than once at times; rejections at any time between them.
        const news: (ReportedTransfer | RunningTotal)[] = transfers.map((_, i) =>
          reversed(transfers.slice(0, i + 1).reduce((sum, { amount }) => sum + amount * 1_000, 0)),
        );
        for (const [i, one] of rejections.entries()) news.splice((draws[i] ?? 0) % (news.length + 1), 0, one);
        const all = transfers.reduce((sum, { amount }) => sum + amount * 1_000, 0);
        const { told, end } = toldBy(news);
        same(
          told.reduce((sum, one) => sum + one, 0),
          all,
        );
        expect(end).toMatchObject({ status: 'pending', paidAmount: 0 });
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('any order of reports', () => {
  type Command =
    | { readonly kind: 'transfer'; readonly n: number; readonly outcome: ReportedTransfer['outcome'] }
    | { readonly kind: 'rejection'; readonly n: number }
    | { readonly kind: 'total'; readonly amount: Kobo; readonly outcome: RunningTotal['outcome'] }
    | { readonly kind: 'no' }
    | { readonly kind: 'time'; readonly hours: number };
  const anyCommand: fc.Arbitrary<Command> = fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant('transfer' as const),
        n: fc.integer({ min: 1, max: 4 }),
        outcome: fc.constantFrom('accepted' as const, 'accepted' as const, 'rejected' as const, 'reversed' as const),
      }),
    },
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant('total' as const),
        amount: fc.integer({ min: 1, max: 12 }).map((thousands) => kobo.parse(thousands * 100_000)),
        outcome: fc.constantFrom('accepted' as const, 'accepted' as const, 'accepted' as const, 'reversed' as const),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({ kind: fc.constant('rejection' as const), n: fc.integer({ min: 1, max: 8 }) }),
    },
    { weight: 1, arbitrary: fc.constant({ kind: 'no' as const }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('time' as const), hours: fc.integer({ min: 0, max: 3 }) }) },
  );
  // A fall may make two payments of one.
  const fewCommands = fc.array(anyCommand, { maxLength: MAX_EMBEDDED_PAYMENTS / 2 });

  interface Books {
    readonly checkout: Checkout;
    /** By the provider's id: what the table holds. */
    readonly payments: ReadonlyMap<string, Payment>;
    readonly announced: readonly (string | null)[];
    /** What the provider keeps under the running total, by its latest answer. */
    readonly keptTotal: number;
  }
  const begin: Books = { checkout: live, payments: new Map(), announced: [], keptTotal: 0 };

  /** Half of the rejections are of the total's transaction, half of one that is told as a transfer. */
  const rejectionOf = (n: number): ReportedTransfer => {
    const providerReference = n % 2 === 0 ? common.providerReference : `trf-${Math.ceil(n / 2)}`;
    const transferId = `${providerReference}|${n}`;
    return transfer(Math.ceil(n / 2) * 1_000, { transferId, providerReference, outcome: 'rejected' });
  };
  const moneyOf = (command: Extract<Command, { kind: 'transfer' | 'rejection' | 'total' }>) => {
    if (command.kind === 'rejection') return rejectionOf(command.n);
    return command.kind === 'transfer'
      ? transfer(command.n * 1_000, { transferId: `trf-${command.n}`, outcome: command.outcome })
      : total(command.amount / 100, { outcome: command.outcome });
  };
  const stepOf = ({ checkout: now, payments }: Books, command: Command, n: number): LandingStep | undefined => {
    if (command.kind === 'no') return failedAtProvider(now);
    if (command.kind === 'time') return passTime(now, now.createdAt + command.hours * HOUR, true);
    const money = moneyOf(command);
    const at = NOON + n * HOUR;
    const made = { id: id('pay', n), recordedAt: at, askedAt: at };
    return landOnCheckout(made, now, money, payments.get(transferIdOf(money)), false);
  };
  const advance = (books: Books, command: Command, n: number): Books => {
    const step = stepOf(books, command, n);
    const keptTotal =
      command.kind === 'total' ? (command.outcome === 'reversed' ? 0 : command.amount) : books.keptTotal;
    if (!step) return { ...books, keptTotal };
    const written = [...(step.payment ? [step.payment] : []), ...(step.reversed ?? [])];
    return {
      checkout: step.checkout,
      payments: new Map([...books.payments, ...written.map((one) => [one.transferId, one] as const)]),
      announced: [...books.announced, step.announce],
      keptTotal,
    };
  };
  /** Runs the commands, and checks after each. */
  const run = (commands: readonly Command[], check: (now: Books, before: Books, command: Command) => void): void => {
    commands.reduce((before, command, n) => {
      const now = advance(before, command, n + 1);
      check(now, before, command);
      return now;
    }, begin);
  };
  const accepted = (payments: Iterable<Payment>): number =>
    [...payments].filter(({ outcome }) => outcome === 'accepted').reduce((sum, { amount }) => sum + amount, 0);

  test('keeps the sum equal to the accepted payments, never below zero, and what is recorded unchanged', () => {
    fc.assert(
      fc.property(fewCommands, (commands) => {
        run(commands, ({ checkout, payments, keptTotal }, before) => {
          same(checkout.paidAmount, accepted(payments.values()));
          same(checkout.paidAmount, accepted(checkout.payments));
          atMost(0, checkout.paidAmount);
          const parts = [...payments.values()].filter(({ transferId }) => transferId.startsWith(REFERENCE));
          same(accepted(parts), keptTotal);
          for (const [transferId, { id: paymentId, amount, outcome }] of before.payments) {
            const kept = payments.get(transferId);
            same(kept?.id, paymentId);
            same(kept?.amount, amount);
            if (outcome !== 'accepted') same(kept?.outcome, outcome);
          }
        });
      }),
      { numRuns: 2_000 },
    );
  });

  test('announces each change once under the next version, and it is well formed', () => {
    fc.assert(
      fc.property(fewCommands, (commands) => {
        run(commands, (now, before) => {
          const isNew = now.announced.length > before.announced.length && now.announced.at(-1) !== null;
          expect(now.checkout.version).toBe(before.checkout.version + (isNew ? 1 : 0));
          expect(checkoutSchema.parse(now.checkout)).toEqual(now.checkout);
        });
      }),
    );
  });

  test('announces checkout.paid at most once unless a reversal undid it', () => {
    fc.assert(
      fc.property(fewCommands, (commands) => {
        run(commands, ({ announced }) => {
          const last = announced.lastIndexOf('checkout.paid');
          const earlier = announced.slice(0, Math.max(0, last)).lastIndexOf('checkout.paid');
          if (earlier >= 0) expect(announced.slice(earlier, last)).toContain('checkout.payment_reversed');
        });
      }),
      { numRuns: 2_000 },
    );
  });

  test('does nothing when a report is repeated', () => {
    fc.assert(
      fc.property(fewCommands, (commands) => {
        run(commands, (now, _, command) => {
          if (command.kind !== 'no' && command.kind !== 'time') expect(advance(now, command, 99)).toEqual(now);
        });
      }),
    );
  });

  test('has the state that fits the sum', () => {
    fc.assert(
      fc.property(fewCommands, (commands) => {
        run(commands, ({ checkout: { status, paidAmount, amount } }) => {
          if (status === 'paid') atMost(amount, paidAmount);
          else same(paidAmount < amount, true);
          same(status === 'underpaid', paidAmount > 0 && paidAmount < amount);
        });
      }),
      { numRuns: 2_000, seed: 20_261_120 },
    );
  });
});

describe('answers about a total that are heard in another order than they were asked for', () => {
  /** What the provider kept minute by minute, and by how many minutes each answer is heard late; in thousands of naira. */
  const anyHistory = (kept: fc.Arbitrary<number>) =>
    fc.array(fc.record({ kept, late: fc.integer({ min: 0, max: 5 }) }), { minLength: 1, maxLength: 9 });

  const hear = (history: readonly { readonly kept: number; readonly late: number }[]) => {
    let now: Checkout = live;
    const announced: (string | null)[] = [];
    const payments = new Map<string, Payment>();
    const landAt = (minute: number, asked: number): void => {
      const money = total((history[asked]?.kept ?? 0) * 1_000);
      // Nothing came yet, or all of it went back.
      if (money.amount === 0 && !history.slice(0, asked).some(({ kept }) => kept > 0)) return;
      const told = money.amount === 0 ? total(1, { outcome: 'reversed' }) : money;
      const made = { id: id('pay', minute + 1), recordedAt: NOON + minute * MINUTE, askedAt: NOON + asked * MINUTE };
      const step = landOnCheckout(made, now, told, undefined, false);
      if (!step) return;
      now = step.checkout;
      announced.push(step.announce);
      for (const one of [...(step.payment ? [step.payment] : []), ...(step.reversed ?? [])]) {
        payments.set(one.transferId, one);
      }
      const sum = [...payments.values()].reduce((all, one) => all + (one.outcome === 'accepted' ? one.amount : 0), 0);
      expect(now.paidAmount).toBe(sum);
      expect(now.paidAmount).toBe(now.totals[REFERENCE]?.counted ?? 0);
    };
    for (const [minute, { late }] of history.entries()) landAt(minute, Math.max(0, minute - late));
    const again = { ...MADE, recordedAt: NOON + HOUR, askedAt: NOON + HOUR };
    const last = (history.at(-1)?.kept ?? 0) * 1_000;
    const money = last === 0 ? total(1, { outcome: 'reversed' }) : total(last);
    const end = landOnCheckout(again, now, money, undefined, false)?.checkout ?? now;
    return { end, last: naira(last), announced };
  };

  test('come to what the provider keeps, after one more look-up at most', () => {
    fc.assert(
      fc.property(anyHistory(fc.integer({ min: 0, max: 9 })), (history) => {
        const { end, last } = hear(history);
        expect(end.paidAmount).toBe(last);
      }),
      { numRuns: 500 },
    );
  });

  test('take nothing back where nothing went back', () => {
    fc.assert(
      fc.property(anyHistory(fc.integer({ min: 0, max: 3 })), (steps) => {
        let kept = 0;
        const grown = steps.map((step) => {
          kept += step.kept;
          return { ...step, kept };
        });
        const { announced, end, last } = hear(grown);
        expect(announced).not.toContain('checkout.payment_reversed');
        expect(end.paidAmount).toBe(last);
      }),
      { numRuns: 500 },
    );
  });
});

describe('money that comes, is sent back at once and goes back later, heard in any order', () => {
  /** What happens in a minute, in thousands of naira, and by how many minutes the answer that is heard then is late. */
  const anyMinute = fc.record({
    paid: fc.integer({ min: 0, max: 4 }),
    rejected: fc.constantFrom(0, 0, 1, 3),
    back: fc.constantFrom(0, 0, 1, 2, 99),
    late: fc.integer({ min: 0, max: 5 }),
  });
  type Minute = typeof anyMinute extends fc.Arbitrary<infer T> ? T : never;

  /** What the provider keeps after each minute, and what went back by then in all. */
  const truthOf = (minutes: readonly Minute[]) => {
    let [kept, returned] = [0, 0];
    return minutes.map(({ paid, rejected, back }) => {
      const gone = Math.min(back, kept + paid);
      kept += paid - gone;
      returned += rejected + gone;
      return { kept, returned };
    });
  };
  type Truth = ReturnType<typeof truthOf>[number];

  /** As korapay/report.ts tells it: nothing that is kept is a total that went back. */
  const reportOf = ({ kept, returned }: Truth): readonly (RunningTotal | ReportedTransfer)[] => {
    if (kept === 0) return returned === 0 ? [] : [total(returned * 1_000, { outcome: 'reversed' })];
    const transferId = returnId(REFERENCE, naira(returned * 1_000));
    const sentBack = transfer(returned * 1_000, { transferId, outcome: 'rejected' });
    return returned === 0 ? [total(kept * 1_000)] : [total(kept * 1_000), sentBack];
  };

  /** A checkout, its payments by their ids, and how much (kobo) was told to have gone back. */
  const newBooks = () => {
    let now: Checkout = live;
    let told = 0;
    const payments = new Map<string, Payment>();
    let made = 0;
    /** Takes an answer in as look-up-payment.ts does: after a total that contradicts, the rest of it counts for nothing. */
    const hear = (truth: Truth, askedAt: number, recordedAt: number): void => {
      for (const money of reportOf(truth)) {
        made += 1;
        const before = now;
        const known = money.kind === 'transfer' ? payments.get(money.transferId) : undefined;
        const step = landOnCheckout({ id: id('pay', made), recordedAt, askedAt }, before, money, known, false);
        now = step?.checkout ?? before;
        const isOlder = askedAt < (before.totals[REFERENCE]?.changedAt ?? 0);
        if (isOlder) same(now.paidAmount, before.paidAmount);
        if (step?.payment) same(payments.has(step.payment.transferId), false);
        for (const one of [...(step?.payment ? [step.payment] : []), ...(step?.reversed ?? [])]) {
          payments.set(one.transferId, one);
        }
        if (step?.announce === 'checkout.payment_rejected') told += step.payment?.amount ?? 0;
        if (step?.announce === 'checkout.payment_reversed') told += before.paidAmount - now.paidAmount;
        same(now.version, before.version + (step?.announce ? 1 : 0));
        const accepted = [...payments.values()].filter(({ outcome }) => outcome === 'accepted');
        const sum = accepted.reduce((all, { amount }) => all + amount, 0);
        same(now.paidAmount, sum);
        same(now.totals[REFERENCE]?.counted ?? 0, sum);
        if (!countsAs(now, money)) return;
      }
    };
    return { hear, now: () => now, told: () => told };
  };

  test('comes to what the provider keeps; what went back is told once, and what went back before we heard of it never counts', () => {
    fc.assert(
      fc.property(fc.array(anyMinute, { minLength: 1, maxLength: 9 }), (minutes) => {
        const truth = truthOf(minutes);
        const books = newBooks();
        for (const [minute, { late }] of minutes.entries()) {
          const asked = Math.max(0, minute - late);
          books.hear(truth[asked] as Truth, NOON + asked * MINUTE, NOON + minute * MINUTE);
          atMost(books.told(), naira((truth[minute]?.returned ?? 0) * 1_000));
        }
        const last = truth.at(-1) as Truth;
        const heard = () => {
          books.hear(last, NOON + HOUR, NOON + HOUR);
          return books.now();
        };
        const end = heard();
        same(end.paidAmount, naira(last.kept * 1_000));
        atMost(naira(last.returned * 1_000), end.totals[REFERENCE]?.fell ?? 0);
        atMost(books.told(), naira(last.returned * 1_000));
        // Nothing that was asked for before, and no repetition, changes it any more.
        for (const [minute, before] of truth.entries()) books.hear(before, NOON + minute * MINUTE, NOON + 2 * HOUR);
        expect(heard()).toEqual(end);
      }),
      { numRuns: 3_000 },
    );
  });
});

describe('money for a standing account', () => {
  const base = {
    id: id('va'),
    businessId: SHOP,
    mode: 'live' as const,
    provider: 'monnify' as const,
    customerName: 'Adaeze Okafor',
    customerPhone: '+2348031234567',
    customerEmail: 'adaeze.okafor@example.com',
    metadata: null,
    createdAt: NOON,
    version: 2,
  };
  const account = {
    accountNumber: '2200000001',
    accountName: 'Adaeze Okafor',
    bankName: 'Wema bank',
    bankCode: '035',
    providerId: null,
  };
  const ACCOUNTS: readonly (readonly [string, VirtualAccount])[] = [
    ['active', { ...base, status: 'active', account }],
    ['inactive', { ...base, status: 'inactive', account, deactivatedAt: NOON + HOUR }],
  ];
  const known = (outcome: Payment['outcome']): Payment =>
    paymentOf({
      mode: 'live',
      provider: 'monnify',
      owner: { kind: 'virtual_account', id: base.id },
      transferId: 'trf-1',
      outcome,
    });

  describe.each(ACCOUNTS)('that is %s', (_, of) => {
    const on = (outcome: ReportedTransfer['outcome'], before?: Payment) =>
      landOnVirtualAccount(MADE, of, transfer(5_000, { outcome }), before);

    test('lands in any amount, and is never late', () => {
      const landing = landOnVirtualAccount(MADE, of, transfer(0.01, { paidAt: NOON + 9 * HOUR }), undefined);
      expect(landing).toMatchObject({
        received: {
          ...MADE,
          amount: 1,
          outcome: 'accepted',
          late: false,
          owner: { kind: 'virtual_account', id: base.id },
          transferId: 'trf-1',
        },
      });
    });

    test.each([
      ['accepted', 'accepted'],
      ['accepted', 'reversed'],
      ['accepted', 'rejected'],
      ['reversed', 'reversed'],
      ['reversed', 'rejected'],
      ['rejected', 'reversed'],
    ] as const)('%s, while it is recorded as %s: nothing', (outcome, before) => {
      expect(on(outcome, known(before))).toBeUndefined();
    });

    test.each(['reversed', 'rejected'] as const)(
      '%s, before we heard of it: it is recorded as sent back',
      (outcome) => {
        const sentBack = { transferId: 'trf-1', amount: naira(5_000), outcome: 'rejected', owner: { id: base.id } };
        expect(on(outcome, undefined)).toMatchObject({ sentBack });
      },
    );

    test.each(['reversed', 'rejected'] as const)('%s, while it is recorded as accepted: it is reversed', (outcome) => {
      expect(on(outcome, known('accepted'))).toEqual({ reversed: { ...known('accepted'), outcome: 'reversed' } });
    });
  });
});
